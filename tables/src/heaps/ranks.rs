//! Ranks: the numbering of the groups of heaps within bounds (FORMAT.md, section 5.2).

use super::position::{Heap, Heaps};
use super::rules::multisets_within;
use crate::TooManyPositions;

/// A bijection between the groups of heaps within bounds and the ranks 0, 1, 2, ...
///
/// The order is lexicographic, of the heaps in descending order: (0,0), (1,0), (1,1), (2,0), ... The rank is a sum over
/// the heaps: for each, the number of ways to replace this heap by a smaller one, and the later heaps by any not above
/// it. For (2,1), with the bounds 2 and 2, these are (0,0), (1,0), (1,1) and then (2,0): the rank is 3 + 1 = 4. A move
/// lowers some heaps and raises none, so it leads to a lower rank.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// For each index of the sorted heaps, the greatest heap first.
    ways: Vec<WaysBelow>,
}

/// For one index of the sorted heaps: the number of ways to fill this and all later indices with heaps below a size.
#[derive(Clone, Debug)]
struct WaysBelow {
    /// The bound of the heap at this index.
    bound: Heap,
    /// The number of ways below each size, from 0 to at least the bound of the next index.
    listed: Vec<u64>,
    /// The number of ways that each greater size adds. It is constant: all later heaps are smaller anyway.
    per_size: u64,
}

/// The numbers of ways are listed at least up to this size, since looking up is faster than [`WaysBelow::unlisted`].
const LISTED_SIZES: Heap = 4096;

impl WaysBelow {
    /// Returns the number of ways with heaps below a size, which may be one above the bound.
    #[inline]
    fn below(&self, size: Heap) -> u64 {
        match self.listed.get(size as usize) {
            Some(&ways) => ways,
            None => self.unlisted(size),
        }
    }

    /// Returns the number of ways below a size that is not listed.
    #[cold]
    fn unlisted(&self, size: Heap) -> u64 {
        let last = self.listed.len() - 1;
        self.listed[last] + self.per_size * (u64::from(size) - last as u64)
    }

    /// Returns the number of all ways.
    fn count(&self) -> u64 {
        self.below(self.bound + 1)
    }

    /// Returns the greatest size below which there are at most `ways` ways.
    fn size_of(&self, ways: u64) -> Heap {
        let last = self.listed.len() - 1;
        match ways.checked_sub(self.listed[last]) {
            Some(beyond) => (last as u64 + beyond / self.per_size) as Heap,
            None => (self.listed.partition_point(|&below| below <= ways) - 1) as Heap,
        }
    }
}

impl Ranks {
    /// Builds the ranks for one heap per bound. The bounds are ascending.
    ///
    /// Takes memory in proportion to the sum of all bounds except the greatest. Fails if there are 2^64 multisets or more,
    /// or too little memory.
    pub fn try_new(bounds: &[Heap]) -> Result<Self, TooManyPositions> {
        // Each sum is at most the number of all groups, so checking this number first rules out overflow.
        multisets_within(bounds).ok_or(TooManyPositions)?;
        let mut ways: Vec<WaysBelow> = Vec::with_capacity(bounds.len());
        // Start with the least heap, which comes last.
        for &bound in bounds {
            let next = ways.last();
            let last = next.map_or(0, |next| next.bound).max(LISTED_SIZES.min(bound + 1));
            let mut listed = Vec::new();
            listed.try_reserve_exact(last as usize + 1).map_err(|_| TooManyPositions)?;
            let mut sum = 0;
            listed.push(sum);
            for size in 1..=last {
                // If this heap has `size - 1` stones, the later heaps have at most as many.
                sum += next.map_or(1, |next| next.below(size.min(next.bound + 1)));
                listed.push(sum);
            }
            let per_size = next.map_or(1, WaysBelow::count);
            ways.push(WaysBelow { bound, listed, per_size });
        }
        ways.reverse();
        Ok(Self { ways })
    }

