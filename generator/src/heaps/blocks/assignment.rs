//! The assignment of tasks and blocks to MPI ranks.
//!
//! A task has three ranges, and needs the blocks of its three pairs of ranges. All ranks go through the tasks by the sum
//! of their ranges. The greatest range of a task selects its rank. So of the task's three blocks, the two with the
//! greatest range stay at this rank from task to task, and only the third comes from the rank that used it last.
//! Example: with 4 ranks, task (6,2,1) runs at rank 6 mod 4 = 2, which keeps the blocks (6,2) and (6,1) and receives
//! (2,1). With many ranks there are too few greatest ranges: then the second range also selects the rank, and tasks that
//! would make others wait go to the rank with the least work. The assignment follows from the tasks alone, so each rank
//! knows where all blocks are without any messages.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::layout::{LineLayout, TaskRanges};
use crate::making::GenerateError;
use crate::memory::{Grow, filled, room};

/// From this number of ranks on, the second range and the load also select the rank.
const MANY_RANKS: usize = 16;
/// Distance between the ranks of adjacent second ranges in this case.
const STRIDE: usize = 37;
/// A rank may have more than the average steps of a sum, by this share, before its tasks go to others: each task that
/// goes to another rank moves two more blocks.
const MAX_EXTRA_LOAD: f64 = 0.1;

/// The transfer of a block to the rank that needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockTransfer {
    /// The ranges of the block.
    pub(super) block: [usize; 2],
    /// Rank that has the block; `None` if the block does not exist yet.
    pub(super) from: Option<usize>,
    /// Rank that needs the block.
    pub(super) to: usize,
}

/// The tasks of a sum, and the transfers before them.
pub(super) struct RankStep {
    /// The tasks of each rank.
    pub(super) tasks: Vec<Vec<TaskRanges>>,
    pub(super) transfers: Vec<BlockTransfer>,
}

/// The ranks that have the blocks.
pub(super) struct Assignment<'a> {
    layout: &'a LineLayout,
    /// Number of ranks.
    size: usize,
    /// For each block, the rank that has it; `None` if it does not exist yet.
    ranks: Vec<Option<usize>>,
    /// For each block, the sum of ranges of the last task that needs it.
    last_sum: Vec<Option<usize>>,
}

impl<'a> Assignment<'a> {
    /// Assigns the blocks that the work folder has, as `has_file` reports, to the ranks of their next tasks. `is_done`
    /// reports finished tasks.
    pub(super) fn new(
        layout: &'a LineLayout,
        size: usize,
        has_file: impl Fn([usize; 2]) -> bool,
        is_done: impl Fn(TaskRanges) -> bool,
    ) -> Result<Self, GenerateError> {
        let none = || filled(layout.blocks() as u64, None);
        let mut assignment = Self { layout, size, ranks: none()?, last_sum: none()? };
        for block in layout.all_blocks() {
            assignment.last_sum[layout.block(block)] =
                assignment.tasks_of(block).last().map(|task| task.iter().sum());
            if !has_file(block) {
                continue;
            }
            let next = assignment.tasks_of(block).find(|&task| !is_done(task));
            assignment.ranks[layout.block(block)] =
                Some(next.map_or(assignment.final_rank(block), |task| assignment.rank_of_task(task)));
        }
        Ok(assignment)
    }

    /// Returns the rank of a task.
    fn rank_of_task(&self, [one, two, three]: TaskRanges) -> usize {
        // All tasks have the same ranges of stand-ins, so these cannot select ranks. With one heap, all tasks go to one
        // rank, as they depend on each other.
        let [first, second] = if self.layout.stand_ins == 0 { [one, two] } else { [two, three] };
        let further = if self.size < MANY_RANKS { 0 } else { STRIDE * second };
        (first + further) % self.size
    }

    /// Returns the rank of a block that no task needs any more. All ranks get equally many such blocks.
    fn final_rank(&self, block: [usize; 2]) -> usize {
        self.layout.block(block) % self.size
    }

    /// Returns the tasks that need a block, in the order of sums.
    fn tasks_of(&self, [first, second]: [usize; 2]) -> impl Iterator<Item = TaskRanges> {
        let of_third = move |third: usize| {
            let mut task = [first, second, third];
            task.sort_unstable_by(|a, b| b.cmp(a));
            self.layout.exists(&task).then_some(task)
        };
        (0..self.layout.ranges).filter_map(of_third)
    }

    /// Returns the rank that has a block; `None` if the block does not exist yet.
    pub(super) fn rank_of(&self, block: [usize; 2]) -> Option<usize> {
        self.ranks[self.layout.block(block)]
    }

    /// Returns the unfinished tasks of a sum, and the transfers before them.
    pub(super) fn step(
        &mut self,
        sum: usize,
        is_done: impl Fn(TaskRanges) -> bool,
    ) -> Result<RankStep, GenerateError> {
        let mut step = RankStep { tasks: self.tasks(sum, is_done)?, transfers: Vec::new() };
        for (to, tasks) in step.tasks.iter().enumerate() {
            for &[one, two, three] in tasks {
                for block in [[one, two], [one, three], [two, three]] {
                    self.transfer(block, to, &mut step.transfers)?;
                }
            }
        }
        // Blocks whose last task was in the previous sum.
        for (number, block) in self.layout.all_blocks().enumerate() {
            if self.last_sum[number].is_some_and(|last_sum| last_sum + 1 == sum)
                && self.ranks[number].is_some()
            {
                self.transfer(block, self.final_rank(block), &mut step.transfers)?;
            }
        }
        Ok(step)
    }

