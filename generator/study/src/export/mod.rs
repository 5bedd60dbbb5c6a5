//! A table's positions as rows that other programs read.
//!
//! `docs/outputs.md` describes the columns.

mod rows;

use std::io::{self, Write};

use bouton_tables::grundy::{GrundyError, Valued};
use bouton_tables::{
    AskError, Game, Outcome, Region, Ruleset, Solved, Table, TooManyPositions, with_rules, with_table,
};
use thiserror::Error;

use self::rows::Rows;
pub(crate) use self::rows::{Cell, Column, Width};
use crate::groups::Groups;
use crate::select::{Field, Fields, Filter};
use crate::words::grouped;
use crate::{MOST_POSITIONS, Progress};

/// The format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values, with a line of column names.
    Csv,
    /// A line of JSON per position.
    Jsonl,
    /// A structured array of `NumPy`.
    Npy,
}

impl Format {
    /// How often [`write()`] goes through the positions: it reports a step of progress for each one that a filter selects by its own
    /// fields, and each time.
    pub fn rounds(self) -> u64 {
        if self == Self::Npy { 2 } else { 1 }
    }
}

/// Why rows cannot be written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The table is damaged.
    #[error(transparent)]
    Damaged(#[from] AskError),
    /// They could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The table, or the selection, has no such sequence.
    #[error("{0}")]
    NoSequence(String),
    /// The table does not hold what the values say.
    #[error("the table is wrong at {0}: it contradicts the Grundy values; `bouton verify` says more")]
    Wrong(String),
    /// To look for the selected positions would take days.
    #[error(
        "the positions that are selected would have to be looked for among {}, and at most {} are looked at one by one; export \
         a smaller game",
        grouped(*.0),
        grouped(MOST_POSITIONS)
    )]
    Long(u64),
    /// There are too many positions.
    #[error(transparent)]
    TooMany(#[from] TooManyPositions),
    /// There are no Grundy values.
    #[error(transparent)]
    Grundy(#[from] GrundyError),
}

/// A family whose positions can be written as rows.
pub(crate) trait Exported: Fields<Region: Groups> + Valued {
    /// The columns of a position.
    fn columns(&self) -> Vec<Column>;

    /// Appends what stands in the columns.
    fn cells(&self, position: &Self::Position, row: &mut Vec<Cell>);

    /// A filter that selects each number of stones once, as an example for a selection that does not. The stones are the
    /// first field of a position then.
    ///
    /// # Errors
    /// If positions have more than one number of stones.
    fn one_line(&self) -> Result<&'static str, ExportError>;

    /// The Grundy values of heaps of 0, 1, 2 and so on stones, checked against a table.
    ///
    /// # Errors
    /// If there are none in this game, or the table contradicts them.
    fn grundy_values<S: Solved<Game = Self> + Sync>(_table: &S) -> Result<Vec<u32>, ExportError> {
        Err(ExportError::NoSequence(format!(
            "only heaps have Grundy values, and this is a table of game \"{}\"; --sequence losing lists its losing numbers",
            Self::FAMILY
        )))
    }
}

/// How many positions of a ruleset a filter selects by their own fields.
///
/// # Errors
/// If the rules allow too many positions, or more than [`MOST_POSITIONS`] would have to be looked at to find out.
pub fn positions(ruleset: &Ruleset, filter: &Filter) -> Result<u64, ExportError> {
    with_rules!(ruleset, |rules| {
        let region = rules.region()?;
        region.selected(filter).ok_or_else(|| ExportError::Long(region.count()))
    })
}

/// What stands in rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Their format.
    pub format: Format,
    /// Whether each has the Grundy value of its position, too.
    pub grundy: bool,
}

/// Writes the rows that a filter selects, and gives their number. An array begins with it, and with the width of its
/// longest text: they take a round of their own.
///
/// # Errors
/// If the table is damaged or has too many positions, or the rows cannot be written.
pub fn write<D: AsRef<[u8]> + Sync>(
    table: &Table<D>,
    filter: &Filter,
    Layout { format, grundy }: Layout,
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<u64, ExportError> {
    with_table!(table.family(), |table| {
        let rows = Rows::new(table, filter)?;
        let rows = if grundy { rows.with_grundy_values()? } else { rows };
        rows.write(format, out, progress)
    })
}

/// Which sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// The losing numbers of stones, from the least on; n counts from 1.
    Losing,
    /// The Grundy values of heaps of n stones, n from 0.
    Grundy,
    /// The lesser heaps of lost pairs, in ascending order; n counts from 0, where both heaps are empty in most games.
    Lower,
    /// The greater heaps of the same pairs, in the same order.
    Upper,
}

/// The number of the first term of a sequence, and all terms. The filter selects where losing numbers are looked for.
///
/// # Errors
/// If the table has no such sequence, or is damaged.
pub fn sequence<D: AsRef<[u8]> + Sync>(
    table: &Table<D>,
    filter: &Filter,
    which: Sequence,
) -> Result<(u64, Vec<u64>), ExportError> {
    with_table!(table.family(), |table| match which {
        Sequence::Losing => Ok((1, losing(table, filter)?)),
        Sequence::Lower => Ok((0, lost_pairs(table, filter)?.into_iter().map(|(lower, _)| lower).collect())),
        Sequence::Upper => Ok((0, lost_pairs(table, filter)?.into_iter().map(|(_, upper)| upper).collect())),
        Sequence::Grundy => Ok((0, Exported::grundy_values(table)?.into_iter().map(u64::from).collect())),
    })
}

/// The lost positions of two heaps, ascending.
fn lost_pairs<S: Solved<Game: Exported>>(table: &S, filter: &Filter) -> Result<Vec<(u64, u64)>, ExportError> {
    let heaps = |field: &Field| field.name == "heaps" && field.numbers == 2;
    let Some(field) = table.game().fields().iter().position(heaps) else {
        return Err(ExportError::NoSequence(
            "pairs are lost in games of two heaps, and this is none; --sequence losing is for one heap or pile".to_owned(),
        ));
    };
    let region = table.game().region()?;
    let mut pairs = Vec::new();
    for group in region.groups(filter) {
        for position in region.group(filter, group) {
            let answer = table.answer(&position)?;
            if answer.verdict.outcome == Outcome::Loss && filter.has_answer(&answer) {
                pairs.push((S::Game::number(&position, field, 0), S::Game::number(&position, field, 1)));
            }
        }
    }
    pairs.sort_unstable();
    if let Some(same) = pairs.windows(2).find(|two| two[0] == two[1]) {
        let (a, b) = same[0];
        return Err(ExportError::NoSequence(format!(
            "the pair {a},{b} is lost with several numbers of passes, and a sequence takes one; select it, for example with --starts or \
             --where passes=0"
        )));
    }
    Ok(pairs)
}

fn losing<S: Solved<Game: Exported>>(table: &S, filter: &Filter) -> Result<Vec<u64>, ExportError> {
    let example = table.game().one_line()?;
    let region = table.game().region()?;
    let mut terms = Vec::new();
    let mut last = None;
    for group in region.groups(filter) {
        for position in region.group(filter, group) {
            let stones = S::Game::number(&position, 0, 0);
            if last == Some(stones) {
                return Err(ExportError::NoSequence(format!(
                    "positions of {stones} stones are selected on several lines, and a sequence takes one line; select one, for \
                     example with --starts or --where '{example}'"
                )));
            }
            last = Some(stones);
            let answer = table.answer(&position)?;
            if answer.verdict.outcome == Outcome::Loss && filter.has_answer(&answer) {
                terms.push(stones);
            }
        }
    }
    Ok(terms)
}
