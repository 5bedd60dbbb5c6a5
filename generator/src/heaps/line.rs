//! The ranks of the positions on a line: one heap varies, the others are fixed.
//!
//! A rank is a sum with one part for each heap, which depends on the heap's place in descending order. As the heap
//! that varies grows, it moves, place by place, from the last to the first; only such a move changes the part of
//! another heap. So the sum of the other heaps' parts is computed once for each place. Example: with the other heaps 5
//! and 2, there are three sums: for sizes 0 to 2, for 3 to 5, and for 6 and more.

use std::ops::RangeInclusive;

use bouton_tables::heaps::{Heap, Heaps, MAX_HEAPS, Ranks};

/// A line, ready to compute the ranks of its positions.
pub(super) struct HeapLine<'a> {
    ranks: &'a Ranks,
    /// The other heaps, descending.
    others: Heaps,
    /// For each place of the heap that varies, the sum of the other heaps' parts of the rank.
    sums: [u64; MAX_HEAPS],
    /// The greatest size of the heap that varies.
    greatest: Heap,
}

impl<'a> HeapLine<'a> {
    /// Returns the line whose other heaps are `others`: in descending order, one fewer than the heaps of `ranks`.
    pub(super) fn new(ranks: &'a Ranks, others: &[Heap]) -> Self {
        // One of `others` may exceed the bound of the next place. It moves there only if the heap that varies exceeds
        // `greatest`. No caller asks for such sizes, so any part will do.
        let part = |place, heap: Heap| ranks.part(place, heap.min(ranks.bound(place) + 1));
        let mut sums = [0; MAX_HEAPS];
        sums[0] = others.iter().zip(1..).map(|(&other, place)| part(place, other)).sum();
        for (place, &other) in others.iter().enumerate() {
            sums[place + 1] = sums[place] + part(place, other) - part(place + 1, other);
        }
        Self { ranks, others: others.iter().copied().collect(), sums, greatest: greatest_with(ranks, others) }
    }

    /// Returns the rank of the position in which the heap that varies has this size.
    pub(super) fn rank(&self, size: Heap) -> u64 {
        let place = self.others.partition_point(|&other| other >= size);
        self.sums[place] + self.ranks.part(place, size)
    }

    /// Returns the ranks of the positions with sizes 0, 1, 2, ...
    #[inline]
    pub(super) fn ranks(&self) -> impl Iterator<Item = u64> {
        self.ranks_to(self.greatest)
    }

    /// Returns the ranks of the positions in which the heap that varies is the least. They are consecutive.
    #[inline]
    pub(super) fn ranks_as_least(&self) -> RangeInclusive<u64> {
        let first = self.sums[self.others.len()];
        let last = self.others.last().map_or(self.greatest, |&least| least.min(self.greatest));
        first..=first + u64::from(last)
    }

    /// Returns the ranks of the positions with sizes from 0 to `last`.
    #[inline]
    pub(super) fn ranks_to(&self, last: Heap) -> impl Iterator<Item = u64> {
        let mut place = self.others.len();
        (0..last + 1).map(move |size| {
            while place > 0 && self.others[place - 1] < size {
                place -= 1;
            }
            self.sums[place] + self.ranks.part(place, size)
        })
    }
}

/// Returns the greatest size that fits together with `others`.
pub(super) fn greatest_with(ranks: &Ranks, others: &[Heap]) -> Heap {
    // Every heap that is less than the new one moves one place further on, where it must fit.
    let mut place = others.len();
    while place > 0 && others[place - 1] <= ranks.bound(place) {
        place -= 1;
    }
    ranks.bound(place)
}

/// Returns all heaps except the one at a place.
pub(super) fn without(heaps: &[Heap], place: usize) -> Heaps {
    heaps[..place].iter().chain(&heaps[place + 1..]).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_ranks_of_its_positions() {
        for bounds in [&[5][..], &[3, 5], &[3, 5, 7], &[4; 4], &[1, 2, 2, 6]] {
            let (ranks, others) = (Ranks::try_new(bounds).unwrap(), Ranks::try_new(&bounds[1..]).unwrap());
            for rest in 0..others.count() {
                let rest = others.unrank(rest);
                let line = HeapLine::new(&ranks, &rest);
                let rank_with = |size| {
                    let mut all: Heaps = rest.iter().copied().chain([size]).collect();
                    all.sort_unstable_by(|a, b| b.cmp(a));
                    let fits = (0..all.len()).all(|place| all[place] <= ranks.bound(place));
                    fits.then(|| ranks.rank(&all))
                };
                let expected: Vec<u64> = (0..=bounds[bounds.len() - 1]).map_while(rank_with).collect();
                assert_eq!(line.ranks().collect::<Vec<_>>(), expected, "{bounds:?} {rest:?}");
                let each: Vec<u64> = (0..=line.greatest).map(|size| line.rank(size)).collect();
                assert_eq!(each, expected);
            }
        }
    }
}
