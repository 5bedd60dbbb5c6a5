//! The partition of positions into blocks, as the frame sees it.

use std::marker::PhantomData;

use super::cell::PositionCell;
use super::layout::PositionLayout;
use crate::heaps::frame::block::{BlockShape, CellBytes};
use crate::heaps::frame::heap_ranges::{HeapRanges, TaskRanges};
use crate::heaps::frame::partition::{Batch, BlockCells, Partition, TaskBlocks};
use crate::making::GenerateError;
use crate::memory::Grow;
use crate::work::{OFFERS, POSITIONS};

/// The positions of a game, cut into blocks. Blocks of offers, if any, have the numbers after all blocks of cells, and are
/// temporary.
pub(super) struct PositionPartition<'a, C> {
    pub(super) layout: &'a PositionLayout,
    pub(super) cells: PhantomData<fn() -> C>,
}

impl<C> Clone for PositionPartition<'_, C> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<C: PositionCell> PositionPartition<'_, C> {
    /// Returns the number of the block of offers with the same positions as a block of cells; `None` without offers.
    pub(super) fn offers(&self, block: usize) -> Option<usize> {
        (self.layout.offers > 0).then(|| self.layout.blocks() + block)
    }

    /// Returns the number of the block that later tasks read: its offers, or without offers its cells.
    pub(super) fn block_to_read(&self, ranges: TaskRanges) -> usize {
        let block = self.layout.block(ranges);
        self.offers(block).unwrap_or(block)
    }

    /// Returns the [`order`] of the first task after `after` that reads a block; `None` if there is none.
    fn next_use(&self, block: usize, after: u64) -> Option<u64> {
        let ranges = self.layout.ranges_of(block % self.layout.blocks());
        if block != self.block_to_read(ranges) {
            return None;
        }
        self.layout.above(ranges).map(order).filter(|&next| next > after).min()
    }
}

/// Returns the sort key of a task in the order of solving.
pub(super) fn order([one, two, three]: TaskRanges) -> u64 {
    ((one + two + three) as u64) << 32 | (one as u64) << 16 | two as u64
}

impl<C: PositionCell> BlockCells for PositionPartition<'_, C> {
    type Cell = C;
    type Size = ();
}

impl<C: PositionCell> Partition for PositionPartition<'_, C> {
    fn cell_bytes(&self) -> CellBytes {
        [C::BYTES, 0]
    }

    fn tasks_per_checkpoint(&self) -> usize {
        4
    }

    fn spreads_finished(&self) -> bool {
        false
    }

    fn ranges(&self) -> &HeapRanges {
        &self.layout.ranges
    }

    fn blocks(&self) -> usize {
        self.layout.blocks() * if self.layout.offers > 0 { 2 } else { 1 }
    }

    fn shape(&self, block: usize) -> BlockShape {
        match block.checked_sub(self.layout.blocks()) {
            None => self.layout.shape(block),
            Some(block) => self.layout.offers_shape(block),
        }
    }

    fn name(&self, block: usize) -> String {
        let kind = if self.is_temporary(block) { OFFERS } else { POSITIONS };
        let [one, two, three] = self.layout.ranges_of(block % self.layout.blocks());
        format!("{kind}{one:02}-{two:02}-{three:02}")
    }

    fn is_temporary(&self, block: usize) -> bool {
        block >= self.layout.blocks()
    }

    fn max_bytes(&self) -> u64 {
        let offers = self.layout.offers_bytes::<C>().unwrap_or(u64::MAX);
        self.layout.memory_bytes::<C>().saturating_add(offers)
    }

    fn steps(&self, task: TaskRanges) -> u64 {
        self.layout.steps(task)
    }

    fn counter(&self, task: TaskRanges) -> (usize, u32) {
        (self.layout.block(task), 1)
    }

    fn max_tasks(&self, block: usize) -> u32 {
        u32::from(!self.is_temporary(block))
    }

    fn use_blocks(&self, task: TaskRanges, used: &mut TaskBlocks) -> Result<(), GenerateError> {
        let block = self.layout.block(task);
        used.written.grow(block)?;
        if let Some(offers) = self.offers(block) {
            used.written.grow(offers)?;
        }
        self.layout.below(task)?.into_iter().try_for_each(|ranges| used.read.grow(self.block_to_read(ranges)))
    }

    fn batches(&self, _: u64) -> Result<Box<dyn Iterator<Item = Batch> + '_>, GenerateError> {
        Ok(Box::new(std::iter::once([(0, self.layout.ranges.count); 3])))
    }

    fn blocks_of_batch(&self, _: Batch) -> Result<Vec<usize>, GenerateError> {
        Ok(Vec::new())
    }

    fn worth(&self, block: usize, _: u64, after: TaskRanges) -> u64 {
        self.next_use(block, order(after)).map_or(0, |next| u64::MAX - next)
    }
}
