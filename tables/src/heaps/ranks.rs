//! Ranks: the numbering of the multisets of heaps within bounds (FORMAT.md, section 5.2).

use super::position::{Heap, Heaps};
use super::rules::multisets_within;
use crate::TooManyPositions;

/// A bijection between the multisets of heaps within bounds and the ranks 0, 1, 2, ...
///
/// The order is lexicographic, of the heaps in descending order: (0,0), (1,0), (1,1), (2,0), ... The rank is a sum
/// over the heaps: for each, the number of ways to fill its index and all later ones with smaller heaps. A move
/// lowers some heaps and raises none, so it leads to a lower rank.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// One for each index of the sorted heaps, the greatest heap first.
    places: Vec<WaysBelow>,
}

/// For one index of the sorted heaps: the number of ways to fill this and all later indices with heaps below a size.
#[derive(Clone, Debug)]
struct WaysBelow {
    bound: Heap,
    /// The number of ways below each size, from 0 to at least the bound of the next index.
    below: Vec<u64>,
    /// The number of ways that each greater size adds. It is constant: all later heaps are smaller anyway.
    more: u64,
}

/// The numbers of ways are listed at least up to this size, since a look-up is faster than `beyond`.
const NEAR: Heap = 4096;

impl WaysBelow {
    /// Returns the number of ways with heaps below a size, which may be one above the bound.
    #[inline]
    fn below(&self, size: Heap) -> u64 {
        match self.below.get(size as usize) {
            Some(&ways) => ways,
            None => self.beyond(size),
        }
    }

    #[cold]
    fn beyond(&self, size: Heap) -> u64 {
        let last = self.below.len() - 1;
        self.below[last] + self.more * (u64::from(size) - last as u64)
    }

    /// Returns the number of all ways.
    fn all(&self) -> u64 {
        self.below(self.bound + 1)
    }

    /// Returns the greatest size below which there are at most `ways` ways.
    fn size_of(&self, ways: u64) -> Heap {
        let last = self.below.len() - 1;
        match ways.checked_sub(self.below[last]) {
            Some(beyond) => (last as u64 + beyond / self.more) as Heap,
            None => (self.below.partition_point(|&below| below <= ways) - 1) as Heap,
        }
    }
}

impl Ranks {
    /// Builds the ranks for one heap per bound. The bounds are ascending.
    ///
    /// Takes memory in proportion to the sum of all bounds except the greatest.
    ///
    /// # Errors
    /// If there are 2^64 multisets or more, or too little memory.
    pub fn try_new(bounds: &[Heap]) -> Result<Self, TooManyPositions> {
        // Each sum is at most the number of all multisets, so checking this number first rules out overflow.
        multisets_within(bounds).ok_or(TooManyPositions)?;
        let mut places: Vec<WaysBelow> = Vec::with_capacity(bounds.len());
        // Start with the least heap, which comes last.
        for &bound in bounds {
            let behind = places.last();
            let listed = behind.map_or(0, |behind| behind.bound).max(NEAR.min(bound + 1));
            let mut below = Vec::new();
            below.try_reserve_exact(listed as usize + 1).map_err(|_| TooManyPositions)?;
            let mut sum = 0;
            below.push(sum);
            for size in 1..=listed {
                // If this heap has `size - 1` stones, all later heaps have at most as many.
                sum += behind.map_or(1, |behind| behind.below(size.min(behind.bound + 1)));
                below.push(sum);
            }
            let place = WaysBelow { bound, below, more: behind.map_or(1, WaysBelow::all) };
            places.push(place);
        }
        places.reverse();
        Ok(Self { places })
    }

    /// Returns the number of heaps.
    #[must_use]
    pub fn heaps(&self) -> usize {
        self.places.len()
    }

    /// Returns the number of multisets.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.places.first().map_or(1, WaysBelow::all)
    }

    /// Returns the bound of the heap at an index of the sorted heaps, from 0 for the greatest.
    #[must_use]
    pub fn bound(&self, place: usize) -> Heap {
        self.places[place].bound
    }

    /// Returns the part of the rank that the heap at an index contributes. Indices count from 0 for the greatest
    /// heap. The size may exceed the bound by one.
    #[inline]
    #[must_use]
    pub fn part(&self, place: usize, heap: Heap) -> u64 {
        self.places[place].below(heap)
    }

    /// Returns the rank of heaps in descending order within the bounds. Omitted heaps at the end are empty.
    #[inline]
    #[must_use]
    pub fn rank(&self, descending: &[Heap]) -> u64 {
        self.places.iter().zip(descending).map(|(place, &heap)| place.below(heap)).sum()
    }

    /// Returns the heaps of a rank below [`count`](Self::count), in descending order.
    #[must_use]
    pub fn unrank(&self, mut rank: u64) -> Heaps {
        let heap = |place: &WaysBelow| {
            let size = place.size_of(rank);
            rank -= place.below(size);
            size
        };
        self.places.iter().map(heap).collect()
    }

    /// Advances to the next rank. Returns the first index of the descending heaps that changed; `None` after the last.
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
    use super::super::HeapKeys;
    use super::*;
    use crate::Game;

    #[test]
    fn ranks_number_all_multisets_without_gaps_and_every_move_leads_to_a_lower_one() {
        for bounds in [&[9][..], &[1, 1], &[3, 5, 7], &[4; 4], &[1, 2, 2, 6], &[63, 64], &[1, 5000], &[1; 5]]
        {
            let heaps_per_move = bounds.len() as u32;
            let keys = HeapKeys { bounds: bounds.to_vec(), heaps_per_move, ..Default::default() };
            let rules = keys.rules().unwrap();
            let ranks = Ranks::try_new(bounds).unwrap();
            assert_eq!((ranks.count(), ranks.heaps()), (rules.multisets(), bounds.len()));
            let mut heaps: Heaps = bounds.iter().map(|_| 0).collect();
            for rank in 0..ranks.count() {
                assert_eq!((ranks.rank(&heaps), ranks.unrank(rank)), (rank, heaps));
                let parts = heaps.iter().enumerate().map(|(place, &heap)| ranks.part(place, heap));
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
