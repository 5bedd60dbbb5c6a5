//! Marks: an ascending sequence of places on a line, whose gaps differ by little.
//!
//! The lost positions of a line are nearly periodic. In row 62 without resets, most are 63 stones apart, and a few are
//! a little farther apart. A gap is therefore stored as its excess over the least gap, mostly one byte. For example,
//! with a least gap of 63 the places 10, 73, 137 are stored as the first place 10 and the excesses 0 and 1.

use std::sync::Arc;

use crate::GenerateError;
use crate::memory::Grow;

/// A place beyond all lines: "no further place".
pub(super) const NEVER: u64 = u64::MAX;

/// Ascending places, stored by their gaps.
#[derive(Debug, Default)]
pub(super) struct Marks {
    first: u32,
    last: u32,
    /// No gap is less than this.
    least: u32,
    /// Least and greatest gap that occur.
    gaps: Option<(u32, u32)>,
    count: u32,
    /// For each gap its excess over `least`: groups of seven bits, lowest first. The top bit of a byte is set if more
    /// bytes of the same excess follow.
    excess: Vec<u8>,
}

impl Marks {
    /// Returns an empty list. Marks will be at least `least` apart.
    pub(super) fn new(least: u32) -> Self {
        Self { least, ..Self::default() }
    }

    /// Appends a mark, which must come after all others.
    #[inline]
    pub(super) fn push(&mut self, place: u32) -> Result<(), GenerateError> {
        self.count += 1;
        if self.count == 1 {
            (self.first, self.last) = (place, place);
            return Ok(());
        }
        let gap = place - self.last;
        let (least, greatest) = self.gaps.unwrap_or((gap, gap));
        self.gaps = Some((least.min(gap), greatest.max(gap)));
        self.last = place;
        let mut excess = gap - self.least;
        while excess > 0x7F {
            self.excess.grow(excess as u8 | 0x80)?;
            excess >>= 7;
        }
        self.excess.grow(excess as u8)
    }

    /// Number of marks.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// No gap is less than this.
    pub(super) fn least(&self) -> u32 {
        self.least
    }

    /// Least and greatest gap between neighbouring marks; `None` with fewer than two marks.
    pub(super) fn gaps(&self) -> Option<(u32, u32)> {
        self.gaps
    }

    /// Last mark; 0 if there is none.
    pub(super) fn last(&self) -> u32 {
        self.last
    }

    /// Estimated bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.excess.capacity()
    }

    /// Iterates over the marks, ascending.
    pub(super) fn iter(self: &Arc<Self>) -> MarkCursor {
        let next = if self.count == 0 { NEVER } else { self.first.into() };
        MarkCursor { marks: self.clone(), at: 0, next }
    }
}

impl Marks {
    /// Iterates over the marks, descending.
    pub(super) fn iter_back(&self) -> impl Iterator<Item = u32> {
        let (mut place, mut at) = (self.last, self.excess.len());
        (0..self.count).map(move |number| {
            if number > 0 {
                // Only the last byte of an excess has its top bit clear.
                at -= 1;
                let mut excess = u32::from(self.excess[at]);
                while at > 0 && self.excess[at - 1] > 0x7F {
                    at -= 1;
                    excess = excess << 7 | u32::from(self.excess[at] & 0x7F);
                }
                place -= self.least + excess;
            }
            place
        })
    }
}

/// A cursor on a list of marks.
#[derive(Clone, Debug)]
pub(super) struct MarkCursor {
    marks: Arc<Marks>,
    at: usize,
    /// The mark under the cursor, or [`NEVER`] after the last one.
    pub(super) next: u64,
}

impl MarkCursor {
    /// Moves to the mark after [`next`](Self::next).
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn advance(&mut self) {
        let Some(&byte) = self.marks.excess.get(self.at) else {
            self.next = NEVER;
            return;
        };
        self.at += 1;
        self.next += u64::from(self.marks.least) + u64::from(byte & 0x7F);
        if byte > 0x7F {
            self.go_far();
        }
    }

    /// Reads the remaining bytes of an excess of several bytes.
    #[cold]
    fn go_far(&mut self) {
        for shift in (7..).step_by(7) {
            let byte = self.marks.excess[self.at];
            self.at += 1;
            self.next += u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return;
            }
        }
    }
}

impl Iterator for MarkCursor {
    type Item = u32;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn next(&mut self) -> Option<u32> {
        let next = self.next;
        if next == NEVER {
            return None;
        }
        self.advance();
        Some(next as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_any_gap_are_kept() {
        for (least, all) in [
            (1, &[][..]),
            (7, &[0]),
            (1, &[0, 1, 2]),
            (4, &[5, 132, 136, 268, 16_645, 3_000_000]),
            (9, &[100, 109, 118, 1_000_000_000, u32::MAX]),
        ] {
            let mut marks = Marks::new(least);
            all.iter().for_each(|&place| marks.push(place).unwrap());
            let gaps = all.windows(2).map(|pair| pair[1] - pair[0]);
            assert_eq!(marks.gaps(), gaps.clone().min().zip(gaps.max()));
            assert_eq!((marks.count() as usize, marks.last()), (all.len(), all.last().copied().unwrap_or(0)));
            assert!(marks.iter_back().eq(all.iter().rev().copied()));
            assert_eq!(Arc::new(marks).iter().collect::<Vec<_>>(), all);
        }
    }
}
