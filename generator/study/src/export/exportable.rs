//! Families whose positions can be written as rows, and the columns of rows.

use bouton_tables::Solved;
use bouton_tables::grundy::GrundyGame;

use crate::error::{Result, StudyError};
use crate::filter::Fields;
use crate::game_map::Mappable;
use crate::groups::GroupedRegion;

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

/// The type of a column's values.
pub(crate) enum ColumnType {
    /// A number of one byte.
    Byte,
    /// A number of four bytes.
    Number,
    /// Text of at most this many bytes.
    Text(usize),
}

/// A column of positions or answers: its name and type.
pub(crate) type Column = (String, ColumnType);

/// One value of a row.
pub(crate) enum ExportCell {
    Number(u32),
    Text(String),
}
