//! The assignment of tasks and blocks to ranks.
//!
//! All ranks go through the tasks sum by sum. The greatest range of a task selects its rank. So of the task's three
//! blocks, the two with the greatest range stay at this rank from task to task, and only the third comes from the rank
//! that used it for the previous sum. With many ranks there are too few greatest ranges: then the second range also
//! selects the rank, and tasks that would make others wait go to the rank with the least work. The assignment follows
//! from the numbers of the tasks alone, so each rank knows where all blocks are without any messages.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::layout::{LineLayout, TaskRanges};
use crate::GenerateError;
use crate::memory::{Grow, filled, room};

/// So many processes are many.
const MANY: usize = 16;
/// How far the process of the next second range is then.
const STRIDE: usize = 37;
/// A process does this share more of a sum than it would if all did as much, before its tasks go to others: each that
/// does brings two blocks with it.
const MORE: f64 = 0.1;

/// A block that a process needs and does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockTransfer {
    /// The ranges of the block.
    pub(super) block: [usize; 2],
    /// Which process has it; `None` if nobody does, as nothing is known of it yet.
    pub(super) from: Option<usize>,
    /// Which process needs it.
    pub(super) to: usize,
}

/// The tasks of a sum, and what goes before them.
pub(super) struct RankStep {
    /// By process.
    pub(super) tasks: Vec<Vec<TaskRanges>>,
    pub(super) transfers: Vec<BlockTransfer>,
}

/// Where all blocks are.
pub(super) struct Assignment<'a> {
    layout: &'a LineLayout,
    count: usize,
    /// Of each block that there is the process that has it.
    places: Vec<Option<usize>>,
    /// Of each block the sum of the last task that needs it.
    last: Vec<Option<usize>>,
}

impl<'a> Assignment<'a> {
    /// Deals blocks out of which `known` says that something is known, and `is_done` which tasks are done.
    pub(super) fn new(
        layout: &'a LineLayout,
        count: usize,
        known: impl Fn([usize; 2]) -> bool,
        is_done: impl Fn(TaskRanges) -> bool,
    ) -> Result<Self, GenerateError> {
        let none = || filled(layout.blocks() as u64, None);
        let mut assignment = Self { layout, count, places: none()?, last: none()? };
        for block in layout.all_blocks() {
            assignment.last[layout.block(block)] =
                assignment.tasks_of(block).last().map(|task| task.iter().sum());
            if !known(block) {
                continue;
            }
            let next = assignment.tasks_of(block).find(|&task| !is_done(task));
            assignment.places[layout.block(block)] =
                Some(next.map_or(assignment.home(block), |task| assignment.who(task)));
        }
        Ok(assignment)
    }

    /// The process where a task belongs.
    fn who(&self, [one, two, three]: TaskRanges) -> usize {
        // A stand-in is the same in all tasks. Of a game of one heap the tasks follow each other: one process does them
        // all.
        let [first, second] = if self.layout.stand_ins == 0 { [one, two] } else { [two, three] };
        let further = if self.count < MANY { 0 } else { STRIDE * second };
        (first + further) % self.count
    }

    /// Where a block goes that no task needs any more, so that no process has more of them than another.
    fn home(&self, block: [usize; 2]) -> usize {
        self.layout.block(block) % self.count
    }

    /// The tasks that need a block, by their sums.
    fn tasks_of(&self, [first, second]: [usize; 2]) -> impl Iterator<Item = TaskRanges> {
        let of_third = move |third: usize| {
            let mut task = [first, second, third];
            task.sort_unstable_by(|a, b| b.cmp(a));
            self.layout.exists(&task).then_some(task)
        };
        (0..self.layout.ranges).filter_map(of_third)
    }

    /// Which process has a block.
    pub(super) fn place(&self, block: [usize; 2]) -> Option<usize> {
        self.places[self.layout.block(block)]
    }

    /// The tasks of a sum that are not yet done, and the blocks that move before it.
    pub(super) fn step(
        &mut self,
        sum: usize,
        is_done: impl Fn(TaskRanges) -> bool,
    ) -> Result<RankStep, GenerateError> {
        let mut step = RankStep { tasks: self.tasks(sum, is_done)?, transfers: Vec::new() };
        for (to, tasks) in step.tasks.iter().enumerate() {
            for &[one, two, three] in tasks {
                for block in [[one, two], [one, three], [two, three]] {
                    self.bring(block, to, &mut step.transfers)?;
                }
            }
        }
        // Blocks that were needed last for the sum before.
        for (number, block) in self.layout.all_blocks().enumerate() {
            if self.last[number].is_some_and(|last| last + 1 == sum) && self.places[number].is_some() {
                self.bring(block, self.home(block), &mut step.transfers)?;
            }
        }
        Ok(step)
    }

