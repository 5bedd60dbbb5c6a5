//! Solves a game in blocks: alone or with other MPI ranks, in memory or with a work folder.

use std::mem;
use std::sync::Mutex;

use super::assignment::{cluster_cost, finished_blocks};
use super::block_cache::{BlockCache, SolvedBlocks, WorkDone, lock};
use super::block_memory::BlockMemory;
use super::distributed::{self, gather_numbers};
use super::heap_ranges::TaskRanges;
use super::kernel::{Kernel, report_resumed, run_tasks};
use super::partition::{Batch, Partition, RangeGroup, TaskBlocks};
use crate::census::Census;
use crate::control::Control;
use crate::making::{GenerateError, Resources};
use crate::memory::{Grow, collected};
use crate::parallel;
use crate::work::Job;

/// Returns the memory that each process may use, in bytes: with MPI, the least of all ranks, so that all ranks decide
/// the same way.
pub(crate) fn memory_limit(resources: &Resources) -> u64 {
    match resources.communicator {
        Some(communicator) => gather_numbers(communicator, resources.memory).min().unwrap_or(0),
        None => resources.memory,
    }
}

/// Solves a game; resumes from the last checkpoint if there is one. `for_blocks` is the memory for blocks, in bytes.
/// With `in_memory`, all blocks are in memory at the end, for packing.
pub(crate) fn solve<'a>(
    partition: &'a dyn Partition,
    kernel: &dyn Kernel,
    job: Job,
    for_blocks: u64,
    in_memory: bool,
    resources: &'a Resources,
    control: &dyn Control,
) -> Result<SolvedBlocks<'a>, GenerateError> {
    let steps = partition.all_steps();
    let (mut cache, census) = BlockCache::open(partition, for_blocks, resources, job)?;
    let (census, in_memory) = match resources.communicator {
        None => (solve_alone(kernel, &mut cache, census, for_blocks, steps, control)?, in_memory),
        Some(communicator) => {
            // Rank 0 packs, so it decides. Ranks with more threads have larger buffers, and less memory for blocks.
            let in_memory = gather_numbers(communicator, in_memory.into()).next() == Some(1);
            let for_blocks = gather_numbers(communicator, for_blocks).min().unwrap_or(0);
            let cost = cluster_cost(partition, BlockMemory::default(), communicator.size())?;
            if cost.memory_of_others > for_blocks {
                return Err(GenerateError::Memory);
            }
            let solved =
                distributed::solve(kernel, &mut cache, census, communicator, in_memory, steps, control)?;
            (solved, in_memory)
        }
    };
    if !in_memory {
        cache.checkpoint(census, [steps, steps])?;
    } else if resources.communicator.is_none() {
        // If the run resumed, blocks may still be in the folder.
        let is_packed = |&block: &usize| partition.shape(block).cells > 0 && !partition.is_temporary(block);
        let all = collected((0..partition.blocks()).filter(is_packed))?;
        cache.load(&all, &|_, last_use| last_use)?;
    }
    cache.into_solved(census, steps, in_memory)
}

