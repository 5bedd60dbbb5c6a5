//! Studies of whole tables of solved games.
//!
//! [`diff`] compares two tables. [`export`] writes the positions that a [`Filter`](filter::Filter) selects. [`analyze`] finds periods
//! and agreement with theorems. [`check`] tests a user's claim at all positions. [`game_map`] lays out all positions of a small game.
//! [`sheet`] makes a printable sheet for a player at the board. Each module defines a trait for what it needs to know about a game;
//! the folder `families` implements these traits for each family.

pub mod analyze;
pub mod check;
pub mod diff;
mod error;
pub mod export;
mod families;
pub mod filter;
pub mod game_map;
mod groups;
pub mod sheet;
mod spread;
mod values;
pub mod words;

pub use error::StudyError;
pub use spread::spread;

/// Maximum number of positions that a study visits one by one, which takes hours.
pub const MAX_POSITIONS: u64 = 1_000_000_000_000;

/// Progress callback. Any thread calls it with the number of steps done since the last call; an error from it stops the work.
pub type Progress<'a> = dyn Fn(u64) -> Result<(), Stopped> + Sync + 'a;

/// The [`Progress`] callback stopped the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the end")]
pub struct Stopped;
