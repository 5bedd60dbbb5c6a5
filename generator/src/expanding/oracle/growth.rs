//! The rows to which moves of more than currentmax stones lead.
//!
//! From row m, a move of k stones, with k from m + 1 to m + growth, leads to row k with k stones fewer: for each number
//! of stones, to one place in each of the `growth` rows solved last. Rows are solved downwards, so these rows form a
//! window that slides along with m. Their combination costs a constant per place, as in [`window`](super::window): rows
//! are grouped into blocks of `growth`, and a window consists of a prefix of the current block and a suffix of the
//! previous one, each combined beforehand.
//!
//! Rows are combined by the stones before the move: element x of row k belongs to x + k stones.

use bouton_tables::expanding::{Expanding, TableRows};

use super::window::{Combine, Lanes};
use crate::GenerateError;
use crate::memory::{Grow, copied, filled};

/// The solved rows that the next row can reach.
pub(super) struct Reach<T, L> {
    layout: TableRows,
    lanes: L,
    growth: usize,
    reset_limit: usize,
    /// The rows of the current block, by descending currentmax.
    rows: Vec<RowElements<T>>,
    /// The combination of these rows, from 0 stones before the move on.
    prefix: Vec<T>,
    /// For each row of the previous block, the combination of that row and all later ones.
    suffixes: Vec<RowElements<T>>,
    /// The combination of all solved rows that a move under a reset may reach: those with a currentmax up to
    /// reset-limit.
    under_reset: Vec<T>,
    next_row: Option<usize>,
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
    suffix: &'a [T],
    /// The combination of the current block's rows, and of the rows within reach under a reset.
    prefix: &'a [T],
    under_reset: &'a [T],
}

impl<T: Combine, L: Lanes> Leaving<'_, T, L> {
    /// Combines the targets of moves from `stones` stones, without a reset in force, into `into`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn combine_into(&self, stones: usize, into: &mut [T]) {
        self.combine_place(self.suffix, stones.wrapping_sub(self.first), into);
        self.combine_place(self.prefix, stones, into);
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
    pub(super) number: usize,
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
        let layout = TableRows::try_new(rules).ok_or(GenerateError::Memory)?;
        let none = || filled((u64::from(rules.stones()) + 1) * lanes.count() as u64, T::NONE);
        Ok(Self {
            next_row: layout.rows().checked_sub(1),
            layout,
            lanes,
            growth: rules.growth() as usize,
            reset_limit: rules.reset_limit() as usize,
            rows: Vec::new(),
            prefix: none()?,
            suffixes: Vec::new(),
            under_reset: none()?,
        })
    }

    /// Returns the next row to solve, by descending currentmax.
    pub(super) fn next_row(&mut self) -> Option<NextRow> {
        let number = self.next_row?;
        self.next_row = number.checked_sub(1);
        let (currentmax, length) =
            (self.layout.currentmax(number) as usize, self.layout.length(number) as usize);
        let most = currentmax.min(length - 1);
        Some(NextRow { number, length, stay: [most, most.min(self.reset_limit)], currentmax })
    }

    /// Returns the targets of moves that leave the row.
    pub(super) fn leaving(&self, row: &NextRow) -> Leaving<'_, T, L> {
        // The window has dropped one row of the previous block for each row of the current block.
        let (first, suffix) = match self.suffixes.get(self.rows.len()) {
            None => (0, &[][..]),
            Some(suffix) => (suffix.first, &suffix.elements[..]),
        };
        let prefix = if self.rows.is_empty() { &[] } else { &self.prefix[..] };
        let under_reset = if row.currentmax < self.reset_limit { &self.under_reset[..] } else { &[] };
        Leaving { lanes: self.lanes, first, suffix, prefix, under_reset }
    }

    /// Stores the elements of the row just solved.
    pub(super) fn put(&mut self, row: &NextRow, elements: Vec<T>) -> Result<(), GenerateError> {
        if self.growth == 0 || self.next_row.is_none() {
            return Ok(());
        }
        if row.currentmax <= self.reset_limit {
            combine(&mut self.under_reset[row.currentmax * self.lanes.count()..], &elements);
        }
        self.rows.grow(RowElements { first: row.currentmax, elements })?;
        if self.rows.len() == self.growth {
            self.end_block()?;
        } else if let Some(row) = self.rows.last() {
            combine(&mut self.prefix[row.first * self.lanes.count()..], &row.elements);
        }
        Ok(())
    }

    /// Makes the current block the previous one.
    fn end_block(&mut self) -> Result<(), GenerateError> {
        self.prefix.fill(T::NONE);
        self.suffixes.clear();
        // From the last row upwards: it begins first and ends last, because a greater currentmax leaves fewer stones.
        for row in self.rows.drain(..).rev() {
            let suffix = match self.suffixes.last() {
                None => row,
                Some(RowElements { first, elements }) => {
                    let mut elements = copied(elements)?;
                    combine(&mut elements[(row.first - first) * self.lanes.count()..], &row.elements);
                    RowElements { first: *first, elements }
                }
            };
            self.suffixes.grow(suffix)?;
        }
        self.suffixes.reverse();
        Ok(())
    }
}
