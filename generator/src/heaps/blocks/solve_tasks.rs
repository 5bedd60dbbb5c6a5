//! Solves independent tasks in parallel, with the blocks of a cache, and counts their positions.
//!
//! The blocks of lines are numbered as in `layout`. For each block, the cache counts the finished tasks whose first two
//! ranges are those of the block: tasks (5,3,0) and (5,3,1) are done if block (5,3) has the count 2.

use std::marker::PhantomData;
use std::sync::Mutex;

use super::block::{BlockNumbers, HeapSize, LineBlock, LineShape};
use super::cell::LineCell;
use super::layout::{LineLayout, TaskRanges};
use super::task::TaskSolver;
use crate::control::{Control, check_cancelled};
use crate::heaps::frame::block_cache::{BlockCache, WorkDone, lock};
use crate::heaps::frame::partition::Partition;
use crate::making::GenerateError;
use crate::memory::room;
use crate::parallel;
use crate::work::LINES;

/// The lines of a game, cut into blocks.
pub(super) struct LinePartition<'a, C, S> {
    pub(super) layout: &'a LineLayout,
    pub(super) layers: u64,
    pub(super) numbers: PhantomData<fn() -> (C, S)>,
}

impl<C: LineCell, S: HeapSize> Partition for LinePartition<'_, C, S> {
    type Block = LineBlock<C, S>;

    fn blocks(&self) -> usize {
        self.layout.blocks()
    }

    fn shape(&self, block: usize) -> LineShape {
        LineShape { lines: self.layout.block_lines(self.layout.ranges_of(block)), layers: self.layers }
    }

    fn name(&self, block: usize) -> String {
        name(self.layout.ranges_of(block))
    }

    fn max_tasks(&self, block: usize) -> u32 {
        // One for each third range.
        self.layout.ranges_of(block)[1] as u32 + 1
    }
}

/// Returns the name of a block in the work folder.
pub(super) fn name([first, second]: [usize; 2]) -> String {
    format!("{LINES}{first:02}-{second:02}")
}

impl<C: LineCell, S: HeapSize> BlockCache<'_, LinePartition<'_, C, S>> {
    pub(super) fn is_done(&self, [one, two, three]: TaskRanges) -> bool {
        self.tasks_done(self.partition.layout.block([one, two])) as usize > three
    }

    /// Marks a task as done. Tasks with the same first ranges and a lower third range are done already.
    pub(super) fn mark_done(&self, [one, two, three]: TaskRanges) {
        self.set_tasks_done(self.partition.layout.block([one, two]), three as u32 + 1);
    }

    /// Loads blocks into memory; evicts the least recently used.
    pub(super) fn load_all(&mut self, ranges: &[[usize; 2]]) -> Result<(), GenerateError> {
        let mut numbers = room(ranges.len() as u64)?;
        numbers.extend(ranges.iter().map(|&ranges| self.partition.layout.block(ranges)));
        self.load(&numbers, |_, last| last)
    }

    /// Calls a function with the blocks of three pairs of ranges. Pairs may be equal, so the function also gets the
    /// index of each pair's block. The blocks must be in memory, and not in use by another thread.
    fn with_blocks<T>(
        &self,
        ranges: [[usize; 2]; 3],
        work: impl FnOnce(&mut [BlockNumbers<C, S>], [usize; 3]) -> T,
    ) -> T {
        let numbers = ranges.map(|ranges| self.partition.layout.block(ranges));
        let mut different = numbers.to_vec();
        different.sort_unstable();
        different.dedup();
        let mut slots: Vec<_> = different.iter().map(|&number| self.write_lock(number)).collect();
        let mut blocks: Vec<_> = slots.iter_mut().map(|slot| slot.block_mut().numbers_mut()).collect();
        work(&mut blocks, numbers.map(|number| different.partition_point(|&other| other < number)))
    }
}

/// Solves independent tasks in parallel, and counts their positions.
pub(super) fn run<C: LineCell, S: HeapSize>(
    solver: &TaskSolver<C>,
    cache: &BlockCache<LinePartition<C, S>>,
    tasks: &[TaskRanges],
    work_done: &Mutex<WorkDone>,
    control: &dyn Control,
) -> Result<(), GenerateError> {
    let solve = |at: usize| {
        // Finish every task that has started, so that a checkpoint can follow.
        check_cancelled(control)?;
        let [one, two, three]: TaskRanges = tasks[at];
        let ranges = [[one, two], [one, three], [two, three]];
        let census = cache.with_blocks(ranges, |blocks, indices| solver.solve(tasks[at], blocks, indices));
        let steps = solver.layout.steps(tasks[at]);
        let mut work_done = lock(work_done);
        cache.mark_done(tasks[at]);
        *work_done = WorkDone { census: work_done.census.and(census), steps: work_done.steps + steps };
        control.advance(steps);
        Ok(())
    };
    parallel::reduce(tasks.len(), solve, |(), ()| Ok(()))
}
