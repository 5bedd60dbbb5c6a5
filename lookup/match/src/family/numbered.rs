//! Numbers of positions, by which values are stored.

use super::Playable;

/// A game whose positions are numbered.
pub trait Numbered: Playable {
    /// The numbers of its positions.
    type Numbers: Numbers<Self>;

    /// The numbers of the positions that a table of these rules covers.
    fn numbers(&self) -> Self::Numbers;
}

/// Numbers of positions, from 0 up. Positions with the same future share a number.
pub trait Numbers<G: Playable>: std::fmt::Debug + Send + Sync {
    /// One more than the greatest number.
    fn count(&self) -> u64;

    /// The number of a position, which must be covered.
    fn of(&self, position: &G::Position) -> u64;

    /// A position for every number, layer by layer: every move leads to an earlier layer.
    fn layers(&self) -> impl Iterator<Item = Vec<G::Position>>;
}
