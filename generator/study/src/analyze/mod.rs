//! Finds patterns in a table: periods, gaps, densities, and agreement with theorems.
//!
//! Each reported pattern holds at every position of its range. `docs/outputs.md` defines each number.

mod period;

use bouton_tables::{Outcome, Ruleset, Solved, Table, hex, with_rules, with_table};
use serde::Serialize;

pub use self::period::{Period, period};
use crate::Progress;
use crate::error::{Result, StudyError};
use crate::filter::{Fields, Filter};
use crate::game_map::Mappable;
use crate::groups::GroupedRegion;

/// The analysis of a table. JSON keeps the order of the fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The ruleset.
    #[serde(flatten)]
    pub ruleset: Ruleset,
    /// The digest of the table's file.
    pub digest: String,
    /// The patterns.
    #[serde(flatten)]
    pub findings: Findings,
}

impl Analysis {
    /// Returns whether the analysis proves the table wrong: it contradicts a theorem that decides its game.
    pub fn proves_wrong(&self) -> bool {
        match &self.findings {
            Findings::Lines { .. } => false,
            Findings::Whole(whole) => whole.theory.as_ref().is_some_and(Agreement::proves_wrong),
        }
    }
}

/// A family whose tables can be analyzed.
pub(crate) trait Analyzable: Fields<Region: GroupedRegion> + Mappable {
    /// Reads the user's filter, and returns the lines that it selects, or the whole table. It is an error if the filter does not parse,
    /// or the family cannot analyze its selection.
    fn scope(&self, filter: Option<&str>) -> Result<Scope>;

    /// Analyzes the selection of a scope.
    fn findings<S: Solved<Game = Self>>(table: &S, filter: &Filter, progress: &Progress) -> Result<Findings>;

    /// Returns a filter that selects one line of stones, as an example for messages; an error if positions have several heaps.
    fn line_example(&self) -> Result<&'static str>;

    /// Returns the Grundy values of heaps of 0, 1, 2 and so on stones, after a check that the table agrees with them.
    fn heap_values<S: Solved<Game = Self>>(_table: &S) -> Result<Vec<u32>> {
        Err(StudyError::Invalid(format!(
            "only heaps have Grundy values, and this is a table of game \"{}\"; --sequence losing lists its losing numbers",
            Self::FAMILY
        )))
    }
}

/// The lines of stones to analyze, or the whole table, with the cost of the analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    pub(crate) filter: Filter,
    /// Steps of progress that [`analyze`] reports.
    pub steps: u64,
    /// Upper bound on memory, in bytes, in addition to the table.
    pub memory: u64,
}

impl Scope {
    /// Returns the scope that a filter selects: lines (without a filter, the lines of the starts), or the whole table if
    /// the family has no lines.
    ///
    /// # Errors
    /// If the filter does not parse, does not select lines, or selects too many.
    pub fn of(ruleset: &Ruleset, filter: Option<&str>) -> Result<Self> {
        with_rules!(ruleset, |rules| rules.scope(filter))
    }
}

/// Analyzes a table, within a scope of its ruleset.
///
/// # Errors
/// If the table is damaged or has too many positions, or the callback stops the work.
pub fn analyze(table: &Table, scope: &Scope, progress: &Progress) -> Result<Analysis> {
    let findings = with_table!(table.family(), |table| Analyzable::findings(table, &scope.filter, progress))?;
    Ok(Analysis { ruleset: table.header().ruleset.clone(), digest: hex(&table.digest()), findings })
}

/// The patterns found in a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Findings {
    /// Patterns along lines of stones.
    Lines {
        /// The selected lines.
        lines: Vec<StoneLine>,
    },
    /// Patterns of the table as a whole.
    Whole(HeapFindings),
}

