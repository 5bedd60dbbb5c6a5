//! Solves a game with several MPI ranks, each of which has a share of the blocks.
//!
//! Tasks with the same sum of ranges do not depend on each other (`layout`). So all ranks go through the sums together:
//! for each sum they exchange blocks as `assignment` says, each rank solves its tasks, and then they report census,
//! finished tasks and cancellation to each other. Example: the task (2,1,0) belongs to sum 3; its rank first receives
//! the blocks (2,1), (2,0) and (1,0) that it does not have.

use std::sync::Mutex;

use super::assignment::{Assignment, BlockTransfer, RankStep};
use super::block::{HeapSize, LineBlock};
use super::cell::LineCell;
use super::solve_tasks::{LinePartition, run};
use super::task::TaskSolver;
use crate::census::Census;
use crate::communicator::{Communicator, Message};
use crate::control::{Control, Event};
use crate::heaps::frame::block_cache::{BlockCache, WorkDone, lock};
use crate::making::GenerateError;
use crate::memory::{Grow, room};

/// The report of a rank after its tasks of a sum.
struct Report {
    /// Census of the positions that this rank has solved.
    census: Census,
    is_cancelled: bool,
    /// A checkpoint is due. Counts only in the report of rank 0.
    is_due: bool,
    /// For each of the rank's tasks whether it is finished: after a cancellation, some are not.
    done: Vec<bool>,
}

/// Bytes of a report before those of the tasks.
const FIXED_BYTES: usize = 14;

impl Report {
    fn to_bytes(&self) -> Vec<u8> {
        let Self { census: Census { wins, deepest }, is_cancelled, is_due, done } = self;
        let flags = [u8::from(*is_cancelled), u8::from(*is_due)];
        let done = done.iter().map(|&done| u8::from(done));
        let fixed = wins.to_le_bytes().into_iter().chain(deepest.to_le_bytes()).chain(flags);
        fixed.chain(done).collect()
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let (fixed, done) = bytes.split_at(FIXED_BYTES);
        let (wins, rest) = fixed.split_first_chunk().expect("eight bytes");
        let (deepest, flags) = rest.split_first_chunk().expect("four bytes");
        Self {
            census: Census { wins: u64::from_le_bytes(*wins), deepest: u32::from_le_bytes(*deepest) },
            is_cancelled: flags[0] == 1,
            is_due: flags[1] == 1,
            done: done.iter().map(|&done| done == 1).collect(),
        }
    }
}

