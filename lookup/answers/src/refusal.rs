//! Why there is no answer.

use bouton_lookup::LookUpError;
use bouton_tables::{AskError, PositionError};
use thiserror::Error;

/// Why a question has no answer: what was found, what is allowed, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// What is asked cannot be asked of these tables.
    #[error("{0}")]
    Question(String),
    /// It is not the spelling of a ruleset.
    #[error("{0}")]
    Rules(String),
    /// It is no position of the table.
    #[error("{0}")]
    Position(String),
    /// It is no move, or not a legal one.
    #[error("{0}")]
    Move(String),
    /// The answer would take more work, or be longer, than is allowed.
    #[error("{0}")]
    TooMuch(String),
    /// The table is damaged where it was asked.
    #[error("{0}")]
    Damaged(String),
}

/// What kind of a refusal it is, for programs and for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The status of an HTTP response that says so.
    pub status: u16,
    /// A name.
    pub name: &'static str,
    /// In words.
    pub title: &'static str,
}

impl Refusal {
    /// What kind it is.
    pub fn kind(&self) -> Kind {
        let (status, name, title) = match self {
            Self::Question(_) => (400, "bad-request", "Invalid request"),
            Self::Rules(_) => (400, "bad-rules", "Invalid rules"),
            Self::Position(_) => (400, "bad-position", "Invalid position"),
            Self::Move(_) => (400, "bad-move", "Invalid move"),
            Self::TooMuch(_) => (422, "too-much", "The answer would exceed a limit"),
            Self::Damaged(_) => (503, "damaged-table", "The table is damaged"),
        };
        Kind { status, name, title }
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
