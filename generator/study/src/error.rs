//! The error of all studies.

use std::collections::TryReserveError;
use std::io;

use bouton_tables::grundy::GrundyError;
use bouton_tables::{AskError, PositionError, TooManyPositions};
use thiserror::Error;

use crate::Stopped;
use crate::filter::FilterError;
use crate::words::grouped;

pub(crate) type Result<T, E = StudyError> = std::result::Result<T, E>;

/// Why a study of tables has no result.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages explain the variants")]
pub enum StudyError {
    #[error(transparent)]
    Damaged(#[from] AskError),
    /// One of two compared tables is damaged; `table` is "A" or "B".
    #[error("{table}: {why}")]
    DamagedOf { table: char, why: AskError },
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
    #[error(transparent)]
    TooMany(#[from] TooManyPositions),
    /// The game has no Grundy values.
    #[error(transparent)]
    Grundy(GrundyError),
    /// The table contradicts itself, the Grundy values, or the theorem that decides its game.
    #[error("{0}")]
    Wrong(String),
    #[error("not enough memory to analyze this: {0}; analyze fewer stones or lines, or use a larger machine")]
    Memory(#[from] TryReserveError),
    #[error(transparent)]
    Io(#[from] io::Error),
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

/// Returns the number of positions that a study visits. If it exceeds `most`, `message` makes the error from both numbers.
pub(crate) fn check_count(
    positions: u64,
    most: u64,
    message: impl FnOnce(&str, &str) -> String,
) -> Result<u64> {
    if positions <= most {
        return Ok(positions);
    }
    Err(StudyError::Long(message(&grouped(positions), &grouped(most))))
}
