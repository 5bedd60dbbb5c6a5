//! Positions of heap games.

use bouton_tables::heaps::{Heap, HeapRules, Heaps, Position, Ranks};

use super::Region;

/// Positions within bounds.
#[derive(Clone, Debug)]
pub(crate) struct Multisets {
    /// Ascending.
    bounds: Vec<Heap>,
    ranks: Ranks,
    passes: u8,
}

impl Multisets {
    /// The positions of a ruleset.
    pub(crate) fn of(rules: &HeapRules) -> Self {
        Self::within(rules.bounds().to_vec(), rules.passes())
    }

    /// The positions that two rulesets have. A heap that one of them does not have is empty.
    pub(crate) fn common(a: &HeapRules, b: &HeapRules) -> Self {
        // The greatest bounds are compared with the greatest.
        let pairs = a.bounds().iter().rev().zip(b.bounds().iter().rev());
        let mut bounds: Vec<Heap> = pairs.map(|(&a, &b)| a.min(b)).collect();
        bounds.reverse();
        Self::within(bounds, a.passes().min(b.passes()))
    }

    fn within(bounds: Vec<Heap>, passes: u8) -> Self {
        Self { ranks: Ranks::new(&bounds), bounds, passes }
    }

    /// The largest size of each heap, ascending.
    pub(crate) fn bounds(&self) -> &[Heap] {
        &self.bounds
    }

    /// The most passes.
    pub(crate) fn passes(&self) -> u8 {
        self.passes
    }

    fn layers(&self) -> u64 {
        u64::from(self.passes) + 1
    }
}

impl Region for Multisets {
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

    use bouton_tables::heaps::HeapKeys;

    fn rules(bounds: &[Heap], passes: u32) -> HeapRules {
        HeapKeys { bounds: bounds.to_vec(), passes, ..Default::default() }.rules().unwrap()
    }

    #[test]
    fn positions_are_those_of_a_table_each_once() {
        for (bounds, passes) in [(&[3, 5, 7][..], 0), (&[4, 4], 2), (&[9], 1)] {
            let rules = rules(bounds, passes);
            let region = Multisets::of(&rules);
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
        let both = Multisets::common(&a, &b);
        assert_eq!((both.bounds(), both.passes()), (&[2, 5, 6][..], 1));
        let fits_b = |heaps: &Heaps| {
            let mut more = *heaps;
            more.push(0);
            b.fits(&more)
        };
        let expected: Vec<Position> = Multisets::of(&a)
            .walk(0)
            .filter(|position| position.passes <= 1 && fits_b(&position.heaps))
            .collect();
        assert_eq!(both.walk(0).collect::<Vec<_>>(), expected);
    }
}