/// Solves all remaining tasks together with the other ranks. Returns the census of all positions. With `collect`, rank 0
/// has all blocks at the end.
pub(super) fn solve<C: LineCell, S: HeapSize>(
    solver: &TaskSolver<C>,
    cache: &mut BlockCache<LinePartition<C, S>>,
    before: Census,
    communicator: &dyn Communicator,
    collect: bool,
    control: &dyn Control,
) -> Result<Census, GenerateError> {
    let layout = solver.layout;
    let mut assignment = Assignment::new(
        layout,
        communicator.size(),
        |block| cache.has_file(layout.block(block)),
        |task| cache.is_done(task),
    )?;
    let mut own = Vec::new();
    let of_own = layout.all_blocks().filter(|&block| assignment.rank_of(block) == Some(communicator.rank()));
    for block in of_own {
        own.grow(block)?;
    }
    cache.load_all(&own)?;

    let all = layout.all_steps();
    let mut done = 0;
    for task in (0..=layout.greatest_sum()).flat_map(|sum| layout.tasks(sum)) {
        done += if cache.is_done(task) { layout.steps(task) } else { 0 };
    }
    if done > 0 {
        control.advance(done);
        control.report_event(Event::Resumed { done, all });
    }
    let mut sent = [0, 0];
    let work_done = Mutex::new(WorkDone::default());
    let mut census = before;
    for sum in 0..=layout.greatest_sum() {
        let RankStep { tasks, transfers } = assignment.step(sum, |task| cache.is_done(task))?;
        transfer(cache, communicator, &transfers, &mut sent)?;
        let own = &tasks[communicator.rank()];
        let solved = run(solver, cache, own, &work_done, control);
        let cancelled = matches!(solved, Err(GenerateError::Cancelled));
        if !cancelled {
            solved?;
        }
        let report = Report {
            census: lock(&work_done).census,
            is_cancelled: cancelled || control.is_cancelled(),
            is_due: cache.is_due(),
            done: own.iter().map(|&task| cache.is_done(task)).collect(),
        };
        let reports = communicator.gather(&report.to_bytes());
        let reports: Vec<Report> = reports.iter().map(|bytes| Report::from_bytes(bytes)).collect();
        census = reports.iter().fold(before, |sum, report| sum.and(report.census));
        let cancelled = reports.iter().any(|report| report.is_cancelled);
        for (process, (tasks, report)) in tasks.iter().zip(&reports).enumerate() {
            for (&task, _) in tasks.iter().zip(&report.done).filter(|&(_, &is_done)| is_done) {
                cache.mark_done(task);
                let steps = layout.steps(task);
                done += steps;
                if process != communicator.rank() {
                    control.advance(steps);
                }
            }
        }
        if cache.can_save() && (reports[0].is_due || cancelled) {
            if cancelled {
                control.report_event(Event::Stopping);
            }
            cache.checkpoint(census, [done, all])?;
        }
        if cancelled {
            return Err(GenerateError::Cancelled);
        }
    }
    if collect {
        transfer(cache, communicator, &assignment.collect()?, &mut sent)?;
    }
    let [messages, bytes] = sent.map(|own| gather_numbers(communicator, own).sum());
    control.report_event(Event::Exchanged { messages, bytes });
    Ok(census)
}

/// Sends and receives blocks, and creates those that do not exist yet.
fn transfer<C: LineCell, S: HeapSize>(
    cache: &mut BlockCache<LinePartition<C, S>>,
    communicator: &dyn Communicator,
    transfers: &[BlockTransfer],
    sent: &mut [u64; 2],
) -> Result<(), GenerateError> {
    let own = communicator.rank();
    let mut blocks: Vec<(BlockTransfer, LineBlock<C, S>)> = room(transfers.len() as u64)?;
    for &one in transfers {
        let block = match one {
            BlockTransfer { from: Some(from), block, .. } if from == own => {
                cache.take(cache.partition.layout.block(block))
            }
            BlockTransfer { to, block, .. } if to == own => {
                Some(cache.new_block(cache.partition.layout.block(block))?)
            }
            _ => None,
        };
        blocks.extend(block.map(|block| (one, block)));
    }
    let mut messages = room(2 * blocks.len() as u64)?;
    for (BlockTransfer { from, to, .. }, block) in &mut blocks {
        match *from {
            Some(from) if from == own => messages.extend(block.content().map(|part| Message::To(*to, part))),
            Some(from) => messages.extend(block.content_mut().map(|part| Message::From(from, part))),
            None => {}
        }
    }
    messages.retain(|message| !matches!(message, Message::To(_, []) | Message::From(_, [])));
    for message in &messages {
        if let Message::To(_, bytes) = message {
            *sent = [sent[0] + 1, sent[1] + bytes.len() as u64];
        }
    }
    if !messages.is_empty() {
        communicator.exchange(&mut messages);
    }
    drop(messages);
    for (BlockTransfer { block: ranges, to, .. }, block) in blocks {
        if to == own {
            cache.insert(cache.partition.layout.block(ranges), block);
        }
    }
    Ok(())
}

/// Sends `own` to all ranks, and returns the numbers of all ranks.
pub(super) fn gather_numbers(communicator: &dyn Communicator, own: u64) -> impl Iterator<Item = u64> {
    let all = communicator.gather(&own.to_le_bytes());
    all.into_iter().map(|bytes| u64::from_le_bytes(*bytes.first_chunk().expect("eight bytes")))
}
