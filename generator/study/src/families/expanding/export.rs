//! Rows of Expanding Nim.

use bouton_tables::expanding::{Expanding, Position};

use crate::export::columns::{Cell, Column, Width};
use crate::export::{ExportError, Exported};

impl Exported for Expanding {
    fn columns(&self) -> Vec<Column> {
        let bytes = ["turn", "resets1", "resets2", "imposed"].map(|name| Column::new(name, Width::Byte));
        ["stones", "currentmax"]
            .map(|name| Column::new(name, Width::Number))
            .into_iter()
            .chain(bytes)
            .collect()
    }

    fn cells(&self, position: &Position, row: &mut Vec<Cell>) {
        let Position { stones, currentmax, turn, resets: [first, second], imposed } = *position;
        row.extend([stones, currentmax].map(Cell::Number));
        row.extend([turn.number(), first, second, imposed.into()].map(Cell::Byte));
    }

    fn one_line(&self) -> Result<&'static str, ExportError> {
        Ok("currentmax=0 turn=1 resets=0,0 imposed=-")
    }

    fn stones(position: &Position) -> u32 {
        position.stones
    }
}
