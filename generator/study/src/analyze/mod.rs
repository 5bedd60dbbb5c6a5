//! Patterns in a table: periods, gaps, densities, and theorems that it agrees with.
//!
//! Everything reported was checked at every position of its range. `docs/outputs.md` defines each number.

mod period;

use std::collections::TryReserveError;

use bouton_tables::{
    AskError, Outcome, Ruleset, Solved, Table, TooManyPositions, hex, with_rules, with_table,
};
use serde::Serialize;
use thiserror::Error;

pub use self::period::{Period, period};
use crate::select::{Fields, Filter, FilterError};
use crate::words::grouped;
use crate::{MOST_POSITIONS, Progress, Stopped};

/// The analysis of a table. The fields stand in this order in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The ruleset.
    #[serde(flatten)]
    pub ruleset: Ruleset,
    /// The digest of the table's file.
    pub digest: String,
    /// What was found in it.
    #[serde(flatten)]
    pub findings: Findings,
}

impl Analysis {
    /// Whether the table is proved wrong: by a theorem that decides its game.
    pub fn proves_wrong(&self) -> bool {
        match &self.findings {
            Findings::Lines { .. } => false,
            Findings::Whole(whole) => whole.theory.as_ref().is_some_and(Agreement::proves_wrong),
        }
    }
}

/// A family whose tables can be analyzed.
pub(crate) trait Analyzed: Fields {
    /// What is analyzed, given the filter that the user wrote.
    ///
    /// # Errors
    /// If that does not parse, or does not select what can be analyzed.
    fn scope(&self, filter: Option<&str>) -> Result<Scope, AnalyzeError>;

    /// Analyzes it.
    fn findings<S>(table: &S, filter: &Filter, progress: &Progress) -> Result<Findings, AnalyzeError>
    where
        S: Solved<Game = Self> + Sync;
}

/// Why a table cannot be analyzed.
#[derive(Debug, Error)]
pub enum AnalyzeError {
    /// It is damaged.
    #[error(transparent)]
    Damaged(#[from] AskError),
    /// What is asked for does not parse.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// A filter that does not select lines, or selects too many.
    #[error("{0}")]
    Lines(String),
    /// To look at all positions would take days.
    #[error(
        "a table of {} positions takes too long to analyze, and at most {} are looked at one by one; analyze a smaller game",
        grouped(*.0),
        grouped(MOST_POSITIONS)
    )]
    Long(u64),
    /// Too many positions.
    #[error(transparent)]
    TooMany(#[from] TooManyPositions),
    /// No memory.
    #[error("not enough memory to analyze this: {0}; analyze fewer stones or lines, or use a larger machine")]
    Memory(#[from] TryReserveError),
    /// It was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// What is to be analyzed, lines of stones or a whole table, and what that costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    pub(crate) filter: Filter,
    /// Steps of progress that [`analyze`] reports.
    pub steps: u64,
    /// Memory besides the table's, in bytes, at the most.
    pub memory: u64,
}

impl Scope {
    /// The lines of a ruleset that a filter selects, without one those of the starts; or the whole table, if the
    /// family has no lines.
    ///
    /// # Errors
    /// If the filter does not parse, does not select lines, or selects too many.
    pub fn of(ruleset: &Ruleset, filter: Option<&str>) -> Result<Self, AnalyzeError> {
        with_rules!(ruleset, |rules| rules.scope(filter))
    }
}

/// Analyzes a table, in a scope of its ruleset.
///
/// # Errors
/// If the table is damaged, or has too many positions; or if it is stopped.
pub fn analyze(table: &Table, scope: &Scope, progress: &Progress) -> Result<Analysis, AnalyzeError> {
    let findings = with_table!(table.family(), |table| Analyzed::findings(table, &scope.filter, progress))?;
    Ok(Analysis { ruleset: table.header().ruleset.clone(), digest: hex(&table.digest()), findings })
}

/// What was found in a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Findings {
    /// Along the stones.
    Lines {
        /// The lines selected.
        lines: Vec<StoneLine>,
    },
    /// In the table as a whole.
    Whole(Whole),
}

