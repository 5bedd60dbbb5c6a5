//! The reasons why a question has no answer.

use bouton_lookup::LookUpError;
use bouton_tables::{AskError, PositionError};
use thiserror::Error;

/// The reason why a question has no answer. The text names the value found, the values allowed, and a remedy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub enum Refusal {
    /// The question is invalid, or does not suit these tables.
    Question(String),
    /// The name does not spell a ruleset.
    Rules(String),
    /// The text is not a position of the table.
    Position(String),
    /// The text is not a move, or the move is illegal.
    Move(String),
    /// The answer would exceed the limit on work or on length.
    TooMuch(String),
    /// The part of the table that the answer needs is damaged.
    Damaged(String),
}

impl Refusal {
    /// Returns the kind of the refusal: the status of the HTTP response, a name for programs that never changes, and the
    /// kind in words.
    pub fn kind(&self) -> (u16, &'static str, &'static str) {
        match self {
            Self::Question(_) => (400, "bad-request", "Invalid request"),
            Self::Rules(_) => (400, "bad-rules", "Invalid rules"),
            Self::Position(_) => (400, "bad-position", "Invalid position"),
            Self::Move(_) => (400, "bad-move", "Invalid move"),
            Self::TooMuch(_) => (422, "too-much", "The answer would exceed a limit"),
            Self::Damaged(_) => (503, "damaged-table", "The table is damaged"),
        }
    }
}

impl From<PositionError> for Refusal {
    fn from(error: PositionError) -> Self {
        Self::Position(error.to_string())
    }
}

impl From<LookUpError> for Refusal {
    fn from(error: LookUpError) -> Self {
        match error {
            LookUpError::Ask(error) => error.into(),
            LookUpError::TooManyMoves { .. } => Self::TooMuch(error.to_string()),
        }
    }
}

impl From<AskError> for Refusal {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Position(error) => error.into(),
            AskError::Damaged(damage) => Self::Damaged(damage.to_string()),
        }
    }
}
