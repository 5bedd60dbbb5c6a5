//! Models of opponents: how likely somebody is to make each move.
//!
//! A perfect opponent never errs, and against one all moves of a lost position are as good. Real opponents do
//! err, each in his own way, and a model says how. It is data, with a text of its own ([`Model`]); the best
//! response to it is computed by [`Chances`].

mod chances;
mod habit;
mod model_notation;

pub use chances::{Chances, ChancesError};
pub use habit::{Habit, Intention, Preference, WhenLost};
pub use model_notation::{MODELS_HELP, ModelError};

use bouton_tables::AskError;

use crate::Playable;

/// A mixture of habits: at each of his moves the opponent follows one of them, drawn by weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Each with its share; the shares add up to 1.
    terms: Vec<(f64, Habit)>,
}

impl Model {
    /// The habits, each with its share of the moves.
    #[must_use]
    pub fn terms(&self) -> &[(f64, Habit)] {
        &self.terms
    }

    /// How likely the opponent is to make a legal move.
    ///
    /// # Errors
    /// If the table does not cover the position, or is damaged.
    pub fn likelihood<G: Playable>(
        &self,
        table: &G::Table,
        position: &G::Position,
        chosen: G::Move,
    ) -> Result<f64, AskError> {
        self.terms.iter().try_fold(0.0, |sum, (share, habit)| {
            Ok(sum + share * habit.likelihood::<G>(table, position, chosen)?)
        })
    }

    /// Whether it can only be of Expanding Nim: whether it speaks of resets.
    #[must_use]
    pub fn speaks_of_resets(&self) -> bool {
        self.terms.iter().any(|(_, habit)| habit.intention == Intention::Misread)
    }
}

impl From<Habit> for Model {
    fn from(habit: Habit) -> Self {
        Self { terms: vec![(1.0, habit)] }
    }
}