/// Patterns along a line of Expanding Nim, that is, in positions that differ only in stones. JSON keeps the order of the fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoneLine {
    /// The greatest number of stones taken at once so far.
    pub currentmax: u32,
    /// The player to move.
    pub turn: u8,
    /// Resets that players 1 and 2 have left.
    pub resets: [u8; 2],
    /// Whether a reset is imposed.
    pub imposed: bool,
    /// The greatest number of stones: the line has all numbers from 0 to this one.
    pub stones: u64,
    /// Count of losing numbers.
    pub losing: u64,
    /// The share of losing numbers.
    pub density: f64,
    /// The least losing number.
    pub first: Option<u64>,
    /// The greatest losing number.
    pub last: Option<u64>,
    /// The distances between neighbouring losing numbers, ascending, each with its number of occurrences.
    pub gaps: Vec<(u64, u64)>,
    /// The longest run of winning numbers; the first of several.
    pub longest_wins: Option<Run>,
    /// The period of the outcomes; `None` if they do not repeat.
    pub period: Option<Period>,
    /// The mean distance between losing numbers, if they have no period.
    pub quasi_period: Option<f64>,
}

/// A run of consecutive numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// The first number.
    pub from: u64,
    /// The count of numbers.
    pub length: u64,
}

/// Patterns of a whole table of heaps. JSON keeps the order of the fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeapFindings {
    /// Number of positions of the table.
    pub positions: u64,
    /// Number of lost positions.
    pub losing: u64,
    /// The share of lost positions.
    pub density: f64,
    /// Agreement with the theorem for the most similar rules, if there is one.
    pub theory: Option<Agreement>,
    /// The Grundy values of single heaps, if they exist under these rules.
    pub grundy: Option<HeapGrundyValues>,
    /// The rule that prevents Grundy values of single heaps.
    #[serde(skip)]
    pub obstacle: Option<Obstacle>,
}

/// A rule that prevents Grundy values of single heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Misère play.
    Misere,
    /// Passes, which belong to no heap.
    Passes,
    /// Moves that take from several heaps.
    SeveralHeaps,
}

/// Agreement of a table with a theorem. JSON keeps the order of the fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// The author of the theorem.
    pub name: &'static str,
    /// True if the theorem covers exactly these rules; false if only the same rules in normal play or without passes.
    pub applies: bool,
    /// Number of positions checked: all positions of the table.
    pub checked: u64,
    /// Number of positions that contradict the theorem.
    pub exceptions: u64,
    /// The first exception in natural order.
    pub first_exception: Option<TheoryException>,
    /// The difference between this game and the theorem's.
    #[serde(skip)]
    pub unlike: RuleDifference,
}

/// The difference between a game and the game of a theorem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleDifference {
    /// The game has passes.
    pub passes: bool,
    /// The game is in misère play, and the theorem's in normal play.
    pub play: bool,
}

impl Agreement {
    /// Returns whether the table is wrong: it contradicts the theorem that decides its game.
    pub fn proves_wrong(&self) -> bool {
        self.applies && self.exceptions > 0
    }
}

/// A position whose outcome contradicts a theorem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TheoryException {
    /// The position.
    pub position: String,
    /// The outcome in the table.
    pub outcome: Outcome,
    /// The outcome by the theorem.
    pub theory: Outcome,
}

/// Grundy values of heaps of 0, 1, 2 and so on stones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeapGrundyValues {
    /// The greatest heap whose value was computed.
    pub values_to: u32,
    /// The greatest value.
    pub greatest: u32,
    /// Number of terms before the first period.
    pub preperiod: Option<u64>,
    /// Number of terms of a period.
    pub period: Option<u64>,
    /// True if the values provably repeat forever. A move of at most m stones makes each value depend on the m values before it: once m
    /// consecutive values have repeated, all later ones do.
    pub for_ever: bool,
    /// The first values: to the end of the first period, at most [`MAX_SHOWN`].
    pub values: Vec<u32>,
    /// Number of pairs of heaps for which the table agrees with the values.
    pub checked: u64,
}

/// Maximum number of Grundy values listed.
pub const MAX_SHOWN: usize = 1000;
