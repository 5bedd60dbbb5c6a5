//! The assignment of tasks and blocks to MPI ranks.
//!
//! All ranks go through the tasks by the sum of their ranges. The greatest range of a task selects its rank. Each block
//! has an *owner*, the rank that keeps it: a task that writes a block takes it over from its owner, and a task that
//! only reads a block gets a copy. As the greatest range changes least, few blocks move. Example, where a task writes
//! the blocks of its three pairs of ranges: with 4 ranks, task (6,2,1) runs at rank 6 mod 4 = 2, which keeps the blocks
//! (6,2) and (6,1) from earlier tasks, and receives (2,1). With many ranks there are too few greatest ranges: then the
//! second range also selects the rank, and a rank with far more work than the average leaves tasks to ranks with less.
//!
//! Blocks that no task uses any more may be spread evenly over the ranks. When a run resumes, the ranges of the next
//! task that uses a saved block select the block's owner. All this follows from the tasks, the number of ranks, and the
//! checkpoint, so each rank knows where all blocks are without any messages.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::mem;

use super::block_memory::BlockMemory;
use super::heap_ranges::TaskRanges;
use super::partition::{Partition, TaskBlocks};
use crate::family::ClusterCost;
use crate::making::GenerateError;
use crate::memory::{Grow, collected, filled, filled_with};

/// From this number of ranks on, the second range and the load also select the rank.
const MANY_RANKS: usize = 16;
/// If there are many ranks: the distance between the ranks that adjacent second ranges select.
const STRIDE: usize = 37;
/// Share by which the steps of a rank may exceed the average of all ranks, among tasks with the same sum of ranges.
/// Further tasks go to ranks with less work, although this moves more blocks. A rank may always have as many steps as
/// the longest task.
const MAX_EXTRA_LOAD: f64 = 0.1;

/// The transfer of a block to the rank that needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockTransfer {
    pub(crate) block: usize,
    /// Rank that has the block; `None` if the block does not exist yet.
    pub(crate) from: Option<usize>,
    /// Rank that needs the block.
    pub(crate) to: usize,
    /// The sender keeps the block, and the receiver gets a copy.
    pub(crate) is_copy: bool,
}

/// The tasks with one sum of ranges, and what happens to blocks before these tasks are solved.
#[derive(Default)]
pub(crate) struct RankStep {
    /// The tasks of each rank.
    pub(crate) tasks: Vec<Vec<TaskRanges>>,
    pub(crate) transfers: Vec<BlockTransfer>,
    /// Copies and temporary blocks that no task uses any more, with their ranks. Drop them before the transfers.
    pub(crate) dropped: Vec<(usize, usize)>,
}

/// Which ranks have which blocks.
pub(crate) struct Assignment<'a> {
    partition: &'a dyn Partition,
    /// Number of ranks.
    size: usize,
    /// For each block, its owner; `None` if it does not exist yet.
    owners: Vec<Option<usize>>,
    /// For each block, the ranks that have copies.
    copies: Vec<Vec<usize>>,
    /// For each sum of ranges, the blocks that no later task uses.
    finished: Vec<Vec<usize>>,
}

/// Returns for each sum of ranges the blocks that no later task uses.
pub(crate) fn finished_blocks(partition: &dyn Partition) -> Result<Vec<Vec<usize>>, GenerateError> {
    let ranges = partition.ranges();
    let mut last_sums: Vec<Option<usize>> = filled(partition.blocks() as u64, None)?;
    let mut used = TaskBlocks::default();
    for task in ranges.all_tasks() {
        used.clear();
        partition.use_blocks(task, &mut used)?;
        used.all().for_each(|block| last_sums[block] = Some(task.iter().sum()));
    }
    let mut finished = filled_with(ranges.greatest_sum() as u64 + 1, Vec::new)?;
    for (block, last_sum) in last_sums.into_iter().enumerate() {
        if let Some(sum) = last_sum {
            let blocks: &mut Vec<usize> = &mut finished[sum];
            blocks.grow(block)?;
        }
    }
    Ok(finished)
}

