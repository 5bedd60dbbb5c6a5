//! Players that need no more than the rules, or a habit.

use bouton_tables::Game;

use crate::models::Model;
use crate::{Choice, Failure, Family, Player, Solution, Turn};

/// Makes any legal move, each as likely.
#[derive(Debug)]
pub struct RandomPlayer {
    rng: fastrand::Rng,
}

impl RandomPlayer {
    /// The seed decides all its moves.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: fastrand::Rng::with_seed(seed) }
    }
}

impl<G: Game> Player<G> for RandomPlayer {
    fn choose(&mut self, turn: &Turn<G>) -> Result<Choice<G::Move>, Failure> {
        let moves = turn.game.moves(turn.position).count();
        let chosen = turn.game.moves(turn.position).nth(self.rng.usize(..moves));
        Ok(Choice::Move(chosen.expect("whoever is asked has a move")))
    }
}

/// Takes as much as it may; of several such moves the first one, without a reset.
#[derive(Debug)]
pub struct GreedyPlayer;

impl<G: Game> Player<G> for GreedyPlayer {
    fn choose(&mut self, turn: &Turn<G>) -> Result<Choice<G::Move>, Failure> {
        let game = turn.game;
        let best = game.moves(turn.position).reduce(|best, chosen| {
            if game.stones_taken(chosen) > game.stones_taken(best) { chosen } else { best }
        });
        Ok(Choice::Move(best.expect("whoever is asked has a move")))
    }
}

/// Plays as a model says.
#[derive(Debug)]
pub struct HabitPlayer<F: Family> {
    solution: Solution<F>,
    model: Model,
    rng: fastrand::Rng,
}

impl<F: Family> HabitPlayer<F> {
    /// The seed decides all that the model leaves to chance.
    #[must_use]
    pub fn new(solution: Solution<F>, model: Model, seed: u64) -> Self {
        Self { solution, model, rng: fastrand::Rng::with_seed(seed) }
    }
}

impl<F: Family> Player<F> for HabitPlayer<F> {
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
