//! The heaps of a position, sorted for a diagram.

use super::diagram::Diagram;
use super::position::{Heap, Heaps, MAX_HEAPS};

/// The heaps of a position in descending order, as a diagram reads them, with the row of each.
///
/// If the stem is empty, any order works in a correct table. Descending order is the one that `bouton verify` proves.
#[derive(Clone, Copy)]
pub(super) struct SortedHeaps {
    pub(super) heaps: Heaps,
    pub(super) rows: [u8; MAX_HEAPS],
}

impl SortedHeaps {
    #[inline]
    pub(super) fn new(diagram: &Diagram, given: &Heaps) -> Self {
        // Compare each pair once, without branches: the comparisons are unpredictable. Equal heaps keep their order.
        let mut places = [0; MAX_HEAPS];
        for (row, heap) in given.iter().enumerate().skip(1) {
            let mut before = 0;
            for (place, other) in places.iter_mut().zip(&given[..row]) {
                let is_less = other < heap;
                *place += u8::from(is_less);
                before += u8::from(!is_less);
            }
            places[row] = before;
        }
        let mut sorted = Self { heaps: *given, rows: [0; MAX_HEAPS] };
        for (row, (&heap, &place)) in given.iter().zip(&places).enumerate() {
            sorted.heaps[usize::from(place)] = heap.min(diagram.greatest);
            sorted.rows[usize::from(place)] = row as u8;
        }
        sorted
    }

    /// Lowers the heap of a row, in a table in which all sizes are effective.
    #[inline]
    pub(super) fn lessen(&mut self, row: usize, heap: Heap) {
        let mut place = self.rows.iter().position(|&other| usize::from(other) == row).unwrap_or(0);
        while place + 1 < self.heaps.len() && self.heaps[place + 1] > heap {
            self.heaps[place] = self.heaps[place + 1];
            self.rows[place] = self.rows[place + 1];
            place += 1;
        }
        self.heaps[place] = heap;
        self.rows[place] = row as u8;
    }
}
