//! A cache of answers, for programs that look up the positions of a small game again and again.
//!
//! The cache is an array with a cell for each combination of numbers in the columns of a position. It is made only after many
//! questions, as all cells have to be cleared first.

use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicU32, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use crate::any_order_cache::{AnyOrderCache, CacheBounds};

/// Maximum number of numbers in the cache of one table: 32 MiB.
const MAX_NUMBERS: usize = 8 << 20;

/// A cache of n cells is made once n / `CELLS_PER_ROW` rows, with a position each, have been requested. Clearing a cell takes 1 % of
/// the time of an answer.
const CELLS_PER_ROW: usize = 32;

/// A cache with a cell for each combination of numbers in the columns of a position.
///
/// The index of a cell is a number with the columns as digits: with radices 4 and 6, the heaps 2 and 5 have index 2 * 6 + 5 = 17.
pub(crate) struct AnswerCache {
    /// For each column of a position, one more than its greatest number.
    radices: Vec<u32>,
    /// Length of a cell, in numbers.
    width: u32,
    /// The numbers of all cells. The first number of a cell is 0 if the cell is empty; otherwise it is the first number of the answer
    /// (0 or 1) plus the number of the stored [`AnswerExtent`].
    numbers: Box<[AtomicU32]>,
}

/// The part of an answer that a cell contains; the greater part has the greater number.
#[derive(Clone, Copy)]
pub(crate) enum AnswerExtent {
    /// Outcome and depth, the first numbers of an answer.
    Verdict = 2,
    /// All numbers of an answer.
    Whole = 4,
}

impl AnswerCache {
    fn new(radices: Vec<u32>, width: usize, numbers: usize) -> Self {
        let numbers = (0..numbers).map(|_| AtomicU32::new(0)).collect();
        Self { radices, width: width as u32, numbers }
    }

    /// Writes to `starts`, for each position of the columns, the index in `numbers` at which its cell begins. Returns false if a
    /// position has no cell; `starts` then has no meaning.
    pub(crate) fn find<C: AsRef<[u32]>>(&self, columns: &[C], starts: &mut [u32]) -> bool {
        // First the indices of cells, column by column, so that the compiler vectorizes over rows. The arithmetic wraps only if the
        // result is false.
        starts.fill(0);
        let mut have_cells = true;
        for (&radix, numbers) in self.radices.iter().zip(columns) {
            for (index, &number) in starts.iter_mut().zip(numbers.as_ref()) {
                have_cells &= number < radix;
                *index = index.wrapping_mul(radix).wrapping_add(number);
            }
        }
        for start in starts {
            *start = start.wrapping_mul(self.width);
        }
        have_cells
    }

    /// Returns whether the cell that begins at `start` contains this part of an answer.
    #[inline]
    pub(crate) fn has(&self, start: u32, extent: AnswerExtent) -> bool {
        self.numbers[start as usize].load(Acquire) >= extent as u32
    }

    /// Stores part of an answer in the cell that begins at `start`. Several threads may store the same answer at once.
    pub(crate) fn store(&self, start: u32, extent: AnswerExtent, mut numbers: impl Iterator<Item = u32>) {
        let [first, others @ ..] = &self.numbers[start as usize..][..self.width as usize] else { return };
        let flag = numbers.next().unwrap_or_default() + extent as u32;
        for (stored, number) in others.iter().zip(numbers) {
            stored.store(number, Relaxed);
        }
        // The maximum, as another thread may have stored a greater part of this answer.
        first.fetch_max(flag, Release);
    }

    /// Returns the number in a column of an answer, which the cell that begins at `start` must contain.
    #[inline]
    pub(crate) fn get(&self, start: u32, column: usize) -> u32 {
        let stored = self.numbers[start as usize + column].load(Relaxed);
        if column == 0 { stored % 2 } else { stored }
    }
}

/// The cache of one table, which is made after enough questions.
#[derive(Default)]
pub(crate) struct LazyCache {
    by_columns: OnceLock<AnswerCache>,
    any_order: OnceLock<AnyOrderCache>,
    /// Number of rows requested so far.
    rows: AtomicUsize,
}

impl LazyCache {
    /// Counts `rows` as requested, and returns a cache for answers of `width` numbers once it is worthwhile. This is a cache by columns
    /// if one takes at most [`MAX_NUMBERS`] numbers; otherwise, with `cache_bounds`, one for all orders of heaps.
    pub(crate) fn for_rows(
        &self,
        rows: usize,
        radices: &[u32],
        width: usize,
        cache_bounds: Option<CacheBounds<'_>>,
    ) -> (Option<&AnswerCache>, Option<&AnyOrderCache>) {
        let rows = self.rows.fetch_add(rows, Relaxed).saturating_add(rows);
        let is_worthwhile = |cells: usize| cells / CELLS_PER_ROW <= rows;
        let numbers =
            radices.iter().try_fold(width, |numbers: usize, &radix| numbers.checked_mul(radix as usize));
        if let Some(numbers) = numbers.filter(|&numbers| numbers <= MAX_NUMBERS) {
            let new = || AnswerCache::new(radices.to_vec(), width, numbers);
            return (is_worthwhile(numbers / width).then(|| self.by_columns.get_or_init(new)), None);
        }
        let bounds = cache_bounds.and_then(|bounds| Some((bounds, bounds.cells()?)));
        let bounds = bounds.filter(|&(_, cells)| is_worthwhile(cells as usize));
        let new = |(bounds, cells)| self.any_order.get_or_init(|| AnyOrderCache::new(bounds, cells));
        (None, bounds.map(new))
    }
}
