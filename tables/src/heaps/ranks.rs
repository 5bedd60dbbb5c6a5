//! The number of a multiset of heaps among all within bounds (FORMAT.md, section 5.2).

use super::position::{Heap, Heaps};

/// Ranks multisets of heaps: each within the bounds has a number of its own, from 0 up without gaps.
///
/// The order is that of the heaps written down from the greatest to the least. A move that takes stones makes
/// the heaps so written smaller in every place or equal, so that it leads to a lower rank.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// For each place, from the greatest heap to the least, and each size v from 0 to one above the bound:
    /// in how many ways this place and those behind it can be filled with heaps below v.
    below: Vec<Vec<u64>>,
}

impl Ranks {
    /// For as many heaps as there are bounds, which are ascending and must leave less than 2^64 multisets.
    ///
    /// Takes memory in proportion to the sum of the bounds.
    #[must_use]
    pub fn new(bounds: &[Heap]) -> Self {
        let mut below: Vec<Vec<u64>> = Vec::with_capacity(bounds.len());
        // From the least heap on, which comes last.
        for &bound in bounds {
            let mut ways = Vec::with_capacity(bound as usize + 2);
            ways.push(0);
            for size in 0..=bound as usize {
                // With this heap of `size`, those behind it are at most as great.
                let behind = below.last().map_or(1, |next| next[(size + 1).min(next.len() - 1)]);
                ways.push(ways[size] + behind);
            }
            below.push(ways);
        }
        below.reverse();
        Self { below }
    }

    /// Number of heaps.
    #[must_use]
    pub fn heaps(&self) -> usize {
        self.below.len()
    }

    /// Number of multisets.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.below.first().map_or(1, |ways| ways[ways.len() - 1])
    }

    /// The largest size of the heap at a place, counted from 0, the greatest heap first.
    #[must_use]
    pub fn bound(&self, place: usize) -> Heap {
        (self.below[place].len() - 2) as Heap
    }

    /// What a heap at a place, counted from 0, the greatest heap first, adds to the rank. The size may be at
    /// most the bound there.
    #[inline]
    #[must_use]
    pub fn part(&self, place: usize, heap: Heap) -> u64 {
        self.below[place][heap as usize]
    }

    /// The rank of heaps in descending order, which must be as many as the bounds and within them.
    #[inline]
    #[must_use]
    pub fn rank(&self, descending: &[Heap]) -> u64 {
        self.below.iter().zip(descending).map(|(ways, &heap)| ways[heap as usize]).sum()
    }

    /// The heaps of a rank, which must be below [`count`](Self::count), in descending order.
    #[must_use]
    pub fn unrank(&self, mut rank: u64) -> Heaps {
        let heap = |ways: &Vec<u64>| {
            let size = ways.partition_point(|&ways| ways <= rank) - 1;
            rank -= ways[size];
            size as Heap
        };
        self.below.iter().map(heap).collect()
    }

    /// Goes on to the heaps of the next rank, in descending order; gives the first place that changed, or
    /// `None` if there are none.
    #[inline]
    pub fn advance(&self, descending: &mut [Heap]) -> Option<usize> {
        for place in (0..descending.len()).rev() {
            let before = if place == 0 { Heap::MAX } else { descending[place - 1] };
            if descending[place] < before.min(self.bound(place)) {
                descending[place] += 1;
                descending[place + 1..].fill(0);
                return Some(place);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HeapRules, Take};
    use super::*;
    use crate::Play;

    #[test]
    fn ranks_number_all_multisets_without_gaps_and_every_move_leads_to_a_lower_one() {
        for bounds in [&[9][..], &[1, 1], &[3, 5, 7], &[4; 4], &[1, 2, 2, 6], &[63, 64], &[1; 5]] {
            let rules =
                HeapRules::new(bounds.to_vec(), Take::Any, bounds.len() as u32, false, 0, Play::Normal)
                    .unwrap();
            let ranks = Ranks::new(bounds);
            assert_eq!(ranks.count(), rules.multisets());
            let mut heaps: Heaps = bounds.iter().map(|_| 0).collect();
            for rank in 0..ranks.count() {
                assert_eq!((ranks.rank(&heaps), ranks.unrank(rank)), (rank, heaps));
                let position = super::super::Position { heaps, passes: 0 };
                for chosen in rules.moves(&position).take(300) {
                    let mut next = rules.after(&position, chosen).heaps;
                    next.sort_unstable_by(|a, b| b.cmp(a));
                    assert!(ranks.rank(&next) < rank);
                }
                assert_eq!(ranks.advance(&mut heaps).is_some(), rank + 1 < ranks.count());
            }
        }
    }
}