    /// The tasks of a sum that are not yet done, by process.
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
        let most = if self.count < MANY {
            f64::INFINITY
        } else {
            // The longest are dealt out first.
            all.sort_unstable_by_key(|&task| Reverse(task));
            let steps = all.iter().map(|&(steps, _)| steps as f64).sum::<f64>();
            let longest = all.first().map_or(0, |&(steps, _)| steps);
            ((1.0 + MORE) * steps / self.count as f64).max(longest as f64)
        };
        let mut tasks = filled(self.count as u64, Vec::new())?;
        let mut loads: Vec<u64> = filled(self.count as u64, 0)?;
        let mut left = Vec::new();
        for (steps, task) in all {
            let to = self.who(task);
            if (loads[to] + steps) as f64 <= most {
                loads[to] += steps;
                tasks[to].grow(task)?;
            } else {
                left.grow((steps, task))?;
            }
        }
        let mut least = room(loads.len() as u64)?;
        least.extend(loads.into_iter().enumerate().map(|(to, cost)| Reverse((cost, to))));
        let mut least = BinaryHeap::from(least);
        for (steps, task) in left {
            let Some(Reverse((cost, to))) = least.pop() else { break };
            tasks[to].grow(task)?;
            least.push(Reverse((cost + steps, to)));
        }
        Ok(tasks)
    }

    /// What brings all blocks to the first process.
    pub(super) fn collect(&mut self) -> Result<Vec<BlockTransfer>, GenerateError> {
        let mut transfers = Vec::new();
        let layout = self.layout;
        for block in layout.all_blocks().filter(|&block| layout.block_lines(block) > 0) {
            self.bring(block, 0, &mut transfers)?;
        }
        Ok(transfers)
    }

    fn bring(
        &mut self,
        block: [usize; 2],
        to: usize,
        transfers: &mut Vec<BlockTransfer>,
    ) -> Result<(), GenerateError> {
        let from = self.places[self.layout.block(block)].replace(to);
        if from != Some(to) { transfers.grow(BlockTransfer { block, from, to }) } else { Ok(()) }
    }
}

/// What it takes several processes to solve a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// Bytes of blocks that the process with the most of them has at any time.
    pub(super) memory: u64,
    /// Blocks that travel.
    pub(super) transfers: u64,
    /// Their bytes.
    pub(super) travel: u64,
    /// Steps that follow each other, as the process with the most steps of a sum is waited for.
    pub(super) span: u64,
    /// The most bytes of any process that are waited for, sum by sum, until all is solved.
    pub(super) wait: u64,
}

impl Cost {
    /// What comes of going through all tasks, and of collecting all blocks. `bytes` tells how many a block takes in
    /// memory and when it travels, and `steps` how many a task has.
    pub(super) fn new(
        layout: &LineLayout,
        count: usize,
        bytes: impl Fn([usize; 2]) -> [u64; 2],
        steps: impl Fn(TaskRanges) -> u64,
    ) -> Result<Self, GenerateError> {
        let mut assignment = Assignment::new(layout, count, |_| false, |_| false)?;
        let mut cost = Self::default();
        let mut held: Vec<u64> = filled(count as u64, 0)?;
        for sum in 0..=layout.greatest_sum() {
            let RankStep { tasks, transfers } = assignment.step(sum, |_| false)?;
            let mut travel: Vec<u64> = filled(count as u64, 0)?;
            // What comes is there before what goes is away.
            for &BlockTransfer { block, from, to } in &transfers {
                let [in_memory, bytes] = bytes(block);
                held[to] += in_memory;
                if let Some(from) = from {
                    cost.transfers += u64::from(bytes > 0);
                    cost.travel += bytes;
                    travel[from] += bytes;
                    travel[to] += bytes;
                }
            }
            cost.memory = cost.memory.max(held.iter().copied().max().unwrap_or(0));
            for &BlockTransfer { block, from, .. } in &transfers {
                if let Some(from) = from {
                    held[from] -= bytes(block)[0];
                }
            }
            let of_one = |tasks: &Vec<TaskRanges>| tasks.iter().map(|&task| steps(task)).sum::<u64>();
            cost.span += tasks.iter().map(of_one).max().unwrap_or(0);
            cost.wait += travel.into_iter().max().unwrap_or(0);
        }
        for BlockTransfer { block, from, .. } in assignment.collect()? {
            let [_, bytes] = bytes(block);
            cost.transfers += u64::from(from.is_some() && bytes > 0);
            cost.travel += bytes;
        }
        Ok(cost)
    }
}