    /// Returns the unfinished tasks of a sum by rank.
    fn tasks(
        &self,
        sum: usize,
        is_done: impl Fn(TaskRanges) -> bool,
    ) -> Result<Vec<Vec<TaskRanges>>, GenerateError> {
        let layout = self.layout;
        let mut all = Vec::new();
        layout
            .tasks(sum)
            .filter(|&task| !is_done(task))
            .try_for_each(|task| all.grow((layout.steps(task), task)))?;
        let max_load = if self.size < MANY_RANKS {
            f64::INFINITY
        } else {
            // Assign the longest tasks first.
            all.sort_unstable_by_key(|&task| Reverse(task));
            let steps = all.iter().map(|&(steps, _)| steps as f64).sum::<f64>();
            let longest = all.first().map_or(0, |&(steps, _)| steps);
            ((1.0 + MAX_EXTRA_LOAD) * steps / self.size as f64).max(longest as f64)
        };
        let mut tasks = filled(self.size as u64, Vec::new())?;
        let mut loads: Vec<u64> = filled(self.size as u64, 0)?;
        let mut remaining = Vec::new();
        for (steps, task) in all {
            let to = self.rank_of_task(task);
            if (loads[to] + steps) as f64 <= max_load {
                loads[to] += steps;
                tasks[to].grow(task)?;
            } else {
                remaining.grow((steps, task))?;
            }
        }
        let mut by_load = room(loads.len() as u64)?;
        by_load.extend(loads.into_iter().enumerate().map(|(to, load)| Reverse((load, to))));
        let mut by_load = BinaryHeap::from(by_load);
        for (steps, task) in remaining {
            let Some(Reverse((load, to))) = by_load.pop() else { break };
            tasks[to].grow(task)?;
            by_load.push(Reverse((load + steps, to)));
        }
        Ok(tasks)
    }

    /// Returns the transfers that bring all blocks to rank 0.
    pub(super) fn collect(&mut self) -> Result<Vec<BlockTransfer>, GenerateError> {
        let mut transfers = Vec::new();
        let layout = self.layout;
        for block in layout.all_blocks().filter(|&block| layout.block_lines(block) > 0) {
            self.transfer(block, 0, &mut transfers)?;
        }
        Ok(transfers)
    }

    /// Records that `to` gets a block; appends the transfer if another rank has it, or none.
    fn transfer(
        &mut self,
        block: [usize; 2],
        to: usize,
        transfers: &mut Vec<BlockTransfer>,
    ) -> Result<(), GenerateError> {
        let from = self.ranks[self.layout.block(block)].replace(to);
        if from != Some(to) { transfers.grow(BlockTransfer { block, from, to }) } else { Ok(()) }
    }
}

/// Cost of solving with several ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// Maximum bytes of blocks of any rank at any time before the final collection at rank 0.
    pub(super) memory: u64,
    /// Blocks sent.
    pub(super) transfers: u64,
    pub(super) bytes_sent: u64,
    /// Steps on the critical path: for each sum of ranges, those of the rank with the most, added up.
    pub(super) critical_steps: u64,
    /// Bytes on the critical path: for each sum of ranges, those that the busiest rank sends and receives, added up.
    /// Without the final collection at rank 0.
    pub(super) critical_bytes: u64,
}

impl Cost {
    /// Simulates all tasks, and the collection of all blocks at rank 0. `bytes` returns the bytes of a block in memory
    /// and in messages; `steps` returns the steps of a task.
    pub(super) fn new(
        layout: &LineLayout,
        size: usize,
        bytes: impl Fn([usize; 2]) -> [u64; 2],
        steps: impl Fn(TaskRanges) -> u64,
    ) -> Result<Self, GenerateError> {
        let mut assignment = Assignment::new(layout, size, |_| false, |_| false)?;
        let mut cost = Self::default();
        let mut rank_memory: Vec<u64> = filled(size as u64, 0)?;
        for sum in 0..=layout.greatest_sum() {
            let RankStep { tasks, transfers } = assignment.step(sum, |_| false)?;
            let mut rank_bytes: Vec<u64> = filled(size as u64, 0)?;
            // Received blocks are allocated before sent blocks are freed.
            for &BlockTransfer { block, from, to } in &transfers {
                let [in_memory, bytes] = bytes(block);
                rank_memory[to] += in_memory;
                if let Some(from) = from {
                    cost.transfers += u64::from(bytes > 0);
                    cost.bytes_sent += bytes;
                    rank_bytes[from] += bytes;
                    rank_bytes[to] += bytes;
                }
            }
            cost.memory = cost.memory.max(rank_memory.iter().copied().max().unwrap_or(0));
            for &BlockTransfer { block, from, .. } in &transfers {
                if let Some(from) = from {
                    rank_memory[from] -= bytes(block)[0];
                }
            }
            let rank_steps = |tasks: &Vec<TaskRanges>| tasks.iter().map(|&task| steps(task)).sum::<u64>();
            cost.critical_steps += tasks.iter().map(rank_steps).max().unwrap_or(0);
            cost.critical_bytes += rank_bytes.into_iter().max().unwrap_or(0);
        }
        for BlockTransfer { block, from, .. } in assignment.collect()? {
            let [_, bytes] = bytes(block);
            cost.transfers += u64::from(from.is_some() && bytes > 0);
            cost.bytes_sent += bytes;
        }
        Ok(cost)
    }
}
