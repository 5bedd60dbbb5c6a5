//! Errors of drawing.

use bouton_study::Stopped;
use bouton_study::game_map::MapError;
use bouton_study::select::FilterError;
use bouton_study::words::grouped;
use bouton_tables::grundy::GrundyError;
use bouton_tables::{AskError, PositionError};
use thiserror::Error;

/// Why a picture cannot be drawn.
#[derive(Debug, Error)]
pub enum DrawError {
    /// An invalid filter.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// An invalid request or game, one that does not suit the table, or one too large for a picture.
    #[error("{0}")]
    Invalid(String),
    /// The start of a map is not a position of the game.
    #[error("--from: {0}")]
    From(PositionError),
    /// The table is damaged, or does not know the position.
    #[error(transparent)]
    Table(#[from] AskError),
    /// The progress callback stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Checks that `found` does not exceed `limit`; `narrow` says how to request less.
pub(crate) fn at_most(limit: u64, what: &str, found: u64, narrow: &str) -> Result<(), DrawError> {
    if found <= limit { Ok(()) } else { Err(too_much(limit, what, found, narrow)) }
}

fn too_much(limit: u64, what: &str, found: u64, narrow: &str) -> DrawError {
    let limit_shown = grouped(limit);
    // Counting may have stopped just beyond the limit.
    let many = if found == limit + 1 { format!("more than {limit_shown}") } else { grouped(found) };
    DrawError::Invalid(format!(
        "the picture would have {many} {what}, and at most {limit_shown} can be drawn; {narrow}"
    ))
}

impl From<GrundyError> for DrawError {
    fn from(error: GrundyError) -> Self {
        Self::Invalid(error.to_string())
    }
}

impl From<MapError> for DrawError {
    fn from(error: MapError) -> Self {
        match error {
            // The total is unknown.
            MapError::TooLarge { what, limit } => too_much(
                limit,
                what,
                limit + 1,
                "draw what can be reached from a later position with --from POSITION, or a smaller game with --set",
            ),
            MapError::Table(error) => Self::Table(error),
        }
    }
}
