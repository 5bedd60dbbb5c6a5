//! The columns of a row, the same for every format that has columns.

use bouton_tables::expanding::{Expanding, Position};
use bouton_tables::heaps::{self, HeapRules};
use bouton_tables::{Answer, MoveSet};

use super::Extent;
use crate::select::Fields;

/// What stands in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// A number of one byte.
    Byte,
    /// A number of four bytes.
    Number,
    /// Text of so many bytes at the most.
    Text(usize),
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) width: Width,
}

impl Column {
    fn new(name: impl Into<String>, width: Width) -> Self {
        Self { name: name.into(), width }
    }

    /// As it is named in the header of a `NumPy` file.
    pub(super) fn type_name(&self) -> String {
        match self.width {
            Width::Byte => "|u1".to_owned(),
            Width::Number => "<u4".to_owned(),
            Width::Text(width) => format!("|S{width}"),
        }
    }
}

/// What stands in one cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Byte(u8),
    Number(u32),
    Text(String),
}

/// A family whose positions have columns.
pub(super) trait Columns: Fields {
    /// The columns of a position.
    fn columns(&self) -> Vec<Column>;

    /// What stands in them.
    fn cells(&self, position: &Self::Position, row: &mut Vec<Cell>);
}

impl Columns for Expanding {
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
}

impl Columns for HeapRules {
    fn columns(&self) -> Vec<Column> {
        let heaps = (1..=self.heaps()).map(|place| Column::new(format!("heap{place}"), Width::Number));
        let passes = (self.passes() > 0).then(|| Column::new("passes", Width::Byte));
        heaps.chain(passes).collect()
    }

    fn cells(&self, position: &heaps::Position, row: &mut Vec<Cell>) {
        row.extend(position.heaps.iter().map(|&heap| Cell::Number(heap)));
        row.extend((self.passes() > 0).then_some(Cell::Byte(position.passes)));
    }
}

/// The columns of an answer.
pub(super) fn of_answer(depths: bool, extent: Extent) -> Vec<Column> {
    let depth = depths.then(|| Column::new("depth", Width::Number));
    // NumPy has no texts of no width.
    let rest = [("winning", Width::Number), ("best", Width::Text(extent.best.max(1)))];
    let rest = rest.map(|(name, width)| Column::new(name, width));
    std::iter::once(Column::new("outcome", Width::Text(4))).chain(depth).chain(rest).collect()
}

/// What stands in them.
pub(super) fn answer_cells<M: ToString, W: MoveSet<M>>(answer: &Answer<M, W>, row: &mut Vec<Cell>) {
    row.push(Cell::Text(answer.verdict.outcome.to_string()));
    row.extend(answer.verdict.depth.map(Cell::Number));
    row.push(Cell::Number(answer.winning.len() as u32));
    row.push(Cell::Text(answer.best.as_ref().map(ToString::to_string).unwrap_or_default()));
}