/// A line of Expanding Nim along the stones. The fields stand in this order in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoneLine {
    /// The most stones taken at once.
    pub currentmax: u32,
    /// The player to move.
    pub turn: u8,
    /// Resets that players 1 and 2 have left.
    pub resets: [u8; 2],
    /// Whether a reset is imposed.
    pub imposed: bool,
    /// The most stones: all numbers from 0 to it were looked at.
    pub stones: u32,
    /// How many numbers of stones are lost, counted from 0.
    pub losing: u64,
    /// Their share.
    pub density: f64,
    /// The least losing number.
    pub first: Option<u32>,
    /// The greatest.
    pub last: Option<u32>,
    /// The distances between neighbouring losing numbers, each with how often it occurs.
    pub gaps: Vec<(u32, u64)>,
    /// The longest run of winning numbers.
    pub longest_wins: Option<Run>,
    /// How the outcomes repeat.
    pub period: Option<Period>,
    /// The mean distance between losing numbers, where there is no period.
    pub quasi_period: Option<f64>,
}

/// A run of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// The first of them.
    pub from: u32,
    /// How many.
    pub length: u32,
}

/// What was found in a whole table of heaps. The fields stand in this order in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Whole {
    /// Positions of the table.
    pub positions: u64,
    /// How many are lost.
    pub losing: u64,
    /// Their share.
    pub density: f64,
    /// How the table agrees with a theorem, if one is known that could apply.
    pub theory: Option<Agreement>,
    /// The Grundy values of heaps, if they have any by themselves.
    pub grundy: Option<GrundyValues>,
    /// Why heaps have no Grundy values by themselves.
    #[serde(skip)]
    pub obstacle: Option<Obstacle>,
}

/// A rule for which heaps have no Grundy values by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Misère play.
    Misere,
    /// Passes, which belong to no heap.
    Passes,
    /// Moves that take from several heaps.
    SeveralHeaps,
}

/// How a table agrees with a theorem. The fields stand in this order in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Whose theorem.
    pub name: &'static str,
    /// Whether it is about these very rules, and not about the same in normal play or without passes.
    pub applies: bool,
    /// Positions looked at: all.
    pub checked: u64,
    /// How many have another outcome than the theorem gives them.
    pub exceptions: u64,
    /// The first of them in natural order.
    pub first_exception: Option<Exception>,
    /// How this game differs from the one that the theorem is about.
    #[serde(skip)]
    pub unlike: Unlike,
}

/// How a game differs from the one that a theorem is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unlike {
    /// It has passes.
    pub passes: bool,
    /// It is in misère play, and the theorem in normal play.
    pub play: bool,
}

impl Agreement {
    /// Whether the table is wrong: it contradicts the theorem that decides its game.
    pub fn proves_wrong(&self) -> bool {
        self.applies && self.exceptions > 0
    }
}

/// A position whose outcome is not the one of the theorem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exception {
    /// The position.
    pub position: String,
    /// In the table.
    pub outcome: Outcome,
    /// By the theorem.
    pub theory: Outcome,
}

/// Grundy values of heaps of 0, 1, 2 and so on stones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GrundyValues {
    /// The greatest heap for which they were computed.
    pub values_to: u32,
    /// The greatest value.
    pub greatest: u32,
    /// How many terms come before the first period.
    pub preperiod: Option<u64>,
    /// After how many terms they repeat.
    pub period: Option<u64>,
    /// Whether they repeat forever: they repeat for as long as a move reaches back, so that every later value follows
    /// from the same values before it.
    pub for_ever: bool,
    /// The first of them: to the end of the first period, at most [`SHOWN`].
    pub values: Vec<u32>,
    /// How many pairs of heaps were looked up to check them.
    pub checked: u64,
}

/// The most Grundy values that are listed.
pub const SHOWN: usize = 1000;
