//! Which process does which task, and has which block when.
//!
//! All processes go through the tasks sum by sum. A task is done where its greatest range belongs, and nearly all of what it needs is
//! there: of its three blocks those of its greatest range stay from task to task, and the third one comes from where it was used
//! for the sum before. So each process knows of all blocks where they are, without being told.

use super::layout::{Layout, Task};
use crate::GenerateError;
use crate::memory::{Grow, filled};

/// From so many processes on the second range decides too: there are not enough greatest ranges to keep all of them busy.
const MANY: usize = 16;
/// How far the process of the next second range is then.
const STRIDE: usize = 37;

/// A block that a process needs and does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    /// The ranges of the block.
    pub(super) block: [usize; 2],
    /// Which process has it; `None` if nobody does, as nothing is known of it yet.
    pub(super) from: Option<usize>,
    /// Which process needs it.
    pub(super) to: usize,
}

/// The tasks of a sum, and what goes before them.
pub(super) struct Step {
    /// By process.
    pub(super) tasks: Vec<Vec<Task>>,
    pub(super) moves: Vec<Move>,
}

/// Where all blocks are.
pub(super) struct Deal<'a> {
    layout: &'a Layout,
    count: usize,
    /// Of each block that there is the process that has it.
    places: Vec<Option<usize>>,
}

impl<'a> Deal<'a> {
    /// Deals blocks out of which `known` says that something is known, and `is_done` which tasks are done.
    pub(super) fn new(
        layout: &'a Layout,
        count: usize,
        known: impl Fn([usize; 2]) -> bool,
        is_done: impl Fn(Task) -> bool,
    ) -> Result<Self, GenerateError> {
        let mut deal = Self { layout, count, places: filled(layout.blocks() as u64, None)? };
        for block in layout.all_blocks().filter(|&block| known(block)) {
            let next = deal.tasks_of(block).find(|&task| !is_done(task));
            deal.places[layout.block(block)] = Some(next.map_or(deal.home(block), |task| deal.who(task)));
        }
        Ok(deal)
    }

    /// The process that does a task.
    fn who(&self, [one, two, three]: Task) -> usize {
        // A stand-in is the same in all tasks. Of a game of one heap the tasks follow each other: one process does them all.
        let [first, second] = if self.layout.stand_ins == 0 { [one, two] } else { [two, three] };
        let further = if self.count < MANY { 0 } else { STRIDE * second };
        (first + further) % self.count
    }

    /// Where a block goes that no task needs any more, so that no process has more of them than another.
    fn home(&self, block: [usize; 2]) -> usize {
        self.layout.block(block) % self.count
    }

    /// The tasks that need a block, by their sums.
    fn tasks_of(&self, [first, second]: [usize; 2]) -> impl Iterator<Item = Task> {
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
    pub(super) fn step(&mut self, sum: usize, is_done: impl Fn(Task) -> bool) -> Result<Step, GenerateError> {
        let layout = self.layout;
        let mut step = Step { tasks: filled(self.count as u64, Vec::new())?, moves: Vec::new() };
        for task in layout.tasks(sum).filter(|&task| !is_done(task)) {
            let to = self.who(task);
            step.tasks[to].grow(task)?;
            let [one, two, three] = task;
            for block in [[one, two], [one, three], [two, three]] {
                self.bring(block, to, &mut step.moves)?;
            }
        }
        // Blocks that were needed last for the sum before.
        let Some(before) = sum.checked_sub(1) else { return Ok(step) };
        for task in layout.tasks(before) {
            let [one, two, three] = task;
            for block in [[one, two], [one, three], [two, three]] {
                if self.tasks_of(block).last() == Some(task) {
                    self.bring(block, self.home(block), &mut step.moves)?;
                }
            }
        }
        Ok(step)
    }

    /// What brings all blocks to the first process.
    pub(super) fn collect(&mut self) -> Result<Vec<Move>, GenerateError> {
        let mut moves = Vec::new();
        let layout = self.layout;
        for block in layout.all_blocks().filter(|&block| layout.block_lines(block) > 0) {
            self.bring(block, 0, &mut moves)?;
        }
        Ok(moves)
    }

    fn bring(&mut self, block: [usize; 2], to: usize, moves: &mut Vec<Move>) -> Result<(), GenerateError> {
        let from = self.places[self.layout.block(block)].replace(to);
        if from != Some(to) { moves.grow(Move { block, from, to }) } else { Ok(()) }
    }
}

/// What it takes several processes to solve a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    /// Bytes of blocks that the process with the most of them has at any time.
    pub(super) memory: u64,
    /// Blocks that travel.
    pub(super) moves: u64,
    /// Their bytes.
    pub(super) travel: u64,
    /// Steps that follow each other, as the process with the most steps of a sum is waited for.
    pub(super) span: u64,
    /// The most bytes of any process that are waited for, sum by sum.
    pub(super) wait: u64,
}

impl Load {
    /// What comes of going through all tasks, and of collecting all blocks. `bytes` tells how many a block takes in memory and when
    /// it travels, and `steps` how many a task has.
    pub(super) fn new(
        layout: &Layout,
        count: usize,
        bytes: impl Fn([usize; 2]) -> [u64; 2],
        steps: impl Fn(Task) -> u64,
    ) -> Result<Self, GenerateError> {
        let mut deal = Deal::new(layout, count, |_| false, |_| false)?;
        let mut load = Self::default();
        let mut held: Vec<u64> = filled(count as u64, 0)?;
        for sum in 0..=layout.greatest_sum() {
            let Step { tasks, moves } = deal.step(sum, |_| false)?;
            let mut travel: Vec<u64> = filled(count as u64, 0)?;
            // What comes is there before what goes is away.
            for &Move { block, from, to } in &moves {
                let [in_memory, bytes] = bytes(block);
                held[to] += in_memory;
                if let Some(from) = from {
                    load.moves += u64::from(bytes > 0);
                    load.travel += bytes;
                    travel[from] += bytes;
                    travel[to] += bytes;
                }
            }
            load.memory = load.memory.max(held.iter().copied().max().unwrap_or(0));
            for &Move { block, from, .. } in &moves {
                if let Some(from) = from {
                    held[from] -= bytes(block)[0];
                }
            }
            let of_one = |tasks: &Vec<Task>| tasks.iter().map(|&task| steps(task)).sum::<u64>();
            load.span += tasks.iter().map(of_one).max().unwrap_or(0);
            load.wait += travel.into_iter().max().unwrap_or(0);
        }
        for Move { block, from, .. } in deal.collect()? {
            let [_, bytes] = bytes(block);
            load.moves += u64::from(from.is_some() && bytes > 0);
            load.travel += bytes;
            load.wait += bytes;
        }
        Ok(load)
    }
}
