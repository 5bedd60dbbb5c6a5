//! The columns of a row, the same for every format that has columns.

use bouton_tables::{Answer, MoveSet};

/// What stands in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// A number of one byte.
    Byte,
    /// A number of four bytes.
    Number,
    /// Text of so many bytes at the most.
    Text(usize),
}

/// A column of a family's positions or of their answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) width: Width,
}

impl Column {
    pub(crate) fn new(name: impl Into<String>, width: Width) -> Self {
        Self { name: name.into(), width }
    }

    /// Its type, in the words of a `NumPy` file.
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
pub(crate) enum Cell {
    Byte(u8),
    Number(u32),
    Text(String),
}

/// The columns of an answer, the best move at most so many characters wide.
pub(super) fn of_answer(depths: bool, best: usize) -> Vec<Column> {
    let depth = depths.then(|| Column::new("depth", Width::Number));
    // NumPy has no texts of no width.
    let rest = [("winning", Width::Number), ("best", Width::Text(best.max(1)))];
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
