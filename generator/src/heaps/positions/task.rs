//! The interface of a kernel, and the census of solved cells.
//!
//! A kernel solves the block of a task in the order of ranks, so that the positions after each move come first. Example:
//! of the block's positions, {5,1} is solved before {5,2} and {6,0}.

use super::cell::PositionCode;
use super::layout::PositionLayout;
use super::neighbourhood::Neighbourhood;
use crate::census::Census;
use crate::heaps::frame::block_cache::BlockCache;
use crate::heaps::frame::heap_ranges::TaskRanges;
use crate::heaps::frame::kernel::Kernel;
use crate::heaps::frame::numbers::Number;
use crate::making::GenerateError;
use crate::memory::collected;

/// A layer of a task. Each slice may continue after the items of this layer.
pub(super) struct TaskLayer<'a, C> {
    /// The cells that the kernel writes.
    pub(super) cells: &'a mut [C],
    /// The cells of the layer with one pass less; `None` if there are no passes left.
    pub(super) passed: Option<&'a [C]>,
    /// The offers that the kernel writes; empty for `SubtractionDepths`.
    pub(super) offers: &'a mut [C],
    /// The items of each block *below* the task (one that the task reads, except its own block): offers, or with
    /// `SubtractionDepths` cells.
    pub(super) below: Vec<&'a [C]>,
}

/// A kernel for positions: solves a task, given its blocks.
pub(super) trait TaskKernel<C>: Sync {
    /// Solves a layer of a task, after those with fewer passes left. Returns the census of its positions.
    fn solve_layer(
        &self,
        neighbourhood: &Neighbourhood,
        layer: TaskLayer<C>,
    ) -> Result<Census, GenerateError>;
}

/// Runs a kernel for positions: hands it the blocks of each task.
pub(super) struct TaskRunner<'a, C> {
    pub(super) layout: &'a PositionLayout,
    pub(super) kernel: Box<dyn TaskKernel<C> + 'a>,
}

impl<C: Number> Kernel for TaskRunner<'_, C> {
    fn solve(&self, task: TaskRanges, cache: &BlockCache) -> Result<Census, GenerateError> {
        let layout = self.layout;
        let below = layout.below(task)?;
        let slots = collected(below.iter().map(|&ranges| cache.read_lock(layout.block_to_read(ranges))))?;
        let neighbourhood = Neighbourhood::new(layout, task, below.iter().copied())?;
        let positions = neighbourhood.positions(0);
        let block = layout.block(task);
        let mut own = cache.write_lock(block);
        let cells = own.block_mut().cells_mut();
        let mut of_offers = layout.offers_block(block).map(|offers| cache.write_lock(offers));
        let offers: &mut [C] = of_offers.as_mut().map_or(&mut [], |slot| slot.block_mut().cells_mut());
        let mut census = Census::default();
        for layer in 0..layout.layers {
            let below = collected(slots.iter().map(|slot| slot.block().layer(layer)))?;
            let (before, cells) = cells.split_at_mut(layer as usize * positions);
            let passed = layer.checked_sub(1).map(|passed| &before[passed as usize * positions..]);
            let offers = &mut offers[(layer * layout.offers) as usize * positions..];
            let layer = TaskLayer { cells, passed, offers, below };
            census = census.and(self.kernel.solve_layer(&neighbourhood, layer)?);
        }
        Ok(census)
    }
}

/// Census of the cells that a kernel has solved.
pub(super) struct CellCounts<C> {
    wins: u64,
    /// The least cell of a lost position: that of the deepest one.
    lost: C,
    /// The greatest cell of a won position: that of the deepest one.
    won: C,
}

impl<C: Number> Default for CellCounts<C> {
    fn default() -> Self {
        Self { wins: 0, lost: C::MAX, won: C::MIN }
    }
}

/// Returns the census of some cells.
pub(super) fn census<C: Number>(cells: &[C], code: PositionCode<C>) -> Census {
    let mut counts = CellCounts::default();
    counts.add(cells);
    counts.census(code)
}

impl<C: Number> CellCounts<C> {
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
