//! Patterns in a table: periods, gaps, densities, and theorems that it agrees with.
//!
//! Everything reported was checked at every position of its range. `docs/outputs.md` defines each number.

mod analyzed;
mod findings;
mod period;

use std::collections::TryReserveError;

use bouton_tables::{AskError, Ruleset, Table, TooManyPositions, hex, with_rules, with_table};
use serde::Serialize;
use serde_json::{Value, json};
use thiserror::Error;

pub(crate) use self::analyzed::Analyzed;
pub use self::analyzed::Effort;
pub use self::findings::{
    Agreement, Exception, Findings, GrundyValues, Run, SHOWN, StoneLine, Unlike, Whole,
};
pub use self::period::{Period, period};
use crate::Progress;
use crate::select::{Filter, FilterError};
use crate::words::grouped;

/// The analysis of a table. The fields stand in this order in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The family.
    pub game: &'static str,
    /// The ruleset.
    pub rules: Value,
    /// The digest of the table's file.
    pub digest: String,
    /// What was found in it.
    #[serde(flatten)]
    pub findings: Findings,
}

impl Analysis {
    /// Whether the table is proved wrong: by a theorem that decides its game.
    #[must_use]
    pub fn proves_wrong(&self) -> bool {
        match &self.findings {
            Findings::Lines { .. } => false,
            Findings::Whole(whole) => whole.theory.as_ref().is_some_and(Agreement::proves_wrong),
        }
    }
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
    /// A filter by something that not all positions of a line have in common.
    #[error("lines are analyzed whole: --where can ask for currentmax, turn, resets and imposed")]
    NotLines,
    /// A filter for a family without lines.
    #[error(
        "--where selects lines of stones, and game \"{game}\" has none: its tables are analyzed as a whole; leave --where out"
    )]
    NoLines {
        /// The family.
        game: &'static str,
    },
    /// Too many lines.
    #[error("more than {} lines are selected; select fewer with --where, for example 'currentmax=0..100'", grouped(*limit))]
    TooManyLines {
        /// The most that can be analyzed.
        limit: u64,
    },
    /// Too many positions.
    #[error(transparent)]
    TooMany(#[from] TooManyPositions),
    /// No memory.
    #[error("not enough memory to analyze this: {0}; analyze fewer stones or lines, or use a larger machine")]
    Memory(#[from] TryReserveError),
}

/// What is to be analyzed: lines of stones, or a whole table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope(Filter);

impl Scope {
    /// The lines of a ruleset that a filter selects, without one those of the starts; or the whole table, if the
    /// family has no lines.
    ///
    /// # Errors
    /// If the filter does not parse, does not select lines, or selects too many.
    pub fn of(ruleset: &Ruleset, filter: Option<&str>) -> Result<Self, AnalyzeError> {
        with_rules!(ruleset, |rules| rules.scope(filter)).map(Self)
    }

    /// What [`analyze`] takes for a ruleset's table.
    #[must_use]
    pub fn effort(&self, ruleset: &Ruleset) -> Effort {
        with_rules!(ruleset, |rules| rules.effort(&self.0))
    }
}

/// Analyzes a table, in a scope of its ruleset.
///
/// # Errors
/// If the table is damaged, or has too many positions.
pub fn analyze<D: AsRef<[u8]> + Sync>(
    table: &Table<D>,
    scope: &Scope,
    progress: &Progress,
) -> Result<Analysis, AnalyzeError> {
    let findings = with_table!(table.family(), |table| Analyzed::findings(table, &scope.0, progress))?;
    let ruleset = &table.header().ruleset;
    Ok(Analysis {
        game: ruleset.family(),
        rules: json!(ruleset.keys()),
        digest: hex(&table.digest()),
        findings,
    })
}
