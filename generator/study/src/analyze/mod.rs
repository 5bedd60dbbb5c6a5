//! What order there is in a table: periods, gaps, densities, and theorems that it agrees with.
//!
//! All that is reported was checked at every position of the range that is named. `docs/outputs.md` says what
//! each number means.

mod lines;
mod period;
mod theory;

use bouton_tables::heaps::theory::grundy_values;
use bouton_tables::heaps::{HeapRules, Take};
use bouton_tables::{AskError, Family, Ruleset, Solved, Table, hex};
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

pub use self::lines::{Line, Run};
pub use self::period::{Period, period};
pub use self::theory::{Agreement, Exception, Unlike};
use crate::Progress;
use crate::export::grundy::{obstacle, pairs};
use crate::keys::keys;
use crate::select::{Filter, FilterError, Span};

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
    /// What is asked for does not parse.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// Something that not all positions of a line have in common.
    #[error("lines are analyzed whole: --where can ask for currentmax, turn, resets and imposed")]
    NotLines,
    /// Lines are of Expanding Nim.
    #[error("--where chooses lines of Expanding Nim; a heap table is analyzed as a whole: leave it out")]
    NoLines,
}

/// What is to be analyzed: lines of Expanding Nim, or all of a heap game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen(Filter);

/// The lines of the starts, for each pair of reset counts.
const OF_STARTS: &str = "currentmax=0 turn=1 imposed=-";

impl Chosen {
    /// Of a ruleset: the lines that a filter chooses; without one those of the starts, or all of a heap game.
    ///
    /// # Errors
    /// If the filter does not parse, or asks for what is no matter of lines.
    pub fn of(ruleset: &Ruleset, filter: Option<&str>) -> Result<Self, AnalyzeError> {
        let text = match ruleset {
            Ruleset::Expanding(_) => filter.unwrap_or(OF_STARTS),
            Ruleset::Heaps(_) if filter.is_some() => return Err(AnalyzeError::NoLines),
            Ruleset::Heaps(_) => "",
        };
        let filter = Filter::of(ruleset, true, text, false)?;
        let of_lines = matches!(ruleset, Ruleset::Heaps(_)) || filter.span("stones", 0) == Span::ANY;
        if filter.asks_for_answer() || !of_lines { Err(AnalyzeError::NotLines) } else { Ok(Self(filter)) }
    }

    /// How many steps of progress [`analyze`] reports.
    #[must_use]
    pub fn steps(&self, ruleset: &Ruleset) -> u64 {
        match ruleset {
            Ruleset::Expanding(rules) => lines::chosen(rules, &self.0).len() as u64,
            Ruleset::Heaps(rules) => rules.positions(),
        }
    }
}

/// Looks for order in a table, of which something is chosen by its ruleset.
///
/// # Errors
/// If the table is damaged.
pub fn analyze<D: AsRef<[u8]> + Sync>(
    table: &Table<D>,
    chosen: &Chosen,
    progress: &Progress,
) -> Result<Analysis, AnalyzeError> {
    let findings = match table.family() {
        Family::Expanding(table) => Findings::Expanding { lines: lines::lines(table, &chosen.0, progress)? },
        Family::Heaps(table) => {
            let rules = table.game();
            let (losing, theory) = theory::agreement(table, progress)?;
            let positions = rules.positions();
            // In such a game a theorem says what the values are, and was held against every position just now.
            // Where the table is otherwise, it is wrong, and has no values.
            let has_values =
                obstacle(rules).is_none() && !theory.as_ref().is_some_and(Agreement::proves_wrong);
            let density = losing as f64 / positions as f64;
            let grundy = has_values.then(|| values(rules));
            Findings::Heaps(Heaps { positions, losing, density, theory, grundy })
        }
    };
    let ruleset = &table.header().ruleset;
    Ok(Analysis { game: ruleset.family(), rules: keys(ruleset), digest: hex(&table.digest()), findings })
}

fn values(rules: &HeapRules) -> Values {
    let values = grundy_values(rules.take(), rules.greatest());
    let found = period(&values);
    // How far back a move reaches.
    let reach = match rules.take() {
        Take::Any => None,
        Take::UpTo(most) => Some(*most),
        Take::Exactly(amounts) => amounts.last().copied(),
    };
    let length = values.len();
    let repeats = |period: Period| length as u64 - period.preperiod - period.period;
    let for_ever = found.zip(reach).is_some_and(|(period, reach)| repeats(period) >= u64::from(reach));
    let shown = found.map_or(length, |found| (found.preperiod + found.period) as usize).min(SHOWN);
    Values {
        values_to: rules.greatest(),
        greatest: values.iter().copied().max().unwrap_or(0),
        preperiod: found.map(|found| found.preperiod),
        period: found.map(|found| found.period),
        for_ever,
        checked: pairs(rules),
        values: values[..shown].to_vec(),
    }
}
