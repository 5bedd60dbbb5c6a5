//! What a family tells of itself to be mapped.

use bouton_tables::Game;

/// A family whose games can be mapped.
pub trait Mapped: Game<Position: Eq + std::hash::Hash> {
    /// How labels are to be read.
    fn notation(&self) -> &'static str {
        ""
    }

    /// The start of the ruleset.
    fn opening(&self) -> Self::Position;

    /// The same for all positions that are the same.
    fn key(position: &Self::Position) -> Self::Position;

    /// Its label, in lines.
    fn label(&self, position: &Self::Position) -> Vec<String>;

    /// Its level: stones left, and passes left.
    fn level(position: &Self::Position) -> (u64, u8);
}
