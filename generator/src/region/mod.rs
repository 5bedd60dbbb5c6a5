//! Sets of positions that are numbered: all of a table, or those that two tables have in common.

mod expanding;
mod heaps;

use bouton_tables::Game;

pub use expanding::Stones;
pub use heaps::Multisets;

/// Positions with numbers from 0 up, in natural order: Expanding Nim by stones, then currentmax, turn, both
/// players' resets, and whether a reset is imposed; heap games by their heaps, the greatest first, then by
/// passes.
pub trait Region: Sync {
    /// The game.
    type Game: Game;

    /// How many there are.
    fn count(&self) -> u64;

    /// The positions from a number on, in order. Heaps come in ascending order.
    fn walk(&self, from: u64) -> impl Iterator<Item = <Self::Game as Game>::Position>;

    /// The number of a position, which must be one of them; its heaps may be in any order.
    fn number(&self, position: &<Self::Game as Game>::Position) -> u64;
}
