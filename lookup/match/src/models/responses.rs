//! The best responses to several kinds of opponents, and how each of them does against every kind.
//!
//! A player that does not know which kind of opponent it has chooses a *plan*: the best response to one of the kinds, to be
//! followed to the end. In a lost position a plan has a chance against each kind, and the player takes the plan with the
//! greatest chance on the whole, each kind weighed by how likely it is. After each move of the opponent the kinds are
//! weighed anew, and the player may take up another plan, which can only raise its chances.

use bouton_tables::Solved;

use super::induction;
use super::stored::waiting;
use super::{ChancesError, Model};
use crate::families::Numbers;
use crate::{Numbered, Solution, Watch};

/// For every position the chance of each plan against each kind.
#[derive(Debug)]
pub struct Responses<G: Numbered> {
    numbers: G::Numbers,
    kinds: Vec<Model>,
    /// As `induction` has them.
    chances: Vec<f32>,
}

impl<G: Numbered> Responses<G> {
    /// Computes them. `watch` hears how far that is.
    ///
    /// # Errors
    /// If a kind does not fit the game, there is not enough memory, or the table is damaged.
    pub fn compute(
        solution: &Solution<G>,
        kinds: Vec<Model>,
        watch: &dyn Watch,
    ) -> Result<Self, ChancesError> {
        let numbers = solution.get().game().numbers();
        let chances = induction::chances(solution, &numbers, &kinds, watch)?;
        Ok(Self { numbers, kinds, chances })
    }

    /// The kinds.
    pub fn kinds(&self) -> &[Model] {
        &self.kinds
    }

    /// The chance of a player when the opponent is to move, who is of each kind as likely as said: with the plan that is
    /// the best for that. The table must cover the position.
    pub fn waiting(&self, position: &G::Position, likely: &[f64]) -> f64 {
        let n = self.kinds.len();
        let at = self.numbers.of(position) as usize * n * n;
        let of_plan = |chances: &[f32]| {
            chances.iter().zip(likely).map(|(&chance, likely)| waiting(chance) * likely).sum::<f64>()
        };
        self.chances[at..at + n * n].chunks_exact(n).map(of_plan).fold(0.0, f64::max)
    }
}
