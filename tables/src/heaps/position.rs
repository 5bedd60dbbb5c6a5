//! A position and a move of a heap game.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::notation::write_number;

/// The size of a heap, in stones.
pub type Heap = u32;

/// The most heaps of a game.
pub const MAX_HEAPS: usize = 16;
/// The greatest size of a heap: it keeps all sums within 64 bits, and is more than any table holds.
pub const MAX_SIZE: Heap = 1_000_000_000;

/// Sizes of up to [`MAX_HEAPS`] heaps, without memory of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Heaps {
    sizes: [Heap; MAX_HEAPS],
    len: u8,
}

impl Heaps {
    /// No heaps.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a heap.
    ///
    /// # Panics
    /// If there are [`MAX_HEAPS`] already.
    #[inline]
    pub fn push(&mut self, heap: Heap) {
        self.sizes[usize::from(self.len)] = heap;
        self.len += 1;
    }

    /// The same heaps, the greatest first.
    #[inline]
    #[must_use]
    pub fn descending(mut self) -> Self {
        self.sort_unstable_by(|a, b| b.cmp(a));
        self
    }

    /// Removes the last heap.
    #[inline]
    pub fn pop(&mut self) -> Option<Heap> {
        self.len = self.len.checked_sub(1)?;
        // What lies behind the last heap is always zero, so that equal heaps are equal values.
        Some(std::mem::take(&mut self.sizes[usize::from(self.len)]))
    }
}

impl Deref for Heaps {
    type Target = [Heap];

    #[inline]
    fn deref(&self) -> &[Heap] {
        &self.sizes[..usize::from(self.len)]
    }
}

impl DerefMut for Heaps {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Heap] {
        &mut self.sizes[..usize::from(self.len)]
    }
}

impl FromIterator<Heap> for Heaps {
    fn from_iter<I: IntoIterator<Item = Heap>>(sizes: I) -> Self {
        let mut heaps = Self::new();
        sizes.into_iter().for_each(|size| heaps.push(size));
        heaps
    }
}

/// A position: all that decides the rest of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The heaps, in the order in which the user gives them. Another order is the same position, but moves
    /// are told by row.
    pub heaps: Heaps,
    /// Passes left, for either player.
    pub passes: u8,
}

/// A move: stones taken from one or several heaps, or none, which is a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Move {
    /// For each row what is taken from it.
    takes: [Heap; MAX_HEAPS],
}

impl Move {
    /// A pass.
    pub const PASS: Self = Self { takes: [0; MAX_HEAPS] };

    /// Taking from one heap; rows are counted from 0.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    #[must_use]
    pub fn one(row: usize, take: Heap) -> Self {
        assert!(row < MAX_HEAPS, "there is no row {row}");
        // Not one number in the place of another: whoever copies the move at once would wait for that.
        Self { takes: std::array::from_fn(|other| if other == row { take } else { 0 }) }
    }

    /// Sets what is taken from a row, counted from 0.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn set(&mut self, row: usize, take: Heap) {
        self.takes[row] = take;
    }

    /// What is taken from a row, counted from 0.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    #[must_use]
    pub fn taken_from(&self, row: usize) -> Heap {
        self.takes[row]
    }

    /// The rows taken from, counted from 0, ascending, each with what is taken.
    pub fn takes(&self) -> impl Iterator<Item = (usize, Heap)> + Clone {
        self.takes.into_iter().enumerate().filter(|&(_, take)| take > 0)
    }

    /// Whether nothing is taken.
    #[must_use]
    pub fn is_pass(&self) -> bool {
        *self == Self::PASS
    }

    /// Stones taken in all.
    #[inline]
    #[must_use]
    pub fn stones(&self) -> u64 {
        self.takes.iter().map(|&take| u64::from(take)).sum()
    }
}

/// The order of the takes, row by row: of two moves that agree so far, one that takes nothing more comes
/// first, then the one with the lower row, then the one that takes less. A pass comes last.
impl Ord for Move {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_pass(), other.is_pass()) {
            (false, false) => self.takes().cmp(other.takes()),
            (ours, theirs) => ours.cmp(&theirs),
        }
    }
}

impl PartialOrd for Move {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Move {
    /// Appends the notation.
    pub(super) fn write(self, text: &mut impl fmt::Write) -> fmt::Result {
        if self.is_pass() {
            return text.write_str("pass");
        }
        let mut first = true;
        for (row, take) in self.takes() {
            if !first {
                text.write_char('+')?;
            }
            first = false;
            write_number(row as u32 + 1, text)?;
            text.write_char(':')?;
            write_number(take, text)?;
        }
        Ok(())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}
