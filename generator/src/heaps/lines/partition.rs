//! The partition of lines into blocks, as the frame sees it.
//!
//! For each block, the cache counts the finished tasks whose first two ranges are those of the block: tasks (5,3,0) and
//! (5,3,1) are done if block (5,3) has the count 2.

use std::marker::PhantomData;

use super::cell::LineCell;
use super::layout::LineLayout;
use super::line_numbers::HeapSize;
use super::plan::{BatchPlan, each_block};
use crate::heaps::frame::block::{BlockShape, CellBytes};
use crate::heaps::frame::heap_ranges::{HeapRanges, TaskRanges};
use crate::heaps::frame::partition::{Batch, BlockCells, Partition, TaskBlocks};
use crate::making::GenerateError;
use crate::memory::Grow;
use crate::work::LINES;

/// The lines of a game, cut into blocks.
pub(super) struct LinePartition<'a, C, S> {
    pub(super) layout: &'a LineLayout,
    pub(super) layers: u64,
    pub(super) numbers: PhantomData<fn() -> (C, S)>,
}

impl<C, S> Clone for LinePartition<'_, C, S> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<C: LineCell, S: HeapSize> BlockCells for LinePartition<'_, C, S> {
    type Cell = C;
    type Size = S;
}

impl<C: LineCell, S: HeapSize> Partition for LinePartition<'_, C, S> {
    fn cell_bytes(&self) -> CellBytes {
        [C::BYTES, S::BYTES]
    }

    fn tasks_per_checkpoint(&self) -> usize {
        16
    }

    fn spreads_finished(&self) -> bool {
        true
    }

    fn ranges(&self) -> &HeapRanges {
        &self.layout.ranges
    }

    fn blocks(&self) -> usize {
        self.layout.blocks()
    }

    fn shape(&self, block: usize) -> BlockShape {
        let ranges = self.layout.ranges_of(block);
        BlockShape { cells: self.layout.block_lines(ranges), layers: self.layers }
    }

    fn name(&self, block: usize) -> String {
        let [first, second] = self.layout.ranges_of(block);
        format!("{LINES}{first:02}-{second:02}")
    }

    fn steps(&self, task: TaskRanges) -> u64 {
        self.layout.steps(task)
    }

    fn counter(&self, [one, two, three]: TaskRanges) -> (usize, u32) {
        (self.layout.block([one, two]), three as u32 + 1)
    }

    fn max_tasks(&self, block: usize) -> u32 {
        // One for each third range.
        self.layout.ranges_of(block)[1] as u32 + 1
    }

    fn use_blocks(&self, task: TaskRanges, used: &mut TaskBlocks) -> Result<(), GenerateError> {
        let mut blocks = blocks_of_task(self.layout, task);
        blocks.sort_unstable();
        for (place, &block) in blocks.iter().enumerate() {
            if place == 0 || blocks[place - 1] != block {
                used.written.grow(block)?;
            }
        }
        Ok(())
    }

    fn batches(&self, max_bytes: u64) -> Result<Box<dyn Iterator<Item = Batch> + '_>, GenerateError> {
        let bytes = |ranges| self.memory_bytes(self.layout.block(ranges));
        let plan = BatchPlan::within(&self.layout.ranges, max_bytes, bytes).ok_or(GenerateError::Memory)?;
        Ok(Box::new(plan.batches()))
    }

    fn blocks_of_batch(&self, batch: Batch) -> Result<Vec<usize>, GenerateError> {
        let mut blocks = Vec::new();
        each_block(batch, |ranges| blocks.grow(self.layout.block(ranges)))?;
        Ok(blocks)
    }

    fn worth(&self, _: usize, last_use: u64, _: TaskRanges) -> u64 {
        last_use
    }
}

/// Returns the blocks of a task: of the first and second range, of the first and third, and of the second and third. Some may
/// be equal.
pub(super) fn blocks_of_task(layout: &LineLayout, [one, two, three]: TaskRanges) -> [usize; 3] {
    [[one, two], [one, three], [two, three]].map(|ranges| layout.block(ranges))
}
