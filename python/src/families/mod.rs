//! The columns of numbers in which positions and moves of each family are read and written.

mod expanding;
mod heaps;

use bouton_study::filter::Fields;
use bouton_tables::{Answer, AskError, PositionOf, Solved};

use crate::any_order_cache::{CacheBounds, CachedAnswer};

/// A game whose positions and moves can be written in columns.
pub(crate) trait InColumns: Fields {
    /// Returns for each column of a position one more than its greatest number; `None` if a cache would not be faster than lookups.
    fn radices(&self) -> Option<Vec<u32>>;

    /// Overwrites a position with the position that has these numbers in its columns. Does not check that a table covers it. If a
    /// number is invalid, the error names it; the position may then be partly overwritten. Only a [wide first
    /// column](Self::is_first_wide) has numbers of more than 32 bits.
    fn set(&self, position: &mut Self::Position, number: impl Fn(usize) -> u64) -> Result<(), String>;

    /// Returns true if 32 bits may not hold the numbers of the first column.
    fn is_first_wide(&self) -> bool {
        false
    }

    /// Lists the columns of a move: the name of each, and the bytes of an item.
    fn move_columns(&self) -> Vec<(String, usize)>;

    /// Returns the number in one of these columns for a move.
    fn number_of_move(&self, chosen: Self::Move, column: usize) -> u32;

    /// Returns the bounds of heaps and passes if a move takes from one heap: all orders of heaps can then share an answer in a cache.
    fn cache_bounds(&self) -> Option<CacheBounds<'_>> {
        None
    }

    /// Returns the part of an answer that a cache stores, from a table with depths. Called only for games with
    /// [`cache_bounds`](Self::cache_bounds). Looks up further positions; this fails if the table is damaged there.
    fn cached_answer<S: Solved<Game = Self>>(
        _table: &S,
        _position: &PositionOf<S>,
        _answer: &Answer<Self::Move, &S::WinningMoves>,
    ) -> Result<CachedAnswer, AskError> {
        unreachable!("the game has no cache bounds")
    }
}
