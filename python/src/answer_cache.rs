//! A cache of answers, for programs that look up the positions of a small game again and again.
//!
//! The cache is an array with a cell for each way to fill the columns of a position. It is made only after many questions, since it
//! has to be cleared first.

use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicU32, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use crate::any_order_cache::{AnyOrderCache, CacheBounds};

/// The most numbers in the cache of one table: 32 MiB.
const MAX_NUMBERS: usize = 8 << 20;

/// A cache is made once it has at most this many cells for each requested row. Clearing a cell takes 1 % of the time of an answer.
const CELLS_PER_ROW: usize = 32;

/// A cache with a cell for each way to fill the columns of a position.
///
/// A cell's index is the number with the columns as digits: with radices 4 and 6, the heaps 2 and 5 have index 2 * 6 + 5 = 17.
pub(crate) struct AnswerCache {
    /// One more than the greatest number in each column of a position.
    radices: Vec<u32>,
    /// Numbers in a cell.
    width: u32,
    /// The cells. The first number of an answer is 0 or 1; the flag of the cell's [`AnswerExtent`] is added to it.
    numbers: Box<[AtomicU32]>,
}

/// The part of an answer that a cell contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AnswerExtent {
    /// Outcome and depth, the first numbers of an answer.
    Verdict,
    Whole,
}

impl AnswerExtent {
    /// Returns the flag that is added to the first number of a cell; the flag of an empty cell is 0.
    const fn flag(self) -> u32 {
        match self {
            Self::Verdict => 2,
            Self::Whole => 4,
        }
    }
}

impl AnswerCache {
    fn new(radices: Vec<u32>, width: usize, numbers: usize) -> Self {
        let numbers = (0..numbers).map(|_| AtomicU32::new(0)).collect();
        Self { radices, width: width as u32, numbers }
    }

    /// Finds the cells of positions, given in columns. Returns false if a position has none.
    pub(crate) fn find<C: AsRef<[u32]>>(&self, columns: &[C], cells: &mut [u32]) -> bool {
        // Column by column, so that the compiler vectorizes over rows. The arithmetic wraps only if the result is false.
        cells.fill(0);
        let mut all = true;
        for (&radix, numbers) in self.radices.iter().zip(columns) {
            for (cell, &number) in cells.iter_mut().zip(numbers.as_ref()) {
                all &= number < radix;
                *cell = cell.wrapping_mul(radix).wrapping_add(number);
            }
        }
        for cell in cells {
            *cell = cell.wrapping_mul(self.width);
        }
        all
    }

    /// Returns whether a cell contains this part of an answer.
    #[inline]
    pub(crate) fn has(&self, cell: u32, extent: AnswerExtent) -> bool {
        self.numbers[cell as usize].load(Acquire) >= extent.flag()
    }

    /// Stores the numbers of an answer, or the first of them. Several threads may store the same answer at once.
    pub(crate) fn store(&self, cell: u32, extent: AnswerExtent, mut numbers: impl Iterator<Item = u32>) {
        let [first, others @ ..] = &self.numbers[cell as usize..][..self.width as usize] else { return };
        let flag = numbers.next().unwrap_or_default() + extent.flag();
        for (cell, number) in others.iter().zip(numbers) {
            cell.store(number, Relaxed);
        }
        // The maximum: another thread may have stored more of this answer.
        first.fetch_max(flag, Release);
    }

    /// Returns a number of an answer, which the cell must contain.
    #[inline]
    pub(crate) fn get(&self, cell: u32, number: usize) -> u32 {
        let stored = self.numbers[cell as usize + number].load(Relaxed);
        if number == 0 { stored % 2 } else { stored }
    }
}

/// The caches of one table, which are made after enough questions.
#[derive(Default)]
pub(crate) struct LazyCache {
    by_columns: OnceLock<AnswerCache>,
    any_order: OnceLock<AnyOrderCache>,
    /// Number of rows requested so far.
    rows: AtomicUsize,
}

/// The cache for a request.
pub(crate) enum CacheChoice<'a> {
    /// No cache: too few requests so far, or too many positions.
    Off,
    /// A cell for each way to fill the columns.
    ByColumns(&'a AnswerCache),
    /// A cell for all orders of the same heaps.
    AnyOrder(&'a AnyOrderCache),
}

impl LazyCache {
    /// Counts the requested rows, and chooses the cache for answers of `width` numbers: by columns if that fits, otherwise for all
    /// orders of heaps if the game has `cache_bounds`.
    pub(crate) fn for_rows(
        &self,
        rows: usize,
        radices: &[u32],
        width: usize,
        cache_bounds: Option<CacheBounds<'_>>,
    ) -> CacheChoice<'_> {
        let rows = self.rows.fetch_add(rows, Relaxed).saturating_add(rows);
        let are_few = |cells: usize| cells / CELLS_PER_ROW > rows;
        let cells = radices.iter().try_fold(1, |cells: usize, &radix| cells.checked_mul(radix as usize));
        let numbers =
            cells.and_then(|cells| cells.checked_mul(width)).filter(|&numbers| numbers <= MAX_NUMBERS);
        if let Some(numbers) = numbers {
            if are_few(numbers / width) {
                return CacheChoice::Off;
            }
            return CacheChoice::ByColumns(
                self.by_columns.get_or_init(|| AnswerCache::new(radices.to_vec(), width, numbers)),
            );
        }
        match cache_bounds.and_then(|cache_bounds| Some((cache_bounds, cache_bounds.cells()?))) {
            Some((cache_bounds, cells)) if !are_few(cells as usize) => {
                CacheChoice::AnyOrder(self.any_order.get_or_init(|| AnyOrderCache::new(cache_bounds, cells)))
            }
            _ => CacheChoice::Off,
        }
    }
}
