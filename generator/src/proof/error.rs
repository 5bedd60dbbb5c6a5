//! Why a proof fails.

use bouton_tables::{AskError, Damage, Header};
use thiserror::Error;

use super::counts::Counts;
use crate::making::GenerateError;

/// A position whose entry does not follow from its successors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The position.
    pub position: String,
    /// The part of the entry that is wrong.
    pub what: &'static str,
    /// The value in the table.
    pub found: String,
    /// The value that follows from the successors.
    pub follows: String,
}

/// Why a verification failed.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// The file is not whole.
    #[error(transparent)]
    Damaged(#[from] Damage),
    /// An allocation failed.
    #[error("there is not enough memory to verify the table; verify it on a larger machine")]
    Memory,
    /// The proof needs more memory than it may use.
    #[error(
        "verifying this table takes at least {least} bytes of memory, and {limit} may be used; allow more"
    )]
    TooLittle {
        /// Minimum memory, in bytes.
        least: u64,
        /// Allowed memory, in bytes.
        limit: u64,
    },
    /// The control cancelled.
    #[error("the table was not verified: the run was cancelled")]
    Cancelled,
    /// The file is undamaged, but a position is wrong.
    #[error("the table is wrong at {}: its {} is {}, but its successors imply {}; generate it again", .0.position, .0.what, .0.found, .0.follows)]
    Wrong(Flaw),
    /// The file is undamaged, but contradicts itself.
    #[error("the table is wrong: {0}; generate it again")]
    Contradictory(String),
    /// The statistics in the header are wrong.
    #[error("the table is wrong: its header counts {stated}, there are {counted}; generate it again")]
    Miscounted {
        /// The header's statistics.
        stated: String,
        /// The statistics that the proof counted.
        counted: String,
    },
}

/// Proofs share allocation and cancellation with the solvers.
impl From<GenerateError> for VerifyError {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Cancelled => Self::Cancelled,
            _ => Self::Memory,
        }
    }
}

impl From<AskError> for VerifyError {
    fn from(error: AskError) -> Self {
        match error {
            // `check_whole` has passed, so the file was made wrong.
            AskError::Damaged(damage) => Self::Contradictory(damage.what),
            // The proof asks only for positions that follow from the rules.
            AskError::Position(error) => {
                Self::Miscounted { stated: "fewer positions".to_owned(), counted: format!("more ({error})") }
            }
        }
    }
}

impl Counts {
    /// Returns an error if the header states other counts.
    pub(crate) fn agree_with(&self, header: &Header) -> Result<(), VerifyError> {
        let stated = Self { positions: header.positions, wins: header.wins, deepest: header.deepest };
        if stated == *self {
            return Ok(());
        }
        let show = |counts: &Self| {
            format!(
                "{} positions, {} of them won, {} plies at most",
                counts.positions, counts.wins, counts.deepest
            )
        };
        Err(VerifyError::Miscounted { stated: show(&stated), counted: show(self) })
    }
}
