//! Answers that are kept by the heaps of positions, whatever their order: where each order has no room for a cell of its own, all of them
//! share one.
//!
//! What becomes of a position does not depend on the order of its heaps. The best move does, but only as far as several tie: of those
//! the one in the first row is best. So a cell says from which heaps, from the greatest on, the best moves take, and how much.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bouton_tables::Outcome;
use bouton_tables::heaps::{Ranks, multisets_within};

use crate::columns::CHUNK;

/// The cells that are kept of one table at most: 32 MiB.
const MOST: u64 = 4 << 20;

/// The most heaps of a position: as many rows as a key has room for.
const MOST_HEAPS: usize = 8;
/// The greatest heap that has room in a key.
const GREATEST: u32 = (1 << 12) - 1;

/// A heap and its row in one number, by which columns are sorted several rows at a time: the greater heap is the greater number, and of
/// equal ones the one in the earlier row.
const fn key(heap: u32, row: usize) -> i16 {
    (heap << 3) as i16 | (MOST_HEAPS - 1 - row) as i16
}

const fn heap_of(key: i16) -> usize {
    (key >> 3) as usize
}

const fn row_of(key: i16) -> usize {
    MOST_HEAPS - 1 - (key & 7) as usize
}

/// What is kept of an answer.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    pub(crate) outcome: Outcome,
    pub(crate) depth: u32,
    /// How many moves win.
    pub(crate) winning: u32,
    /// What a best move takes; 1 if that is a pass, 0 if no move is left.
    pub(crate) take: u32,
    /// The rows from which those take that tie, a bit for each; none for a pass.
    pub(crate) rows: u32,
}

/// The same without rows; or that nothing is known. From the lowest bit on: whether anything is known, and whether the position is won; in
/// the second byte the heaps from which a best move takes, from the greatest on; and in two bytes each how many moves win, the depth, and
/// what the best moves take.
#[derive(Clone, Copy)]
pub(crate) struct Packed(u64);

impl Packed {
    const NOTHING: Self = Self(0);

    /// Packs what was found, with the places of the heaps from which a best move takes. `None` if it does not fit, as it does in every table
    /// that is right.
    fn new(found: &Found, places: u8) -> Option<Self> {
        let two_bytes = |number: u32| u16::try_from(number).ok().map(u64::from);
        Some(Self(
            1 | u64::from(found.outcome == Outcome::Win) << 1
                | u64::from(places) << 8
                | two_bytes(found.winning)? << 16
                | two_bytes(found.depth)? << 32
                | two_bytes(found.take)? << 48,
        ))
    }

    pub(crate) const fn is_known(self) -> bool {
        self.0 & 1 != 0
    }

    pub(crate) const fn won(self) -> u32 {
        (self.0 >> 1 & 1) as u32
    }

    const fn places(self) -> u8 {
        (self.0 >> 8) as u8
    }

    pub(crate) const fn winning(self) -> u32 {
        (self.0 >> 16) as u16 as u32
    }

    pub(crate) const fn depth(self) -> u32 {
        (self.0 >> 32) as u16 as u32
    }

    pub(crate) const fn take(self) -> u32 {
        (self.0 >> 48) as u16 as u32
    }
}

/// The bounds of a game whose answers do not depend on the order of its heaps, but for the row of the best move.
#[derive(Clone, Copy)]
pub(crate) struct Shape<'a> {
    /// The greatest heaps, ascending.
    pub(crate) bounds: &'a [u32],
    /// The most passes left.
    pub(crate) passes: u8,
}

// No game lasts longer than there are stones and passes, and no position has more moves: with these bounds they fit two bytes.
const _: () = assert!(MOST_HEAPS as u32 * GREATEST + u8::MAX as u32 <= u16::MAX as u32);

impl Shape<'_> {
    /// How many cells there are; `None` if they are too many, or a position does not fit the keys.
    pub(crate) fn cells(self) -> Option<u64> {
        let Self { bounds, passes } = self;
        let fits = bounds.len() <= MOST_HEAPS && bounds.iter().all(|&bound| bound <= GREATEST);
        let cells = fits.then(|| multisets_within(bounds))??.checked_mul(u64::from(passes) + 1)?;
        (cells <= MOST).then_some(cells)
    }
}

/// A cell for each way to choose heaps and passes left.
pub(crate) struct SortedCells {
    /// For each place, the greatest heap first, what each size adds to the number of a cell.
    parts: Vec<Vec<u32>>,
    /// The same of each number of passes left.
    of_passes: Vec<u32>,
    cells: Box<[AtomicU64]>,
}

