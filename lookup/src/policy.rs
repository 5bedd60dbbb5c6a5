//! The best of several winning or losing moves.

use std::cmp::{Ordering, Reverse};
use std::str::FromStr;

use bouton_tables::{AnswerOf, AskError, Game, MoveOf, MoveSet, Outcome, PositionOf, Solved, Verdict};

/// How to choose in a lost position. A won one is always won as fast as the table's depths allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Policy {
    /// The greatest depth: the opponent has to find the most winning moves.
    #[default]
    Longest,
    /// The move that leaves the opponent the smallest fraction of winning replies; of several, the one of
    /// greatest depth.
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
                "there is no policy '{text}'; policies are: fastest (the default in won positions), longest (the \
                 default in lost ones), trap (in lost positions, leave the opponent the smallest fraction of \
                 winning replies)"
            )),
        }
    }
}

/// A legal move, with what is known of where it leads.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<M> {
    pub(crate) chosen: M,
    /// Of the position that it leads to: the outcome is the opponent's.
    pub(crate) after: Verdict,
    /// Stones that it takes, which decide between moves that are equally deep; 0 where depths are not known.
    stones: u64,
    /// The opponent's replies that keep the win, and all of them. Known only where the policy asks for it.
    replies: Option<(u64, u64)>,
}

impl<M: Copy + Ord> Candidate<M> {
    /// Best first. Ties go to fewer stones, then to the natural order of moves.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let wins = |candidate: &Self| candidate.after.outcome == Outcome::Loss;
        let by_outcome = wins(other).cmp(&wins(self));
        let by_policy = if wins(self) {
            self.after.depth.cmp(&other.after.depth)
        } else if let (Some(ours), Some(theirs)) = (self.replies, other.replies) {
            // Shares of numbers of replies, compared without division.
            let share =
                (u128::from(ours.0) * u128::from(theirs.1)).cmp(&(u128::from(theirs.0) * u128::from(ours.1)));
            share.then(other.after.depth.cmp(&self.after.depth))
        } else {
            Reverse(self.after.depth).cmp(&Reverse(other.after.depth))
        };
        by_outcome.then(by_policy).then(self.stones.cmp(&other.stones)).then(self.chosen.cmp(&other.chosen))
    }
}

/// The best move of a position by a policy, given the table's answer to it; `None` where there is no move.
///
/// # Errors
/// If the table is damaged.
pub fn best_move<S: Solved>(
    table: &S,
    position: &PositionOf<S>,
    answer: &AnswerOf<S>,
    policy: Policy,
) -> Result<Option<MoveOf<S>>, AskError> {
    // The table holds the best move by the default policies; for the other, the successors are looked at.
    if answer.verdict.outcome == Outcome::Win || policy == Policy::default() {
        return Ok(answer.best);
    }
    let candidates = candidates(table, position, policy)?;
    Ok(candidates.iter().min_by(|a, b| a.compare(b)).map(|best| best.chosen))
}

/// Every legal move, in the natural order, with what is known of where it leads. Looks at each successor once.
pub(crate) fn candidates<S: Solved>(
    table: &S,
    position: &PositionOf<S>,
    policy: Policy,
) -> Result<Vec<Candidate<MoveOf<S>>>, AskError> {
    let game = table.game();
    let candidate = |chosen| {
        let next = game.after(position, chosen);
        let stones = if table.has_depths() { game.stones_taken(chosen) } else { 0 };
        if policy == Policy::Longest {
            return Ok(Candidate { chosen, after: table.verdict(&next)?, stones, replies: None });
        }
        let answer = table.answer(&next)?;
        let all = game.moves(&next).count() as u64;
        // An opponent without a reply has won, and cannot go wrong.
        let replies = if all == 0 { (1, 1) } else { (answer.winning.len() as u64, all) };
        Ok(Candidate { chosen, after: answer.verdict, stones, replies: Some(replies) })
    };
    game.moves(position).map(candidate).collect()
}
