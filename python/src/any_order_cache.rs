//! A cache of answers in which all orders of the same heaps share a cell, for games with too many positions for
//! [`AnswerCache`](crate::answer_cache::AnswerCache).
//!
//! Outcome, depth and number of winning moves do not depend on the order of heaps. The best move does: of several equally good moves, the
//! one from the first row is the best. So a cell stores how many stones these moves take, and from which of the heaps in descending
//! order. Let the best moves for the heaps 2, 7, 2 take 1 from a heap of 2. In descending order, 7, 2, 2, these are the second and the
//! third heap. Their rows are 1 and 3, so the best move takes from row 1.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bouton_tables::Outcome;
use bouton_tables::heaps::{Ranks, multisets_within};

/// Number of positions in a chunk.
pub(crate) const CHUNK: usize = 128;

/// Maximum number of cells in the cache of one table: 32 MiB.
const MAX_CELLS: u64 = 4 << 20;

/// Maximum number of heaps of a position: a key has three bits for the row.
const MAX_HEAPS: usize = 8;
/// Maximum size of a heap: a key has twelve bits for the size.
const MAX_HEAP: u32 = (1 << 12) - 1;

/// Packs a heap and its row into a sorting key, which is greater for a greater heap, and among equal heaps for an earlier row. Keys have
/// two bytes, so that the processor sorts several positions at a time.
const fn key(heap: u32, row: usize) -> i16 {
    (heap << 3) as i16 | (MAX_HEAPS - 1 - row) as i16
}

const fn heap_of(key: i16) -> usize {
    (key >> 3) as usize
}

const fn row_of(key: i16) -> usize {
    MAX_HEAPS - 1 - (key & 7) as usize
}

/// The contents of a cell, before packing.
#[derive(Clone, Copy)]
pub(crate) struct CachedAnswer {
    pub(crate) outcome: Outcome,
    pub(crate) depth: u32,
    /// Number of winning moves.
    pub(crate) winning: u32,
    /// Stones that the best move takes; 1 for a pass, 0 if no move is left.
    pub(crate) take: u32,
    /// Bit set of the rows from which a move that takes `take` stones is as good as the best move; empty for a pass.
    pub(crate) rows: u32,
}

/// The packed content of a cell, in 64 bits. Bit 0: the cell is filled. Bit 1: the position is won. Byte 1: a bit set of the heaps from
/// which a best move takes, bit 0 for the greatest heap. Then, in two bytes each: the number of winning moves, the depth, the stones
/// taken.
#[derive(Clone, Copy)]
pub(crate) struct PackedAnswer(u64);

impl PackedAnswer {
    const EMPTY: Self = Self(0);

    /// Packs an answer; `heaps` is the bit set of the heaps in descending order from which a best move takes. Returns `None` if a number
    /// does not fit, which proves the table wrong.
    fn new(answer: &CachedAnswer, heaps: u8) -> Option<Self> {
        let two_bytes = |number: u32| u16::try_from(number).ok().map(u64::from);
        Some(Self(
            1 | u64::from(answer.outcome == Outcome::Win) << 1
                | u64::from(heaps) << 8
                | two_bytes(answer.winning)? << 16
                | two_bytes(answer.depth)? << 32
                | two_bytes(answer.take)? << 48,
        ))
    }

    pub(crate) const fn is_filled(self) -> bool {
        self.0 & 1 != 0
    }

    pub(crate) const fn won(self) -> u32 {
        (self.0 >> 1 & 1) as u32
    }

    const fn heaps(self) -> u8 {
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

/// The bounds of a game whose answers, except for the row of the best move, do not depend on the order of heaps.
#[derive(Clone, Copy)]
pub(crate) struct CacheBounds<'a> {
    /// The bounds of heaps, ascending.
    pub(crate) bounds: &'a [u32],
    /// The number of passes at the start.
    pub(crate) passes: u8,
}

// No game lasts longer than there are stones and passes, and no position has more moves: with these bounds they fit two bytes.
const _: () = assert!(MAX_HEAPS as u32 * MAX_HEAP + u8::MAX as u32 <= u16::MAX as u32);

impl CacheBounds<'_> {
    /// Returns the number of cells; `None` if it exceeds [`MAX_CELLS`], or the heaps do not fit in keys.
    pub(crate) fn cells(self) -> Option<u64> {
        let Self { bounds, passes } = self;
        let fits = bounds.len() <= MAX_HEAPS && bounds.iter().all(|&bound| bound <= MAX_HEAP);
        let cells = fits.then(|| multisets_within(bounds))??.checked_mul(u64::from(passes) + 1)?;
        (cells <= MAX_CELLS).then_some(cells)
    }
}

/// A cache with a cell for each multiset of heaps and number of passes left.
///
/// The index of a cell is the rank of the multiset, plus the number of multisets for each pass left. The rank is a sum: each heap in
/// descending order adds a part that depends on its size ([`Ranks`]).
pub(crate) struct AnyOrderCache {
    /// For each heap, the greatest first, the part of each size.
    heap_parts: Vec<Vec<u32>>,
    /// The part of each number of passes left.
    pass_parts: Vec<u32>,
    cells: Box<[AtomicU64]>,
}

