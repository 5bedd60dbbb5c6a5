//! The partition of lines into blocks, as the frame sees it.
//!
//! For each block, the cache counts the finished tasks whose first two ranges are those of the block: tasks (5,3,0) and
//! (5,3,1) are done if block (5,3) has the count 2.

use super::layout::LineLayout;
use super::plan::{BatchPlan, each_block};
use crate::heaps::frame::block::BlockShape;
use crate::heaps::frame::heap_ranges::{HeapRanges, TaskRanges};
use crate::heaps::frame::partition::{Batch, Partition, TaskBlocks};
use crate::making::GenerateError;
use crate::memory::Grow;
use crate::work::LINES;

impl Partition for LineLayout {
    fn tasks_per_checkpoint(&self) -> usize {
        16
    }

    fn spreads_finished(&self) -> bool {
        true
    }

    fn ranges(&self) -> &HeapRanges {
        &self.ranges
    }

    fn blocks(&self) -> usize {
        self.ranges.count * (self.ranges.count + 1) / 2
    }

    fn shape(&self, block: usize) -> BlockShape {
        let cells = self.block_lines(self.ranges_of(block));
        BlockShape { cells, layers: self.layers, widths: self.widths }
    }

    fn name(&self, block: usize) -> String {
        let [first, second] = self.ranges_of(block);
        format!("{LINES}{first:02}-{second:02}")
    }

    /// About the number of positions of a task.
    fn steps(&self, [one, two, three]: TaskRanges) -> u64 {
        (self.ranges.sizes(0, one).len() as u64).saturating_mul(self.block_lines([two, three]).max(1))
    }

    fn counter(&self, [one, two, three]: TaskRanges) -> (usize, u32) {
        (self.block([one, two]), three as u32 + 1)
    }

    fn max_tasks(&self, block: usize) -> u32 {
        // One for each third range.
        self.ranges_of(block)[1] as u32 + 1
    }

    fn use_blocks(&self, task: TaskRanges, used: &mut TaskBlocks) -> Result<(), GenerateError> {
        let mut blocks = self.blocks_of_task(task);
        blocks.sort_unstable();
        for (place, &block) in blocks.iter().enumerate() {
            if place == 0 || blocks[place - 1] != block {
                used.written.grow(block)?;
            }
        }
        Ok(())
    }

    fn batches(&self, max_bytes: u64) -> Result<Box<dyn Iterator<Item = Batch> + '_>, GenerateError> {
        let bytes = |ranges| self.memory_bytes(self.block(ranges));
        let plan = BatchPlan::within(&self.ranges, max_bytes, bytes).ok_or(GenerateError::Memory)?;
        Ok(Box::new(plan.batches()))
    }

    fn blocks_of_batch(&self, batch: Batch) -> Result<Vec<usize>, GenerateError> {
        let mut blocks = Vec::new();
        each_block(batch, |ranges| blocks.grow(self.block(ranges)))?;
        Ok(blocks)
    }

    fn worth(&self, _: usize, last_use: u64, _: TaskRanges) -> u64 {
        last_use
    }
}

impl LineLayout {
    /// Returns the blocks of a task: of the first and second range, of the first and third, and of the second and third.
    /// Some may be equal.
    pub(super) fn blocks_of_task(&self, [one, two, three]: TaskRanges) -> [usize; 3] {
        [[one, two], [one, three], [two, three]].map(|ranges| self.block(ranges))
    }
}
