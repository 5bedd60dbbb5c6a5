//! What each family looks like on a board.

mod expanding;
mod heaps;
