//! What order there is in a table: periods, gaps, densities, and theorems that it agrees with.
//!
//! All that is reported was checked at every position of the range that is named. `docs/outputs.md` says what
//! each number means.

mod lines;
mod period;
mod theory;

use bouton_tables::heaps::{HeapTable, Take};
use bouton_tables::{AskError, Family, Solved, Table, hex};
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

pub use self::lines::{Line, Run};
pub use self::period::{Period, period};
pub use self::theory::{Agreement, Exception};
use crate::grundy::{GrundyError, grundy, obstacle};
use crate::select::Filter;
use crate::{Progress, diff};

/// What was found. The fields stand in this order in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The family.
    pub game: &'static str,
    /// The ruleset.
    pub rules: Value,
    /// The digest of the table's file.
    pub digest: String,
    /// What is told of a table of this family.
    #[serde(flatten)]
    pub findings: Findings,
}

/// What is told of a table, by family.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Findings {
    /// Of Expanding Nim.
    Expanding {
        /// The lines chosen.
        lines: Vec<Line>,
    },
    /// Of a heap game.
    Heaps(Heaps),
}

/// What is told of a heap table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Heaps {
    /// Positions of the table.
    pub positions: u64,
    /// How many are lost.
    pub losing: u64,
    /// Their share.
    pub density: f64,
    /// The table held against a theorem, if one is known that could apply.
    pub theory: Option<Agreement>,
    /// The Grundy values of heaps, if they have any by themselves.
    pub grundy: Option<Values>,
}

impl Analysis {
    /// Whether the table is proved wrong: by a theorem that decides its game.
    #[must_use]
    pub fn proves_wrong(&self) -> bool {
        match &self.findings {
            Findings::Expanding { .. } => false,
            Findings::Heaps(heaps) => heaps.theory.as_ref().is_some_and(Agreement::proves_wrong),
        }
    }
}

/// Grundy values of heaps of 0, 1, 2 and so on stones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Values {
    /// They were found for heaps of up to so many stones.
    pub values_to: u32,
    /// The greatest value.
    pub greatest: u32,
    /// Terms before they repeat themselves.
    pub preperiod: Option<u64>,
    /// After how many terms they do.
    pub period: Option<u64>,
    /// Whether they do so for ever: they repeat themselves for as long as a move reaches back, so that every
    /// later value follows from the same ones before it.
    pub for_ever: bool,
    /// The first of them: to the end of the first period, at most [`SHOWN`].
    pub values: Vec<u32>,
    /// How many pairs of heaps were looked up to check them.
    pub checked: u64,
}

/// The most values that are told.
pub const SHOWN: usize = 1000;

/// Why a table cannot be analyzed.
#[derive(Debug, Error)]
pub enum AnalyzeError {
    /// It is damaged.
    #[error(transparent)]
    Damaged(#[from] AskError),
    /// It is wrong.
    #[error(transparent)]
    Wrong(#[from] GrundyError),
}

/// How many steps of progress [`analyze`] reports.
#[must_use]
pub fn steps<D: AsRef<[u8]>>(table: &Table<D>, filter: &Filter) -> u64 {
    match table.family() {
        Family::Expanding(table) => lines::chosen(table.game(), filter).len() as u64,
        Family::Heaps(table) => table.game().positions(),
    }
}

/// Looks for order in a table. The filter chooses lines of Expanding Nim, by currentmax, turn, resets and
/// imposed; it does not matter for heap games.
///
/// # Errors
/// If the table is damaged, or found to be wrong.
pub fn analyze<D: AsRef<[u8]> + Sync>(
    table: &Table<D>,
    filter: &Filter,
    progress: &Progress,
) -> Result<Analysis, AnalyzeError> {
    let findings = match table.family() {
        Family::Expanding(table) => Findings::Expanding { lines: lines::lines(table, filter, progress)? },
        Family::Heaps(table) => {
            let (losing, theory) = theory::agreement(table, progress)?;
            let positions = table.game().positions();
            // Where the table is otherwise than the theorem that decides it, it is wrong, and has no values.
            let has_values =
                obstacle(table.game()).is_none() && !theory.as_ref().is_some_and(Agreement::proves_wrong);
            let grundy = has_values.then(|| values(table)).transpose()?;
            Findings::Heaps(Heaps {
                positions,
                losing,
                density: losing as f64 / positions as f64,
                theory,
                grundy,
            })
        }
    };
    let ruleset = &table.header().ruleset;
    Ok(Analysis {
        game: ruleset.family(),
        rules: diff::rules(ruleset),
        digest: hex(&table.digest()),
        findings,
    })
}

fn values<D: AsRef<[u8]> + Sync>(table: &HeapTable<D>) -> Result<Values, GrundyError> {
    let grundy = grundy(table)?;
    let found = period(&grundy.values);
    // How far back a move reaches.
    let reach = match table.game().take() {
        Take::Any => None,
        Take::UpTo(most) => Some(*most),
        Take::Exactly(amounts) => amounts.last().copied(),
    };
    let length = grundy.values.len();
    let repeats = |period: Period| length as u64 - period.preperiod - period.period;
    let for_ever = found.zip(reach).is_some_and(|(period, reach)| repeats(period) >= u64::from(reach));
    let shown = found.map_or(length, |found| (found.preperiod + found.period) as usize).min(SHOWN);
    Ok(Values {
        values_to: table.game().greatest(),
        greatest: grundy.values.iter().copied().max().unwrap_or(0),
        preperiod: found.map(|found| found.preperiod),
        period: found.map(|found| found.period),
        for_ever,
        checked: grundy.checked,
        values: grundy.values[..shown].to_vec(),
    })
}
