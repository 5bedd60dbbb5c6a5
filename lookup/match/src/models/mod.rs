//! Models of opponents: the probability of each move.
//!
//! Against a perfect opponent, all moves of a lost position are equally good. Real opponents err, each in their own
//! way. A [`Model`] gives the probability of each of the opponent's moves. [`Chances`] computes how likely the losing
//! side is to win after all, from each position, if it plays the best response to the model. [`Responses`] does so for
//! several kinds of opponents.

mod by_lines;
mod chances;
mod chances_file;
mod habit;
mod induction;
mod model_notation;
mod responses;
mod stored_chance;

pub use chances::Chances;
pub use chances_file::{ChancesFile, ChancesHeader, encode_chances};
pub use habit::{Habit, Intention, Preference, Situation, WhenLost};
pub use induction::ChancesError;
pub use model_notation::MODELS_HELP;
pub use responses::Responses;

use crate::Playable;

/// A mixture of habits: at each move the opponent follows one of them at random.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Each habit with its probability; the sum is 1.
    terms: Vec<(f64, Habit)>,
}

impl Model {
    /// Returns the habits, each with its probability.
    pub fn terms(&self) -> &[(f64, Habit)] {
        &self.terms
    }

    /// Refuses a model about resets if the game has none.
    pub(crate) fn check_fits<G: Playable>(&self) -> Result<(), String> {
        let is_about_resets = self.terms.iter().any(|(_, habit)| habit.intention == Intention::Misread);
        if is_about_resets && !G::HAS_RESETS {
            return Err(format!(
                "the model {self} is about resets, which this game does not have; err:E works for every game"
            ));
        }
        Ok(())
    }
}

impl From<Habit> for Model {
    fn from(habit: Habit) -> Self {
        Self { terms: vec![(1.0, habit)] }
    }
}
