//! The player that follows a model of an opponent.

use crate::models::Model;
use crate::{Choice, Failure, MoveRequest, Playable, Player, Solution};

/// Plays as a model says.
#[derive(Debug)]
pub struct ModelPlayer<G: Playable> {
    solution: Solution<G>,
    model: Model,
    rng: fastrand::Rng,
}

impl<G: Playable> ModelPlayer<G> {
    /// The seed decides every random choice.
    #[must_use]
    pub fn new(solution: Solution<G>, model: Model, seed: u64) -> Self {
        Self { solution, model, rng: fastrand::Rng::with_seed(seed) }
    }
}

impl<G: Playable> Player<G> for ModelPlayer<G> {
    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Failure> {
        let mut drawn = self.rng.f64();
        let terms = self.model.terms();
        let habit = terms.iter().find(|(share, _)| {
            drawn -= share;
            drawn < 0.0
        });
        let (_, habit) = habit.unwrap_or(&terms[terms.len() - 1]);
        Ok(Choice::Move(habit.draw::<G>(self.solution.get(), request.position, &mut self.rng)?))
    }
}