impl SortedCells {
    /// Those of a shape, of which `cells` must be the number.
    pub(crate) fn new(Shape { bounds, passes }: Shape<'_>, cells: u64) -> Self {
        let ranks = Ranks::try_new(bounds).expect("they are few");
        let part = |place| (0..=ranks.bound(place)).map(|heap| ranks.part(place, heap) as u32).collect();
        Self {
            parts: (0..bounds.len()).map(part).collect(),
            of_passes: (0..=u32::from(passes)).map(|passes| passes * ranks.count() as u32).collect(),
            cells: (0..cells).map(|_| AtomicU64::new(0)).collect(),
        }
    }
}

/// The rows of some positions, and what is kept of them.
pub(crate) struct SortedRows<'a> {
    all: &'a SortedCells,
    /// For each place, the greatest heap first, the heap there of each position.
    keys: Vec<[i16; CHUNK]>,
    cells: [u32; CHUNK],
    found: [Packed; CHUNK],
}

impl<'a> SortedRows<'a> {
    pub(crate) fn new(all: &'a SortedCells) -> Self {
        Self {
            all,
            keys: vec![[0; CHUNK]; all.parts.len()],
            cells: [0; CHUNK],
            found: [Packed::NOTHING; CHUNK],
        }
    }

    /// Finds the cells of as many positions, of which the numbers stand in columns, and what is kept in them. Gives whether all have one.
    pub(crate) fn find(&mut self, columns: &[[u32; CHUNK]], count: usize) -> bool {
        let heaps = self.keys.len();
        let mut all = true;
        for (row, (keys, column)) in self.keys.iter_mut().zip(columns).enumerate() {
            for (of, &heap) in keys[..count].iter_mut().zip(column) {
                all &= heap <= GREATEST;
                *of = key(heap & GREATEST, row);
            }
        }
        if !all {
            return false;
        }
        for place in 0..heaps {
            let (before, behind) = self.keys.split_at_mut(place + 1);
            for other in behind {
                for (greater, lesser) in before[place][..count].iter_mut().zip(other) {
                    (*greater, *lesser) = ((*greater).max(*lesser), (*greater).min(*lesser));
                }
            }
        }
        let cells = &mut self.cells[..count];
        match columns.get(heaps) {
            None => cells.fill(0),
            Some(passes) => {
                for (cell, &passes) in cells.iter_mut().zip(passes) {
                    let Some(&first) = self.all.of_passes.get(passes as usize) else { return false };
                    *cell = first;
                }
            }
        }
        for (keys, parts) in self.keys.iter().zip(&self.all.parts) {
            for (cell, &key) in cells.iter_mut().zip(keys) {
                let Some(&part) = parts.get(heap_of(key)) else { return false };
                *cell += part;
            }
        }
        for (found, &cell) in self.found.iter_mut().zip(&*cells) {
            *found = Packed(self.all.cells[cell as usize].load(Relaxed));
        }
        true
    }

    /// What is known of each position.
    pub(crate) fn found(&self) -> &[Packed; CHUNK] {
        &self.found
    }

    /// Keeps what was found of a position. Gives whether it could be: if not, the table is wrong.
    pub(crate) fn keep(&mut self, position: usize, found: &Found) -> bool {
        let takes = |place: &usize| found.rows >> row_of(self.keys[*place][position]) & 1 != 0;
        let places = (0..self.keys.len()).filter(takes).fold(0, |places, place| places | 1 << place);
        let Some(packed) = Packed::new(found, places) else { return false };
        self.all.cells[self.cells[position] as usize].store(packed.0, Relaxed);
        self.found[position] = packed;
        true
    }

    /// The row of the best move of each position: of those from which a best one takes, the first. A pass has the row behind all others,
    /// as its column is behind those of takes.
    pub(crate) fn best_rows(&self, count: usize) -> [u8; CHUNK] {
        let mut rows = [self.keys.len() as u8; CHUNK];
        for (place, keys) in self.keys.iter().enumerate() {
            for ((row, found), &key) in rows[..count].iter_mut().zip(&self.found).zip(keys) {
                // Without a branch, which the processor could not foresee: all ones where it takes nothing.
                let nothing = (found.places() >> place & 1).wrapping_sub(1);
                *row = (*row).min(row_of(key) as u8 | nothing);
            }
        }
        rows
    }
}
