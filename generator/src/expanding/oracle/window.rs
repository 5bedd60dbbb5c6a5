//! A fold over a sliding window: the combination of the last w elements of a growing sequence, at constant cost for
//! each element (van Herk, 1992; Gil and Werman, 1993).
//!
//! The sequence is cut into blocks of w. A window consists of a suffix of one block and a prefix of the next, and
//! both are combined beforehand. For example, with w = 3 and the maximum, the window [1, 4, 2] of 3 1 4 | 2 7 5
//! combines the suffix 1 4 of the first block (4) and the prefix 2 of the second (2) into 4. Elements are groups of
//! lanes side by side, so that one step serves all lanes.

use crate::GenerateError;
use crate::memory::filled;

/// An associative and commutative operation. `Self::NONE` is its neutral element.
pub(super) trait Combine: Copy {
    const NONE: Self;
    fn combine(self, other: Self) -> Self;
}

/// Number of lanes of an element. A type, so that the compiler removes loops over a single lane.
pub(super) trait Lanes: Copy + Send {
    fn count(self) -> usize;
}

/// One lane.
#[derive(Clone, Copy)]
pub(super) struct One;

/// A number of lanes known at run time.
#[derive(Clone, Copy)]
pub(super) struct Many(pub(super) usize);

impl Lanes for One {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn count(self) -> usize {
        1
    }
}

impl Lanes for Many {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn count(self) -> usize {
        self.0
    }
}

/// The window over a sequence.
pub(super) struct SlidingFold<T, L> {
    width: usize,
    lanes: L,
    /// For each element of the last complete block, the combination from there to the block's end.
    suffixes: Vec<T>,
    /// The combination of the current block so far.
    prefix: Vec<T>,
    /// Number of elements of the current block so far.
    filled: usize,
}

impl<T: Combine, L: Lanes> SlidingFold<T, L> {
    /// A window over the last `width` elements of `lanes` lanes each.
    pub(super) fn new(width: usize, lanes: L) -> Result<Self, GenerateError> {
        Ok(Self {
            width,
            lanes,
            suffixes: filled(width as u64 * lanes.count() as u64, T::NONE)?,
            prefix: vec![T::NONE; lanes.count()],
            filled: 0,
        })
    }

    /// Combines the elements of the window into `into`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn combine_into(&self, into: &mut [T]) {
        if self.width == 0 {
            return;
        }
        let suffix = &self.suffixes[self.filled * self.lanes.count()..][..self.lanes.count()];
        for ((into, &prefix), &suffix) in into.iter_mut().zip(&self.prefix).zip(suffix) {
            *into = into.combine(prefix).combine(suffix);
        }
    }

    /// Moves the window by one element: the last of `sequence`, which holds all elements so far.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn slide(&mut self, sequence: &[T]) {
        if self.width == 0 {
            return;
        }
        let element = &sequence[sequence.len() - self.lanes.count()..];
        for (prefix, &element) in self.prefix.iter_mut().zip(element) {
            *prefix = prefix.combine(element);
        }
        self.filled += 1;
        if self.filled == self.width {
            self.end_block(&sequence[sequence.len() - self.width * self.lanes.count()..]);
        }
    }

    fn end_block(&mut self, block: &[T]) {
        self.prefix.fill(T::NONE);
        self.filled = 0;
        self.suffixes.copy_from_slice(block);
        for i in (0..block.len() - self.lanes.count()).rev() {
            self.suffixes[i] = self.suffixes[i].combine(self.suffixes[i + self.lanes.count()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Combine for u8 {
        const NONE: Self = 0;
        fn combine(self, other: Self) -> Self {
            self.max(other)
        }
    }

    #[test]
    fn a_window_holds_the_last_elements_and_no_others() {
        let numbers: Vec<u8> = (0..200_u32).map(|i| (i * 7919 % 251) as u8).collect();
        for (width, lanes) in [(0, 1), (1, 1), (2, 3), (7, 2), (60, 2), (300, 1)] {
            let mut window = SlidingFold::new(width, Many(lanes)).unwrap();
            for n in 0..numbers.len() / lanes {
                let mut found = vec![0; lanes];
                window.combine_into(&mut found);
                for lane in 0..lanes {
                    let last = (n.saturating_sub(width)..n).map(|i| numbers[i * lanes + lane]).max();
                    assert_eq!(found[lane], last.unwrap_or(0), "width {width} at {n}");
                }
                window.slide(&numbers[..(n + 1) * lanes]);
            }
        }
    }
}
