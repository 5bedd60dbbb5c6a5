//! Players that need only the rules, or a table and a model.

use std::cmp::Reverse;

use bouton_tables::Game;

use crate::models::Model;
use crate::{Choice, MoveRequest, Playable, Player, Reason, Solution};

/// Makes any legal move, all equally likely.
#[derive(Debug)]
pub struct RandomPlayer {
    rng: fastrand::Rng,
}

impl RandomPlayer {
    /// Makes a player whose random choices depend on the seed only.
    pub fn new(seed: u64) -> Self {
        Self { rng: fastrand::Rng::with_seed(seed) }
    }
}

impl<G: Game> Player<G> for RandomPlayer {
    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
        let moves = request.game.moves(request.position).count();
        let chosen = request.game.moves(request.position).nth(self.rng.usize(..moves));
        Ok(Choice::Move(chosen.expect("the position has a move")))
    }
}

/// Takes as many stones as possible; of several such moves, makes the first: in Expanding Nim the one without a reset.
#[derive(Debug)]
pub struct GreedyPlayer;

impl<G: Game> Player<G> for GreedyPlayer {
    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
        // The first of the greatest: `max_by_key` would return the last.
        let moves = request.game.moves(request.position);
        let largest = moves.min_by_key(|&chosen| Reverse(request.game.stones_taken(chosen)));
        Ok(Choice::Move(largest.expect("the position has a move")))
    }
}

/// Plays like a model of an opponent.
#[derive(Debug)]
pub struct ModelPlayer<G: Playable> {
    solution: Solution<G>,
    model: Model,
    rng: fastrand::Rng,
}

impl<G: Playable> ModelPlayer<G> {
    /// Makes a player whose random choices depend on the seed only.
    pub fn new(solution: Solution<G>, model: Model, seed: u64) -> Self {
        Self { solution, model, rng: fastrand::Rng::with_seed(seed) }
    }
}

impl<G: Playable> Player<G> for ModelPlayer<G> {
    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
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
