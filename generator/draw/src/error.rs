//! Why there is no picture.

use bouton_study::diff::FamiliesDiffer;
use bouton_study::game_map::MapError;
use bouton_study::select::FilterError;
use bouton_study::words::grouped;
use bouton_tables::AskError;
use thiserror::Error;

/// Why a picture cannot be drawn.
#[derive(Debug, Error)]
pub enum DrawError {
    /// An invalid filter.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// What is asked for, or the game to be drawn, is invalid or does not suit the table.
    #[error("{0}")]
    Invalid(String),
    /// Two tables of different families.
    #[error(transparent)]
    Families(#[from] FamiliesDiffer),
    /// Too much for one picture.
    #[error("the picture would have {} {what}, and at most {} can be drawn; {narrow}", many(*found, *limit), grouped(*limit))]
    TooLarge {
        /// Of what there is too much.
        what: &'static str,
        /// How much, or at least how much.
        found: u64,
        /// How much there can be.
        limit: u64,
        /// How to ask for less.
        narrow: &'static str,
    },
    /// The table is damaged, or does not know the position.
    #[error(transparent)]
    Table(#[from] AskError),
}

/// Refuses a picture of too much, `found` where `limit` is the most; `narrow` says how to ask for less.
pub(crate) fn at_most(
    limit: u64,
    what: &'static str,
    found: u64,
    narrow: &'static str,
) -> Result<(), DrawError> {
    if found <= limit { Ok(()) } else { Err(DrawError::TooLarge { what, found, limit, narrow }) }
}

/// How much there is, where counting may have ended just beyond the limit.
fn many(found: u64, limit: u64) -> String {
    if found == limit + 1 { format!("more than {}", grouped(limit)) } else { grouped(found) }
}

impl From<MapError> for DrawError {
    fn from(error: MapError) -> Self {
        match error {
            MapError::TooLarge { what, limit } => Self::TooLarge {
                what,
                // It is not known how many there are in all.
                found: limit + 1,
                limit,
                narrow: "draw what can be reached from a later position with --from POSITION, or a smaller game with --set",
            },
            MapError::Table(error) => Self::Table(error),
        }
    }
}
