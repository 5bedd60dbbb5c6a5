//! A row as a solver hands it over: each line by where it changes, so that it takes room for the changes alone,
//! however many stones there are.

use std::collections::HashSet;
use std::sync::Arc;

use super::depths::Stairs;
use super::line::{Line, Marked, Tail};
use super::marks::Marks;

/// A solved row.
#[derive(Clone, Debug)]
pub(super) struct SolvedRow {
    /// Number of the row.
    pub(super) row: usize,
    /// Which positions of each line are lost, by the numbers of lines.
    pub(super) outcomes: Vec<Arc<Line>>,
    /// The verdicts of each line. There are none without depths.
    pub(super) verdicts: Vec<Arc<Stairs>>,
}

/// What an allocation takes besides: one that is shared, with the vector in it.
const ALLOCATED: usize = 48;

/// Bytes of lines, about. What several of them share is counted once.
#[derive(Default)]
pub(super) struct Bytes {
    counted: HashSet<usize>,
    pub(super) sum: usize,
}

impl Bytes {
    /// Those of a row that follows the ones that were counted: what it shares with these is that of shifted lines.
    pub(super) fn next_row(&mut self, row: &SolvedRow) {
        for line in &row.outcomes {
            match &line.tail {
                Tail::Marked(Marked { shift: 0, run: 1, .. }) => self.line(line),
                _ => self.shared(line, Line::bytes),
            }
        }
        for line in &row.verdicts {
            if line.is_whole() { self.stairs(line) } else { self.shared(line, Stairs::bytes) }
        }
        self.counted.clear();
    }

    pub(super) fn line(&mut self, line: &Arc<Line>) {
        self.shared(line, Line::bytes);
        if let Tail::Marked(marked) = &line.tail {
            self.shared(&marked.list, Marks::bytes);
        }
    }

    pub(super) fn stairs(&mut self, line: &Arc<Stairs>) {
        self.shared(line, Stairs::bytes);
        self.shared(line.runs(), |runs| runs.capacity() * size_of::<Run>());
    }

    fn shared<T>(&mut self, shared: &Arc<T>, bytes: impl Fn(&T) -> usize) {
        if self.counted.insert(Arc::as_ptr(shared).addr()) {
            self.sum += bytes(shared) + ALLOCATED;
        }
    }
}

/// Numbers of stones that follow each other on a line, with the same verdict but for the stones taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Run {
    /// The first one. The run ends where the next begins.
    pub(super) start: u32,
    /// Plies to the end.
    pub(super) depth: u32,
    /// Stones that the best move takes at the start; 0 if there is no move.
    pub(super) take: u32,
    /// Whether the best move takes one more for each further stone, or as many from each.
    pub(super) advance: bool,
    /// Whether it imposes a reset.
    pub(super) reset: bool,
}

impl Run {
    /// Stones that the best move takes at a place of the run.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn take_at(&self, place: u32) -> u32 {
        if self.advance { self.take + (place - self.start) } else { self.take }
    }
}
