//! Kernels, and how their tasks are run.

use std::sync::Mutex;

use super::block_cache::{BlockCache, WorkDone, lock};
use super::heap_ranges::TaskRanges;
use crate::census::Census;
use crate::control::{Control, Event, check_cancelled};
use crate::making::GenerateError;
use crate::parallel;

/// The kernel of a game: solves its tasks.
pub(crate) trait Kernel: Sync {
    /// Solves a task, whose blocks are in memory. Returns the census of its positions.
    fn solve(&self, task: TaskRanges, cache: &BlockCache) -> Result<Census, GenerateError>;
}

/// Reports the steps done before the last checkpoint, out of `all`, and returns their number.
pub(crate) fn report_resumed(cache: &BlockCache, all: u64, control: &dyn Control) -> u64 {
    let partition = cache.partition;
    let is_done = |&task: &TaskRanges| cache.is_done(task);
    let done = partition.ranges().all_tasks().filter(is_done).map(|task| partition.steps(task)).sum();
    if done > 0 {
        control.advance(done);
        control.report_event(Event::Resumed { done, all });
    }
    done
}

/// Solves independent tasks in parallel, and counts their positions.
pub(crate) fn run_tasks(
    kernel: &dyn Kernel,
    cache: &BlockCache,
    tasks: &[TaskRanges],
    work_done: &Mutex<WorkDone>,
    control: &dyn Control,
) -> Result<(), GenerateError> {
    let solve = |at: usize| {
        // Never cancel within a task: a checkpoint has only finished tasks.
        check_cancelled(control)?;
        let census = kernel.solve(tasks[at], cache)?;
        let steps = cache.partition.steps(tasks[at]);
        let mut work_done = lock(work_done);
        cache.mark_done(tasks[at]);
        *work_done = WorkDone { census: work_done.census.and(census), steps: work_done.steps + steps };
        control.advance(steps);
        Ok(())
    };
    parallel::reduce(tasks.len(), solve, |(), ()| Ok(()))
}
