//! Exports for other programs: selected positions as rows of CSV, JSON, `NumPy` or `CGSuite`, and sequences as in the OEIS.
//!
//! `docs/outputs.md` describes the columns.

mod row_writer;
mod sequence;

use std::io::Write;

use bouton_tables::{Game, Outcome, Ruleset, Solved, Table, grundy, with_rules, with_table};

pub use self::row_writer::Format;
use self::row_writer::RowWriter;
pub use self::sequence::{Sequence, sequence};
use crate::Progress;
use crate::error::Result;
use crate::filter::Filter;
use crate::groups::count_selected;
use crate::values::ValueKind;

/// Returns the number of positions of a ruleset that a filter selects by their own fields, and the number of steps of progress that
/// [`write()`] reports: one for each visit of a selected position, and one for each position whose value is computed.
///
/// # Errors
/// If the count would have to visit more than [`MAX_POSITIONS`](crate::MAX_POSITIONS). If rows have Grundy values, also if the game has
/// none, or too many positions to compute them.
pub fn positions_and_steps(ruleset: &Ruleset, filter: &Filter, layout: RowLayout) -> Result<(u64, u64)> {
    with_rules!(ruleset, |rules| {
        let kind = layout.value_kind(rules);
        if kind == Some(ValueKind::Grundy) {
            // Refuse early: the count of the selected positions may take long.
            grundy::check(rules)?;
        }
        let positions = count_selected(ruleset, filter, |positions, most| {
            format!(
                "the selected positions would have to be searched for among {positions} positions, at most {most} are allowed; \
                 export a smaller game"
            )
        })?;
        let value_steps = kind.map_or(Ok(0), |kind| kind.steps(rules, filter))?;
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
