//! The columns of positions and moves of each family.

mod expanding;
mod heaps;

use bouton_tables::{Answer, AskError, Game, PositionOf, Solved};

use crate::any_order_cache::{CacheBounds, CachedAnswer};
use crate::columns::PositionColumn;

/// A game whose positions and moves can be written in columns.
pub(crate) trait InColumns: Game {
    /// Lists the columns of a position.
    fn fields(&self) -> Vec<PositionColumn>;

    /// Returns one more than the greatest number in each column of a position; `None` if a cache would not be faster than lookups.
    fn radices(&self) -> Option<Vec<u32>>;

    /// Overwrites a position with the one that has these numbers in its columns. Does not check that a table covers it.
    ///
    /// # Errors
    /// Says which number is invalid; the position may then be partly overwritten.
    fn set(&self, position: &mut Self::Position, number: impl Fn(usize) -> u32) -> Result<(), String>;

    /// Lists the columns of a move: the name of each, and the bytes of an item.
    fn move_columns(&self) -> Vec<(String, usize)>;

    /// Returns the number of a move in one of these columns.
    fn number_of_move(&self, chosen: Self::Move, column: usize) -> u32;

    /// Returns the bounds of a game in which a move takes from one heap: all orders of heaps can then share an answer in a cache.
    fn cache_bounds(&self) -> Option<CacheBounds<'_>> {
        None
    }

    /// Returns the part of an answer for the cache, for a table with depths. Called only for games with
    /// [`cache_bounds`](Self::cache_bounds).
    ///
    /// # Errors
    /// If the table is damaged at the position after a move that may tie with the best one.
    fn cached_answer<S: Solved<Game = Self>>(
        _table: &S,
        _position: &PositionOf<S>,
        _answer: &Answer<Self::Move, &S::WinningMoves>,
    ) -> Result<CachedAnswer, AskError> {
        unreachable!("the game has no shape")
    }
}
