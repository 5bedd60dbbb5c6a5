//! The ranks of the positions on a line: all sizes of one heap, with the other heaps fixed.

use std::ops::RangeInclusive;

use bouton_tables::heaps::{Heap, Heaps, MAX_HEAPS, Ranks};

/// A line, ready to tell the rank of each of its positions.
pub(super) struct HeapLine<'a> {
    ranks: &'a Ranks,
    /// The other heaps, descending.
    others: Heaps,
    /// For each place that the heap can have among all, what the others add to the rank.
    parts: [u64; MAX_HEAPS],
    /// The greatest size of the heap.
    most: Heap,
}

impl<'a> HeapLine<'a> {
    /// The line of a heap beside others, which are one fewer than `ranks` are for, in descending order.
    pub(super) fn new(ranks: &'a Ranks, others: &[Heap]) -> Self {
        // Others that do not fit where the heap would move them are within one line only: that of a size that
        // is never asked for. Any number will do for them.
        let part = |place, heap: Heap| ranks.part(place, heap.min(ranks.bound(place) + 1));
        let mut parts = [0; MAX_HEAPS];
        parts[0] = others.iter().zip(1..).map(|(&other, place)| part(place, other)).sum();
        for (place, &other) in others.iter().enumerate() {
            parts[place + 1] = parts[place] + part(place, other) - part(place + 1, other);
        }
        Self { ranks, others: others.iter().copied().collect(), parts, most: greatest_beside(ranks, others) }
    }

    /// The rank of the position where the heap has this size, at most the greatest.
    pub(super) fn rank(&self, size: Heap) -> u64 {
        let place = self.others.partition_point(|&other| other >= size);
        self.parts[place] + self.ranks.part(place, size)
    }

    /// The ranks of its positions, from size 0 up.
    #[inline]
    pub(super) fn ranks(&self) -> impl Iterator<Item = u64> {
        self.ranks_to(self.most)
    }

    /// The ranks of those where the heap is no greater than any other: they follow each other.
    #[inline]
    pub(super) fn ranks_behind(&self) -> RangeInclusive<u64> {
        let first = self.parts[self.others.len()];
        let most = self.others.last().map_or(self.most, |&least| least.min(self.most));
        first..=first + u64::from(most)
    }

    /// The ranks of those up to a size, at most the greatest.
    #[inline]
    pub(super) fn ranks_to(&self, most: Heap) -> impl Iterator<Item = u64> {
        let mut place = self.others.len();
        (0..=most).map(move |size| {
            while place > 0 && self.others[place - 1] < size {
                place -= 1;
            }
            self.parts[place] + self.ranks.part(place, size)
        })
    }
}

/// The greatest size that a heap beside others can have.
pub(super) fn greatest_beside(ranks: &Ranks, others: &[Heap]) -> Heap {
    // Each heap that a greater one passes moves back by a place, where it must fit.
    let mut place = others.len();
    while place > 0 && others[place - 1] <= ranks.bound(place) {
        place -= 1;
    }
    ranks.bound(place)
}

/// All heaps but the one at a place.
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
                let each: Vec<u64> = (0..=line.most).map(|size| line.rank(size)).collect();
                assert_eq!(each, expected);
            }
        }
    }
}