impl<'a> Assignment<'a> {
    /// Assigns the blocks that the work folder has, as `has_file` reports, to the ranks of their next tasks. `is_done`
    /// reports finished tasks.
    pub(crate) fn new(
        partition: &'a dyn Partition,
        size: usize,
        has_file: &dyn Fn(usize) -> bool,
        is_done: &dyn Fn(TaskRanges) -> bool,
    ) -> Result<Self, GenerateError> {
        let blocks = partition.blocks() as u64;
        let mut assignment = Self {
            partition,
            size,
            owners: filled(blocks, None)?,
            copies: filled_with(blocks, Vec::new)?,
            finished: finished_blocks(partition)?,
        };
        if !(0..partition.blocks()).any(has_file) {
            return Ok(assignment);
        }
        let mut used = TaskBlocks::default();
        for task in partition.ranges().all_tasks().filter(|&task| !is_done(task)) {
            used.clear();
            partition.use_blocks(task, &mut used)?;
            for block in used.all().filter(|&block| has_file(block)) {
                let rank = assignment.rank_of_task(task);
                assignment.owners[block].get_or_insert(rank);
            }
        }
        for block in (0..partition.blocks()).filter(|&block| has_file(block)) {
            let rank = assignment.final_rank(block);
            assignment.owners[block].get_or_insert(rank);
        }
        Ok(assignment)
    }

    /// Returns the rank of a task.
    fn rank_of_task(&self, [one, two, three]: TaskRanges) -> usize {
        // All tasks have the same ranges of stand-ins, so these cannot select ranks. With one heap, all tasks go to one
        // rank, as they depend on each other.
        let [first, second] = if self.partition.ranges().stand_ins == 0 { [one, two] } else { [two, three] };
        let further = if self.size < MANY_RANKS { 0 } else { STRIDE * second };
        (first + further) % self.size
    }

    /// Returns the rank of a block that no task uses any more, if such blocks are spread. Each rank gets the same
    /// number.
    fn final_rank(&self, block: usize) -> usize {
        block % self.size
    }

    /// Returns the owner of a block; `None` if the block does not exist yet.
    pub(crate) fn owner(&self, block: usize) -> Option<usize> {
        self.owners[block]
    }

    /// Returns the unfinished tasks with a sum of ranges, and what happens to blocks before these tasks are solved.
    pub(crate) fn step(
        &mut self,
        sum: usize,
        is_done: &dyn Fn(TaskRanges) -> bool,
    ) -> Result<RankStep, GenerateError> {
        let mut step = RankStep { tasks: self.tasks(sum, is_done)?, ..RankStep::default() };
        if let Some(before) = sum.checked_sub(1) {
            self.finish(before, self.partition.spreads_finished(), &mut step)?;
        }
        let mut used = TaskBlocks::default();
        for (to, tasks) in step.tasks.iter().enumerate() {
            for &task in tasks {
                used.clear();
                self.partition.use_blocks(task, &mut used)?;
                for &block in &used.written {
                    self.transfer(block, to, &mut step.transfers)?;
                }
                for &block in &used.read {
                    let from = self.owners[block];
                    if from != Some(to) && !self.copies[block].contains(&to) {
                        self.copies[block].grow(to)?;
                        step.transfers.grow(BlockTransfer { block, from, to, is_copy: true })?;
                    }
                }
            }
        }
        Ok(step)
    }

    /// Handles the blocks that no task after those of `sum` uses: drops copies and temporary blocks, and spreads all
    /// others.
    fn finish(&mut self, sum: usize, spreads: bool, step: &mut RankStep) -> Result<(), GenerateError> {
        for block in mem::take(&mut self.finished[sum]) {
            for rank in mem::take(&mut self.copies[block]) {
                step.dropped.grow((block, rank))?;
            }
            let Some(owner) = self.owners[block] else { continue };
            if self.partition.is_temporary(block) {
                self.owners[block] = None;
                step.dropped.grow((block, owner))?;
            } else if spreads {
                self.transfer(block, self.final_rank(block), &mut step.transfers)?;
            }
        }
        Ok(())
    }

    /// Returns the unfinished tasks with a sum of ranges, for each rank.
    fn tasks(
        &self,
        sum: usize,
        is_done: &dyn Fn(TaskRanges) -> bool,
    ) -> Result<Vec<Vec<TaskRanges>>, GenerateError> {
        let mut all = Vec::new();
        self.partition
            .ranges()
            .tasks(sum)
            .filter(|&task| !is_done(task))
            .try_for_each(|task| all.grow((self.partition.steps(task), task)))?;
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
        let by_load = loads.into_iter().enumerate().map(|(to, load)| Reverse((load, to)));
        let mut by_load = BinaryHeap::from(collected(by_load)?);
        for (steps, task) in remaining {
            let Some(Reverse((load, to))) = by_load.pop() else { break };
            tasks[to].grow(task)?;
            by_load.push(Reverse((load + steps, to)));
        }
        Ok(tasks)
    }

