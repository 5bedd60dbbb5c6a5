//! Heap games for the oracle of chances, solved by the naive solver.

use std::collections::{BTreeMap, BTreeSet};

use super::SolvedGame;
use crate::oracle::heaps::{Move, Position, Rules, Verdict, answer, legal_moves, solve};

/// A ruleset with the verdict on every position.
///
/// A position here is the rows, in any order, with the passes left. The order of the heaps must not influence the
/// play, so moves are listed as if the greatest heap stood first; equal heaps keep their order.
#[derive(Clone, Debug)]
pub struct SolvedHeaps {
    /// The rules.
    pub rules: Rules,
    known: BTreeMap<Position, Verdict>,
}

impl SolvedHeaps {
    /// Solves the game.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self { known: solve(&rules), rules }
    }
}

/// Returns the row numbers, from 0, by descending size of the heap.
fn ranked(rows: &[u32]) -> Vec<usize> {
    let mut ranked: Vec<usize> = (0..rows.len()).collect();
    ranked.sort_by_key(|&row| std::cmp::Reverse(rows[row]));
    ranked
}

/// Returns the sizes of the heaps in the given order of rows.
fn sizes_in_order(rows: &[u32], ranked: &[usize]) -> Vec<u32> {
    ranked.iter().map(|&row| rows[row]).collect()
}

/// Translates a move from ranked rows to the actual rows.
fn in_actual_rows(chosen: &Move, ranked: &[usize]) -> Move {
    match chosen {
        Move::Take(takes) => {
            let mut translated: Vec<_> = takes.iter().map(|&(row, n)| (ranked[row - 1] + 1, n)).collect();
            translated.sort_unstable();
            Move::Take(translated)
        }
        Move::Pass => Move::Pass,
    }
}

/// Returns the rows in every order.
fn orders(rows: &[u32]) -> BTreeSet<Vec<u32>> {
    if rows.is_empty() {
        return BTreeSet::from([vec![]]);
    }
    let mut all = BTreeSet::new();
    for i in 0..rows.len() {
        let other_heaps = [&rows[..i], &rows[i + 1..]].concat();
        all.extend(orders(&other_heaps).into_iter().map(|rest| [&[rows[i]], &rest[..]].concat()));
    }
    all
}

impl SolvedGame for SolvedHeaps {
    type Position = (Vec<u32>, u32);
    type Move = Move;

    fn positions(&self) -> Vec<(Vec<u32>, u32)> {
        let ordered = |p: &Position| {
            let passes = p.passes;
            orders(&p.heaps).into_iter().map(move |rows| (rows, passes))
        };
        let mut all: Vec<_> = self.known.keys().flat_map(ordered).collect();
        // Every move takes a stone or a pass.
        all.sort_by_key(|(rows, passes)| (rows.iter().sum::<u32>(), *passes));
        all
    }

    fn moves(&self, (rows, passes): &(Vec<u32>, u32)) -> Vec<(Move, (Vec<u32>, u32))> {
        let ranked = ranked(rows);
        let moves = legal_moves(&self.rules, &sizes_in_order(rows, &ranked), *passes);
        let translate = |(chosen, _, passes): (Move, Vec<u32>, u32)| {
            let chosen = in_actual_rows(&chosen, &ranked);
            let mut next = rows.clone();
            if let Move::Take(takes) = &chosen {
                takes.iter().for_each(|&(row, n)| next[row - 1] -= n);
            }
            (chosen, (next, passes))
        };
        moves.into_iter().map(translate).collect()
    }

    fn winning(&self, (rows, passes): &(Vec<u32>, u32)) -> Vec<Move> {
        let ranked = ranked(rows);
        let winning = answer(&self.rules, &self.known, &sizes_in_order(rows, &ranked), *passes).winning;
        winning.iter().map(|chosen| in_actual_rows(chosen, &ranked)).collect()
    }

    fn best(&self, (rows, passes): &(Vec<u32>, u32)) -> Option<Move> {
        let ranked = ranked(rows);
        let best = answer(&self.rules, &self.known, &sizes_in_order(rows, &ranked), *passes).best;
        best.map(|chosen| in_actual_rows(&chosen, &ranked))
    }

    fn misread(&self, p: &(Vec<u32>, u32)) -> (Vec<u32>, u32) {
        p.clone()
    }

    fn misere(&self) -> bool {
        self.rules.misere
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::expectimax::{Habit, Lost, Plan, Prefers, chances, likelihoods};
    use crate::oracle::heaps::Take;

    fn nim(bounds: &[u32]) -> SolvedHeaps {
        let bounds = bounds.to_vec();
        let take = Take::Any;
        SolvedHeaps::new(Rules {
            bounds,
            take,
            heaps_per_move: 1,
            exactly: vec![],
            equal_take: false,
            passes: 0,
            misere: false,
        })
    }

    #[test]
    fn chances_against_random_moves_are_as_by_hand() {
        let any = Habit { plan: Plan::AnyMove, slip: 0.0, lost: Lost::AnyMove, prefers: Prefers::Any };
        let known = chances(&nim(&[2, 2]), &vec![(1.0, any)]);
        let at = |a, b| known[&(vec![a, b], 0)];
        // Worked by hand: from 2,1 one of three moves leaves 1,1, which is lost for us.
        assert_eq!((at(1, 1).to_move, at(1, 1).waiting), (0.0, 1.0));
        assert!((at(2, 1).waiting - 2.0 / 3.0).abs() < 1e-12);
        // From 2,0 one of two moves takes both; after the other one we take the last stone.
        assert!((at(2, 0).waiting - 0.5).abs() < 1e-12);
        assert!((at(2, 2).to_move - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(at(2, 1).to_move, 1.0);
    }

    #[test]
    fn the_first_move_is_from_the_greatest_heap_wherever_it_stands() {
        let first = Habit { plan: Plan::TakesOne, slip: 0.0, lost: Lost::TakesOne, prefers: Prefers::Any };
        let game = nim(&[2, 2]);
        for (rows, expected) in [([2, 1], vec![(1, 1)]), ([1, 2], vec![(2, 1)]), ([1, 1], vec![(1, 1)])] {
            let p = (rows.to_vec(), 0);
            assert_eq!(game.moves(&p)[0].0, Move::Take(expected));
            assert_eq!(likelihoods(&game, &first, &p)[0], 1.0);
        }
        // The opponent leaves 1,1, with which we lose.
        let known = chances(&game, &vec![(1.0, first)]);
        assert_eq!(known[&(vec![1, 2], 0)].waiting, 0.0);
    }
}
