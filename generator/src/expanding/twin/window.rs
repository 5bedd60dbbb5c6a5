//! The combination of the last w elements of a growing sequence, at a constant cost for each (van Herk, 1992;
//! Gil and Werman, 1993): the sequence is cut into blocks of w; a window is the end of one block and the
//! beginning of the next, and both are combined beforehand. Elements are groups of lanes side by side, so
//! that one step serves all of them.

use crate::GenerateError;
use crate::memory::filled;

/// A way to combine two elements: associative and commutative, `Self::NONE` changing nothing.
pub(super) trait Combine: Copy {
    /// The combination of no elements.
    const NONE: Self;
    /// The combination of two.
    fn combine(self, other: Self) -> Self;
}

/// How many lanes an element has. A type, so that loops over a single lane are none.
pub(super) trait Lanes: Copy + Send {
    /// Their number.
    fn count(self) -> usize;
}

/// One lane.
#[derive(Clone, Copy)]
pub(super) struct One;

/// As many lanes as it says.
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

/// A window that slides along a sequence.
pub(super) struct Window<T, L> {
    width: usize,
    lanes: L,
    /// For each place of the last whole block, the combination from there to the block's end.
    endings: Vec<T>,
    /// The combination of the present block so far.
    beginning: Vec<T>,
    /// The present place within its block.
    place: usize,
}

impl<T: Combine, L: Lanes> Window<T, L> {
    /// A window over the last `width` elements of `lanes` lanes each.
    pub(super) fn new(width: usize, lanes: L) -> Result<Self, GenerateError> {
        Ok(Self {
            width,
            lanes,
            endings: filled(width as u64 * lanes.count() as u64, T::NONE)?,
            beginning: vec![T::NONE; lanes.count()],
            place: 0,
        })
    }

    /// Combines into `into` the last elements before the one to come.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn combine_into(&self, into: &mut [T]) {
        if self.width == 0 {
            return;
        }
        let ending = &self.endings[self.place * self.lanes.count()..][..self.lanes.count()];
        for ((into, &beginning), &ending) in into.iter_mut().zip(&self.beginning).zip(ending) {
            *into = into.combine(beginning).combine(ending);
        }
    }

    /// Goes on by one element: the last of `sequence`, which is the whole sequence so far.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn slide(&mut self, sequence: &[T]) {
        if self.width == 0 {
            return;
        }
        let element = &sequence[sequence.len() - self.lanes.count()..];
        for (beginning, &element) in self.beginning.iter_mut().zip(element) {
            *beginning = beginning.combine(element);
        }
        self.place += 1;
        if self.place == self.width {
            self.end_block(&sequence[sequence.len() - self.width * self.lanes.count()..]);
        }
    }

    fn end_block(&mut self, block: &[T]) {
        self.beginning.fill(T::NONE);
        self.place = 0;
        let mut ending = std::mem::take(&mut self.endings);
        let last = ending.len() - self.lanes.count();
        ending.copy_from_slice(block);
        for i in (0..last).rev() {
            ending[i] = ending[i].combine(ending[i + self.lanes.count()]);
        }
        self.endings = ending;
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
            let mut window = Window::new(width, Many(lanes)).unwrap();
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
