//! Answers that are kept: whoever asks for many positions of a small game asks for some again and again.

use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicU32, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use crate::sorted::{Shape, SortedCells};

/// The numbers that are kept of one table at most: 32 MiB.
const MOST: usize = 8 << 20;

/// So many cells are made for each row that is asked for: a cell is cleared in a hundredth of the time that an answer takes.
const CELLS_PER_ROW: usize = 32;

/// What was found of all positions that were asked for so far, in cells of some numbers each: one for every way to fill the columns of a
/// position.
pub(crate) struct Kept {
    /// One more than the greatest number in each column of a position.
    radices: Vec<u32>,
    /// The numbers of an answer.
    width: u32,
    /// A cell has the numbers of an answer, the first of which is 0 or 1. To that, as much is added as says how much is there.
    numbers: Box<[AtomicU32]>,
}

/// How much of an answer is there: its first numbers alone, or all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Share {
    /// So many numbers are the beginning.
    Beginning,
    All,
}

impl Share {
    /// What is added to the first number of a cell; 0 is that of an empty one.
    const fn sign(self) -> u32 {
        match self {
            Self::Beginning => 2,
            Self::All => 4,
        }
    }
}

impl Kept {
    fn new(radices: Vec<u32>, width: usize, numbers: usize) -> Self {
        let numbers = (0..numbers).map(|_| AtomicU32::new(0)).collect();
        Self { radices, width: width as u32, numbers }
    }

    /// Finds the cells of positions, of which the numbers stand in columns. Gives whether all have one.
    pub(crate) fn find<C: AsRef<[u32]>>(&self, columns: &[C], cells: &mut [u32]) -> bool {
        // Column by column, which the compiler makes one step for several rows of. Nothing overflows where all have cells.
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

    /// Whether so much of an answer is in a cell.
    #[inline]
    pub(crate) fn has(&self, cell: u32, share: Share) -> bool {
        self.numbers[cell as usize].load(Acquire) >= share.sign()
    }

    /// Keeps the numbers of an answer, or the first of them. Several threads may keep the same at once.
    pub(crate) fn keep(&self, cell: u32, share: Share, mut numbers: impl Iterator<Item = u32>) {
        let [first, others @ ..] = &self.numbers[cell as usize..][..self.width as usize] else { return };
        let sign = numbers.next().unwrap_or_default() + share.sign();
        for (kept, number) in others.iter().zip(numbers) {
            kept.store(number, Relaxed);
        }
        // Where another thread has put more, that stays.
        first.fetch_max(sign, Release);
    }

    /// A number of an answer, which must be there.
    #[inline]
    pub(crate) fn get(&self, cell: u32, number: usize) -> u32 {
        let kept = self.numbers[cell as usize + number].load(Relaxed);
        if number == 0 { kept % 2 } else { kept }
    }
}

/// What is kept once many positions were asked for.
#[derive(Default)]
pub(crate) struct KeptWhenMany {
    kept: OnceLock<Kept>,
    sorted: OnceLock<SortedCells>,
    /// Rows that were asked for so far.
    rows: AtomicUsize,
}

/// How answers are kept.
pub(crate) enum Keeping<'a> {
    /// Those asked for are too few, or there are too many in all.
    Not,
    /// By all columns of a position.
    Each(&'a Kept),
    /// Once for all orders of heaps.
    AnyOrder(&'a SortedCells),
}

impl KeptWhenMany {
    /// How answers of `width` numbers each are kept, now that further rows are asked for: by all columns, if there is room for that, else for
    /// all orders of heaps, if they have a shape.
    pub(crate) fn for_rows(
        &self,
        rows: usize,
        radices: &[u32],
        width: usize,
        shape: Option<Shape<'_>>,
    ) -> Keeping<'_> {
        let rows = self.rows.fetch_add(rows, Relaxed).saturating_add(rows);
        let are_few = |cells: usize| cells / CELLS_PER_ROW > rows;
        let cells = radices.iter().try_fold(1, |cells: usize, &radix| cells.checked_mul(radix as usize));
        let numbers = cells.and_then(|cells| cells.checked_mul(width)).filter(|&numbers| numbers <= MOST);
        if let Some(numbers) = numbers {
            if are_few(numbers / width) {
                return Keeping::Not;
            }
            return Keeping::Each(self.kept.get_or_init(|| Kept::new(radices.to_vec(), width, numbers)));
        }
        match shape.and_then(|shape| Some((shape, shape.cells()?))) {
            Some((shape, cells)) if !are_few(cells as usize) => {
                Keeping::AnyOrder(self.sorted.get_or_init(|| SortedCells::new(shape, cells)))
            }
            _ => Keeping::Not,
        }
    }
}
