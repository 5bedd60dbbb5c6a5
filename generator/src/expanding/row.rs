//! A solved row, on its way from a solver to the packer. A line is stored by its changes, so its size does not depend
//! on the number of stones.

use std::collections::HashSet;
use std::sync::Arc;

use super::depths::VerdictLine;
use super::marks::Marks;
use super::outcome_line::{Marked, OutcomeLine, Tail};

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

/// Overhead of an `Arc<Vec<_>>`, in bytes.
const ALLOCATED: usize = 48;

/// Estimates the bytes of lines. Data that several lines share counts once.
#[derive(Default)]
pub(super) struct LineBytes {
    counted: HashSet<usize>,
    pub(super) sum: usize,
}

impl LineBytes {
    /// Adds a row. A shifted line shares its list with a line of the same row, so only the line that owns the list adds
    /// the list's bytes.
    pub(super) fn next_row(&mut self, row: &SolvedRow) {
        for line in &row.outcomes {
            match &line.tail {
                Tail::Marked(Marked { shift: 0, run: 1, .. }) => self.line(line),
                _ => self.shared(line, OutcomeLine::bytes),
            }
        }
        for line in &row.verdicts {
            if line.is_whole() { self.stairs(line) } else { self.shared(line, VerdictLine::bytes) }
        }
        self.counted.clear();
    }

    pub(super) fn line(&mut self, line: &Arc<OutcomeLine>) {
        self.shared(line, OutcomeLine::bytes);
        if let Tail::Marked(marked) = &line.tail {
            self.shared(&marked.list, Marks::bytes);
        }
    }

    pub(super) fn stairs(&mut self, line: &Arc<VerdictLine>) {
        self.shared(line, VerdictLine::bytes);
        self.shared(line.runs(), |runs| runs.capacity() * size_of::<Run>());
    }

    fn shared<T>(&mut self, shared: &Arc<T>, bytes: impl Fn(&T) -> usize) {
        if self.counted.insert(Arc::as_ptr(shared).addr()) {
            self.sum += bytes(shared) + ALLOCATED;
        }
    }
}

/// A run of consecutive places on a line with the same depth, and with the same best move except for the number of
/// stones taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Run {
    /// First place. The run ends where the next one begins.
    pub(super) start: u32,
    /// Plies to the end.
    pub(super) depth: u32,
    /// Stones that the best move takes at `start`; 0 if there is no move.
    pub(super) take: u32,
    /// Whether the best move takes one stone more at each further place, and so always leaves the same number. If
    /// false, it takes the same number everywhere.
    pub(super) advance: bool,
    /// Whether the best move imposes a reset.
    pub(super) reset: bool,
}

impl Run {
    /// Returns the stones that the best move takes at a place of the run.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn take_at(&self, place: u32) -> u32 {
        if self.advance { self.take + (place - self.start) } else { self.take }
    }
}
