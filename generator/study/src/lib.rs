//! Questions to whole tables of solved games.
//!
//! [`diff`] compares two tables, [`export`] writes positions as rows, chosen by a [`select::Filter`], [`analyze`]
//! looks for order, [`check`] holds a claim against all positions, [`game_map`] lays a small game out whole, and [`sheet`] puts
//! on paper what a player needs at the board. Each works for every family of games: it
//! defines a trait with what it needs of a family, and the folder `families` implements it for each of them.

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

/// The most positions that are looked at one by one, which takes hours.
pub const MOST_POSITIONS: u64 = 1_000_000_000_000;

/// Is told how many more steps are done, from any thread, and says whether the work goes on.
pub type Progress<'a> = dyn Fn(u64) -> Result<(), Stopped> + Sync + 'a;

/// The work was stopped by whoever was told of its [`Progress`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the end")]
pub struct Stopped;
