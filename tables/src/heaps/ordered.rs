//! The heaps of a position, in the order in which a diagram takes them.

use super::diagram::Diagram;
use super::position::{Heap, Heaps, MAX_HEAPS};

/// Heaps in the order in which a diagram takes them, the greatest first, and from which row each comes.
///
/// Without heaps in the stem any order would do, if the table is right. In this one all of it is proved (`bouton verify`).
#[derive(Clone, Copy)]
pub(super) struct Ordered {
    pub(super) heaps: Heaps,
    pub(super) rows: [u8; MAX_HEAPS],
}

impl Ordered {
    #[inline]
    pub(super) fn new(diagram: &Diagram, given: &Heaps) -> Self {
        // Each pair once, and without branches: which heap is greater is hard to foresee. Of equal ones the first comes first.
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

    /// Leaves fewer stones in one row, in a table in which all sizes are told apart.
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
