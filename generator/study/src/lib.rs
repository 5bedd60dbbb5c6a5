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
pub mod words;

pub use spread::spread;

use bouton_tables::grundy::{GrundyError, GrundyValues, Valued};

/// The most positions that are looked at one by one, which takes hours.
pub const MOST_POSITIONS: u64 = 1_000_000_000_000;

/// Is told how many more steps are done, from any thread, and says whether the work goes on.
pub type Progress<'a> = dyn Fn(u64) -> Result<(), Stopped> + Sync + 'a;

/// The Grundy values of positions up to a last one, each of which is a step of progress, unless they follow from those of heaps.
///
/// # Errors
/// If there are none in this game, or too many positions, or if it is stopped.
pub fn grundy_values<G: Valued, E: From<GrundyError> + From<Stopped>>(
    game: &G,
    last: &G::Position,
    progress: &Progress,
) -> Result<GrundyValues<G>, E> {
    GrundyValues::up_to(game, last, &mut |steps| progress(steps).is_ok()).map_err(|error| match error {
        GrundyError::Cancelled => Stopped.into(),
        other => other.into(),
    })
}

/// The work was stopped by whoever was told of its [`Progress`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the end")]
pub struct Stopped;
