//! The error of all studies.

use std::collections::TryReserveError;
use std::io;

use bouton_tables::grundy::GrundyError;
use bouton_tables::{AskError, PositionError, TooManyPositions};
use thiserror::Error;

use crate::Stopped;
use crate::filter::FilterError;

/// The result of a study.
pub(crate) type Result<T, E = StudyError> = std::result::Result<T, E>;

/// Why a study of tables has no result.
#[derive(Debug, Error)]
pub enum StudyError {
    /// The table is damaged.
    #[error(transparent)]
    Damaged(#[from] AskError),
    /// One of two compared tables is damaged; `table` is "A" or "B".
    #[error("{table}: {why}")]
    DamagedOf {
        /// The letter of the table.
        table: char,
        /// The damage.
        why: AskError,
    },
    /// The filter does not parse.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// The first position of a map is not one of the game.
    #[error("--from: {0}")]
    MapStart(PositionError),
    /// The request does not parse, or does not suit the rules or the table.
    #[error("{0}")]
    Invalid(String),
    /// The study would take days, or its result would be too long.
    #[error("{0}")]
    Long(String),
    /// There are too many positions.
    #[error(transparent)]
    TooMany(#[from] TooManyPositions),
    /// The game has no Grundy values.
    #[error(transparent)]
    Grundy(GrundyError),
    /// The table contradicts itself, the Grundy values, or the theorem that decides its game.
    #[error("{0}")]
    Wrong(String),
    /// An allocation failed.
    #[error("not enough memory to analyze this: {0}; analyze fewer stones or lines, or use a larger machine")]
    Memory(#[from] TryReserveError),
    /// The output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The callback stopped the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<GrundyError> for StudyError {
    fn from(error: GrundyError) -> Self {
        match error {
            GrundyError::Cancelled => Stopped.into(),
            other => Self::Grundy(other),
        }
    }
}
