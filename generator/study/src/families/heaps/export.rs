//! Rows of heap games.

use bouton_tables::Solved;
use bouton_tables::heaps::{HeapRules, Position};

use super::grundy::checked_values;
use crate::export::columns::{Cell, Column, Width};
use crate::export::{ExportError, Exported};

impl Exported for HeapRules {
    fn columns(&self) -> Vec<Column> {
        let heaps = (1..=self.heaps()).map(|place| Column::new(format!("heap{place}"), Width::Number));
        let passes = (self.passes() > 0).then(|| Column::new("passes", Width::Byte));
        heaps.chain(passes).collect()
    }

    fn cells(&self, position: &Position, row: &mut Vec<Cell>) {
        row.extend(position.heaps.iter().map(|&heap| Cell::Number(heap)));
        row.extend((self.passes() > 0).then_some(Cell::Byte(position.passes)));
    }

    fn one_line(&self) -> Result<&'static str, ExportError> {
        match self.heaps() {
            1 => Ok("passes=0"),
            heaps => Err(ExportError::SeveralHeaps(heaps)),
        }
    }

    fn stones(position: &Position) -> u32 {
        position.heaps[0]
    }

    fn grundy_values<S: Solved<Game = Self> + Sync>(table: &S) -> Result<Vec<u32>, ExportError> {
        checked_values(table)
    }
}
