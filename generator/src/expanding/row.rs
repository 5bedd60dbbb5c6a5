//! A solved row, which a solver passes to the packer, and the interface of solvers. A line is stored by its changes,
//! which are far fewer than its places.

use std::collections::HashSet;
use std::sync::Arc;

use bouton_tables::expanding::{Expanding, ExpandingLayout};

use super::depths::verdict_line::VerdictLine;
use super::marks::Marks;
use super::outcome_line::{OutcomeLine, ShiftedMarks, Tail};
use super::run::Run;
use crate::control::Control;
use crate::making::GenerateError;

/// The shape of a row.
#[derive(Clone, Copy)]
pub(super) struct RowShape {
    /// Number of places of a line.
    pub(super) length: u64,
    pub(super) currentmax: u64,
    /// Maximum number of stones of a move that stays in the row: without a reset in force, and under one.
    pub(super) stay: [u64; 2],
}

impl RowShape {
    pub(super) fn new(layout: &ExpandingLayout, row: usize, reset_limit: u64) -> Self {
        let stay = u64::from(layout.stay(row));
        Self {
            length: layout.length(row),
            currentmax: layout.currentmax(row).into(),
            stay: [stay, stay.min(reset_limit)],
        }
    }
}

/// A solved row.
#[derive(Clone, Debug)]
pub(super) struct SolvedRow {
    /// Number of the row in the table's layout.
    pub(super) row: usize,
    /// Outcomes of each line, indexed by the line's number (FORMAT.md, section 4.1).
    pub(super) outcomes: Vec<Arc<OutcomeLine>>,
    /// Depths and best moves of each line, indexed likewise; empty if the table has no depths.
    pub(super) verdicts: Vec<Arc<VerdictLine>>,
}

/// Solves rows, from the last one down to row 0.
pub(super) trait RowSolver {
    /// Solves the next row, which has this number. Fails if memory is short, or `control` cancels.
    fn solve(&mut self, row: usize, control: &dyn Control) -> Result<SolvedRow, GenerateError>;

    /// Adds to `bytes` the memory of the solved rows that this solver still uses.
    fn add_bytes(&self, bytes: &mut LineBytes) -> Result<(), GenerateError>;
}

/// Returns the rows of the table.
pub(super) fn layout(rules: &Expanding) -> Result<ExpandingLayout, GenerateError> {
    ExpandingLayout::for_table(rules).ok_or(GenerateError::Memory)
}

/// Overhead of an `Arc<Vec<_>>`, in bytes.
const ARC_OVERHEAD: usize = 48;

/// Estimates the bytes of lines. Data that several lines share counts once.
#[derive(Default)]
pub(super) struct LineBytes {
    /// Addresses of the data counted so far.
    counted: HashSet<usize>,
    pub(super) sum: usize,
}

impl LineBytes {
    /// Adds a row. A shifted copy shares its list with another line of the row, and only that line adds the list's bytes.
    pub(super) fn add_row(&mut self, row: &SolvedRow) -> Result<(), GenerateError> {
        for line in &row.outcomes {
            match &line.tail {
                Tail::Marks(ShiftedMarks { shift: 0, run: 1, .. }) => self.add_outcomes(line)?,
                _ => self.add_shared(line, OutcomeLine::bytes)?,
            }
        }
        for line in &row.verdicts {
            if line.is_whole() {
                self.add_verdicts(line)?;
            } else {
                self.add_shared(line, VerdictLine::bytes)?;
            }
        }
        self.counted.clear();
        Ok(())
    }

    /// Adds an outcome line and its list of marks.
    pub(super) fn add_outcomes(&mut self, line: &Arc<OutcomeLine>) -> Result<(), GenerateError> {
        self.add_shared(line, OutcomeLine::bytes)?;
        match &line.tail {
            Tail::Marks(marks) => self.add_shared(&marks.list, Marks::bytes),
            Tail::Constant(_) => Ok(()),
        }
    }

    /// Adds a verdict line and the runs of its tail.
    pub(super) fn add_verdicts(&mut self, line: &Arc<VerdictLine>) -> Result<(), GenerateError> {
        self.add_shared(line, VerdictLine::bytes)?;
        self.add_shared(&line.tail.runs, |runs| runs.capacity() * size_of::<Run>())
    }

    fn add_shared<T>(&mut self, shared: &Arc<T>, bytes: impl Fn(&T) -> usize) -> Result<(), GenerateError> {
        self.counted.try_reserve(1)?;
        if self.counted.insert(Arc::as_ptr(shared).addr()) {
            self.sum += bytes(shared) + ARC_OVERHEAD;
        }
        Ok(())
    }
}
