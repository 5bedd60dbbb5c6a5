//! Why there is no picture.

use bouton_study::diff::FamiliesDiffer;
use bouton_study::game_map::MapError;
use bouton_study::select::FilterError;
use bouton_study::words::grouped;
use bouton_tables::{AskError, PositionError};
use thiserror::Error;

/// Why a picture cannot be drawn.
#[derive(Debug, Error)]
pub enum DrawError {
    /// Depths are asked of a table that holds none.
    #[error("{what} needs depths, and the table holds none; {instead}generate it again without --no-depth")]
    NoDepths {
        /// What is to be drawn.
        what: &'static str,
        /// What can be drawn instead; may be empty.
        instead: &'static str,
    },
    /// An invalid filter.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// A filter that leaves no plane.
    #[error("{0}")]
    Plane(String),
    /// Two tables of different families.
    #[error(transparent)]
    Families(#[from] FamiliesDiffer),
    /// A picture of starts that a family does not have.
    #[error(
        "pictures of starts are of Expanding Nim, where a game can start with each number of stones; this is game \"{game}\": draw \
         it with `bouton draw heatmap` or `bouton draw game-map`"
    )]
    NoStarts {
        /// The family.
        game: &'static str,
    },
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
    /// An invalid position.
    #[error("{place}: {reason}")]
    Position {
        /// Where it stands.
        place: String,
        /// What is wrong with it.
        reason: PositionError,
    },
    /// A table of another game than the one to be drawn.
    #[error(
        "the table is of another game ({table}) than the transcript ({game}); give a table of its rules, or leave --table out"
    )]
    OtherGame {
        /// What the table is of.
        table: String,
        /// What was played.
        game: String,
    },
    /// An invalid line of a transcript.
    #[error("{0}")]
    Transcript(String),
    /// The table is damaged, or does not know the position.
    #[error(transparent)]
    Table(#[from] AskError),
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