    /// Returns the last step, without tasks. With `collect`, it brings all blocks to rank 0.
    pub(crate) fn last_step(&mut self, collect: bool) -> Result<RankStep, GenerateError> {
        let mut step = RankStep::default();
        self.finish(self.partition.ranges().greatest_sum(), false, &mut step)?;
        if collect {
            for block in 0..self.partition.blocks() {
                if !self.partition.is_temporary(block) && self.partition.shape(block).cells > 0 {
                    self.transfer(block, 0, &mut step.transfers)?;
                }
            }
        }
        Ok(step)
    }

    /// Makes `to` the owner of a block; appends the transfer, unless `to` is the owner already.
    fn transfer(
        &mut self,
        block: usize,
        to: usize,
        transfers: &mut Vec<BlockTransfer>,
    ) -> Result<(), GenerateError> {
        let from = self.owners[block].replace(to);
        if from == Some(to) {
            Ok(())
        } else {
            transfers.grow(BlockTransfer { block, from, to, is_copy: false })
        }
    }
}

/// Simulates all tasks with `size` ranks, and the collection of all blocks at rank 0. Returns the cost; its memory excludes
/// the program itself.
pub(crate) fn cluster_cost(
    partition: &dyn Partition,
    needs: BlockMemory,
    size: usize,
) -> Result<ClusterCost, GenerateError> {
    let mut assignment = Assignment::new(partition, size, &|_| false, &|_| false)?;
    let [mut memory, mut messages, mut bytes_sent] = [0; 3];
    let [mut critical_steps, mut critical_bytes] = [0; 2];
    // Counts the messages of a transfer, and returns their bytes.
    let mut count = |transfer: BlockTransfer| {
        let shape = partition.shape(transfer.block);
        let bytes = shape.file_bytes();
        if transfer.from.is_none() || bytes == 0 {
            return 0;
        }
        // Cells and sizes are two messages.
        messages += 1 + u64::from(shape.widths[1] > 0);
        bytes_sent += bytes;
        bytes
    };
    let mut rank_memory: Vec<u64> = filled(size as u64, 0)?;
    for sum in 0..=partition.ranges().greatest_sum() {
        let RankStep { tasks, transfers, dropped } = assignment.step(sum, &|_| false)?;
        for (block, rank) in dropped {
            rank_memory[rank] -= partition.memory_bytes(block);
        }
        let mut rank_bytes: Vec<u64> = filled(size as u64, 0)?;
        // Received blocks are allocated before sent blocks are freed.
        for &transfer in &transfers {
            rank_memory[transfer.to] += partition.memory_bytes(transfer.block);
            let bytes = count(transfer);
            for rank in transfer.from.into_iter().chain([transfer.to]) {
                rank_bytes[rank] += bytes;
            }
        }
        memory = rank_memory.iter().copied().fold(memory, u64::max);
        for &BlockTransfer { block, from, is_copy, .. } in &transfers {
            if let Some(from) = from.filter(|_| !is_copy) {
                rank_memory[from] -= partition.memory_bytes(block);
            }
        }
        let rank_steps =
            |tasks: &Vec<TaskRanges>| tasks.iter().map(|&task| partition.steps(task)).sum::<u64>();
        // For each sum of ranges, all ranks wait for the one with the most steps, and for the busiest one.
        critical_steps += tasks.iter().map(rank_steps).max().unwrap_or(0);
        critical_bytes += rank_bytes.into_iter().max().unwrap_or(0);
    }
    for transfer in assignment.last_step(true)?.transfers {
        count(transfer);
    }
    let memory_of_others = memory.saturating_add(needs.buffers);
    Ok(ClusterCost {
        memory: memory_of_others.max(needs.of_rank_0()),
        memory_of_others,
        messages,
        bytes: bytes_sent,
        critical_path_bytes: critical_bytes,
        efficiency: partition.all_steps() as f64 / (size as f64 * critical_steps.max(1) as f64),
    })
}