    /// Returns a bound on the bytes of the ranks with these ascending bounds.
    pub fn bytes(bounds: &[Heap]) -> u128 {
        // Each heap lists sizes up to the bound of the next one, and at least up to `LISTED_SIZES`.
        let next_bounds = bounds.iter().rev().skip(1).map(|&bound| u128::from(bound));
        let listed = bounds.len() as u128 * (u128::from(LISTED_SIZES) + 1) + next_bounds.sum::<u128>();
        listed * size_of::<u64>() as u128
    }

    /// Returns the number of heaps.
    pub fn heaps(&self) -> usize {
        self.ways.len()
    }

    /// Returns the number of groups.
    pub fn count(&self) -> u64 {
        self.ways.first().map_or(1, WaysBelow::count)
    }

    /// Returns the bound of the heap at an index of the sorted heaps, from 0 for the greatest.
    pub fn bound(&self, index: usize) -> Heap {
        self.ways[index].bound
    }

    /// Returns the contribution of the heap at an index, from 0 for the greatest, to the rank. The bound plus 1 is
    /// allowed.
    #[inline]
    pub fn part(&self, index: usize, heap: Heap) -> u64 {
        self.ways[index].below(heap)
    }

    /// Returns the rank of heaps in descending order within the bounds. Omitted heaps at the end are empty.
    #[inline]
    pub fn rank(&self, descending: &[Heap]) -> u64 {
        self.ways.iter().zip(descending).map(|(ways, &heap)| ways.below(heap)).sum()
    }

    /// Returns the heaps of a rank below [`count`](Self::count), in descending order.
    pub fn unrank(&self, mut rank: u64) -> Heaps {
        let heap = |ways: &WaysBelow| {
            let size = ways.size_of(rank);
            rank -= ways.below(size);
            size
        };
        self.ways.iter().map(heap).collect()
    }

    /// Advances to the next rank. Returns the first index of the descending heaps that changed; `None` after the last.
    #[inline]
    pub fn advance(&self, descending: &mut [Heap]) -> Option<usize> {
        for index in (0..descending.len()).rev() {
            let before = if index == 0 { Heap::MAX } else { descending[index - 1] };
            if descending[index] < before.min(self.bound(index)) {
                descending[index] += 1;
                descending[index + 1..].fill(0);
                return Some(index);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::HeapKeys;
    use super::*;
    use crate::Game;

    #[test]
    fn ranks_number_all_groups_without_gaps_and_every_move_leads_to_a_lower_one() {
        for bounds in [&[9][..], &[1, 1], &[3, 5, 7], &[4; 4], &[1, 2, 2, 6], &[63, 64], &[1, 5000], &[1; 5]]
        {
            let heaps_per_move = bounds.len() as u32;
            let keys = HeapKeys {
                bounds: bounds.to_vec(),
                heaps_per_move: heaps_per_move.into(),
                ..Default::default()
            };
            let rules = keys.rules().unwrap();
            let ranks = Ranks::try_new(bounds).unwrap();
            assert_eq!((ranks.count(), ranks.heaps()), (rules.multisets(), bounds.len()));
            let listed: usize = ranks.ways.iter().map(|ways| ways.listed.capacity()).sum();
            assert!(8 * listed as u128 <= Ranks::bytes(bounds));
            let mut heaps: Heaps = bounds.iter().map(|_| 0).collect();
            for rank in 0..ranks.count() {
                assert_eq!((ranks.rank(&heaps), ranks.unrank(rank)), (rank, heaps));
                let parts = heaps.iter().enumerate().map(|(index, &heap)| ranks.part(index, heap));
                assert_eq!(parts.sum::<u64>(), rank);
                let position = super::super::Position { heaps, passes: 0 };
                for chosen in rules.moves(&position).take(300) {
                    let next = rules.after(&position, chosen).heaps.descending();
                    assert!(ranks.rank(&next) < rank);
                }
                assert_eq!(ranks.advance(&mut heaps).is_some(), rank + 1 < ranks.count());
            }
        }
    }
}
