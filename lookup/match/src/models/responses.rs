//! Plans against several kinds of opponents, for a player that learns which kind it faces.
//!
//! A *kind* of opponent is a model, such as `misread:0.05`, with a probability before the first move. A *plan* is the
//! best response to one kind, or to the mixture of all kinds with these probabilities. Each plan has a chance against
//! each kind. In a lost position the player follows the plan with the greatest mean chance, weighted by how likely each
//! kind is now. After each move of the opponent the player updates these probabilities and chooses a plan again, which
//! on average can only raise its chances.
//!
//! Example: two kinds, each with probability 0.5. Plan A wins with 0.9 and 0.0 against them, plan B with 0.0 and 0.3,
//! the mixed plan with 0.8 and 0.3. The mixed plan is best at first (0.55); once the first kind has probability 0.9,
//! plan A is (0.81 against 0.75).
//!
//! The best response to one kind often wastes chances against the others that would cost nothing. The mixed plan
//! keeps them until the opponent's moves show the kind.

use bouton_tables::Solved;

use super::Model;
use super::habit::Habit;
use super::induction::{self, ChancesError};
use super::stored_chance::{Opponents, chance_waiting};
use crate::families::PositionNumbering;
use crate::{Playable, PreparationProgress, Solution};

/// The chance of each plan against each kind, for every position.
#[derive(Debug)]
pub struct Responses<G: Playable> {
    numbers: G::Numbering,
    mixture: Model,
    /// In the form of [`stored_chance`](super::stored_chance): by position, then by plan, then by kind.
    chances: Vec<f32>,
    per_position: usize,
}

impl<G: Playable> Responses<G> {
    /// Computes the chances against the kinds of opponents: the habits of a mixture. Reports to `progress`.
    pub fn compute(
        solution: &Solution<G>,
        mixture: &Model,
        progress: &dyn PreparationProgress,
    ) -> Result<Self, ChancesError> {
        let numbers = solution.get().game().numbering()?;
        let kinds: Vec<Model> = mixture.terms().iter().map(|&(_, habit)| habit.into()).collect();
        let weights = plans(mixture);
        let opponents = Opponents { kinds: &kinds, weights: &weights };
        let per_position = opponents.chances_per_position();
        let chances = induction::chances(solution, &numbers, opponents, progress)?;
        Ok(Self { numbers, mixture: mixture.clone(), chances, per_position })
    }

    /// Returns the kinds, each with its probability before the first move.
    pub fn kinds(&self) -> &[(f64, Habit)] {
        self.mixture.terms()
    }

    /// Returns the chance of the waiting player with the best plan, if the kinds of opponents have the probabilities
    /// `likely`. The table must cover the position.
    pub fn chance_waiting(&self, position: &G::Position, likely: &[f64]) -> f64 {
        let start = self.numbers.of(position) as usize * self.per_position;
        let chances = &self.chances[start..start + self.per_position];
        let mean_chance = |chances: &[f32]| {
            chances.iter().zip(likely).map(|(&chance, likely)| chance_waiting(chance) * likely).sum::<f64>()
        };
        chances.chunks_exact(self.kinds().len()).map(mean_chance).fold(0.0, f64::max)
    }
}

/// Returns the weight of each kind, by plan: one plan for each kind, and the mixed plan last.
pub(super) fn plans(mixture: &Model) -> Vec<Vec<f64>> {
    let kinds = mixture.terms().len();
    let only = |kind: usize| (0..kinds).map(|other| if other == kind { 1.0 } else { 0.0 }).collect();
    let mut plans: Vec<Vec<f64>> = (0..kinds).map(only).collect();
    if kinds > 1 {
        plans.push(mixture.terms().iter().map(|&(share, _)| share).collect());
    }
    plans
}
