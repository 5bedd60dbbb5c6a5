//! Heap games, judged by their own oracle.

use std::collections::{BTreeMap, BTreeSet};

use super::Judged;
use crate::oracle::heaps::{Move, Position, Rules, Verdict, answer, legal_moves, solve};

/// A ruleset with the verdict on every position.
///
/// A position is the rows with the passes left, in whatever order they stand: which move is the first one
/// listed depends on it, and so does what some opponents do.
#[derive(Clone, Debug)]
pub struct JudgedHeaps {
    /// The rules.
    pub rules: Rules,
    known: BTreeMap<Position, Verdict>,
}

impl JudgedHeaps {
    /// Solves the game.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self { known: solve(&rules), rules }
    }
}

/// The rows in every order.
fn orders(rows: &[u32]) -> BTreeSet<Vec<u32>> {
    if rows.is_empty() {
        return BTreeSet::from([vec![]]);
    }
    let mut all = BTreeSet::new();
    for i in 0..rows.len() {
        let others = [&rows[..i], &rows[i + 1..]].concat();
        all.extend(orders(&others).into_iter().map(|rest| [&[rows[i]], &rest[..]].concat()));
    }
    all
}

impl Judged for JudgedHeaps {
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
        let moves = legal_moves(&self.rules, rows, *passes);
        moves.into_iter().map(|(chosen, rows, passes)| (chosen, (rows, passes))).collect()
    }

    fn winning(&self, (rows, passes): &(Vec<u32>, u32)) -> Vec<Move> {
        answer(&self.rules, &self.known, rows, *passes).winning
    }

    fn best(&self, (rows, passes): &(Vec<u32>, u32)) -> Option<Move> {
        answer(&self.rules, &self.known, rows, *passes).best
    }

    fn misread(&self, p: &(Vec<u32>, u32)) -> (Vec<u32>, u32) {
        p.clone()
    }

    fn misere(&self) -> bool {
        self.rules.misere
    }
}

/// The same game played by people who put the heaps in order before each move, the greatest first.
///
/// Heaps in another order are the same position, and this is the one order in which each position is there
/// once: what a first or a last move is, is told by it.
#[derive(Clone, Debug)]
pub struct DescendingHeaps(pub JudgedHeaps);

fn descending((mut rows, passes): (Vec<u32>, u32)) -> (Vec<u32>, u32) {
    rows.sort_by_key(|&heap| std::cmp::Reverse(heap));
    (rows, passes)
}

impl Judged for DescendingHeaps {
    type Position = (Vec<u32>, u32);
    type Move = Move;

    fn positions(&self) -> Vec<(Vec<u32>, u32)> {
        let mut all = self.0.positions();
        all.retain(|(rows, _)| rows.is_sorted_by(|a, b| a >= b));
        all
    }

    fn moves(&self, p: &(Vec<u32>, u32)) -> Vec<(Move, (Vec<u32>, u32))> {
        self.0.moves(p).into_iter().map(|(chosen, next)| (chosen, descending(next))).collect()
    }

    fn winning(&self, p: &(Vec<u32>, u32)) -> Vec<Move> {
        self.0.winning(p)
    }

    fn best(&self, p: &(Vec<u32>, u32)) -> Option<Move> {
        self.0.best(p)
    }

    fn misread(&self, p: &(Vec<u32>, u32)) -> (Vec<u32>, u32) {
        p.clone()
    }

    fn misere(&self) -> bool {
        self.0.misere()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::expectimax::{Habit, Lost, Plan, Prefers, chances, likelihoods};
    use crate::oracle::heaps::Take;

    fn nim(bounds: &[u32]) -> JudgedHeaps {
        let bounds = bounds.to_vec();
        let take = Take::Any;
        JudgedHeaps::new(Rules {
            bounds,
            take,
            heaps_per_move: 1,
            equal_take: false,
            passes: 0,
            misere: false,
        })
    }

    #[test]
    fn two_heaps_against_one_who_plays_anything() {
        let any = Habit { plan: Plan::AnyMove, slip: 0.0, lost: Lost::AnyMove, prefers: Prefers::Any };
        let known = chances(&nim(&[2, 2]), &vec![(1.0, any)]);
        let at = |a, b| known[&(vec![a, b], 0)];
        // Worked by hand: from 2,1 he leaves 1,1, which is lost for us, with one of three moves.
        assert_eq!((at(1, 1).to_move, at(1, 1).waiting), (0.0, 1.0));
        assert!((at(2, 1).waiting - 2.0 / 3.0).abs() < 1e-12);
        // From 2,0 he takes both with one of two moves, and if not we take the other.
        assert!((at(2, 0).waiting - 0.5).abs() < 1e-12);
        assert!((at(2, 2).to_move - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(at(2, 1).to_move, 1.0);
    }

    #[test]
    fn what_is_the_first_move_depends_on_the_order_of_the_rows() {
        let first = Habit { plan: Plan::TakesOne, slip: 0.0, lost: Lost::TakesOne, prefers: Prefers::Any };
        let game = nim(&[2, 2]);
        assert_eq!(likelihoods(&game, &first, &(vec![2, 1], 0)), [1.0, 0.0, 0.0]);
        let known = chances(&game, &vec![(1.0, first)]);
        // From 2,1 he leaves 1,1, with which we lose; from 1,2 he leaves 0,2, with which we win.
        assert_eq!(known[&(vec![2, 1], 0)].waiting, 0.0);
        assert_eq!(known[&(vec![1, 2], 0)].waiting, 1.0);
    }
}
