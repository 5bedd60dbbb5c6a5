//! Proof that a table is right: for every family the rules told a second time, and the check of one position.
//!
//! Solvers, tables and lookups all use the moves of [`Game`], so a mistake there would be made by all of them alike.
//! The proof therefore enumerates moves by itself, from the values of the ruleset alone.

mod record;

use std::cmp::Reverse;
use std::path::Path;
use std::time::Duration;

use bouton_tables::{
    AnswerOf, AskError, Damage, FamilyTable, Game, Header, MoveOf, MoveSet, Outcome, Play, PositionOf,
    Solved, Table, Verdict, with_table,
};
use thiserror::Error;

pub use self::record::{
    Checked, ProofRecord, RecordError, Written as ProofWritten, look as look_at_record,
    throw_away as throw_away_record,
};
use crate::heaps::{self, NoQuotient};
use crate::peers::Peers;
use crate::{Control, GenerateError, Phase, Progress, estimate};

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
    /// An allocation failed.
    #[error("there is not enough memory to verify the table; verify it on a larger machine")]
    Memory,
    /// The proof may use less memory than it takes at the least.
    #[error(
        "verifying this table takes {least} bytes of memory at the least, of which {limit} may be used; allow more"
    )]
    TooLittle {
        /// What it takes at the least, in bytes.
        least: u64,
        /// What it may use, in bytes.
        limit: u64,
    },
    /// The control said so.
    #[error("the table was not verified: it was cancelled")]
    Cancelled,
    /// What an earlier verification recorded cannot be gone on from.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Another process that verifies the table too has found something.
    #[error("{what}")]
    Peer {
        /// What it says.
        what: String,
        /// Whether that is that the table is wrong.
        wrong: bool,
    },
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

/// A table without depths that was proved by classes, for any number of heaps as great as its greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByClasses {
    /// What the table holds, counted anew.
    pub counts: Counts,
    /// How many classes decide its game.
    pub classes: usize,
}

/// Why a table is not proved by classes.
#[derive(Debug, Error)]
pub enum ByClassesError {
    /// Its game is not decided by classes, or none were found.
    #[error("{0}; enumerate all positions instead")]
    NoQuotient(#[from] NoQuotient),
    /// It is wrong, damaged, or too large for the memory.
    #[error(transparent)]
    Verify(#[from] VerifyError),
}

impl From<AskError> for ByClassesError {
    fn from(error: AskError) -> Self {
        Self::Verify(error.into())
    }
}

/// Checks the whole file, and the outcomes of all positions by classes: by a proof that holds for any number of heaps, and
/// takes seconds however many positions there are.
///
/// # Errors
/// If the game is not decided by classes, with the first thing found wrong, or if `control` cancels.
pub fn verify_by_classes(table: &Table, control: &dyn Control) -> Result<ByClasses, ByClassesError> {
    table.check_whole().map_err(VerifyError::from)?;
    match table.family() {
        FamilyTable::Heaps(of_family) => heaps::verify_by_classes(of_family, table.header(), control),
        FamilyTable::Expanding(_) => Err(NoQuotient::Rules("games of heaps").into()),
    }
}

/// Whether [`verify_by_classes`] is for such tables at all: those without depths of games that take from one heap at a time,
/// without passes. Known at once.
pub fn may_be_proved_by_classes(table: &Table) -> bool {
    match table.family() {
        FamilyTable::Heaps(of_family) => heaps::suits_classes(of_family).is_ok(),
        FamilyTable::Expanding(_) => false,
    }
}

/// A proof asks for memory as the making of a table does.
impl From<GenerateError> for VerifyError {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Cancelled => Self::Cancelled,
            _ => Self::Memory,
        }
    }
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
    /// Counts the verdict of some positions; of none, only the depth.
    pub(crate) fn add(&mut self, verdict: &Verdict, positions: u64) {
        self.positions += positions;
        self.wins += if verdict.outcome == Outcome::Win { positions } else { 0 };
        self.deepest = self.deepest.max(verdict.depth.unwrap_or(0));
    }

    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            positions: self.positions.saturating_add(other.positions),
            wins: self.wins.saturating_add(other.wins),
            deepest: self.deepest.max(other.deepest),
        }
    }

    /// Whether a header counts the same.
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

/// The rules of a family, written down a second time for the proof: nothing here may use the moves, the successors or
/// the legality of [`Game`].
pub(crate) trait PlainRules: Game {
    /// Calls `visit` with every legal move in the natural order, the stones that it takes, and the position after it.
    fn each_move(&self, position: &Self::Position, visit: impl FnMut(&Self::Move, u64, &Self::Position));

