//! Positions and moves of heap games.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::notation::write_number;

/// The size of a heap, in stones.
pub type Heap = u32;

/// Maximum number of heaps of a game.
pub const MAX_HEAPS: usize = 16;
/// Maximum size of a heap, more than any table holds. All sums of heaps stay within 64 bits.
pub const MAX_SIZE: Heap = 1_000_000_000;

/// Sizes of up to [`MAX_HEAPS`] heaps, without allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Heaps {
    /// Unused entries are always zero, so that derived equality works.
    sizes: [Heap; MAX_HEAPS],
    len: u8,
}

impl Heaps {
    /// Returns a list of no heaps.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends empty heaps until there are `count` heaps.
    #[must_use]
    pub fn padded(mut self, count: usize) -> Self {
        (self.len()..count).for_each(|_| self.push(0));
        self
    }

    /// Appends a heap; there must be fewer than [`MAX_HEAPS`].
    #[inline]
    pub fn push(&mut self, heap: Heap) {
        self.sizes[usize::from(self.len)] = heap;
        self.len += 1;
    }

    /// Returns the heaps in descending order.
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

/// A position of a heap game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The heaps, in the user's order. The order makes no difference to the game, but moves name their rows.
    pub heaps: Heaps,
    /// Passes left, for either player.
    pub passes: u8,
}

/// A move: stones taken from one or several heaps, or none, which is a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Move {
    /// Number of stones taken from each row.
    takes: [Heap; MAX_HEAPS],
}

impl Move {
    /// A pass.
    pub const PASS: Self = Self { takes: [0; MAX_HEAPS] };

    /// Returns the move that takes from one heap. Rows are counted from 0.
    #[inline]
    pub fn single(row: usize, take: Heap) -> Self {
        assert!(row < MAX_HEAPS, "there is no row {row}");
        // Writing one element of a zeroed array would stall a copy of the move that follows at once (store forwarding).
        Self { takes: std::array::from_fn(|other| if other == row { take } else { 0 }) }
    }

    /// Sets the number of stones taken from a row, counted from 0.
    #[inline]
    pub fn set(&mut self, row: usize, take: Heap) {
        self.takes[row] = take;
    }

    /// Returns the number of stones taken from a row, counted from 0.
    #[inline]
    pub fn taken_from(&self, row: usize) -> Heap {
        self.takes[row]
    }

    /// Returns the rows taken from, counted from 0 and ascending, with the number of stones taken.
    pub fn takes(&self) -> impl Iterator<Item = (usize, Heap)> + Clone {
        self.takes.into_iter().enumerate().filter(|&(_, take)| take > 0)
    }

    /// Returns true if the move takes nothing.
    pub fn is_pass(&self) -> bool {
        *self == Self::PASS
    }

    /// Returns the number of stones taken in all.
    #[inline]
    pub fn stones(&self) -> u64 {
        self.takes.iter().map(|&take| u64::from(take)).sum()
    }

    pub(super) fn write(self, text: &mut impl fmt::Write) -> fmt::Result {
        if self.is_pass() {
            return text.write_str("pass");
        }
        for (index, (row, take)) in self.takes().enumerate() {
            if index > 0 {
                text.write_char('+')?;
            }
            write_number(row as u32 + 1, text)?;
            text.write_char(':')?;
            write_number(take, text)?;
        }
        Ok(())
    }
}

/// Compares the takes of two moves, row by row. At the first difference, the move without a further take comes first,
/// then the one with the lower row, then the one that takes less. A pass comes last.
impl Ord for Move {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_pass(), other.is_pass()) {
            (false, false) => self.takes().cmp(other.takes()),
            (is_pass, is_other_pass) => is_pass.cmp(&is_other_pass),
        }
    }
}

impl PartialOrd for Move {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}
