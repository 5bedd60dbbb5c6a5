//! The best possible winning chance against an opponent of unknown kind.
//!
//! The opponent is of one of several kinds, and never changes. The probability of each kind before the game is known,
//! and so is the behaviour of each kind. A player who updates these probabilities after each reply, and whose every
//! move takes into account the information that later replies can bring, has the greatest average chance over the
//! kinds: the *Bayes optimum*.
//!
//! The search runs forward from a position and a belief, and tries every move and every reply that some kind may
//! make. Two bounds keep it small. A won position counts as 1, because a win can be kept. And no move is worth more
//! than it would be if the kind were known.

use std::collections::HashMap;

use super::{Chance, Habit, SolvedGame, chances, likelihoods};

/// Units in a probability of 1. The memo rounds beliefs to such units, so that it finds equal ones.
const GRAINS: f64 = (1_u64 << 40) as f64;
/// The search skips a move whose upper bound is not better than the best value so far by this relative margin.
const ROUNDING: f64 = 1e-12;

/// The facts about a position.
struct PositionFacts<P> {
    is_won: bool,
    /// The position after each move, and each kind's probability of making that move.
    moves: Vec<(P, Vec<f64>)>,
    /// The chances against each kind if the kind is known.
    with_kind_known: Vec<Chance>,
}

/// A position with us to move, and the belief in units of 1 / [`GRAINS`].
type Belief<P> = (P, Vec<u64>);

/// The Bayes optimum in one game against several kinds of opponents.
pub struct BayesOptimum<G: SolvedGame> {
    facts: HashMap<G::Position, PositionFacts<G::Position>>,
    /// The number of kinds.
    kinds: usize,
    misere: bool,
    /// The chances against each kind that were computed before.
    memo: HashMap<Belief<G::Position>, Vec<f64>>,
}

impl<G: SolvedGame> BayesOptimum<G> {
    /// Precomputes the facts about every position.
    #[must_use]
    pub fn new(game: &G, kinds: &[Habit]) -> Self {
        let by_kind: Vec<_> = kinds.iter().map(|&kind| chances(game, &vec![(1.0, kind)])).collect();
        let facts_of = |p: G::Position| {
            let likely: Vec<Vec<f64>> = kinds.iter().map(|kind| likelihoods(game, kind, &p)).collect();
            let of_move = |number: usize| likely.iter().map(|likely| likely[number]).collect();
            let moves = game.moves(&p).into_iter().enumerate();
            let moves: Vec<_> = moves.map(|(number, (_, next))| (next, of_move(number))).collect();
            let is_won = if moves.is_empty() { game.misere() } else { !game.winning(&p).is_empty() };
            let with_kind_known = by_kind.iter().map(|chances| chances[&p]).collect();
            (p, PositionFacts { is_won, moves, with_kind_known })
        };
        let facts = game.positions().into_iter().map(facts_of).collect();
        Self { facts, kinds: kinds.len(), misere: game.misere(), memo: HashMap::new() }
    }

    /// Returns the chance against each kind if we are to move, given the belief; meaningless for kinds with belief 0.
    /// The belief need not add up to 1.
    pub fn to_move(&mut self, p: &G::Position, likely: &[f64]) -> Vec<f64> {
        let facts = &self.facts[p];
        if facts.is_won || facts.moves.is_empty() {
            return vec![f64::from(u8::from(facts.is_won)); self.kinds];
        }
        let possible = |kind: usize| likely[kind] > 0.0;
        if (0..self.kinds).filter(|&kind| possible(kind)).count() == 1 {
            let chance = |kind: usize| if possible(kind) { facts.with_kind_known[kind].to_move } else { 0.0 };
            return (0..self.kinds).map(chance).collect();
        }
        let all: f64 = likely.iter().sum();
        let in_grains = likely.iter().map(|likely| (likely / all * GRAINS).round() as u64).collect();
        let belief = (p.clone(), in_grains);
        if let Some(found) = self.memo.get(&belief) {
            return found.clone();
        }
        let most_after = |(next, _): &(G::Position, _)| {
            let chances = self.facts[next].with_kind_known.iter().map(|chance| chance.waiting);
            (weighed(likely, chances), next.clone())
        };
        let mut moves: Vec<(f64, G::Position)> = facts.moves.iter().map(most_after).collect();
        moves.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let (mut best, mut of_best) = (-1.0, Vec::new());
        for (most, next) in moves {
            if most <= best * (1.0 + ROUNDING) {
                break;
            }
            let found = self.waiting(&next, likely);
            let value = weighed(likely, found.iter().copied());
            if value > best {
                (best, of_best) = (value, found);
            }
        }
        self.memo.insert(belief, of_best.clone());
        of_best
    }

