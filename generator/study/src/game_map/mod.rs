//! A small game whole: its positions by stones left, and all moves.

mod graph;
mod mapped;
mod places;

use bouton_tables::{Game, Solved};

pub use self::graph::{Edge, Graph, MapError, Node, Reached};
pub use self::mapped::Mapped;
pub use self::places::places;

/// The map of all that can be reached from a position.
///
/// Positions that differ only in the order of heaps or in the player to move are one.
///
/// # Errors
/// If there are too many positions or moves, or the table is damaged.
pub fn graph<S: Solved<Game: Mapped>>(
    table: &S,
    from: &<S::Game as Game>::Position,
) -> Result<Graph, MapError> {
    Ok(Graph::of(table, &Reached::collect(table.game(), from)?)?)
}
