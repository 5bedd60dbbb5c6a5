//! Marks: an ascending list of places on a line, whose gaps differ by little.
//!
//! The lost positions of a line are nearly periodic. At currentmax 62 without resets, most are 63 stones apart, and a
//! few are a little farther apart. A gap is therefore stored as its excess over a lower bound (`min_gap`), which the
//! solver knows beforehand. Most excesses take one byte. For example, with the bound 63 the places 10, 73, 137 are
//! stored as the first place 10 and the excesses 0 and 1.

use std::sync::Arc;

use crate::making::GenerateError;
use crate::memory::Grow;

/// A place beyond all lines: "no further place".
pub(super) const NEVER: u64 = u64::MAX;

/// Ascending places, stored by their gaps.
#[derive(Debug, Default)]
pub(super) struct Marks {
    first: u32,
    last: u32,
    /// No gap is less than this.
    min_gap: u32,
    /// Least and greatest gap that occur.
    gaps: Option<(u32, u32)>,
    count: u32,
    /// The excess of each gap over `min_gap`, in groups of seven bits, lowest first. The top bit of a byte is set if more
    /// bytes of the same excess follow.
    excesses: Vec<u8>,
}

impl Marks {
    /// Returns an empty list, for marks that are at least `min_gap` apart.
    pub(super) fn new(min_gap: u32) -> Self {
        Self { min_gap, ..Self::default() }
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
        let mut excess = gap - self.min_gap;
        while excess > 0x7F {
            self.excesses.grow(excess as u8 | 0x80)?;
            excess >>= 7;
        }
        self.excesses.grow(excess as u8)
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// A lower bound of all gaps.
    pub(super) fn min_gap(&self) -> u32 {
        self.min_gap
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
        size_of::<Self>() + self.excesses.capacity()
    }

    /// Iterates over the marks, ascending.
    pub(super) fn iter(self: &Arc<Self>) -> MarkCursor {
        let next = if self.count == 0 { NEVER } else { self.first.into() };
        MarkCursor { marks: self.clone(), offset: 0, next }
    }

    /// Iterates over the marks, descending.
    pub(super) fn iter_back(&self) -> impl Iterator<Item = u32> {
        let (mut place, mut offset) = (self.last, self.excesses.len());
        (0..self.count).map(move |number| {
            if number > 0 {
                // Only the last byte of an excess has its top bit clear.
                offset -= 1;
                let mut excess = u32::from(self.excesses[offset]);
                while offset > 0 && self.excesses[offset - 1] > 0x7F {
                    offset -= 1;
                    excess = excess << 7 | u32::from(self.excesses[offset] & 0x7F);
                }
                place -= self.min_gap + excess;
            }
            place
        })
    }
}

/// A cursor on a list of marks.
#[derive(Clone, Debug)]
pub(super) struct MarkCursor {
    marks: Arc<Marks>,
    /// Index of the first excess byte of the gap after the mark under the cursor.
    offset: usize,
    /// The mark under the cursor, or [`NEVER`] after the last one.
    pub(super) next: u64,
}

impl MarkCursor {
    /// Moves the cursor to the following mark, or to [`NEVER`].
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn advance(&mut self) {
        let Some(&byte) = self.marks.excesses.get(self.offset) else {
            self.next = NEVER;
            return;
        };
        self.offset += 1;
        self.next += u64::from(self.marks.min_gap) + u64::from(byte & 0x7F);
        if byte > 0x7F {
            self.finish_excess();
        }
    }

    /// Reads the remaining bytes of an excess of several bytes.
    #[cold]
    fn finish_excess(&mut self) {
        for shift in (7..).step_by(7) {
            let byte = self.marks.excesses[self.offset];
            self.offset += 1;
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
    fn marks_with_gaps_of_any_size_are_read_back() {
        for (min_gap, all) in [
            (1, &[][..]),
            (7, &[0]),
            (1, &[0, 1, 2]),
            (4, &[5, 132, 136, 268, 16_645, 3_000_000]),
            (9, &[100, 109, 118, 1_000_000_000, u32::MAX]),
        ] {
            let mut marks = Marks::new(min_gap);
            all.iter().for_each(|&place| marks.push(place).unwrap());
            let gaps = all.windows(2).map(|pair| pair[1] - pair[0]);
            assert_eq!(marks.gaps(), gaps.clone().min().zip(gaps.max()));
            assert_eq!((marks.count() as usize, marks.last()), (all.len(), all.last().copied().unwrap_or(0)));
            assert!(marks.iter_back().eq(all.iter().rev().copied()));
            assert_eq!(Arc::new(marks).iter().collect::<Vec<_>>(), all);
        }
    }
}
