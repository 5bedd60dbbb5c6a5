//! Errors of drawing.

use bouton_study::Stopped;
use bouton_study::filter::FilterError;
use bouton_study::game_map::MapError;
use bouton_study::words::grouped;
use bouton_tables::grundy::GrundyError;
use bouton_tables::{AskError, PositionError};
use thiserror::Error;

/// The result of drawing.
pub(crate) type Result<T, E = DrawError> = std::result::Result<T, E>;

/// Why a picture cannot be drawn.
#[derive(Debug, Error)]
pub enum DrawError {
    /// The filter is invalid.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// The request or recorded game is invalid, does not suit the table, or is too large for a picture.
    #[error("{0}")]
    Invalid(String),
    /// The start of a map is not a position of the game.
    #[error("--from: {0}")]
    From(PositionError),
    /// The table is damaged, or does not cover the position.
    #[error(transparent)]
    Table(#[from] AskError),
    /// The progress callback stopped the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Checks that a picture has at most `limit` things, called `what`; `advice` says how to request fewer.
pub(crate) fn check_count(limit: u64, what: &str, found: u64, advice: &str) -> Result<()> {
    if found <= limit { Ok(()) } else { Err(too_many(limit, what, found, advice)) }
}

fn too_many(limit: u64, what: &str, found: u64, advice: &str) -> DrawError {
    let limit_shown = grouped(limit);
    // Counting may have stopped just beyond the limit.
    let number = if found == limit + 1 { format!("more than {limit_shown}") } else { grouped(found) };
    DrawError::Invalid(format!(
        "the picture would have {number} {what}, and at most {limit_shown} can be drawn; {advice}"
    ))
}

impl From<GrundyError> for DrawError {
    fn from(error: GrundyError) -> Self {
        match error {
            GrundyError::Cancelled => Stopped.into(),
            other => Self::Invalid(other.to_string()),
        }
    }
}

impl From<MapError> for DrawError {
    fn from(error: MapError) -> Self {
        match error {
            // The total is unknown: the search stopped beyond the limit.
            MapError::TooLarge { what, limit } => too_many(
                limit,
                what,
                limit + 1,
                "draw what can be reached from a later position with --from POSITION, or a smaller game with --set",
            ),
            MapError::Table(error) => Self::Table(error),
        }
    }
}
