//! Marks: places on a line, ascending, whose gaps differ by little.

use std::sync::Arc;

use crate::GenerateError;
use crate::memory::Grow;

/// Beyond all stones.
pub(super) const NEVER: u64 = u64::MAX;

/// Ascending places. Most gaps between them are little more than the least, and take a byte each.
#[derive(Debug, Default)]
pub(super) struct Marks {
    first: u32,
    last: u32,
    /// No gap is less than this.
    least: u32,
    /// The least and the greatest of the gaps.
    gaps: Option<(u32, u32)>,
    count: u32,
    /// How much each gap exceeds the least: groups of seven bits, the lowest first; the top bit of a byte tells that more
    /// follow.
    excess: Vec<u8>,
}

impl Marks {
    /// No marks yet. No two of those to come may be closer to each other than `least`.
    pub(super) fn new(least: u32) -> Self {
        Self { least, ..Self::default() }
    }

    /// Adds a mark behind all others.
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

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// No gap is less than this.
    pub(super) fn least(&self) -> u32 {
        self.least
    }

    /// The least and the greatest gap between two of them; `None` if there are no two.
    pub(super) fn gaps(&self) -> Option<(u32, u32)> {
        self.gaps
    }

    /// The last one; 0 if there is none.
    pub(super) fn last(&self) -> u32 {
        self.last
    }

    /// Bytes that they take, about.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.excess.capacity()
    }

    /// All of them, ascending.
    pub(super) fn iter(self: &Arc<Self>) -> MarksFrom {
        let next = if self.count == 0 { NEVER } else { self.first.into() };
        MarksFrom { marks: self.clone(), at: 0, next }
    }
}

impl Marks {
    /// All of them, descending.
    pub(super) fn iter_back(&self) -> impl Iterator<Item = u32> {
        let (mut place, mut at) = (self.last, self.excess.len());
        (0..self.count).map(move |number| {
            if number > 0 {
                // The last byte of an excess has no top bit, and those before it have one.
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

/// Marks from one on.
#[derive(Clone, Debug)]
pub(super) struct MarksFrom {
    marks: Arc<Marks>,
    at: usize,
    /// The next one, or [`NEVER`].
    pub(super) next: u64,
}

impl MarksFrom {
    /// Goes on to the mark after [`next`](Self::next).
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn go_on(&mut self) {
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

    /// The rest of an excess of several bytes.
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

impl Iterator for MarksFrom {
    type Item = u32;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn next(&mut self) -> Option<u32> {
        let next = self.next;
        if next == NEVER {
            return None;
        }
        self.go_on();
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
