//! Sets of positions that are numbered: all of a table, or those that two tables have in common.

use std::ops::Range;

use bouton_tables::Game;
use rayon::prelude::*;
use thiserror::Error;

use crate::select::{Fields, Filter};
use crate::words::grouped;

/// Rules with more positions than can be gone through.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "these rules have {} positions, too many to go through one by one; take fewer stones or smaller heaps",
    grouped(*positions)
)]
pub struct TooManyPositions {
    /// How many there are; the greatest u64 stands for more.
    pub positions: u64,
}

/// Positions with numbers from 0 up, in natural order: Expanding Nim by stones, then currentmax, turn, both
/// players' resets, and whether a reset is imposed; heap games by their heaps, the greatest first, then by
/// passes.
pub(crate) trait Region: Sync {
    /// The game.
    type Game: Fields;

    /// How many there are.
    fn count(&self) -> u64;

    /// The positions from a number on, in order. Heaps come in ascending order.
    fn walk(&self, from: u64) -> impl Iterator<Item = <Self::Game as Game>::Position>;

    /// The number of a position, which must be one of them; its heaps may be in any order.
    fn number(&self, position: &<Self::Game as Game>::Position) -> u64;

    /// The numbers of the groups that can have positions which a filter chooses, in natural order.
    fn groups(&self, _filter: &Filter) -> Range<u64> {
        0..self.count().div_ceil(CHUNK)
    }

    /// The positions of a group that a filter chooses by the position's own fields.
    fn group(&self, filter: &Filter, group: u64) -> impl Iterator<Item = <Self::Game as Game>::Position> {
        let positions = self.walk(group * CHUNK).take(CHUNK as usize);
        positions.filter(move |position| filter.has_position::<Self::Game>(position))
    }

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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    type Positions<R> = Vec<<<R as Region>::Game as Game>::Position>;

    /// The positions that a filter chooses, by its groups.
    pub(crate) fn walked_in_groups<R: Region>(region: &R, filter: &Filter) -> Positions<R> {
        region.groups(filter).flat_map(|group| region.group(filter, group)).collect()
    }

    /// The same, one by one.
    pub(crate) fn walked<R: Region>(region: &R, filter: &Filter) -> Positions<R> {
        region.walk(0).filter(|position| filter.has_position::<R::Game>(position)).collect()
    }
}
