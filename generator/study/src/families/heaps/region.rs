//! Positions of heap games.

use bouton_tables::heaps::{Heap, HeapRules, Heaps, Position, Ranks, multisets_within};

use crate::region::{Region, TooManyPositions};

/// More positions than this cannot be gone through in a year. Fewer can be numbered in some hundred MiB.
const MOST_POSITIONS: u64 = 1_000_000_000_000_000;

/// The positions of a ruleset, or those that two of them have.
#[derive(Clone, Debug)]
pub(super) struct HeapRegion {
    /// Ascending.
    bounds: Vec<Heap>,
    ranks: Ranks,
    passes: u8,
}

impl HeapRegion {
    /// The positions of a ruleset.
    ///
    /// # Errors
    /// If they are too many.
    pub(super) fn of(rules: &HeapRules) -> Result<Self, TooManyPositions> {
        Self::within(rules.bounds().to_vec(), rules.passes())
    }

    /// The positions that two rulesets have. A heap that one of them does not have is empty.
    ///
    /// # Errors
    /// If they are too many.
    pub(super) fn common(a: &HeapRules, b: &HeapRules) -> Result<Self, TooManyPositions> {
        // The greatest bounds are compared with the greatest.
        let pairs = a.bounds().iter().rev().zip(b.bounds().iter().rev());
        let mut bounds: Vec<Heap> = pairs.map(|(&a, &b)| a.min(b)).collect();
        bounds.reverse();
        Self::within(bounds, a.passes().min(b.passes()))
    }

    fn within(bounds: Vec<Heap>, passes: u8) -> Result<Self, TooManyPositions> {
        let layers = u64::from(passes) + 1;
        let positions = multisets_within(&bounds).map_or(u64::MAX, |layer| layer.saturating_mul(layers));
        if positions > MOST_POSITIONS {
            return Err(TooManyPositions { positions });
        }
        Ok(Self { ranks: Ranks::new(&bounds), bounds, passes })
    }

    /// The largest size of each heap, ascending.
    pub(super) fn bounds(&self) -> &[Heap] {
        &self.bounds
    }

    /// The most passes.
    pub(super) fn passes(&self) -> u8 {
        self.passes
    }

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

    fn number(&self, position: &Position) -> u64 {
        self.ranks.rank(&position.heaps.descending()) * self.layers() + u64::from(position.passes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::tests::{walked, walked_in_groups};
    use crate::select::Filter;
    use bouton_tables::heaps::{HeapKeys, MAX_HEAPS, MAX_SIZE};

    fn rules(bounds: &[Heap], passes: u32) -> HeapRules {
        HeapKeys { bounds: bounds.to_vec(), passes, ..Default::default() }.rules().unwrap()
    }

    #[test]
    fn positions_are_those_of_a_table_each_once() {
        for (bounds, passes) in [(&[3, 5, 7][..], 0), (&[4, 4], 2), (&[9], 1)] {
            let rules = rules(bounds, passes);
            let region = HeapRegion::of(&rules).unwrap();
            assert_eq!(region.count(), rules.positions());
            let all: Vec<Position> = region.walk(0).collect();
            assert_eq!(all.len() as u64, rules.positions());
            for (number, position) in (0..).zip(&all) {
                assert!(position.heaps.is_sorted() && rules.fits(&position.heaps));
                assert_eq!(region.number(position), number);
                assert_eq!(region.walk(number).next().as_ref(), Some(position));
            }
            assert_eq!(region.walk(region.count()).next(), None);
        }
    }

    #[test]
    fn what_two_rulesets_have_is_what_fits_both() {
        let (a, b) = (rules(&[3, 5, 7], 2), rules(&[1, 2, 6, 6], 1));
        let both = HeapRegion::common(&a, &b).unwrap();
        assert_eq!((both.bounds(), both.passes()), (&[2, 5, 6][..], 1));
        let fits_b = |heaps: &Heaps| {
            let mut more = *heaps;
            more.push(0);
            b.fits(&more)
        };
        let expected: Vec<Position> = HeapRegion::of(&a)
            .unwrap()
            .walk(0)
            .filter(|position| position.passes <= 1 && fits_b(&position.heaps))
            .collect();
        assert_eq!(both.walk(0).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn groups_have_the_positions_that_a_walk_finds_in_order() {
        let rules = rules(&[3, 5, 7], 1);
        let region = HeapRegion::of(&rules).unwrap();
        for text in ["", "heaps=0..1,*,5", "total=4.. nonempty=2", "passes=1", "total=100"] {
            let filter = Filter::parse(&rules, true, text).unwrap();
            assert_eq!(walked_in_groups(&region, &filter), walked(&region, &filter), "{text}");
        }
    }

    #[test]
    fn more_positions_than_can_be_numbered_are_refused_before_room_is_made_for_them() {
        // Their numbers wrapped, and tables of them took gigabytes.
        for bounds in [&[1_000_000; MAX_HEAPS][..], &[MAX_SIZE; MAX_HEAPS], &[MAX_SIZE, MAX_SIZE]] {
            let positions = rules(bounds, 1).positions();
            assert_eq!(HeapRegion::of(&rules(bounds, 1)).unwrap_err(), TooManyPositions { positions });
        }
        assert_eq!(HeapRegion::of(&rules(&[MAX_SIZE], 1)).unwrap().count(), 2_000_000_002);
    }
}
