//! The positions of a heap game, numbered in the natural order.

use super::position::{Heap, Heaps, Position};
use super::ranks::Ranks;
use super::rules::HeapRules;
use crate::{Region, TooManyPositions};

/// The positions within bounds. The index of a position is the rank of its heaps × (passes + 1), plus the passes left.
#[derive(Clone, Debug)]
pub struct HeapRegion {
    /// The largest size of each heap, ascending.
    bounds: Vec<Heap>,
    pub(super) ranks: Ranks,
    /// Maximum number of passes left.
    passes: u8,
}

impl HeapRegion {
    /// Returns the positions that two rulesets have in common. A heap that only one ruleset has is empty.
    pub fn common(a: &HeapRules, b: &HeapRules) -> Result<Self, TooManyPositions> {
        // Pair the bounds from the greatest down.
        let pairs = a.bounds().iter().rev().zip(b.bounds().iter().rev());
        let mut bounds: Vec<Heap> = pairs.map(|(&a, &b)| a.min(b)).collect();
        bounds.reverse();
        let (ranks, passes) = (Ranks::try_new(&bounds)?, a.passes().min(b.passes()));
        ranks.count().checked_mul(u64::from(passes) + 1).ok_or(TooManyPositions)?;
        Ok(Self { bounds, ranks, passes })
    }

    /// Returns the largest size of each heap, ascending.
    pub fn bounds(&self) -> &[Heap] {
        &self.bounds
    }

    /// Returns the maximum number of passes left.
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// Returns the number of possible values of the passes left.
    fn layers(&self) -> u64 {
        u64::from(self.passes) + 1
    }
}

impl Region for HeapRegion {
    type Game = HeapRules;

    fn count(&self) -> u64 {
        self.ranks.count() * self.layers()
    }

    fn walk(&self, from: u64) -> impl Iterator<Item = Position> {
        let (rank, passes) = (from / self.layers(), (from % self.layers()) as u8);
        let at = (rank < self.ranks.count()).then(|| (self.ranks.unrank(rank), passes));
        let next = |&(mut heaps, passes): &(Heaps, u8)| {
            if passes < self.passes {
                return Some((heaps, passes + 1));
            }
            self.ranks.advance(&mut heaps).map(|_| (heaps, 0))
        };
        std::iter::successors(at, next).map(|(mut heaps, passes)| {
            heaps.reverse();
            Position { heaps, passes }
        })
    }

    fn index_of(&self, position: &Position) -> u64 {
        self.ranks.rank(&position.heaps.descending()) * self.layers() + u64::from(position.passes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HeapKeys, MAX_HEAPS, MAX_SIZE};
    use super::*;
    use crate::Game;

    fn rules(bounds: &[Heap], passes: u32) -> HeapRules {
        HeapKeys { bounds: bounds.to_vec(), passes, ..Default::default() }.rules().unwrap()
    }

    #[test]
    fn a_region_has_each_position_of_a_table_once() {
        for (bounds, passes) in [(&[3, 5, 7][..], 0), (&[4, 4], 2), (&[9], 1)] {
            let rules = rules(bounds, passes);
            let region = rules.region().unwrap();
            assert_eq!(region.count(), rules.positions());
            let all: Vec<Position> = region.walk(0).collect();
            assert_eq!(all.len() as u64, rules.positions());
            for (index, position) in (0..).zip(&all) {
                assert!(position.heaps.is_sorted() && rules.fits(&position.heaps));
                assert_eq!(region.index_of(position), index);
                assert_eq!(region.walk(index).next().as_ref(), Some(position));
            }
            assert_eq!(region.walk(region.count()).next(), None);
        }
    }

    #[test]
    fn common_positions_fit_both_rulesets() {
        let (a, b) = (rules(&[3, 5, 7], 3), rules(&[1, 2, 6, 6], 2));
        let common = HeapRegion::common(&a, &b).unwrap();
        assert_eq!((common.bounds(), common.passes()), (&[2, 5, 6][..], 2));
        let fits_b = |heaps: &Heaps| {
            let mut more = *heaps;
            more.push(0);
            b.fits(&more)
        };
        let expected: Vec<Position> = a
            .region()
            .unwrap()
            .walk(0)
            .filter(|position| position.passes <= 2 && fits_b(&position.heaps))
            .collect();
        assert_eq!(common.walk(0).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn positions_that_cannot_be_counted_are_refused_before_anything_is_allocated() {
        // There are about 1.3 * 10^19 groups of heaps: below 2^64, but twice as many are not.
        assert_eq!(rules(&[98; 16], 0).region().unwrap().count(), 12_895_966_231_519_938_435);
        for (bounds, passes) in [(&[MAX_SIZE; MAX_HEAPS][..], 0), (&[1_000_000; 16], 0), (&[98; 16], 1)] {
            assert_eq!(rules(bounds, passes).region().unwrap_err(), TooManyPositions);
        }
    }
}
