//! What players ask of a game.

use bouton_tables::{Answer, FamilyTable, Game, Map, Solved};

/// A game that players with and without a table can play.
pub trait Playable: Game<Position: Send + Sync, Move: Send + Sync> + Send + Sync + 'static {
    /// Its tables.
    type Table: Solved<Game = Self> + std::fmt::Debug + Sync;

    /// The table as one of this family; `None` if it is of another.
    fn of_table(table: &FamilyTable<Map>) -> Option<&Self::Table>;

    /// The text of the start of a game with this many stones; `None` where that alone does not make a start.
    fn start_of(stones: u32) -> Option<String>;

    /// Whether players can impose resets.
    fn has_resets(&self) -> bool;

    /// The position for which a player takes this one who, after a reset, believes that the limit shown follows from
    /// the most stones ever taken. The position itself where there is nothing to misread.
    fn misread(&self, position: &Self::Position) -> Self::Position;

    /// The same position with its heaps in order, the largest first; `None` if they are in order already.
    fn in_order(position: &Self::Position) -> Option<Self::Position>;

    /// The move of `position` that is `chosen` in the same position with its heaps in order.
    fn out_of_order(position: &Self::Position, chosen: Self::Move) -> Self::Move;

    /// The move with a reset imposed; `None` if moves of this family impose none.
    fn with_reset(chosen: Self::Move) -> Option<Self::Move>;
}

/// The answer of a game's table.
pub type AnswerOf<G> = Answer<<G as Game>::Move, <<G as Playable>::Table as Solved>::Winning>;
