//! Describes to the frame how a game is cut into blocks and tasks.

use super::block::BlockShape;
use super::heap_ranges::{HeapRanges, TASK_HEAPS, TaskRanges};
use crate::making::GenerateError;

/// A partition of a game's positions or lines into numbered blocks, and the use of blocks by tasks.
pub(crate) trait Partition: Sync {
    /// Returns the maximum number of tasks between two chances for a checkpoint, for each thread.
    fn tasks_per_checkpoint(&self) -> usize;

    /// Reports whether blocks that no task uses any more are spread evenly over the MPI ranks.
    fn spreads_finished(&self) -> bool;

    fn ranges(&self) -> &HeapRanges;

    /// Returns the number of blocks, including empty ones.
    fn blocks(&self) -> usize;

    fn shape(&self, block: usize) -> BlockShape;

    /// Returns the name of a block in the work folder.
    fn name(&self, block: usize) -> String;

    /// Reports whether a block is dropped after the last task that uses it. With temporary blocks,
    /// [`Partition::batches`] must be one batch.
    fn is_temporary(&self, _block: usize) -> bool {
        false
    }

    /// Returns the bytes in memory with which no block ever has to be evicted.
    fn max_bytes(&self) -> u64 {
        (0..self.blocks()).map(|block| self.memory_bytes(block)).fold(0, u64::saturating_add)
    }

    fn memory_bytes(&self, block: usize) -> u64 {
        self.shape(block).memory_bytes()
    }

    /// Returns the steps of progress of a task.
    fn steps(&self, task: TaskRanges) -> u64;

    /// Returns the steps of progress of all tasks.
    fn all_steps(&self) -> u64 {
        self.ranges().all_tasks().map(|task| self.steps(task)).fold(0, u64::saturating_add)
    }

    /// Returns the block that counts a task when it is done, and the task's number among the tasks that this block
    /// counts, from 1. Tasks with lower numbers are done first.
    fn counter(&self, task: TaskRanges) -> (usize, u32);

    /// Returns the number of tasks that a block counts.
    fn max_tasks(&self, block: usize) -> u32;

    /// Appends to `used` the blocks that a task uses.
    fn use_blocks(&self, task: TaskRanges, used: &mut TaskBlocks) -> Result<(), GenerateError>;

    /// Returns batches that together have each task once. A move leads to the same batch or to an earlier one. The
    /// blocks of a batch ([`Partition::blocks_of_batch`]) have at most `max_bytes` bytes.
    fn batches(&self, max_bytes: u64) -> Result<Box<dyn Iterator<Item = Batch> + '_>, GenerateError>;

    /// Returns the blocks to load before the first task of a batch. Together they must fit into memory.
    fn blocks_of_batch(&self, batch: Batch) -> Result<Vec<usize>, GenerateError>;

    /// Returns the worth of keeping a block in memory while the tasks that come later than `after` are solved.
    /// `last_use` grows with the time of the last use.
    fn worth(&self, block: usize, last_use: u64, after: TaskRanges) -> u64;
}

/// A batch: all tasks whose three ranges lie in these three groups.
pub(crate) type Batch = [RangeGroup; TASK_HEAPS];

/// Adjacent ranges: the first one, and the one after the last.
pub(crate) type RangeGroup = (usize, usize);

/// The blocks that tasks use.
#[derive(Debug, Default)]
pub(crate) struct TaskBlocks {
    /// Blocks that a task reads and writes.
    pub(crate) written: Vec<usize>,
    /// Blocks that a task only reads. No later task writes them.
    pub(crate) read: Vec<usize>,
}

impl TaskBlocks {
    /// Removes all blocks.
    pub(crate) fn clear(&mut self) {
        self.written.clear();
        self.read.clear();
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = usize> {
        self.written.iter().chain(&self.read).copied()
    }
}