    /// Who wins when no move is left.
    fn play(&self) -> Play;
}

/// What a verification may use.
#[derive(Clone, Copy, Debug)]
pub struct VerifyOptions<'a> {
    /// Memory of the whole process, with the file of the table if it is mapped, in bytes. Of heap games more of it saves time, up
    /// to [`ProofEstimate::memory`](crate::ProofEstimate::memory).
    pub memory: u64,
    /// A file in which it is recorded how far the verification is, so that a later one can go on: it is made when it is first
    /// due, and removed when the verification is over. Used for heap games only.
    pub record: Option<&'a Path>,
    /// The shortest time before the first record, and between two.
    pub pause: Duration,
    /// Positions of a block of a heap game, rounded up to a power of two. `None` chooses by the game. A record of other blocks
    /// cannot be gone on from.
    pub block: Option<u64>,
    /// The processes that verify the same table together, if there are several: all of them do this with the same options. The
    /// first one records. Used for heap games only; of others each process would verify the whole table.
    pub peers: Option<&'a dyn Peers>,
    /// Whether to try every move of every position of Expanding Nim too, where going along lines proves the same.
    pub every_position: bool,
}

impl Default for VerifyOptions<'_> {
    /// All memory, and no record.
    fn default() -> Self {
        let pause = Duration::from_secs(10);
        Self { memory: u64::MAX, record: None, pause, block: None, peers: None, every_position: false }
    }
}

/// Tells of progress alone.
struct Told<'a>(&'a Progress<'a>);

impl Control for Told<'_> {
    fn advance(&self, steps: u64) {
        (self.0)(steps);
    }
}

/// Checks the whole file, and every position of it against its successors.
///
/// # Errors
/// Names the first thing found wrong.
pub fn verify(table: &Table, progress: &Progress) -> Result<Counts, VerifyError> {
    verify_with(table, &VerifyOptions::default(), &Told(progress))
}

/// The same with limited memory, and a record from which it goes on if it is broken off. What is found does not depend on either;
/// of several wrong positions another one may be named.
///
/// # Errors
/// Names the first thing found wrong. Or the memory is too little, `control` cancels, or the record cannot be gone on from.
pub fn verify_with(
    table: &Table,
    options: &VerifyOptions,
    control: &dyn Control,
) -> Result<Counts, VerifyError> {
    table.check_whole()?;
    let header = table.header();
    control.begin(Phase::Verifying, estimate::estimate_proof(&header.ruleset, 0).steps);
    let counts = with_table!(table.family(), |of_family| of_family.verify(table, options, control))?;
    counts.agree_with(header)?;
    Ok(counts)
}

/// A family's table, as far as it can be proved.
pub(crate) trait Provable {
    /// Checks every position through the table's public reader, and counts them. `table` is the same one.
    ///
    /// # Errors
    /// Names the first position that is wrong, in the order of the check; or says that the table is damaged.
    fn verify(
        &self,
        table: &Table,
        options: &VerifyOptions,
        control: &dyn Control,
    ) -> Result<Counts, VerifyError>;
}

/// The best of some moves: depth and stones in the order in which less is better, and the move.
struct Best<K, M>(Option<(K, M)>);

impl<K: PartialOrd, M: Copy> Best<K, M> {
    /// Of several that are as good, the first stays.
    #[inline]
    fn consider(&mut self, key: K, chosen: &M) {
        if self.0.as_ref().is_none_or(|(best, _)| key < *best) {
            self.0 = Some((key, *chosen));
        }
    }
}

