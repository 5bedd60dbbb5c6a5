//! The number of a multiset of heaps among all within bounds (FORMAT.md, section 5.2).

use super::position::{Heap, Heaps};
use super::rules::multisets_within;
use crate::TooManyPositions;

/// Ranks multisets of heaps: each within the bounds has a number of its own, from 0 up without gaps.
///
/// The order is that of the heaps written down from the greatest to the least. A move that takes stones makes
/// the heaps so written smaller in every place or equal, so that it leads to a lower rank.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// From the greatest heap to the least.
    places: Vec<Place>,
}

/// A heap's place among all: in how many ways it and those behind it can be filled with heaps below a size.
#[derive(Clone, Debug)]
struct Place {
    bound: Heap,
    /// For each size from 0 up to the bound of the place behind, or some more.
    below: Vec<u64>,
    /// How many ways each size above that adds: those behind do not reach it, so that they have all theirs.
    more: u64,
}

/// Up to this size ways are listed one by one in any case, which is faster.
const NEAR: Heap = 4096;

impl Place {
    /// The ways with heaps below a size, which may be one above the bound.
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

    /// All ways.
    fn all(&self) -> u64 {
        self.below(self.bound + 1)
    }

    /// The greatest size below which there are at most so many ways.
    fn size_of(&self, ways: u64) -> Heap {
        let last = self.below.len() - 1;
        match ways.checked_sub(self.below[last]) {
            Some(beyond) => (last as u64 + beyond / self.more) as Heap,
            None => (self.below.partition_point(|&below| below <= ways) - 1) as Heap,
        }
    }
}

impl Ranks {
    /// For as many heaps as there are bounds, which are ascending.
    ///
    /// Takes memory in proportion to the sum of all bounds but the greatest.
    ///
    /// # Errors
    /// If there are 2^64 multisets or more, or no such memory.
    pub fn try_new(bounds: &[Heap]) -> Result<Self, TooManyPositions> {
        // No sum is greater than the number of all multisets: it is known before anything is allocated.
        multisets_within(bounds).ok_or(TooManyPositions)?;
        let mut places: Vec<Place> = Vec::with_capacity(bounds.len());
        // From the least heap on, which comes last.
        for &bound in bounds {
            let behind = places.last();
            let listed = behind.map_or(0, |behind| behind.bound).max(NEAR.min(bound + 1));
            let mut below = Vec::new();
            below.try_reserve_exact(listed as usize + 1).map_err(|_| TooManyPositions)?;
            let mut sum = 0;
            below.push(sum);
            for size in 1..=listed {
                // With this heap of one stone less, those behind it are at most as great.
                sum += behind.map_or(1, |behind| behind.below(size.min(behind.bound + 1)));
                below.push(sum);
            }
            let place = Place { bound, below, more: behind.map_or(1, Place::all) };
            places.push(place);
        }
        places.reverse();
        Ok(Self { places })
    }

    /// Number of heaps.
    #[must_use]
    pub fn heaps(&self) -> usize {
        self.places.len()
    }

    /// Number of multisets.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.places.first().map_or(1, Place::all)
    }

    /// The largest size of the heap at a place, counted from 0, the greatest heap first.
    #[must_use]
    pub fn bound(&self, place: usize) -> Heap {
        self.places[place].bound
    }

    /// What a heap at a place, counted from 0, the greatest heap first, adds to the rank. The size may be at
    /// most one above the bound there.
    #[inline]
    #[must_use]
    pub fn part(&self, place: usize, heap: Heap) -> u64 {
        self.places[place].below(heap)
    }

    /// The rank of heaps in descending order, which must be within the bounds. Heaps left out at the end are
    /// empty, and add nothing.
    #[inline]
    #[must_use]
    pub fn rank(&self, descending: &[Heap]) -> u64 {
        self.places.iter().zip(descending).map(|(place, &heap)| place.below(heap)).sum()
    }

    /// The heaps of a rank, which must be below [`count`](Self::count), in descending order.
    #[must_use]
    pub fn unrank(&self, mut rank: u64) -> Heaps {
        let heap = |place: &Place| {
            let size = place.size_of(rank);
            rank -= place.below(size);
            size
        };
        self.places.iter().map(heap).collect()
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
