//! Expanding Nim for the oracle of chances, solved by the naive solver.

use std::collections::BTreeMap;

use super::SolvedGame;
use crate::oracle::expanding::{Position, Rules, Verdict, legal_moves, solve};

/// A ruleset with the verdict on every position.
#[derive(Clone, Debug)]
pub struct SolvedExpanding {
    /// The rules.
    pub rules: Rules,
    known: BTreeMap<Position, Verdict>,
}

impl SolvedExpanding {
    /// Solves the game.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self { known: solve(&rules), rules }
    }
}

impl SolvedGame for SolvedExpanding {
    type Position = Position;
    type Move = (u32, bool);

    fn positions(&self) -> Vec<Position> {
        // The map orders positions by stones, and every move takes a stone.
        self.known.keys().copied().collect()
    }

    fn moves(&self, p: &Position) -> Vec<((u32, bool), Position)> {
        legal_moves(&self.rules, p)
    }

    fn winning(&self, p: &Position) -> Vec<(u32, bool)> {
        self.known[p].winning.clone()
    }

    fn best(&self, p: &Position) -> Option<(u32, bool)> {
        self.known[p].best
    }

    fn misread(&self, p: &Position) -> Position {
        if !p.imposed {
            return *p;
        }
        // A misread currentmax is never below 0, however large the growth.
        let most = self.rules.base_limit.saturating_sub(self.rules.growth);
        Position { currentmax: p.currentmax.min(most), ..*p }
    }

    fn misere(&self) -> bool {
        self.rules.misere
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::expectimax::{Habit, Lost, Plan, Prefers, chances, likelihoods};

    /// The preset's limits, with eight stones.
    fn game(resets: [u32; 2]) -> SolvedExpanding {
        let (stones, base_limit, growth, reset_limit) = (8, 3, 1, 3);
        SolvedExpanding::new(Rules { stones, base_limit, growth, reset_limit, resets, misere: false })
    }

    fn habit(plan: Plan, slip: f64) -> Habit {
        Habit { plan, slip, lost: Lost::TakesOne, prefers: Prefers::Any }
    }

    fn at(stones: u32, currentmax: u32, resets: [u32; 2], imposed: bool) -> Position {
        Position { stones, currentmax, turn: 1, resets, imposed }
    }

    #[test]
    fn chances_against_an_opponent_who_slips_are_as_by_hand() {
        // 4/0 is lost: each move leaves 1, 2 or 3 stones, and taking all of them is the opponent's only winning move.
        // A slip makes any of the 3, 2 or 1 legal moves; one of these wins.
        let known = chances(&game([0, 0]), &vec![(1.0, habit(Plan::Wins, 0.3))]);
        let p = at(4, 0, [0, 0], false);
        // If we take 1, the opponent has three moves, and two of them are wrong. These leave 1 or 2, both won for us.
        assert!((known[&p].to_move - 0.3 * 2.0 / 3.0).abs() < 1e-12);
        // From 5, taking 1 wins for the opponent; taking 2 or 3, by a slip, leaves a win for us. After the right move
        // our chance is that of 4/1.
        let kept = known[&Position { turn: 2, ..at(4, 1, [0, 0], false) }].to_move;
        let waiting = known[&at(5, 0, [0, 0], false)].waiting;
        assert!((waiting - (0.8 * kept + 0.2)).abs() < 1e-12);
    }

    #[test]
    fn misreading_a_reset_lowers_currentmax() {
        let game = game([0, 0]);
        // After 5/3 the limit is 4, so any move to 1 to 4 stones loses. Misread as 5/2, taking 1 seems to win.
        let (p, misread_position) = (at(5, 3, [0, 0], true), at(5, 2, [0, 0], true));
        assert_eq!((game.misread(&p), game.misread(&misread_position)), (misread_position, misread_position));
        assert_eq!(game.misread(&Position { imposed: false, ..p }), Position { imposed: false, ..p });
        assert_eq!((game.winning(&p), game.winning(&misread_position)), (vec![], vec![(1, false)]));
        assert_eq!(likelihoods(&game, &habit(Plan::Misreads, 0.0), &p), [1.0, 0.0, 0.0]);
        let lost = Habit { lost: Lost::AnyMove, ..habit(Plan::Misreads, 0.0) };
        assert_eq!(likelihoods(&game, &lost, &p), [1.0, 0.0, 0.0], "the opponent believes that it wins");
        let knows = Habit { plan: Plan::Wins, ..lost };
        assert_eq!(likelihoods(&game, &knows, &p), [1.0 / 3.0; 3]);
    }

    #[test]
    fn preferences_choose_among_the_winning_moves() {
        // In 8/0, taking 1 wins, and taking 3 wins faster.
        let (game, p) = (game([0, 0]), at(8, 0, [0, 0], false));
        let of = |prefers| likelihoods(&game, &Habit { prefers, ..habit(Plan::Wins, 0.0) }, &p);
        assert_eq!(of(Prefers::Any), [0.5, 0.0, 0.5]);
        assert_eq!(of(Prefers::First), [1.0, 0.0, 0.0]);
        assert_eq!(of(Prefers::Last), [0.0, 0.0, 1.0]);
        assert_eq!(of(Prefers::Fastest), [0.0, 0.0, 1.0]);
    }
}
