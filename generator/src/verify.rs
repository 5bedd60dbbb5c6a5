//! Proof that a table is right, for every family.

use std::cmp::Reverse;

use bouton_tables::{
    Answer, AskError, Damage, Family, Game, Header, MoveSet, Outcome, Solved, Table, Verdict,
};
use thiserror::Error;

use crate::{Progress, expanding, heaps};

/// What a verified table holds, counted anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions, counted as the family counts them.
    pub positions: u64,
    /// How many of them are won for the player to move.
    pub wins: u64,
    /// The greatest depth; 0 without depths.
    pub deepest: u32,
}

/// A position that is not what its successors make it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The position.
    pub position: String,
    /// What of it is wrong.
    pub what: &'static str,
    /// What the table says.
    pub found: String,
    /// What follows from the successors.
    pub follows: String,
}

/// Why a table is not verified.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// The file is not whole.
    #[error(transparent)]
    Damaged(#[from] Damage),
    /// The file is whole, and wrong.
    #[error("the table is wrong at {}: its {} is {}, but from its successors follows {}; generate it again", .0.position, .0.what, .0.found, .0.follows)]
    Wrong(Flaw),
    /// The file is whole, and contradicts itself where it was asked.
    #[error("the table is wrong: {0}; generate it again")]
    Contradictory(String),
    /// The summary in the header is wrong.
    #[error("the table is wrong: its header counts {stated}, there are {counted}; generate it again")]
    Miscounted {
        /// What the header says.
        stated: String,
        /// What was counted.
        counted: String,
    },
}

impl From<AskError> for VerifyError {
    fn from(error: AskError) -> Self {
        match error {
            // The file is whole, as was checked before: it was made wrong.
            AskError::Damaged(damage) => Self::Contradictory(damage.what),
            // Only positions that the rules give are asked for.
            AskError::Position(error) => {
                Self::Miscounted { stated: "fewer positions".to_owned(), counted: format!("more ({error})") }
            }
        }
    }
}

impl Counts {
    /// Counts a position's verdict: among the positions only if `counted`.
    pub(crate) fn add(&mut self, verdict: &Verdict, counted: bool) {
        self.positions += u64::from(counted);
        self.wins += u64::from(counted && verdict.outcome == Outcome::Win);
        self.deepest = self.deepest.max(verdict.depth.unwrap_or(0));
    }

    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            wins: self.wins + other.wins,
            deepest: self.deepest.max(other.deepest),
        }
    }

    pub(crate) fn agree_with(&self, header: &Header) -> Result<(), VerifyError> {
        let stated = Self { positions: header.positions, wins: header.wins, deepest: header.deepest };
        if stated == *self {
            return Ok(());
        }
        let show = |counts: &Self| {
            format!(
                "{} positions, {} of them won, {} plies at most",
                counts.positions, counts.wins, counts.deepest
            )
        };
        Err(VerifyError::Miscounted { stated: show(&stated), counted: show(self) })
    }
}

/// Checks the whole file, and every position of it against its successors.
///
/// # Errors
/// Names the first thing found wrong.
pub fn verify<D: AsRef<[u8]> + Sync>(table: &Table<D>, progress: &Progress) -> Result<Counts, VerifyError> {
    table.check_whole()?;
    match table.family() {
        Family::Expanding(expanding) => expanding::verify(expanding, table.header(), progress),
        Family::Heaps(heaps) => heaps::verify(heaps, table.header(), progress),
    }
}

/// Checks one position against its successors, of which `after` tells the verdicts.
pub(crate) fn check_position<S: Solved>(
    table: &S,
    position: &<S::Game as Game>::Position,
    answer: &Answer<<S::Game as Game>::Move, S::Winning>,
    after: impl Fn(&<S::Game as Game>::Position) -> Verdict,
) -> Result<(), VerifyError> {
    let game = table.game();
    let wrong = |what, found: &dyn ToString, follows: &dyn ToString| {
        let (found, follows) = (found.to_string(), follows.to_string());
        Err(VerifyError::Wrong(Flaw { position: game.show_position(position), what, found, follows }))
    };

    if after(position) != answer.verdict {
        return wrong("outcome or depth", &"different from one question to the next", &"the same each time");
    }
    let mut listed = answer.winning.iter();
    let mut won = None;
    let mut lost = None;
    for chosen in game.moves(position) {
        let next = after(&game.after(position, chosen));
        // Of several that are as deep and take as many stones, the first stays. Without depths all tie.
        let stones = if table.has_depths() { game.stones_taken(chosen) } else { 0 };
        if next.outcome == Outcome::Loss {
            if listed.next() != Some(chosen) {
                return wrong("list of winning moves", &"another one", &format!("that {chosen} wins"));
            }
            if won.is_none_or(|(depth, fewest, _)| (next.depth, stones) < (depth, fewest)) {
                won = Some((next.depth, stones, chosen));
            }
        } else if lost
            .is_none_or(|(depth, fewest, _)| (Reverse(next.depth), stones) < (Reverse(depth), fewest))
        {
            lost = Some((next.depth, stones, chosen));
        }
    }
    if let Some(extra) = listed.next() {
        return wrong("list of winning moves", &extra, &"that it does not win, or comes earlier");
    }

    let outcome = match (won, lost) {
        (None, None) => game.outcome_without_moves(),
        (won, _) => Outcome::from_won(won.is_some()),
    };
    if answer.verdict.outcome != outcome {
        return wrong("outcome", &answer.verdict.outcome, &outcome);
    }
    let chosen = won.or(lost);
    let depth = table.has_depths().then(|| match chosen {
        None => 0,
        Some((depth, ..)) => depth.map_or(0, |depth| depth + 1),
    });
    if answer.verdict.depth != depth {
        let show = |depth: Option<u32>| depth.map_or("none".to_owned(), |depth| depth.to_string());
        return wrong("depth", &show(answer.verdict.depth), &show(depth));
    }
    let best = chosen.map(|(.., best)| best);
    if answer.best != best {
        let show = |best: Option<_>| {
            best.map_or("none".to_owned(), |best: <S::Game as Game>::Move| best.to_string())
        };
        return wrong("best move", &show(answer.best), &show(best));
    }
    Ok(())
}