/// Checks one position against its successors. `own` is its own verdict, and `after` gives theirs: of a move, the stones that it
/// takes, and the position after it.
pub(crate) fn check_position<S: Solved<Game: PlainRules>>(
    table: &S,
    position: &PositionOf<S>,
    answer: &AnswerOf<S>,
    own: Verdict,
    mut after: impl FnMut(&MoveOf<S>, u64, &PositionOf<S>) -> Verdict,
) -> Result<(), VerifyError> {
    let game = table.game();
    let wrong = |what, found: &dyn ToString, follows: &dyn ToString| {
        let (found, follows) = (found.to_string(), follows.to_string());
        Err(VerifyError::Wrong(Flaw { position: game.show_position(position), what, found, follows }))
    };
    let list = "list of winning moves";

    if own != answer.verdict {
        return wrong("outcome or depth", &"different from one question to the next", &"the same each time");
    }
    let mut listed = answer.winning.iter();
    let mut missing = None;
    let (mut won, mut lost) = (Best(None), Best(None));
    game.each_move(position, |chosen, stones, next| {
        let Verdict { outcome, depth } = after(chosen, stones, next);
        // To the end of the game after this move. Without depths all moves tie, however many stones they take.
        let plies = depth.map_or(0, |depth| depth + 1);
        let stones = if table.has_depths() { stones } else { 0 };
        if outcome == Outcome::Loss {
            if missing.is_none() && listed.next() != Some(*chosen) {
                missing = Some(*chosen);
            }
            won.consider((plies, stones), chosen);
        } else if won.0.is_none() {
            // Of no use once a move wins.
            lost.consider((Reverse(plies), stones), chosen);
        }
    });
    if let Some(missing) = missing {
        return wrong(list, &"another one", &format!("that {missing} wins"));
    }
    if let Some(extra) = listed.next() {
        return wrong(list, &extra, &"that it does not win, or comes earlier");
    }

    let has_won = won.0.is_some();
    let lost = lost.0.map(|((Reverse(plies), _), chosen)| (plies, chosen));
    let best = won.0.map(|((plies, _), chosen)| (plies, chosen)).or(lost);
    let outcome = match best {
        // A player without a move has lost in normal play, and has won in misère play.
        None => Outcome::from_won(game.play() == Play::Misere),
        Some(_) => Outcome::from_won(has_won),
    };
    if answer.verdict.outcome != outcome {
        return wrong("outcome", &answer.verdict.outcome, &outcome);
    }
    let depth = table.has_depths().then(|| best.map_or(0, |(plies, _)| plies));
    if answer.verdict.depth != depth {
        let show = |depth: Option<u32>| depth.map_or("none".to_owned(), |depth| depth.to_string());
        return wrong("depth", &show(answer.verdict.depth), &show(depth));
    }
    let best = best.map(|(_, best)| best);
    if answer.best != best {
        let show = |best: Option<_>| best.map_or("none".to_owned(), |best: MoveOf<S>| best.to_string());
        return wrong("best move", &show(answer.best), &show(best));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use bouton_tables::rulesets::find;
    use bouton_tables::with_rules;

    use super::*;

    /// Compares the moves of every position that can be reached from a start.
    fn agree<G: PlainRules>(game: &G, start: G::Position) -> usize {
        let (mut seen, mut next) = (vec![start], 0);
        while next < seen.len() {
            let position = seen[next].clone();
            let usual: Vec<_> = game
                .moves(&position)
                .map(|chosen| (chosen, game.stones_taken(chosen), game.after(&position, chosen)))
                .collect();
            let mut plain = Vec::new();
            game.each_move(&position, |chosen, stones, after| plain.push((*chosen, stones, after.clone())));
            assert_eq!(plain, usual, "{}", game.show_position(&position));
            for (.., after) in plain {
                if !seen.contains(&after) {
                    seen.push(after);
                }
            }
            next += 1;
        }
        assert_eq!(Outcome::from_won(game.play() == Play::Misere), game.outcome_without_moves());
        seen.len()
    }

    #[test]
    fn the_moves_of_the_proof_are_those_of_the_game() {
        let mut positions = 0;
        for (preset, settings, start) in [
            ("expanding", &["stones=20", "resets=[1,2]"][..], "20"),
            ("expanding", &["stones=20", "resets=[1,0]", "growth=0", "base-limit=4", "reset-limit=2"], "20"),
            ("expanding", &["stones=20", "resets=[0,1]", "growth=7", "play=misere"], "20"),
            ("sticks", &["play=normal"], "3,5,7"),
            ("sticks", &["take=4", "passes=2"], "3,5,7"),
            ("sticks", &["take=[2,3]", "passes=1"], "3,5,7"),
            ("sticks", &["heaps-per-move=2"], "3,5,7"),
            ("sticks", &["heaps-per-move=3", "take=[1,3,4]"], "7,3,5"),
            ("sticks", &["heaps-per-move=3", "equal-take=true", "take=5", "passes=1"], "5,7,3"),
        ] {
            let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
            let ruleset = find(preset, &settings).expect("allowed rules").ruleset;
            positions += with_rules!(&ruleset, |rules| {
                agree(rules, rules.parse_position(start).expect("it is a start"))
            });
        }
        assert!(positions > 3000, "{positions}");
    }
}
