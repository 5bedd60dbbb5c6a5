//! Exports for other programs: selected positions as rows of CSV, JSON, `NumPy` or `CGSuite`, and sequences as in the OEIS.
//!
//! `docs/outputs.md` describes the columns.

mod row_writer;
mod sequence;

use std::io::Write;

use bouton_tables::grundy::{self, GrundyGame};
use bouton_tables::{Game, Outcome, Ruleset, Solved, Table, with_rules, with_table};

use self::row_writer::RowWriter;
pub(crate) use self::row_writer::{Column, ColumnType, ExportCell};
pub use self::sequence::{Sequence, sequence};
use crate::error::{Result, StudyError};
use crate::filter::{Fields, Filter};
use crate::game_map::Mappable;
use crate::groups::{GroupedRegion, count_selected};
use crate::words::grouped;
use crate::{MAX_POSITIONS, Progress, values};

/// The format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values, with a line of column names.
    Csv,
    /// A line of JSON for each position.
    Jsonl,
    /// A structured array in a file of `NumPy`.
    Npy,
    /// A map in the language of `CGSuite`, from positions to their Grundy values.
    CgSuite,
}

/// A family whose positions can be written as rows.
pub(crate) trait Exportable: Fields<Region: GroupedRegion> + Mappable + GrundyGame {
    /// Lists the columns of a position.
    fn columns(&self) -> Vec<Column>;

    /// Appends a position's values to a row, in the order of [`columns`](Self::columns).
    fn push_cells(&self, position: &Self::Position, row: &mut Vec<ExportCell>);

    /// Returns a filter that selects one line of stones, as an example for messages; an error if positions have several heaps.
    fn line_example(&self) -> Result<&'static str>;

    /// Returns the Grundy values of heaps of 0, 1, 2 and so on stones, after a check that the table agrees with them.
    fn grundy_values<S: Solved<Game = Self> + Sync>(_table: &S) -> Result<Vec<u32>> {
        Err(StudyError::Invalid(format!(
            "only heaps have Grundy values, and this is a table of game \"{}\"; --sequence losing lists its losing numbers",
            Self::FAMILY
        )))
    }
}

/// Returns the number of positions of a ruleset that a filter selects by their own fields, and the number of steps of progress that
/// [`write()`] reports: one for each visit of a selected position, and one for each position whose value is computed.
///
/// # Errors
/// If the count would have to visit more than [`MAX_POSITIONS`]. If Grundy values are requested, also if the game has none, or too
/// many positions.
pub fn positions_and_steps(ruleset: &Ruleset, filter: &Filter, layout: RowLayout) -> Result<(u64, u64)> {
    with_rules!(ruleset, |rules| {
        let kind = layout.value_kind(rules);
        if kind == Some(ValueKind::Grundy) {
            // Before the count of the selected positions, which may take long.
            grundy::check(rules)?;
        }
        let too_long = |positions| {
            StudyError::Long(format!(
                "the selected positions would have to be searched for among {} positions, at most {} are allowed; export a \
                 smaller game",
                grouped(positions),
                grouped(MAX_POSITIONS)
            ))
        };
        let positions = count_selected(ruleset, filter, too_long)?;
        let value_steps = match kind {
            None => 0,
            Some(ValueKind::Grundy) => values::steps(rules, filter)?,
            Some(ValueKind::Genus) => values::genus_steps(rules, filter)?,
        };
        // The header of a NumPy array needs the number and the widths of the rows.
        let visits = if layout.format == Format::Npy { 2 } else { 1 };
        Ok((positions, visits * positions + value_steps))
    })
}

/// The format of rows, and their optional columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowLayout {
    /// The format.
    pub format: Format,
    /// Whether each row also has the Grundy value of its position; in misère play, the genus.
    pub grundy: bool,
}

/// The kind of a position's value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueKind {
    Grundy,
    Genus,
}

impl RowLayout {
    /// Returns the kind of value that rows have, if any.
    fn value_kind<G: Game>(self, game: &G) -> Option<ValueKind> {
        match self.format {
            Format::CgSuite => Some(ValueKind::Grundy),
            _ if !self.grundy => None,
            _ => Some(match game.outcome_without_moves() {
                Outcome::Loss => ValueKind::Grundy,
                Outcome::Win => ValueKind::Genus,
            }),
        }
    }
}

/// Writes a row for each position that a filter selects, and returns the number of rows. The header of a `NumPy` array contains this
/// number and the length of the longest texts, so this format visits all positions twice.
///
/// # Errors
/// If the table is damaged or has too many positions, the rows cannot be written, or the callback stops the work.
pub fn write(
    table: &Table,
    filter: &Filter,
    layout: RowLayout,
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<u64> {
    with_table!(table.family(), |table| {
        let kind = layout.value_kind(table.game());
        RowWriter::new(table, filter, kind, progress)?.write(layout.format, out, progress)
    })
}
