//! What a map needs of a family.

use bouton_tables::Game;

/// A family whose games can be mapped.
pub trait Mapped: Game<Position: Eq + std::hash::Hash> {
    /// How labels are to be read.
    fn notation(&self) -> &'static str {
        ""
    }

    /// The position that stands for all those that are the same: with its heaps sorted, or with player 1 to move.
    fn key(position: &Self::Position) -> Self::Position;

    /// The label of a position, in lines.
    fn label(&self, position: &Self::Position) -> Vec<String>;

    /// The level of a position: stones left, and passes left.
    fn level(position: &Self::Position) -> (u64, u8);
}
