//! What stands in the columns of each family's positions and moves.

mod expanding;
mod heaps;

use bouton_tables::{Answer, AskError, Game, PositionOf, Solved};

use crate::columns::Field;
use crate::sorted::{Found, Shape};

/// A game whose positions and moves stand in columns.
pub(crate) trait InColumns: Game {
    /// The columns of a position.
    fn fields(&self) -> Vec<Field>;

    /// One more than the greatest number in each column of a position; `None` if answers are found as fast as they could be kept.
    fn radices(&self) -> Option<Vec<u32>>;

    /// Overwrites a position of the game with the one that has these numbers in its columns. Whether a table covers that is another
    /// question.
    ///
    /// # Errors
    /// What is wrong with a number. Any of the position may be overwritten then.
    fn set(&self, position: &mut Self::Position, number: impl Fn(usize) -> u32) -> Result<(), String>;

    /// The columns of a move: the name of each, and the bytes of an item.
    fn of_move(&self) -> Vec<(String, usize)>;

    /// What stands in such a column.
    fn number_of_move(&self, chosen: Self::Move, column: usize) -> u32;

    /// The bounds of a game whose answers can be kept for all orders of its heaps: one in which a move takes from one of them.
    fn shape(&self) -> Option<Shape<'_>> {
        None
    }

    /// What is kept of an answer, of a table that holds depths. Only games that have a [`shape`](Self::shape) are asked for it.
    ///
    /// # Errors
    /// If the table is damaged where a move leads that may tie with the best.
    fn found<S: Solved<Game = Self>>(
        _table: &S,
        _position: &PositionOf<S>,
        _answer: &Answer<Self::Move, &S::Winning>,
    ) -> Result<Found, AskError> {
        unreachable!("the game has no shape")
    }
}