/// Solves all tasks that are not yet done, batch by batch, and within a batch by the sum of their ranges. `all` is the
/// number of steps of the whole game.
fn solve_alone(
    kernel: &dyn Kernel,
    cache: &mut BlockCache,
    census: Census,
    max_bytes: u64,
    all: u64,
    control: &dyn Control,
) -> Result<Census, GenerateError> {
    let partition = cache.partition;
    let done = report_resumed(cache, all, control);
    if done > 0 && cache.all_fit() {
        // All blocks are needed at the end. Load them now, to find any damage before hours of work are lost.
        let in_folder = collected((0..partition.blocks()).filter(|&block| cache.has_file(block)))?;
        cache.load(&in_folder, &|_, last_use| last_use)?;
    }
    let has_temporary = (0..partition.blocks()).any(|block| partition.is_temporary(block));
    let mut finished = if has_temporary { finished_blocks(partition)? } else { Vec::new() };
    let work_done = Mutex::new(WorkDone { census, steps: done });
    for batch in partition.batches(max_bytes)? {
        let mut is_loaded = false;
        for sum in sum_of(batch, |group| group.0)..=sum_of(batch, |group| group.1 - 1) {
            let mut tasks = Vec::new();
            let remains = |&task: &TaskRanges| is_in_batch(task, batch) && !cache.is_done(task);
            partition.ranges().tasks(sum).filter(remains).try_for_each(|task| tasks.grow(task))?;
            if !is_loaded && let Some(&first) = tasks.first() {
                cache.load(&partition.blocks_of_batch(batch)?, &|block, last| {
                    partition.worth(block, last, first)
                })?;
                is_loaded = true;
            }
            let mut tasks = &tasks[..];
            while !tasks.is_empty() {
                let (count, blocks) = tasks_that_fit(partition, tasks, max_bytes)?;
                let last_task = tasks[count - 1];
                cache.load(&blocks, &|block, last| partition.worth(block, last, last_task))?;
                let solved = run_tasks(kernel, cache, &tasks[..count], &work_done, control);
                tasks = &tasks[count..];
                cache.checkpoint_after(solved, *lock(&work_done), all, control)?;
            }
            for block in finished.get_mut(sum).into_iter().flat_map(mem::take) {
                if partition.is_temporary(block) {
                    cache.discard(block);
                }
            }
        }
    }
    Ok(lock(&work_done).census)
}

fn sum_of(batch: Batch, of_group: fn(&RangeGroup) -> usize) -> usize {
    batch.iter().map(of_group).sum()
}

pub(crate) fn is_in_batch(task: TaskRanges, batch: Batch) -> bool {
    task.iter().zip(batch).all(|(&range, (first, end))| (first..end).contains(&range))
}

/// Returns the number of tasks to solve before the next chance for a checkpoint, from the first task on, and the blocks
/// of these tasks. Together, these blocks fit into memory.
fn tasks_that_fit(
    partition: &dyn Partition,
    tasks: &[TaskRanges],
    max_bytes: u64,
) -> Result<(usize, Vec<usize>), GenerateError> {
    let (mut blocks, mut bytes): (Vec<usize>, u64) = (Vec::new(), 0);
    let mut count = 0;
    let mut used = TaskBlocks::default();
    for &task in tasks.iter().take(partition.tasks_per_checkpoint() * parallel::threads()) {
        let before = blocks.len();
        let mut more: u64 = 0;
        used.clear();
        partition.use_blocks(task, &mut used)?;
        for block in used.all() {
            if !blocks.contains(&block) {
                more = more.saturating_add(partition.memory_bytes(block));
                blocks.grow(block)?;
            }
        }
        if bytes.saturating_add(more) > max_bytes {
            blocks.truncate(before);
            break;
        }
        (bytes, count) = (bytes.saturating_add(more), count + 1);
    }
    if count > 0 { Ok((count, blocks)) } else { Err(GenerateError::Memory) }
}

/// This many numbers of processes are tried one by one, from the least possible number on. Then the steps grow: each is
/// the distance from the last of these numbers, divided by `STEP_DIVISOR`, but at least 1.
const TRIED_ONE_BY_ONE: usize = 64;
const STEP_DIVISOR: usize = 8;

/// Returns the fewest processes for which each rank's share fits into its memory; approximately, if there are many.
/// `None` if no number of processes is enough.
pub(crate) fn enough_processes(
    partition: &dyn Partition,
    needs: BlockMemory,
    fits: &dyn Fn(u64) -> bool,
) -> Option<usize> {
    // Rank 0 and a batch need the same memory for any number of processes.
    if !fits(needs.of_rank_0()) || !fits(needs.batch.saturating_add(needs.buffers)) {
        return None;
    }
    // Fewer processes cannot hold all blocks.
    let least =
        (2..).find(|&processes| fits((needs.blocks / processes as u64).saturating_add(needs.buffers)))?;
    // More processes would have nothing to do.
    let most = partition.ranges().count * partition.ranges().count;
    let next = |&processes: &usize| {
        Some(processes + (processes.saturating_sub(least + TRIED_ONE_BY_ONE) / STEP_DIVISOR).max(1))
    };
    std::iter::successors(Some(least), next).take_while(|&processes| processes <= most).find(|&processes| {
        cluster_cost(partition, needs, processes).is_ok_and(|cost| fits(cost.memory_of_others))
    })
}
