//! The numbers of the positions of heap games.

use std::collections::BTreeMap;

use bouton_tables::heaps::{HeapRules, Position, Ranks};

use crate::family::{Numbered, Numbers};

impl Numbered for HeapRules {
    type Numbers = HeapNumbers;

    fn numbers(&self) -> HeapNumbers {
        HeapNumbers { ranks: Ranks::new(self.bounds()), passes: self.passes() }
    }
}

/// Numbers by passes and rank.
#[derive(Debug)]
pub struct HeapNumbers {
    ranks: Ranks,
    passes: u8,
}

impl Numbers<HeapRules> for HeapNumbers {
    fn count(&self) -> u64 {
        self.ranks.count().saturating_mul(u64::from(self.passes) + 1)
    }

    fn of(&self, position: &Position) -> u64 {
        let rank = self.ranks.rank(&position.heaps.descending());
        u64::from(position.passes) * self.ranks.count() + rank
    }

    fn layers(&self) -> impl Iterator<Item = Vec<Position>> {
        let mut by_stones: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for rank in 0..self.ranks.count() {
            let stones = self.ranks.unrank(rank).iter().map(|&heap| u64::from(heap)).sum();
            by_stones.entry(stones).or_default().push(rank);
        }
        // Every move uses up stones or a pass.
        by_stones.into_values().flat_map(move |ranks| {
            (0..=self.passes).map(move |passes| {
                ranks.iter().map(|&rank| Position { heaps: self.ranks.unrank(rank), passes }).collect()
            })
        })
    }
}
