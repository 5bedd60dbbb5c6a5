//! Marks: an ascending list of places on a line, most of them equally far apart.
//!
//! The lost positions of a line are nearly periodic. At currentmax 62 without resets, they are 63 or 64 stones apart,
//! and the gap seldom changes. The marks are therefore stored as *progressions*, in which all gaps are equal: the places
//! 10, 73, 136, 200, 264 are stored as the first place 10, two gaps of 63, and two of 64. A cursor can skip most of a
//! progression at once.

use std::sync::Arc;

use super::varint;
use crate::making::GenerateError;

/// A place beyond all lines: "no further place".
pub(super) const NEVER: u64 = u64::MAX;

/// Ascending places, stored by their gaps.
#[derive(Debug, Default)]
pub(super) struct Marks {
    first: u64,
    last: u64,
    /// No gap is less than this.
    min_gap: u64,
    /// Least and greatest gap that occur.
    gaps: Option<(u64, u64)>,
    count: u64,
    /// All progressions except the last one: the excess of the gap over `min_gap`, and one less than the number of gaps, as
    /// [`varint`]s.
    bytes: Vec<u8>,
    /// The last progression.
    open: EqualGaps,
}

/// Equal gaps that follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct EqualGaps {
    pub(super) gap: u64,
    /// Number of gaps.
    pub(super) gaps: u64,
}

impl Marks {
    /// Returns an empty list, for marks that are at least `min_gap` apart.
    pub(super) fn new(min_gap: u64) -> Self {
        Self { min_gap, ..Self::default() }
    }

    /// Appends a mark, which must come after all others.
    #[inline]
    pub(super) fn push(&mut self, place: u64) -> Result<(), GenerateError> {
        if self.count == 0 {
            (self.first, self.last, self.count) = (place, place, 1);
            return Ok(());
        }
        self.push_gaps(EqualGaps { gap: place - self.last, gaps: 1 })
    }

    /// Appends a mark after each of these gaps. The list must have a mark before them.
    #[inline]
    pub(super) fn push_gaps(&mut self, added: EqualGaps) -> Result<(), GenerateError> {
        let EqualGaps { gap, gaps } = added;
        self.count += gaps;
        self.last += gap * gaps;
        if gap == self.open.gap {
            self.open.gaps += gaps;
            return Ok(());
        }
        let (least, greatest) = self.gaps.unwrap_or((gap, gap));
        self.gaps = Some((least.min(gap), greatest.max(gap)));
        if self.open.gaps > 0 {
            varint::push(&mut self.bytes, self.open.gap - self.min_gap)?;
            varint::push(&mut self.bytes, self.open.gaps - 1)?;
        }
        self.open = added;
        Ok(())
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The gap before the last mark; 0 with fewer than two marks.
    pub(super) fn last_gap(&self) -> u64 {
        self.open.gap
    }

    /// First mark; 0 if there is none.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// A lower bound of all gaps.
    pub(super) fn min_gap(&self) -> u64 {
        self.min_gap
    }

    /// Least and greatest gap between neighbouring marks; `None` with fewer than two marks.
    pub(super) fn gaps(&self) -> Option<(u64, u64)> {
        self.gaps
    }

    /// Last mark; 0 if there is none.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// Estimated bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.bytes.capacity()
    }

    /// Iterates over the marks, ascending.
    pub(super) fn iter(self: &Arc<Self>) -> MarkCursor {
        let next = if self.count == 0 { NEVER } else { self.first };
        MarkCursor { marks: self.clone(), offset: 0, next, gap: 0, left: 0 }
    }

    /// Iterates over the progressions, ascending.
    pub(super) fn progressions(&self) -> impl Iterator<Item = EqualGaps> {
        let mut offset = 0;
        std::iter::from_fn(move || self.progression(&mut offset))
    }

