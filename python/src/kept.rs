//! Answers that are kept: whoever asks for many positions asks for some again and again.

use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicU32, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

/// The numbers that are kept of one table at most: 32 MiB.
const MOST: usize = 8 << 20;

/// So many cells are made for each row that is asked for: a cell is cleared in a hundredth of the time that an answer takes.
const CELLS_PER_ROW: usize = 32;

/// The answers to all positions that were asked for so far, in cells of some numbers each: one for every way to fill the columns of a
/// position.
pub(crate) struct Kept {
    /// One more than the greatest number in each column of a position.
    radices: Vec<u32>,
    /// The numbers of an answer.
    width: u32,
    /// The first number of a cell is one more than that of the answer; it is 0 until all of the cell is there.
    numbers: Box<[AtomicU32]>,
}

impl Kept {
    /// Keeps answers of so many numbers each. `None` if that would take too much memory.
    fn new(radices: Vec<u32>, width: usize) -> Option<Self> {
        let numbers = radices.iter().try_fold(width, |cells, &radix| {
            cells.checked_mul(radix as usize).filter(|&numbers| numbers <= MOST)
        })?;
        let numbers = (0..numbers).map(|_| AtomicU32::new(0)).collect();
        Some(Self { radices, width: width as u32, numbers })
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

    /// Whether the answer of a cell is there.
    pub(crate) fn has(&self, cell: u32) -> bool {
        self.numbers[cell as usize].load(Acquire) > 0
    }

    /// Keeps an answer. Several threads may keep the same one at once.
    pub(crate) fn keep(&self, cell: u32, answer: impl Fn(usize) -> u32) {
        let cell = &self.numbers[cell as usize..][..self.width as usize];
        for (number, kept) in cell.iter().enumerate().skip(1) {
            kept.store(answer(number), Relaxed);
        }
        cell[0].store(answer(0) + 1, Release);
    }

    /// A number of an answer that is there.
    pub(crate) fn get(&self, cell: u32, number: usize) -> u32 {
        let kept = self.numbers[cell as usize + number].load(Relaxed);
        kept - u32::from(number == 0)
    }
}

/// Answers that are kept once many were asked for.
#[derive(Default)]
pub(crate) struct KeptWhenMany {
    /// `None` in it, if they would take too much memory.
    kept: OnceLock<Option<Kept>>,
    /// Rows that were asked for so far.
    rows: AtomicUsize,
}

impl KeptWhenMany {
    /// What is kept, now that further rows are asked for. See [`Kept::new`].
    pub(crate) fn for_rows(&self, rows: usize, radices: Vec<u32>, width: usize) -> Option<&Kept> {
        let asked = self.rows.fetch_add(rows, Relaxed).saturating_add(rows);
        let cells = radices.iter().fold(1, |cells: usize, &radix| cells.saturating_mul(radix as usize));
        if cells / CELLS_PER_ROW > asked {
            return None;
        }
        self.kept.get_or_init(|| Kept::new(radices, width)).as_ref()
    }
}
