//! The rows to which a move goes that takes more than currentmax.
//!
//! From row m, taking k stones, from m + 1 to m + growth, leads to row k with k stones fewer: for each number
//! of stones, to one place in each of the `growth` rows solved last. As rows are solved downwards, these rows
//! are a window that slides along with m, and their combination is kept at a constant cost for each place, as
//! in [`window`](super::window): rows are grouped into blocks of `growth`; a window is the beginning of the
//! block solved now and the end of the one before, each combined beforehand.
//!
//! Rows are combined where moves from the same place meet: element x of row k is that of x + k stones before
//! the move.

use bouton_tables::expanding::{Expanding, Layout};

use super::window::{Combine, Lanes};
use crate::GenerateError;
use crate::memory::{Grow, copied, filled};

/// The rows solved so far, as far as the next one can reach them.
pub(super) struct Reach<T, L> {
    layout: Layout,
    lanes: L,
    growth: usize,
    reset_limit: usize,
    /// The rows of the present block, by falling currentmax; and their combination, from no stones before the
    /// move on.
    rows: Vec<Arrivals<T>>,
    beginning: Vec<T>,
    /// For each row of the block before, the combination of it and all rows after it.
    endings: Vec<Arrivals<T>>,
    /// The combination of all rows so far that a move under a reset may reach: those of a currentmax up to
    /// the reset-limit.
    under_reset: Vec<T>,
    next: Option<usize>,
}

/// Elements by the stones that there are before the move that leads to them, from `first` on.
struct Arrivals<T> {
    first: usize,
    elements: Vec<T>,
}

/// The elements that moves lead to which leave a row, by the stones that there are before. Empty where there
/// is none.
pub(super) struct Leaving<'a, T, L> {
    lanes: L,
    /// What the rows of the block before come to, from `first` stones on.
    first: usize,
    ending: &'a [T],
    /// What the rows of the present block come to, and those that can be reached under a reset.
    beginning: &'a [T],
    under_reset: &'a [T],
}

impl<T: Combine, L: Lanes> Leaving<'_, T, L> {
    /// Combines into `into` what moves from `stones` stones lead to, without a reset.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn combine_into(&self, stones: usize, into: &mut [T]) {
        self.combine_place(self.ending, stones.wrapping_sub(self.first), into);
        self.combine_place(self.beginning, stones, into);
    }

    /// The same under a reset.
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

/// A row about to be solved.
pub(super) struct Ahead {
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
    /// Nothing solved yet. Elements are groups of `lanes`.
    pub(super) fn new(rules: &Expanding, lanes: L) -> Result<Self, GenerateError> {
        let layout = Layout::try_new(rules).ok_or(GenerateError::Memory)?;
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

    /// The next row to solve: the greatest first.
    pub(super) fn next(&mut self) -> Option<Ahead> {
        let row = self.next?;
        self.next = row.checked_sub(1);
        let (currentmax, length) = (self.layout.currentmax(row) as usize, self.layout.length(row) as usize);
        let most = currentmax.min(length - 1);
        Some(Ahead { row, length, stay: [most, most.min(self.reset_limit)], currentmax })
    }

    /// Where moves lead that leave the row.
    pub(super) fn leaving(&self, ahead: &Ahead) -> Leaving<'_, T, L> {
        // As many rows as the present block has, the block before has lost at its beginning.
        let (first, ending) = match self.endings.get(self.rows.len()) {
            None => (0, &[][..]),
            Some(ending) => (ending.first, &ending.elements[..]),
        };
        let beginning = if self.rows.is_empty() { &[] } else { &self.beginning[..] };
        let under_reset = if ahead.currentmax < self.reset_limit { &self.under_reset[..] } else { &[] };
        Leaving { lanes: self.lanes, first, ending, beginning, under_reset }
    }

    /// Takes the elements of the row just solved.
    pub(super) fn put(&mut self, ahead: &Ahead, elements: Vec<T>) -> Result<(), GenerateError> {
        if self.growth == 0 || self.next.is_none() {
            return Ok(());
        }
        if ahead.currentmax <= self.reset_limit {
            combine(&mut self.under_reset[ahead.currentmax * self.lanes.count()..], &elements);
        }
        self.rows.grow(Arrivals { first: ahead.currentmax, elements })?;
        if self.rows.len() == self.growth {
            self.end_block()?;
        } else if let Some(row) = self.rows.last() {
            combine(&mut self.beginning[row.first * self.lanes.count()..], &row.elements);
        }
        Ok(())
    }

    /// Makes the present block the one before.
    fn end_block(&mut self) -> Result<(), GenerateError> {
        self.beginning.fill(T::NONE);
        self.endings.clear();
        // From the last row up: it begins first and ends last, for the greater currentmax is, the fewer
        // stones it leaves.
        for row in self.rows.drain(..).rev() {
            let ending = match self.endings.last() {
                None => row,
                Some(Arrivals { first, elements }) => {
                    let mut elements = copied(elements)?;
                    combine(&mut elements[(row.first - first) * self.lanes.count()..], &row.elements);
                    Arrivals { first: *first, elements }
                }
            };
            self.endings.grow(ending)?;
        }
        self.endings.reverse();
        Ok(())
    }
}
