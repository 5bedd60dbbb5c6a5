//! Sets of positions that are numbered: all of a table, or those that two tables have in common.

mod expanding;
mod heaps;

use bouton_tables::Game;
use rayon::prelude::*;

pub(crate) use expanding::Stones;
pub(crate) use heaps::Multisets;

/// Positions with numbers from 0 up, in natural order: Expanding Nim by stones, then currentmax, turn, both
/// players' resets, and whether a reset is imposed; heap games by their heaps, the greatest first, then by
/// passes.
pub(crate) trait Region: Sync {
    /// The game.
    type Game: Game;

    /// How many there are.
    fn count(&self) -> u64;

    /// The positions from a number on, in order. Heaps come in ascending order.
    fn walk(&self, from: u64) -> impl Iterator<Item = <Self::Game as Game>::Position>;

    /// The number of a position, which must be one of them; its heaps may be in any order.
    fn number(&self, position: &<Self::Game as Game>::Position) -> u64;

    /// Looks at all positions, some thousand at a time and by all threads: `look` is given the number of the
    /// first and the positions from it on, and `join` puts together what was seen of some and of those that
    /// follow them.
    ///
    /// # Errors
    /// One that `look` reports.
    fn in_chunks<T: Default + Send, E: Send>(
        &self,
        look: impl Fn(u64, &mut dyn Iterator<Item = <Self::Game as Game>::Position>) -> Result<T, E> + Sync,
        join: impl Fn(T, T) -> T + Sync,
    ) -> Result<T, E> {
        // By number and not by range: only then does rayon join what follows each other.
        let chunks = self.count().div_ceil(CHUNK) as usize;
        let look = |chunk: usize| {
            let first = chunk as u64 * CHUNK;
            look(first, &mut self.walk(first).take(CHUNK as usize))
        };
        (0..chunks)
            .into_par_iter()
            .map(look)
            .try_reduce(T::default, |earlier, later| Ok(join(earlier, later)))
    }
}

/// Positions that one thread looks at in one go.
pub(crate) const CHUNK: u64 = 4096;
