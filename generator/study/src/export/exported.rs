//! What exporting needs of a family.

use bouton_tables::Solved;

use super::ExportError;
use super::columns::{Cell, Column};
use crate::groups::Groups;
use crate::select::Fields;

/// A family whose positions can be written as rows.
pub(crate) trait Exported: Fields<Region: Groups> {
    /// The columns of a position.
    fn columns(&self) -> Vec<Column>;

    /// Appends what stands in the columns.
    fn cells(&self, position: &Self::Position, row: &mut Vec<Cell>);

    /// A filter that selects each number of stones once, as an example for a selection that does not.
    ///
    /// # Errors
    /// If positions have more than one number of stones.
    fn one_line(&self) -> Result<&'static str, ExportError>;

    /// The stones of a position that has one number of them.
    fn stones(position: &Self::Position) -> u32;

    /// The Grundy values of heaps of 0, 1, 2 and so on stones, checked against a table.
    ///
    /// # Errors
    /// If there are none in this game, or the table contradicts them.
    fn grundy_values<S: Solved<Game = Self> + Sync>(_table: &S) -> Result<Vec<u32>, ExportError> {
        Err(ExportError::NoHeaps { game: Self::FAMILY })
    }
}
