//! The heaps of a position, in the order in which a diagram takes them.

use super::diagram::Diagram;
use super::position::{Heaps, MAX_HEAPS};

/// Heaps in the order in which a diagram takes them, and from which row each comes.
pub(super) struct Ordered {
    pub(super) heaps: Heaps,
    pub(super) rows: [u8; MAX_HEAPS],
}

impl Ordered {
    #[inline]
    pub(super) fn new(diagram: &Diagram, heaps: Heaps) -> Self {
        if diagram.takes_any_order() { Self::as_given(heaps) } else { Self::descending(heaps) }
    }

    #[inline]
    fn as_given(heaps: Heaps) -> Self {
        Self { heaps, rows: std::array::from_fn(|row| row as u8) }
    }

    fn descending(heaps: Heaps) -> Self {
        let mut sorted = Self::as_given(heaps);
        let rows = &mut sorted.rows[..heaps.len()];
        rows.sort_by(|&a, &b| heaps[usize::from(b)].cmp(&heaps[usize::from(a)]));
        sorted.heaps = rows.iter().map(|&row| heaps[usize::from(row)]).collect();
        sorted
    }
}
