//! The player that does as a model says.

use crate::models::Model;
use crate::{Choice, Failure, Family, Player, Solution, Turn};

/// Plays as a model says.
#[derive(Debug)]
pub struct ModelPlayer<F: Family> {
    solution: Solution<F>,
    model: Model,
    rng: fastrand::Rng,
}

impl<F: Family> ModelPlayer<F> {
    /// The seed decides all that the model leaves to chance.
    #[must_use]
    pub fn new(solution: Solution<F>, model: Model, seed: u64) -> Self {
        Self { solution, model, rng: fastrand::Rng::with_seed(seed) }
    }
}

impl<F: Family> Player<F> for ModelPlayer<F> {
    fn choose(&mut self, turn: &Turn<F>) -> Result<Choice<F::Move>, Failure> {
        let mut drawn = self.rng.f64();
        let terms = self.model.terms();
        let habit = terms.iter().find(|(share, _)| {
            drawn -= share;
            drawn < 0.0
        });
        let (_, habit) = habit.unwrap_or(&terms[terms.len() - 1]);
        Ok(Choice::Move(habit.draw::<F>(self.solution.get(), turn.position, &mut self.rng)?))
    }
}
