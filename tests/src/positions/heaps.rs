//! The positions of a table of a heap game.

use bouton_tables::heaps::{Heap, HeapRules, Heaps, MAX_HEAPS, Position, Take, WinningMoves};
use bouton_tables::{Game, Ruleset, Solved, Table};

use super::{Dice, GameUnderTest};
use crate::compare;

impl GameUnderTest for HeapRules {
    type WinningMoves = WinningMoves;

    fn ruleset(&self) -> Ruleset {
        Ruleset::Heaps(self.clone())
    }

    fn table_of(table: &Table) -> &impl Solved<Game = Self, WinningMoves = Self::WinningMoves> {
        compare::heaps(table)
    }

    fn every(&self) -> impl Iterator<Item = Self::Position> {
        every(self)
    }

    fn random_position(&self, dice: &mut Dice) -> Self::Position {
        random_position(self, dice)
    }

    fn outside(&self) -> Vec<Self::Position> {
        outside(self)
    }

    fn effort(&self, position: &Self::Position) -> u64 {
        let moves = max_moves(self, position);
        // In a lost position the reader may try all moves for the best one, and ask for the depth after each.
        if self.heaps_per_move() == 1 { moves } else { moves.saturating_mul(moves) }
    }
}

/// Returns every position of a table of these rules, with its heaps in ascending order.
pub fn every(rules: &HeapRules) -> impl Iterator<Item = Position> {
    let mut all: Vec<Heaps> = vec![Heaps::new()];
    for &bound in rules.bounds() {
        let longer = |heaps: &Heaps| {
            let heaps = *heaps;
            let least = heaps.last().copied().unwrap_or(0);
            (least..=bound).map(move |heap| heaps.iter().copied().chain([heap]).collect())
        };
        all = all.iter().flat_map(longer).collect();
    }
    (0..=rules.passes())
        .flat_map(move |passes| all.clone().into_iter().map(move |heaps| Position { heaps, passes }))
}

/// Returns a random position of a table of these rules, often near an edge, with its heaps in any order.
pub fn random_position(rules: &HeapRules, dice: &mut Dice) -> Position {
    let mut heaps: Heaps = rules.bounds().iter().map(|&bound| dice.near_an_edge(bound)).collect();
    for last in 1..heaps.len() {
        heaps.swap(last, dice.up_to(last as u32) as usize);
    }
    Position { heaps, passes: dice.up_to(rules.passes().into()) as u8 }
}

/// Returns positions that no table of these rules covers.
#[must_use]
pub fn outside(rules: &HeapRules) -> Vec<Position> {
    let inside = rules.start();
    let with = |change: &dyn Fn(&mut Heaps)| {
        let mut position = inside;
        change(&mut position.heaps);
        position
    };
    let mut all = vec![
        Position { passes: rules.passes() + 1, ..inside },
        Position { passes: u8::MAX, ..inside },
        with(&|heaps| heaps[0] = rules.greatest_bound() + 1),
        with(&|heaps| heaps[rules.heaps() - 1] = Heap::MAX),
        with(&|heaps| heaps.fill(Heap::MAX)),
        with(&|heaps| *heaps = Heaps::new()),
        with(&|heaps| {
            heaps.pop();
        }),
    ];
    if rules.heaps() < MAX_HEAPS {
        all.push(with(&|heaps| heaps.push(0)));
        all.push(Position { heaps: [Heap::MAX; MAX_HEAPS].into_iter().collect(), passes: u8::MAX });
    }
    if rules.bounds()[0] < rules.greatest_bound() {
        all.push(with(&|heaps| heaps.fill(rules.greatest_bound())));
    }
    all
}

/// Returns an upper bound on the number of legal moves.
#[must_use]
pub fn max_moves(rules: &HeapRules, position: &Position) -> u64 {
    let amounts = |heap: Heap| match rules.take() {
        Take::Any => u64::from(heap),
        Take::UpTo(most) => heap.min(*most).into(),
        Take::Exactly(amounts) => amounts.partition_point(|&amount| amount <= heap) as u64,
    };
    // `ways[k]`: the number of ways to take from exactly k of the heaps so far.
    let mut ways = vec![0_u64; rules.heaps_per_move() + 1];
    ways[0] = 1;
    for &heap in position.heaps.iter() {
        // With equal takes, the first heap of a move decides the amount for all of its heaps.
        for taken in (1..ways.len()).rev() {
            let choices = if rules.equal_take() && taken > 1 { 1 } else { amounts(heap) };
            ways[taken] = ways[taken].saturating_add(ways[taken - 1].saturating_mul(choices));
        }
    }
    // `ways[0]`, taking nothing, counts the pass.
    ways.iter().fold(0, |all, &ways| all.saturating_add(ways))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use bouton_tables::heaps::HeapKeys;

    use super::*;

    fn all_rules() -> impl Iterator<Item = HeapRules> {
        [&[7][..], &[3, 5], &[2, 2, 4], &[1, 1, 1, 1]].into_iter().flat_map(|bounds| {
            let takes = [Take::Any, Take::UpTo(2), Take::exactly(vec![1, 3])];
            takes.into_iter().flat_map(|take| {
                let rules = |per_move: u32, equal, passes| {
                    HeapKeys {
                        bounds: bounds.to_vec(),
                        take: take.clone(),
                        heaps_per_move: per_move.into(),
                        equal_take: equal,
                        passes,
                        ..Default::default()
                    }
                    .rules()
                };
                let heaps = bounds.len() as u32;
                [rules(1, false, 0), rules(heaps, heaps > 1, 1), rules(heaps, false, 2)].map(Result::unwrap)
            })
        })
    }

    #[test]
    fn every_position_is_listed_once_and_random_ones_are_among_them() {
        for rules in all_rules() {
            let distinct: HashSet<Position> = every(&rules).collect();
            assert_eq!(distinct.len() as u64, rules.positions());
            assert_eq!(every(&rules).count(), distinct.len());
            let mut dice = Dice::new(1);
            let mut found = HashSet::new();
            for _ in 0..5000 {
                let mut position = random_position(&rules, &mut dice);
                position.heaps.sort_unstable();
                assert!(distinct.contains(&position), "{position:?}");
                found.insert(position);
            }
            assert_eq!(found.len(), distinct.len(), "random positions include every position");
            for position in outside(&rules) {
                assert!(rules.check(&position).is_err(), "{position:?} of {rules:?}");
            }
        }
    }

    #[test]
    fn no_position_has_more_moves_than_the_bound() {
        for rules in all_rules() {
            for position in every(&rules) {
                let (moves, most) = (rules.moves(&position).count() as u64, max_moves(&rules, &position));
                assert!(moves <= most && most <= 8 * moves + 16, "{moves} of {most} moves at {position:?}");
            }
        }
    }
}
