//! Solves a game with several MPI ranks, each of which has a share of the blocks.
//!
//! Tasks with the same sum of ranges do not depend on each other (`heap_ranges`). So all ranks go through the sums
//! together: for each sum they exchange blocks as `assignment` says, each rank solves its tasks, and then they report
//! census, finished tasks and cancellation to each other.

use std::collections::{BTreeMap, btree_map};
use std::sync::Mutex;

use super::assignment::{Assignment, BlockTransfer, RankStep};
use super::block::Block;
use super::block_cache::{BlockCache, WorkDone, lock};
use super::kernel::{Kernel, report_resumed, run_tasks};
use crate::census::Census;
use crate::communicator::{Communicator, Message};
use crate::control::{Control, Event};
use crate::making::GenerateError;
use crate::memory::{Grow, collected, room};

/// Solves all remaining tasks together with the other ranks. Returns the census of all positions. With `collect`, rank 0
/// has all blocks at the end. `all` is the number of steps of the whole game.
pub(crate) fn solve(
    kernel: &dyn Kernel,
    cache: &mut BlockCache,
    before: Census,
    communicator: &dyn Communicator,
    collect: bool,
    all: u64,
    control: &dyn Control,
) -> Result<Census, GenerateError> {
    let partition = cache.partition;
    let mut assignment =
        Assignment::new(partition, communicator.size(), &|block| cache.has_file(block), &|task| {
            cache.is_done(task)
        })?;
    let is_own = |&block: &usize| assignment.owner(block) == Some(communicator.rank());
    let own = collected((0..partition.blocks()).filter(is_own))?;
    cache.load(&own, &|_, last_use| last_use)?;

    let mut done = report_resumed(cache, all, control);
    let mut sent = [0, 0];
    let work_done = Mutex::new(WorkDone::default());
    let mut census = before;
    for sum in 0..=partition.ranges().greatest_sum() {
        let step = assignment.step(sum, &|task| cache.is_done(task))?;
        exchange(cache, communicator, &step, &mut sent)?;
        let own = &step.tasks[communicator.rank()];
        let solved = run_tasks(kernel, cache, own, &work_done, control);
        let cancelled = matches!(solved, Err(GenerateError::Cancelled));
        if !cancelled {
            solved?;
        }
        // A report has the rank's census so far, whether the rank is cancelled, whether a checkpoint is due (only rank
        // 0's answer counts), and for each of the rank's tasks whether it is finished: after a cancellation, some are
        // not.
        let Census { wins, deepest } = lock(&work_done).census;
        let flags = [cancelled || control.is_cancelled(), cache.is_due()];
        let flags = flags.into_iter().chain(own.iter().map(|&task| cache.is_done(task)));
        let report: Vec<u64> = [wins, deepest.into()].into_iter().chain(flags.map(u64::from)).collect();
        let reports = gather_words(communicator, &report);
        census = reports
            .iter()
            .fold(before, |sum, report| sum.and(Census { wins: report[0], deepest: report[1] as u32 }));
        let cancelled = reports.iter().any(|report| report[2] == 1);
        let is_due = reports[0][3] == 1;
        for (rank, (tasks, report)) in step.tasks.iter().zip(&reports).enumerate() {
            for (&task, _) in tasks.iter().zip(&report[4..]).filter(|&(_, &is_done)| is_done == 1) {
                cache.mark_done(task);
                let steps = partition.steps(task);
                done += steps;
                if rank != communicator.rank() {
                    control.advance(steps);
                }
            }
        }
        if cache.can_save() && (is_due || cancelled) {
            if cancelled {
                control.report_event(Event::Stopping);
            }
            cache.checkpoint(census, [done, all])?;
        }
        if cancelled {
            return Err(GenerateError::Cancelled);
        }
    }
    exchange(cache, communicator, &assignment.last_step(collect)?, &mut sent)?;
    let [messages, bytes] = sent.map(|own| gather_numbers(communicator, own).sum());
    control.report_event(Event::Exchanged { messages, bytes });
    Ok(census)
}

/// Drops, sends and receives blocks, and creates those that do not exist yet. Counts sent messages and their bytes.
fn exchange(
    cache: &mut BlockCache,
    communicator: &dyn Communicator,
    step: &RankStep,
    sent: &mut [u64; 2],
) -> Result<(), GenerateError> {
    let own = communicator.rank();
    for &(block, rank) in &step.dropped {
        if rank == own || cache.partition.is_temporary(block) {
            cache.discard(block);
        }
    }
    let transfers = &step.transfers;
    let mut received: Vec<(&BlockTransfer, Block)> = Vec::new();
    for transfer in transfers.iter().filter(|transfer| transfer.to == own) {
        received.grow((transfer, Block::new(cache.partition.shape(transfer.block))?))?;
    }
    let is_sent = |transfer: &&BlockTransfer| transfer.from == Some(own);
    let mut sending = BTreeMap::new();
    for transfer in transfers.iter().filter(is_sent) {
        if let btree_map::Entry::Vacant(entry) = sending.entry(transfer.block) {
            entry.insert(cache.read_lock(transfer.block));
        }
    }
    let mut messages = room(2 * transfers.len() as u64)?;
    let mut buffers = received.iter_mut();
    for transfer in transfers {
        if transfer.to == own {
            let Some((_, block)) = buffers.next() else { unreachable!("a buffer for each received block") };
            if let Some(from) = transfer.from {
                messages.extend(block.content_mut().map(|part| Message::From(from, part)));
            }
        } else if is_sent(&transfer) {
            let content = sending[&transfer.block].block().content();
            messages.extend(content.map(|part| Message::To(transfer.to, part)));
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
    drop(sending);
    for transfer in transfers.iter().filter(is_sent).filter(|transfer| !transfer.is_copy) {
        cache.take(transfer.block);
    }
    for (transfer, block) in received {
        cache.insert(transfer.block, block, !transfer.is_copy);
    }
    Ok(())
}

/// Sends words to all ranks, and returns the words of all ranks.
fn gather_words(communicator: &dyn Communicator, own: &[u64]) -> Vec<Vec<u64>> {
    let own: Vec<u8> = own.iter().flat_map(|word| word.to_le_bytes()).collect();
    let words = |bytes: Vec<u8>| bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect();
    communicator.gather(&own).into_iter().map(words).collect()
}

/// Sends `own` to all ranks, and returns the numbers of all ranks.
pub(crate) fn gather_numbers(communicator: &dyn Communicator, own: u64) -> impl Iterator<Item = u64> {
    gather_words(communicator, &[own]).into_iter().map(|words| words[0])
}
