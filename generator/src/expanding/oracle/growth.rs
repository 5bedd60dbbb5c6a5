//! The rows to which moves of more than currentmax stones lead.
//!
//! From row m, a move of k stones, with k from m + 1 to m + growth, leads to row k with k stones fewer: for each number
//! of stones, to one place in each of the `growth` rows solved last. Rows are solved downwards, so these rows form a
//! window that slides along with m. Their combination costs a constant per place, as in [`window`](super::window): rows
//! are grouped into blocks of `growth`, and a window consists of the beginning of the current block and the end of the
//! previous one, each combined beforehand.
//!
//! Rows are combined by the stones before the move: element x of row k belongs to x + k stones.

use bouton_tables::expanding::{ArrayLayout, Expanding};

use super::window::{Combine, Lanes};
use crate::GenerateError;
use crate::memory::{Grow, copied, filled};

/// The solved rows that the next row can reach.
pub(super) struct Reach<T, L> {
    layout: ArrayLayout,
    lanes: L,
    growth: usize,
    reset_limit: usize,
    /// The rows of the current block, by descending currentmax, and their combination, from 0 stones before the move
    /// on.
    rows: Vec<RowElements<T>>,
    beginning: Vec<T>,
    /// For each row of the previous block, the combination of that row and all later ones.
    endings: Vec<RowElements<T>>,
    /// The combination of all solved rows that a move under a reset may reach: those with a currentmax up to
    /// reset-limit.
    under_reset: Vec<T>,
    next: Option<usize>,
}

/// Elements by the stones before the move, from `first` on.
struct RowElements<T> {
    first: usize,
    elements: Vec<T>,
}

/// The elements to which moves out of a row lead, by the stones before the move. A part is empty if there are no such
/// moves.
pub(super) struct Leaving<'a, T, L> {
    lanes: L,
    /// The combination of the previous block's rows, from `first` stones on.
    first: usize,
    ending: &'a [T],
    /// The combination of the current block's rows, and of the rows within reach under a reset.
    beginning: &'a [T],
    under_reset: &'a [T],
}

impl<T: Combine, L: Lanes> Leaving<'_, T, L> {
    /// Combines the targets of moves from `stones` stones, without a reset in force, into `into`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn combine_into(&self, stones: usize, into: &mut [T]) {
        self.combine_place(self.ending, stones.wrapping_sub(self.first), into);
        self.combine_place(self.beginning, stones, into);
    }

    /// Combines the targets of moves under a reset into `into`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn combine_under_reset(&self, stones: usize, into: &mut [T]) {
        self.combine_place(self.under_reset, stones, into);
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn combine_place(&self, elements: &[T], place: usize, into: &mut [T]) {
        let at = place.wrapping_mul(self.lanes.count());
        if at < elements.len() {
            combine(into, &elements[at..][..self.lanes.count()]);
        }
    }
}

/// The row to solve next.
pub(super) struct NextRow {
    pub(super) row: usize,
    pub(super) length: usize,
    /// The most stones taken by a move that stays in the row, without and with a reset in force.
    pub(super) stay: [usize; 2],
    currentmax: usize,
}

/// Combines each element of `more` into that of `into`.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn combine<T: Combine>(into: &mut [T], more: &[T]) {
    into.iter_mut().zip(more).for_each(|(into, &more)| *into = into.combine(more));
}

impl<T: Combine, L: Lanes> Reach<T, L> {
    /// Returns the state before the first row. Elements are groups of `lanes`.
    pub(super) fn new(rules: &Expanding, lanes: L) -> Result<Self, GenerateError> {
        let layout = ArrayLayout::try_new(rules).ok_or(GenerateError::Memory)?;
        let none = || filled((u64::from(rules.stones()) + 1) * lanes.count() as u64, T::NONE);
        Ok(Self {
            next: layout.rows().checked_sub(1),
            layout,
            lanes,
            growth: rules.growth() as usize,
            reset_limit: rules.reset_limit() as usize,
            rows: Vec::new(),
            beginning: none()?,
            endings: Vec::new(),
            under_reset: none()?,
        })
    }

    /// Returns the next row to solve, by descending currentmax.
    pub(super) fn next(&mut self) -> Option<NextRow> {
        let row = self.next?;
        self.next = row.checked_sub(1);
        let (currentmax, length) = (self.layout.currentmax(row) as usize, self.layout.length(row) as usize);
        let most = currentmax.min(length - 1);
        Some(NextRow { row, length, stay: [most, most.min(self.reset_limit)], currentmax })
    }

    /// Returns the targets of moves that leave the row.
    pub(super) fn leaving(&self, ahead: &NextRow) -> Leaving<'_, T, L> {
        // The window has left as many rows at the beginning of the previous block as the current block has.
        let (first, ending) = match self.endings.get(self.rows.len()) {
            None => (0, &[][..]),
            Some(ending) => (ending.first, &ending.elements[..]),
        };
        let beginning = if self.rows.is_empty() { &[] } else { &self.beginning[..] };
        let under_reset = if ahead.currentmax < self.reset_limit { &self.under_reset[..] } else { &[] };
        Leaving { lanes: self.lanes, first, ending, beginning, under_reset }
    }

    /// Stores the elements of the row just solved.
    pub(super) fn put(&mut self, ahead: &NextRow, elements: Vec<T>) -> Result<(), GenerateError> {
        if self.growth == 0 || self.next.is_none() {
            return Ok(());
        }
        if ahead.currentmax <= self.reset_limit {
            combine(&mut self.under_reset[ahead.currentmax * self.lanes.count()..], &elements);
        }
        self.rows.grow(RowElements { first: ahead.currentmax, elements })?;
        if self.rows.len() == self.growth {
            self.end_block()?;
        } else if let Some(row) = self.rows.last() {
            combine(&mut self.beginning[row.first * self.lanes.count()..], &row.elements);
        }
        Ok(())
    }

    /// Makes the current block the previous one.
    fn end_block(&mut self) -> Result<(), GenerateError> {
        self.beginning.fill(T::NONE);
        self.endings.clear();
        // From the last row upwards: it begins first and ends last, because a greater currentmax leaves fewer stones.
        for row in self.rows.drain(..).rev() {
            let ending = match self.endings.last() {
                None => row,
                Some(RowElements { first, elements }) => {
                    let mut elements = copied(elements)?;
                    combine(&mut elements[(row.first - first) * self.lanes.count()..], &row.elements);
                    RowElements { first: *first, elements }
                }
            };
            self.endings.grow(ending)?;
        }
        self.endings.reverse();
        Ok(())
    }
}