    /// Returns the chance against each kind if the opponent is to move.
    pub fn waiting(&mut self, p: &G::Position, likely: &[f64]) -> Vec<f64> {
        let replies = self.facts[p].moves.clone();
        if replies.is_empty() {
            return vec![f64::from(u8::from(!self.misere)); self.kinds];
        }
        let mut sum = vec![0.0; self.kinds];
        for (next, of_kind) in replies {
            let learned: Vec<f64> =
                likely.iter().zip(&of_kind).map(|(likely, share)| likely * share).collect();
            if learned.iter().any(|&likely| likely > 0.0) {
                let found = self.to_move(&next, &learned);
                for kind in (0..self.kinds).filter(|&kind| learned[kind] > 0.0) {
                    sum[kind] += of_kind[kind] * found[kind];
                }
            }
        }
        sum
    }
}

/// Returns the average chance over the kinds, multiplied by the sum of the belief.
fn weighed(likely: &[f64], chances: impl Iterator<Item = f64>) -> f64 {
    likely.iter().zip(chances).map(|(likely, chance)| likely * chance).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::expanding::{Position, Rules};
    use crate::oracle::expectimax::{Lost, Plan, Prefers, SolvedExpanding, plans};

    /// Returns the greatest belief-weighted sum of the chances, by its definition alone.
    fn by_definition(
        game: &SolvedExpanding,
        kinds: &[Habit],
        p: &Position,
        likely: &[f64],
        ours: bool,
    ) -> f64 {
        let moves = game.moves(p);
        if moves.is_empty() {
            return if ours == game.misere() { likely.iter().sum() } else { 0.0 };
        }
        if ours {
            let after = moves.iter().map(|(_, next)| by_definition(game, kinds, next, likely, false));
            return after.fold(0.0, f64::max);
        }
        let shares: Vec<Vec<f64>> = kinds.iter().map(|kind| likelihoods(game, kind, p)).collect();
        let after = moves.iter().enumerate().map(|(number, (_, next))| {
            let learned: Vec<f64> =
                (0..kinds.len()).map(|kind| likely[kind] * shares[kind][number]).collect();
            if learned.iter().all(|&likely| likely == 0.0) {
                0.0
            } else {
                by_definition(game, kinds, next, &learned, true)
            }
        });
        after.sum()
    }

    #[test]
    fn the_optimum_agrees_with_bare_recursion() {
        let habit = |plan, slip, prefers| Habit { plan, slip, lost: Lost::TakesOne, prefers };
        let kinds = [
            habit(Plan::Misreads, 0.0, Prefers::First),
            habit(Plan::Misreads, 0.1, Prefers::Last),
            habit(Plan::TakesOne, 0.3, Prefers::Any),
            habit(Plan::Wins, 0.4, Prefers::Fastest),
        ];
        let mut learned = 0;
        for (stones, resets, misere) in [(13, [1, 0], false), (10, [2, 1], false), (13, [0, 1], true)] {
            let rules = Rules { stones, base_limit: 3, growth: 1, reset_limit: 2, resets, misere };
            let game = SolvedExpanding::new(rules);
            let mixture = kinds.iter().map(|&kind| (1.0 / kinds.len() as f64, kind)).collect();
            let plans = plans(&game, &mixture);
            for prior in [[0.25; 4], [0.6, 0.1, 0.1, 0.2], [0.0, 0.5, 0.0, 0.5]] {
                let mut optimum = BayesOptimum::new(&game, &kinds);
                for p in game.positions().iter().filter(|p| p.stones + 2 >= stones) {
                    let found = [optimum.to_move(p, &prior), optimum.waiting(p, &prior)];
                    for (ours, found) in [true, false].into_iter().zip(found) {
                        let found = weighed(&prior, found.into_iter());
                        let expected = by_definition(&game, &kinds, p, &prior, ours);
                        assert!(
                            (found - expected).abs() < 1e-12,
                            "{p:?}, {prior:?}: {found}, not {expected}"
                        );
                        let of_plan = |plan: &Vec<Chance>| {
                            let chances =
                                plan.iter().map(|chance| if ours { chance.to_move } else { chance.waiting });
                            weighed(&prior, chances)
                        };
                        let best_plan = plans[p].iter().map(of_plan).fold(0.0, f64::max);
                        assert!(
                            found >= best_plan - 1e-12,
                            "{p:?}, {prior:?}: {found}, and {best_plan} without learning"
                        );
                        learned += usize::from(found > best_plan + 1e-3);
                    }
                }
            }
        }
        assert!(learned > 10, "learning pays in {learned} positions");
    }
}
