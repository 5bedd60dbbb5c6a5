//! Policies, which choose a move in a lost position; and the order of moves by a policy.

use std::cmp::Ordering;
use std::str::FromStr;

use bouton_tables::{AnswerOf, AskError, Game, MoveOf, MoveSet, Outcome, PositionOf, Solved, Verdict};

/// How to choose in a lost position. In a won position every policy takes the table's best move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Policy {
    /// The greatest depth: the opponent has to find the most winning moves.
    #[default]
    Longest,
    /// The move that leaves the opponent the smallest fraction of winning replies; among those, the greatest depth.
    Trap,
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            // The two defaults, one for won positions and one for lost ones.
            "fastest" | "longest" => Ok(Self::Longest),
            "trap" => Ok(Self::Trap),
            _ => Err(format!(
                "there is no policy '{text}'; policies for lost positions are: longest (the default), trap (leave the \
                 opponent the smallest fraction of winning replies)"
            )),
        }
    }
}

/// A legal move, and the table's verdict on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove<M> {
    /// The move.
    pub chosen: M,
    /// Outcome for the player who makes the move.
    pub outcome: Outcome,
    /// Depth of the position after the move, if the table holds depths.
    pub depth: Option<u32>,
    /// Stones taken, the tie-break between equal depths; 0 if the table has no depths.
    stones: u64,
    /// Numbers of the opponent's winning replies and of all replies; `None` unless the policy is [`Policy::Trap`].
    replies: Option<(u64, u64)>,
}

impl<M: Copy + Ord> RankedMove<M> {
    /// Orders moves best first. Ties go to fewer stones, then to the natural order of moves.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let wins = |ranked: &Self| ranked.outcome == Outcome::Win;
        let by_outcome = wins(other).cmp(&wins(self));
        let by_policy = if wins(self) {
            self.depth.cmp(&other.depth)
        } else if let (Some(ours), Some(theirs)) = (self.replies, other.replies) {
            // Compares the fractions of winning replies without division.
            let product = |a, b| u128::from(a) * u128::from(b);
            let by_fraction = product(ours.0, theirs.1).cmp(&product(theirs.0, ours.1));
            by_fraction.then(other.depth.cmp(&self.depth))
        } else {
            other.depth.cmp(&self.depth)
        };
        let by_stones = self.stones.cmp(&other.stones);
        by_outcome.then(by_policy).then(by_stones).then(self.chosen.cmp(&other.chosen))
    }
}

/// Returns the best move by a policy, given the table's answer for the position; `None` if no move is left.
///
/// # Errors
/// If the table is damaged.
pub fn best_move<S: Solved>(
    table: &S,
    position: &PositionOf<S>,
    answer: &AnswerOf<S>,
    policy: Policy,
) -> Result<Option<MoveOf<S>>, AskError> {
    // The table stores the best move by the default policies. Only `trap` has to look at each successor.
    if answer.verdict.outcome == Outcome::Win || policy == Policy::default() {
        return Ok(answer.best);
    }
    let moves = legal_moves(table, position, policy)?;
    Ok(moves.iter().min_by(|a, b| a.compare(b)).map(|best| best.chosen))
}

/// Returns every legal move in the natural order, each with its verdict. Looks up each successor once.
pub(crate) fn legal_moves<S: Solved>(
    table: &S,
    position: &PositionOf<S>,
    policy: Policy,
) -> Result<Vec<RankedMove<MoveOf<S>>>, AskError> {
    let game = table.game();
    let ranked = |chosen| {
        let next = game.after(position, chosen);
        let (Verdict { outcome, depth }, replies) = if policy == Policy::Longest {
            (table.verdict(&next)?, None)
        } else {
            let answer = table.answer(&next)?;
            let all = game.moves(&next).count() as u64;
            // An opponent without a reply has won: count this as "every reply wins".
            let replies = if all == 0 { (1, 1) } else { (answer.winning.len() as u64, all) };
            (answer.verdict, Some(replies))
        };
        let stones = if table.has_depths() { game.stones_taken(chosen) } else { 0 };
        Ok(RankedMove { chosen, outcome: outcome.reversed(), depth, stones, replies })
    };
    game.moves(position).map(ranked).collect()
}