impl AnyOrderCache {
    /// Makes an empty cache; `cells` is [`CacheBounds::cells`].
    pub(crate) fn new(CacheBounds { bounds, passes }: CacheBounds<'_>, cells: u64) -> Self {
        let ranks = Ranks::try_new(bounds).expect("memory for few ranks");
        let parts = |index| (0..=ranks.bound(index)).map(|heap| ranks.part(index, heap) as u32).collect();
        Self {
            heap_parts: (0..bounds.len()).map(parts).collect(),
            pass_parts: (0..=u32::from(passes)).map(|passes| passes * ranks.count() as u32).collect(),
            cells: (0..cells).map(|_| AtomicU64::new(0)).collect(),
        }
    }
}

/// A chunk of positions, with their cells in the cache.
pub(crate) struct AnyOrderRows<'a> {
    cache: &'a AnyOrderCache,
    /// For each heap in descending order, its key in each position.
    keys: Vec<[i16; CHUNK]>,
    /// The index of each position's cell.
    cells: [u32; CHUNK],
    /// The content of each position's cell.
    found: [PackedAnswer; CHUNK],
}

impl<'a> AnyOrderRows<'a> {
    pub(crate) fn new(cache: &'a AnyOrderCache) -> Self {
        let keys = vec![[0; CHUNK]; cache.heap_parts.len()];
        Self { cache, keys, cells: [0; CHUNK], found: [PackedAnswer::EMPTY; CHUNK] }
    }

    /// Finds the cells of `count` positions, given in columns, and loads them. Returns false if a position has no cell.
    pub(crate) fn find(&mut self, columns: &[[u32; CHUNK]], count: usize) -> bool {
        let heaps = self.keys.len();
        let mut fits = true;
        for (row, (keys, column)) in self.keys.iter_mut().zip(columns).enumerate() {
            for (packed, &heap) in keys[..count].iter_mut().zip(column) {
                fits &= heap <= MAX_HEAP;
                *packed = key(heap & MAX_HEAP, row);
            }
        }
        if !fits {
            return false;
        }
        // Selection sort of all positions at a time: puts the greatest of the remaining keys at each index in turn.
        for index in 0..heaps {
            let (sorted, rest) = self.keys.split_at_mut(index + 1);
            for other in rest {
                for (greater, lesser) in sorted[index][..count].iter_mut().zip(other) {
                    (*greater, *lesser) = ((*greater).max(*lesser), (*greater).min(*lesser));
                }
            }
        }
        let cells = &mut self.cells[..count];
        match columns.get(heaps) {
            None => cells.fill(0),
            Some(passes) => {
                for (cell, &passes) in cells.iter_mut().zip(passes) {
                    let Some(&first) = self.cache.pass_parts.get(passes as usize) else { return false };
                    *cell = first;
                }
            }
        }
        for (keys, parts) in self.keys.iter().zip(&self.cache.heap_parts) {
            for (cell, &key) in cells.iter_mut().zip(keys) {
                let Some(&part) = parts.get(heap_of(key)) else { return false };
                *cell += part;
            }
        }
        for (found, &cell) in self.found.iter_mut().zip(&*cells) {
            *found = PackedAnswer(self.cache.cells[cell as usize].load(Relaxed));
        }
        true
    }

    /// Returns the content of each position's cell.
    pub(crate) fn found(&self) -> &[PackedAnswer; CHUNK] {
        &self.found
    }

    /// Stores the answer for a position. Returns false if it does not fit in a cell: then the table is wrong.
    pub(crate) fn store(&mut self, position: usize, answer: &CachedAnswer) -> bool {
        let is_best = |index: &usize| answer.rows >> row_of(self.keys[*index][position]) & 1 != 0;
        let heaps = (0..self.keys.len()).filter(is_best).fold(0, |heaps, index| heaps | 1 << index);
        let Some(packed) = PackedAnswer::new(answer, heaps) else { return false };
        self.cache.cells[self.cells[position] as usize].store(packed.0, Relaxed);
        self.found[position] = packed;
        true
    }

    /// Returns the row of each position's best move: the first row from which a best move takes. For a pass, this is the number of heaps,
    /// as the column of passes follows those of heaps.
    pub(crate) fn best_rows(&self, count: usize) -> [u8; CHUNK] {
        let mut rows = [self.keys.len() as u8; CHUNK];
        for (index, keys) in self.keys.iter().enumerate() {
            for ((row, found), &key) in rows[..count].iter_mut().zip(&self.found).zip(keys) {
                // All ones if no best move takes from this heap. The processor would mispredict a branch.
                let no_row = (found.heaps() >> index & 1).wrapping_sub(1);
                *row = (*row).min(row_of(key) as u8 | no_row);
            }
        }
        rows
    }
}
