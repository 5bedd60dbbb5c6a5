//! The interface of a kernel, and the census of solved cells.
//!
//! A kernel solves the block of a task in the order of ranks, so that the positions after each move come first. Example:
//! of the block's positions, {5,1} is solved before {5,2} and {6,0}.

use super::cell::{PositionCell, PositionCode};
use super::neighbourhood::Neighbourhood;
use crate::census::Census;
use crate::making::GenerateError;

/// For a layer, the items of each block below: its cells, or its offers.
pub(super) type Below<'a, C> = Vec<&'a [C]>;

/// The items that a task writes.
pub(super) struct TaskOutput<'a, C> {
    /// The cells of all layers.
    pub(super) cells: &'a mut [C],
    /// The offers of all layers; empty unless the kernel is `PrefixMinima`.
    pub(super) offers: &'a mut [C],
}

/// A solver for the tasks of a game.
pub(super) trait TaskKernel<C>: Sync {
    /// Solves a task. `below` are the blocks below, for each layer. Returns the census of the task's positions.
    fn solve(
        &self,
        neighbourhood: &Neighbourhood,
        own: TaskOutput<C>,
        below: &[Below<C>],
    ) -> Result<Census, GenerateError>;
}

/// Census of the cells that a kernel has solved.
pub(super) struct CellCounts<C> {
    wins: u64,
    /// The least cell of a lost position: that of the deepest one.
    lost: C,
    /// The greatest cell of a won position: that of the deepest one.
    won: C,
}

impl<C: PositionCell> Default for CellCounts<C> {
    fn default() -> Self {
        Self { wins: 0, lost: C::MAX, won: C::MIN }
    }
}

/// Returns the census of some cells.
pub(super) fn census<C: PositionCell>(cells: &[C], code: PositionCode<C>) -> Census {
    let mut counts = CellCounts::default();
    counts.add(cells);
    counts.census(code)
}

impl<C: PositionCell> CellCounts<C> {
    #[inline(always)]
    pub(super) fn add(&mut self, cells: &[C]) {
        for &cell in cells {
            let is_won = cell < C::default();
            self.wins += u64::from(is_won);
            self.won = self.won.max(if is_won { cell } else { C::MIN });
            self.lost = self.lost.min(if is_won { C::MAX } else { cell });
        }
    }

    pub(super) fn census(self, code: PositionCode<C>) -> Census {
        // There may be no lost position, or no won one.
        let lost = if self.lost == C::MAX { 0 } else { code.read(self.lost).0.depth };
        let won = if self.won == C::MIN { 0 } else { code.read(self.won).0.depth };
        Census { wins: self.wins, deepest: lost.max(won) }
    }
}