    /// Returns the progression whose bytes begin at `offset`, and moves `offset` to the next one.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn progression(&self, offset: &mut usize) -> Option<EqualGaps> {
        let rest = self.bytes.get(*offset..)?;
        match *rest {
            [excess @ 0..=0x7F, gaps @ 0..=0x7F, ..] => {
                *offset += 2;
                Some(EqualGaps { gap: self.min_gap + u64::from(excess), gaps: u64::from(gaps) + 1 })
            }
            [] => {
                // The last progression has no bytes.
                *offset += 1;
                (self.open.gaps > 0).then_some(self.open)
            }
            _ => Some(self.long_progression(offset)),
        }
    }

    /// Reads a progression whose numbers have several bytes.
    #[cold]
    fn long_progression(&self, offset: &mut usize) -> EqualGaps {
        let mut rest = &self.bytes[*offset..];
        let [excess, gaps] = [(); 2].map(|()| varint::read(&mut rest));
        *offset = self.bytes.len() - rest.len();
        EqualGaps { gap: self.min_gap + excess, gaps: gaps + 1 }
    }
}

/// A cursor on a list of marks.
#[derive(Clone, Debug)]
pub(super) struct MarkCursor {
    marks: Arc<Marks>,
    /// Index of the first byte of the next progression.
    offset: usize,
    /// The mark under the cursor, or [`NEVER`] after the last one.
    pub(super) next: u64,
    /// The gap before the mark under the cursor.
    pub(super) gap: u64,
    /// Number of gaps of this size that follow the mark directly.
    pub(super) left: u64,
}

impl MarkCursor {
    /// Moves the cursor to the following mark, or to [`NEVER`].
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn advance(&mut self) {
        if self.left == 0 {
            let Some(EqualGaps { gap, gaps }) = self.marks.progression(&mut self.offset) else {
                self.next = NEVER;
                return;
            };
            (self.gap, self.left) = (gap, gaps);
        }
        self.left -= 1;
        self.next += self.gap;
    }

    /// Moves the cursor by a number of marks, at most [`left`](Self::left).
    pub(super) fn skip_gaps(&mut self, marks: u64) {
        self.left -= marks;
        self.next += marks * self.gap;
    }
}

impl Iterator for MarkCursor {
    type Item = u64;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn next(&mut self) -> Option<u64> {
        let next = self.next;
        if next == NEVER {
            return None;
        }
        self.advance();
        Some(next)
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
            (4, &[5, 132, 136, 268, 272, 276, 16_645, 3_000_000]),
            (9, &[100, 109, 118, 127, 136, 1_000_000_000, u64::from(u32::MAX) + 9, 10_u64.pow(12)]),
        ] {
            let mut marks = Marks::new(min_gap);
            all.iter().for_each(|&place| marks.push(place).unwrap());
            let gaps = all.windows(2).map(|pair| pair[1] - pair[0]);
            assert_eq!(marks.gaps(), gaps.clone().min().zip(gaps.clone().max()));
            assert_eq!((marks.count() as usize, marks.last()), (all.len(), all.last().copied().unwrap_or(0)));
            assert_eq!(marks.first(), all.first().copied().unwrap_or(0));
            let progressions: Vec<EqualGaps> = marks.progressions().collect();
            assert!(progressions.iter().flat_map(|all| vec![all.gap; all.gaps as usize]).eq(gaps));
            assert!(progressions.windows(2).all(|pair| pair[0].gap != pair[1].gap));
            assert_eq!(Arc::new(marks).iter().collect::<Vec<_>>(), all);
        }
    }

    #[test]
    fn many_marks_are_added_and_skipped_at_once() {
        let mut marks = Marks::new(3);
        marks.push(2).unwrap();
        for (gap, gaps) in [(5, 1000), (3, 1), (3, 199), (300, 200), (4, 1)] {
            marks.push_gaps(EqualGaps { gap, gaps }).unwrap();
        }
        assert_eq!((marks.count(), marks.last()), (1402, 2 + 5000 + 600 + 60_000 + 4));
        let all: Vec<u64> = Arc::new(marks).iter().collect();
        let mut marks = Marks::new(3);
        all.iter().for_each(|&place| marks.push(place).unwrap());
        let mut cursor = Arc::new(marks).iter();
        for (number, &mark) in all.iter().enumerate() {
            assert_eq!(cursor.next, mark);
            let mut skipped = cursor.clone();
            skipped.skip_gaps(cursor.left);
            assert_eq!(skipped.next, all[number + cursor.left as usize]);
            cursor.advance();
        }
        assert_eq!(cursor.next, NEVER);
    }
}
