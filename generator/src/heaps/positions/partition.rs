//! The partition of positions into blocks, as the frame sees it. Blocks of offers, if any, have the numbers after all
//! blocks of cells, and are temporary.

use super::layout::PositionLayout;
use crate::heaps::frame::block::BlockShape;
use crate::heaps::frame::heap_ranges::{HeapRanges, TaskRanges};
use crate::heaps::frame::partition::{Batch, Partition, TaskBlocks};
use crate::making::GenerateError;
use crate::memory::Grow;
use crate::work::{OFFERS, POSITIONS};

impl PositionLayout {
    /// Returns the number of the block of offers with the same positions as a block of cells; `None` without offers.
    pub(super) fn offers_block(&self, block: usize) -> Option<usize> {
        (self.offers > 0).then(|| self.cell_blocks() + block)
    }

    /// Returns the block of a task that later tasks read: its offers, or without offers its cells.
    pub(super) fn block_to_read(&self, ranges: TaskRanges) -> usize {
        let block = self.block(ranges);
        self.offers_block(block).unwrap_or(block)
    }

    /// Returns the [`order`] of the first task after `after` that reads a block; `None` if there is none.
    fn next_use(&self, block: usize, after: u64) -> Option<u64> {
        let ranges = self.ranges_of(block % self.cell_blocks());
        if block != self.block_to_read(ranges) {
            return None;
        }
        self.above(ranges).map(order).filter(|&next| next > after).min()
    }
}

/// Returns the sort key of a task in the order of solving.
pub(super) fn order([one, two, three]: TaskRanges) -> u64 {
    ((one + two + three) as u64) << 32 | (one as u64) << 16 | two as u64
}

impl Partition for PositionLayout {
    fn tasks_per_checkpoint(&self) -> usize {
        4
    }

    fn spreads_finished(&self) -> bool {
        false
    }

    fn ranges(&self) -> &HeapRanges {
        &self.ranges
    }

    fn blocks(&self) -> usize {
        self.cell_blocks() * if self.offers > 0 { 2 } else { 1 }
    }

    fn shape(&self, block: usize) -> BlockShape {
        match block.checked_sub(self.cell_blocks()) {
            None => self.shape_with(block, 1),
            Some(block) => self.shape_with(block, self.offers),
        }
    }

    fn name(&self, block: usize) -> String {
        let kind = if self.is_temporary(block) { OFFERS } else { POSITIONS };
        let [one, two, three] = self.ranges_of(block % self.cell_blocks());
        format!("{kind}{one:02}-{two:02}-{three:02}")
    }

    fn is_temporary(&self, block: usize) -> bool {
        block >= self.cell_blocks()
    }

    fn max_bytes(&self) -> u64 {
        self.all_cells_bytes().saturating_add(self.offers_bytes().unwrap_or(u64::MAX))
    }

    fn steps(&self, task: TaskRanges) -> u64 {
        self.shape(self.block(task)).cells.saturating_mul(self.layers).max(1)
    }

    fn counter(&self, task: TaskRanges) -> (usize, u32) {
        (self.block(task), 1)
    }

    fn max_tasks(&self, block: usize) -> u32 {
        u32::from(!self.is_temporary(block))
    }

    fn use_blocks(&self, task: TaskRanges, used: &mut TaskBlocks) -> Result<(), GenerateError> {
        let block = self.block(task);
        used.written.grow(block)?;
        if let Some(offers) = self.offers_block(block) {
            used.written.grow(offers)?;
        }
        self.below(task)?.into_iter().try_for_each(|ranges| used.read.grow(self.block_to_read(ranges)))
    }

    fn batches(&self, _: u64) -> Result<Box<dyn Iterator<Item = Batch> + '_>, GenerateError> {
        Ok(Box::new(std::iter::once([(0, self.ranges.count); 3])))
    }

    fn blocks_of_batch(&self, _: Batch) -> Result<Vec<usize>, GenerateError> {
        Ok(Vec::new())
    }

    fn worth(&self, block: usize, _: u64, after: TaskRanges) -> u64 {
        self.next_use(block, order(after)).map_or(0, |next| u64::MAX - next)
    }
}
