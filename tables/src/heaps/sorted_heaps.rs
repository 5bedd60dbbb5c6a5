//! The heaps of a position, sorted for an automaton.

use super::automaton::Automaton;
use super::position::{Heap, Heaps, MAX_HEAPS};

/// The heaps of a position in descending order, as an automaton reads them, with the row of each.
///
/// Some automata could read any order, but descending order is the one that `bouton verify` proves.
#[derive(Clone, Copy)]
pub(super) struct SortedHeaps {
    /// The heaps, lowered to the greatest effective size.
    pub(super) heaps: Heaps,
    /// For each of these heaps, its row: its index in the position.
    pub(super) rows: [u8; MAX_HEAPS],
}

impl SortedHeaps {
    /// Sorts the heaps of a position. Equal heaps keep their order.
    #[inline]
    pub(super) fn new(automaton: &Automaton, given: &Heaps) -> Self {
        // Compare each pair once, without branches: the comparisons are unpredictable.
        let mut indexes = [0; MAX_HEAPS];
        for (row, heap) in given.iter().enumerate().skip(1) {
            let mut before = 0;
            for (index, other) in indexes.iter_mut().zip(&given[..row]) {
                let is_less = other < heap;
                *index += u8::from(is_less);
                before += u8::from(!is_less);
            }
            indexes[row] = before;
        }
        let mut sorted = Self { heaps: *given, rows: [0; MAX_HEAPS] };
        for (row, (&heap, &index)) in given.iter().zip(&indexes).enumerate() {
            sorted.heaps[usize::from(index)] = heap.min(automaton.greatest);
            sorted.rows[usize::from(index)] = row as u8;
        }
        sorted
    }

    /// Lowers the heap of a row to `heap` stones, and keeps the heaps sorted. All sizes of the table must be effective.
    #[inline]
    pub(super) fn lower(&mut self, row: usize, heap: Heap) {
        let mut index = self.rows.iter().position(|&other| usize::from(other) == row).unwrap_or(0);
        while index + 1 < self.heaps.len() && self.heaps[index + 1] > heap {
            self.heaps[index] = self.heaps[index + 1];
            self.rows[index] = self.rows[index + 1];
            index += 1;
        }
        self.heaps[index] = heap;
        self.rows[index] = row as u8;
    }
}
