//! Questions to whole tables of solved games.
//!
//! [`diff`] compares two tables. [`export`] writes the positions that a [`select::Filter`] selects. [`analyze`] finds periods and
//! agreement with theorems. [`check`] tests a user's claim at all positions. [`game_map`] lays out all positions of a small game.
//! [`sheet`] makes a printable sheet for a player at the board. Each module defines a trait for its needs; the folder `families`
//! implements these traits for each family of games.

pub mod analyze;
pub mod check;
pub mod diff;
pub mod export;
mod families;
pub mod game_map;
mod groups;
pub mod select;
pub mod sheet;
mod spread;
mod values;
pub mod words;

pub use spread::spread;
pub use values::grundy_values;

/// The most positions that a study visits one by one, which takes hours.
pub const MOST_POSITIONS: u64 = 1_000_000_000_000;

/// Progress callback: called from any thread with the steps done since the last call; an error stops the work.
pub type Progress<'a> = dyn Fn(u64) -> Result<(), Stopped> + Sync + 'a;

/// The [`Progress`] callback stopped the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the end")]
pub struct Stopped;
