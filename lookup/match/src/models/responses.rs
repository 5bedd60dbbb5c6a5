//! Plans against several kinds of opponents, and how each of them does against every kind.
//!
//! A player that does not know which kind of opponent it has follows a *plan*: the best response to one of the kinds, or the
//! one that wins most against all kinds together, each as likely as before the first move. In a lost position a plan has a
//! chance against each kind, and the player takes the plan with the greatest chance on the whole, each kind weighed by how
//! likely it is. After each move of the opponent the kinds are weighed anew, and the player may take up another plan, which
//! can only raise its chances.
//!
//! The plan against all kinds is there because the others are all made for somebody who knows the opponent. Whoever follows
//! one of those against another kind misses chances that cost nothing; this plan gives each kind its chances for as long as
//! the moves do not tell which one it is.

use bouton_tables::Solved;

use super::induction;
use super::stored::{Opponents, is_lost};
use super::{ChancesError, Habit, Model};
use crate::families::Numbers;
use crate::{Numbered, Solution, Watch};

/// For every position the chance of each plan against each kind.
#[derive(Debug)]
pub struct Responses<G: Numbered> {
    numbers: G::Numbers,
    mixture: Model,
    /// As `induction` has them.
    chances: Vec<f32>,
    /// The number of chances of a position.
    each: usize,
}

impl<G: Numbered> Responses<G> {
    /// Computes them against the habits of a mixture, which are the kinds. `watch` hears how far that is.
    ///
    /// # Errors
    /// If a kind does not fit the game, there is not enough memory, or the table is damaged.
    pub fn compute(solution: &Solution<G>, mixture: &Model, watch: &dyn Watch) -> Result<Self, ChancesError> {
        let numbers = solution.get().game().numbers();
        let kinds: Vec<Model> = mixture.terms().iter().map(|&(_, habit)| habit.into()).collect();
        let weights = plans(mixture);
        let opponents = Opponents { kinds: &kinds, weights: &weights };
        let each = opponents.each();
        let chances = induction::chances(solution, &numbers, opponents, watch)?;
        Ok(Self { numbers, mixture: mixture.clone(), chances, each })
    }

    /// The kinds, each with its probability before the first move.
    pub fn kinds(&self) -> &[(f64, Habit)] {
        self.mixture.terms()
    }

    /// The chance of a player when the opponent is to move, who is of each kind as likely as said: with the plan that is
    /// the best for that. The table must cover the position.
    pub fn waiting(&self, position: &G::Position, likely: &[f64]) -> f64 {
        let at = self.numbers.of(position) as usize * self.each;
        let chances = &self.chances[at..at + self.each];
        if is_lost(chances[0]) {
            return 1.0;
        }
        let of_plan = |chances: &[f32]| {
            chances.iter().zip(likely).map(|(&chance, likely)| -f64::from(chance) * likely).sum::<f64>()
        };
        chances.chunks_exact(self.kinds().len()).map(of_plan).fold(0.0, f64::max)
    }
}

/// How much each kind counts for each plan.
pub(super) fn plans(mixture: &Model) -> Vec<Vec<f64>> {
    let kinds = mixture.terms().len();
    let against = |kind: usize| (0..kinds).map(|other| if other == kind { 1.0 } else { 0.0 }).collect();
    let mut plans: Vec<Vec<f64>> = (0..kinds).map(against).collect();
    if kinds > 1 {
        plans.push(mixture.terms().iter().map(|&(share, _)| share).collect());
    }
    plans
}
