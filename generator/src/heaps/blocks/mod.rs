//! Depths of games in which a move takes any number of stones from one heap, solved in blocks of lines.
//!
//! For each line (one heap varies, the others are fixed) the solver keeps one number, the *cell* (`cell`), and the size
//! of the line's own heap in its lost position. The lines are cut into blocks, and the positions into tasks (`layout`);
//! a task (`task`) reads and writes three blocks. Blocks that are not in use may lie in a work folder
//! ([`block_cache`](crate::heaps::frame::block_cache)): `plan` orders the tasks so that few blocks are read and written.
//! `distributed` shares the tasks among several MPI ranks, as `assignment` says. At the end the lines are packed from
//! memory (`memory_lines`) or from the folder (`disk_lines`). Cost: one step for each position and heap.

mod assignment;
mod block;
mod cell;
mod disk_lines;
mod distributed;
mod layout;
mod line_runs;
mod memory_lines;
mod plan;
mod solve_tasks;
mod task;

use std::marker::PhantomData;
use std::sync::Mutex;

use bouton_tables::Ruleset;
use bouton_tables::heaps::{Heap, HeapRules, Ranks};

use self::assignment::Cost;
use self::block::{HeapSize, LineBlock, LineShape};
use self::cell::{LineCell, LineWidth};
use self::disk_lines::{DiskLines, greatest_section};
use self::distributed::gather_numbers;
use self::layout::{LineLayout, TASK_HEAPS, TaskRanges};
use self::line_runs::LineRuns;
use self::memory_lines::{LineReader, MemoryLines};
use self::plan::{BatchPlan, blocks_of_batch, is_in_batch};
use self::solve_tasks::{LinePartition, run};
use self::task::TaskSolver;
use crate::census::Census;
use crate::control::{Control, Event};
use crate::estimate::bytes_for_solving;
use crate::family::ClusterCost;
use crate::heaps::classes::merge_classes::{SearchResult, merge_lines};
use crate::heaps::classes::search_checkpoints::SearchCheckpoints;
use crate::heaps::frame::block_cache::{BlockCache, SolvedBlocks, WorkDone, lock};
use crate::heaps::frame::checkpoint::Checkpointer;
use crate::heaps::sizes::{capped, layers, multisets_without};
use crate::making::{GenerateError, GenerateOptions, Resources};
use crate::memory::{Grow, room};
use crate::parallel;
use crate::work::Job;

/// Games with more lines are too large for any machine.
const MAX_LINES: u128 = 1 << 44;

/// Bytes for the lists of blocks, tasks and runs of lines.
const LIST_BYTES: u64 = 2 << 20;

/// Tasks between two chances for a checkpoint, for each thread.
const TASKS_PER_CHECKPOINT: usize = 16;

/// Calls a function with the types of cells and sizes of a game.
macro_rules! with_width {
    ($rules:expr, $function:ident($($argument:expr),*)) => {
        match LineWidth::of($rules) {
            LineWidth::Small => $function::<i16, u8>($($argument),*),
            LineWidth::Long => $function::<i32, u8>($($argument),*),
            LineWidth::Large => $function::<i64, Heap>($($argument),*),
        }
    };
}

/// Solves a game, and packs its lines.
pub(super) fn make(
    rules: &HeapRules,
    options: GenerateOptions,
    resources: &Resources,
    control: &dyn Control,
) -> Result<(SearchResult, Census), GenerateError> {
    with_width!(rules, make_in(rules, options, resources, control))
}

/// Does the work of a rank other than 0.
pub(super) fn work_as_rank(
    rules: &HeapRules,
    options: GenerateOptions,
    resources: &Resources,
    control: &dyn Control,
) -> Result<(), GenerateError> {
    with_width!(rules, work_as_rank_in(rules, options, resources, control))
}

/// Memory for a game, in bytes.
#[derive(Clone, Copy, Debug)]
struct LineMemory {
    /// The edges of the first level that packing computes, and lists.
    multisets: u64,
    /// The search for classes, if it can be large.
    search: u64,
    /// All blocks.
    blocks: u64,
    /// The blocks that must be in memory at a time while the game is solved.
    batch: u64,
    /// The largest section, when packing from a folder. `None` if the game can only be packed from memory.
    section: Option<u64>,
}

impl LineMemory {
    fn without_folder(self) -> u64 {
        self.blocks.saturating_add(self.packing())
    }

    /// Returns the minimum memory with a folder.
    fn least(self) -> u64 {
        self.section
            .map_or(self.without_folder(), |section| self.batch.max(section.saturating_add(self.packing())))
    }

    /// Returns the minimum memory in which rank 0 packs everything: from the folder if possible, otherwise from memory.
    fn of_rank_0(self) -> u64 {
        self.section.map_or(self.without_folder(), |section| section.saturating_add(self.packing()))
    }

    /// Returns the memory of packing, without blocks.
    fn packing(self) -> u64 {
        self.multisets.saturating_add(self.search)
    }
}

fn memory_of<C: LineCell, S: HeapSize>(rules: &HeapRules, layout: &LineLayout) -> LineMemory {
    let layers = layers(rules);
    // Without passes there are few classes, so edges are narrow.
    let edge = if rules.passes() == 0 { 4 } else { 8 };
    let multisets = multisets_without(rules.bounds(), 2).saturating_mul(u128::from(layers) * edge);
    // With passes hardly any multisets are equivalent: there are nearly as many classes as lines, with up to about 56
    // bytes for each line and layer.
    let search = if rules.passes() == 0 { 0 } else { 56 * u128::from(layers) };
    let search = multisets_without(rules.bounds(), 1).saturating_mul(search);
    let bytes = |block| block_bytes::<C, S>(layout, layers, block);
    LineMemory {
        multisets: capped(multisets).saturating_add(LIST_BYTES),
        search: capped(search),
        blocks: layout.all_blocks().map(bytes).fold(0, u64::saturating_add),
        batch: BatchPlan::least(layout, bytes),
        section: (rules.heaps() > TASK_HEAPS).then(|| greatest_section::<C, S>(layout)),
    }
}

/// Returns the layout of a game, and the memory for it; `None` if no machine has enough memory.
fn layout_and_memory(rules: &HeapRules) -> Option<(LineLayout, LineMemory)> {
    // Refuse early: such a table could never be stored, and its table of ranks would be huge.
    if multisets_without(rules.bounds(), 1) > MAX_LINES {
        return None;
    }
    let layout = LineLayout::new(rules).ok()?;
    let memory = with_width!(rules, memory_of(rules, &layout));
    Some((layout, memory))
}

fn block_bytes<C: LineCell, S: HeapSize>(layout: &LineLayout, layers: u64, ranges: [usize; 2]) -> u64 {
    LineShape { lines: layout.block_lines(ranges), layers }.memory_bytes::<C, S>()
}

/// Returns three numbers of bytes: memory with all blocks, but without the search for classes; minimum memory with a
/// work folder; and the bytes of that folder, if each file exists once.
pub(super) fn memory(rules: &HeapRules) -> [u64; 3] {
    let Some((_, needs)) = layout_and_memory(rules) else { return [u64::MAX; 3] };
    [needs.blocks.saturating_add(needs.multisets), needs.least(), needs.without_folder()]
}

/// Returns the cost of solving with several ranks. `memory` excludes the program itself. `None` if no machine has enough
/// memory.
pub(super) fn cluster_cost(rules: &HeapRules, processes: usize) -> Option<ClusterCost> {
    let (layout, needs) = layout_and_memory(rules)?;
    let cost = with_width!(rules, cost_of(rules, &layout, processes)).ok()?;
    let efficiency = layout.all_steps() as f64 / (processes as f64 * cost.critical_steps.max(1) as f64);
    Some(ClusterCost {
        memory: cost.memory.max(needs.of_rank_0()),
        memory_of_others: cost.memory,
        // A block is two messages: cells and sizes.
        messages: 2 * cost.transfers,
        bytes: cost.bytes_sent,
        critical_path_bytes: cost.critical_bytes,
        efficiency,
    })
}

/// Numbers of processes that are tried one by one. After these, the step is the distance divided by `STEP_DIVISOR`.
const TRIED_ONE_BY_ONE: usize = 64;
const STEP_DIVISOR: usize = 8;

/// Returns the fewest processes for which each rank's share fits into its memory; approximately, if there are many.
/// `None` if no number of processes is enough.
pub(super) fn enough_processes(rules: &HeapRules, fits: impl Fn(u64) -> bool) -> Option<usize> {
    let (layout, needs) = layout_and_memory(rules)?;
    // These two do not shrink with more processes.
    if !fits(needs.of_rank_0()) || !fits(needs.batch) {
        return None;
    }
    // Fewer processes cannot hold all blocks.
    let least = (2..).find(|&processes| fits(needs.blocks / processes as u64))?;
    // More processes would have nothing to do.
    let most = layout.ranges * layout.ranges;
    let next = |&processes: &usize| {
        Some(processes + (processes.saturating_sub(least + TRIED_ONE_BY_ONE) / STEP_DIVISOR).max(1))
    };
    std::iter::successors(Some(least), next).take_while(|&processes| processes <= most).find(|&processes| {
        with_width!(rules, cost_of(rules, &layout, processes)).is_ok_and(|cost| fits(cost.memory))
    })
}

fn cost_of<C: LineCell, S: HeapSize>(
    rules: &HeapRules,
    layout: &LineLayout,
    processes: usize,
) -> Result<Cost, GenerateError> {
    let bytes = |block| {
        let shape = LineShape { lines: layout.block_lines(block), layers: layers(rules) };
        [shape.memory_bytes::<C, S>(), shape.file_bytes::<C, S>()]
    };
    Cost::new(layout, processes, bytes, |task| layout.steps(task))
}

pub(super) fn steps(rules: &HeapRules) -> u64 {
    LineLayout::new(rules).map_or(0, |layout| layout.all_steps())
}

struct SolvedGame<'a, C, S> {
    solved: SolvedBlocks<'a, LineBlock<C, S>>,
    census: Census,
    /// All blocks are in memory; otherwise all are in the folder.
    in_memory: bool,
}

fn make_in<C: LineCell, S: HeapSize>(
    rules: &HeapRules,
    options: GenerateOptions,
    resources: &Resources,
    control: &dyn Control,
) -> Result<(SearchResult, Census), GenerateError> {
    let layout = LineLayout::new(rules)?;
    let solver = TaskSolver::new(rules, &layout);
    let SolvedGame { solved, census, in_memory } = solve_all::<C, S>(&solver, options, resources, control)?;
    let read = LineReader { code: solver.code, depths: options.depths, none: rules.greatest_bound() + 1 };
    let runs = LineRuns::new(&layout)?;
    let SolvedBlocks { mut blocks, unsaved, bytes, checkpointer } = solved;
    if !in_memory {
        // Free the blocks: packing needs the memory.
        blocks.clear();
    }
    let reader = checkpointer.as_ref().filter(|_| !in_memory).and_then(Checkpointer::reader);
    let mut checkpoints = SearchCheckpoints::new(
        checkpointer.map(|checkpointer| checkpointer.with_unsaved(&blocks, unsaved, bytes)),
    );
    let found = match &reader {
        None => {
            let numbers =
                blocks.iter().map(|block| block.as_ref().map_or_else(Default::default, LineBlock::numbers));
            let mut all = room(numbers.len() as u64)?;
            let lines = layout.all_blocks().map(|block| layout.block_lines(block) as usize);
            all.extend(numbers.zip(lines));
            let lines = MemoryLines { layout: &layout, read, blocks: all, runs };
            merge_lines(rules, &lines, &mut checkpoints, control)?
        }
        Some(folder) => {
            let layers = layers(rules);
            let below = Ranks::try_new(&rules.bounds()[2..])?;
            let size = PhantomData::<fn() -> S>;
            let lines = DiskLines { layout: &layout, layers, read, runs, below, folder, size };
            merge_lines(rules, &lines, &mut checkpoints, control)?
        }
    };
    checkpoints.report_volume(reader.as_ref(), control);
    Ok((found, census))
}

fn work_as_rank_in<C: LineCell, S: HeapSize>(
    rules: &HeapRules,
    options: GenerateOptions,
    resources: &Resources,
    control: &dyn Control,
) -> Result<(), GenerateError> {
    let layout = LineLayout::new(rules)?;
    let solver = TaskSolver::new(rules, &layout);
    solve_all::<C, S>(&solver, options, resources, control).map(|_| ())
}

/// Solves a game, or what a checkpoint leaves of it.
fn solve_all<'a, C: LineCell, S: HeapSize>(
    solver: &TaskSolver<C>,
    options: GenerateOptions,
    resources: &'a Resources,
    control: &dyn Control,
) -> Result<SolvedGame<'a, C, S>, GenerateError> {
    let TaskSolver { rules, layout, .. } = *solver;
    let needs = memory_of::<C, S>(rules, layout);
    // All ranks must decide the same way, so the least memory of any rank counts.
    let memory = match resources.communicator {
        Some(communicator) => gather_numbers(communicator, resources.memory).min().unwrap_or(0),
        None => resources.memory,
    };
    // Without a folder, all blocks must be in memory: try, even if they seem too large.
    let for_blocks = if resources.folder.is_some() { bytes_for_solving(memory) } else { u64::MAX };
    let ruleset = Ruleset::Heaps(rules.clone());
    let job = Job::new(
        &ruleset,
        options.depths,
        format!("{} ranges, {} + {} bytes", layout.ranges, C::BYTES, S::BYTES),
    );
    // Games with few heaps are packed from memory.
    let in_memory = needs.section.is_none() || needs.without_folder() <= for_blocks;
    if needs.section.is_none() && needs.blocks.saturating_add(needs.multisets) > for_blocks {
        return Err(GenerateError::Memory);
    }
    let (mut cache, census) = {
        let partition = LinePartition { layout, layers: layers(rules), numbers: PhantomData };
        BlockCache::<LinePartition<C, S>>::open(partition, for_blocks, resources, job)?
    };
    let census = match resources.communicator {
        None => solve(solver, &mut cache, census, for_blocks, control)?,
        Some(communicator) => {
            if cost_of::<C, S>(rules, layout, communicator.size())?.memory > for_blocks {
                return Err(GenerateError::Memory);
            }
            distributed::solve(solver, &mut cache, census, communicator, in_memory, control)?
        }
    };
    let steps = layout.all_steps();
    if !in_memory {
        cache.checkpoint(census, [steps, steps])?;
    } else if resources.communicator.is_none() {
        // If the run resumed a solved game, the blocks are still in the folder.
        let mut all = room(layout.blocks() as u64)?;
        all.extend(layout.all_blocks());
        cache.load_all(&all)?;
    }
    Ok(SolvedGame { solved: cache.into_solved(census, steps, in_memory)?, census, in_memory })
}

/// Solves all tasks that are not yet done.
fn solve<C: LineCell, S: HeapSize>(
    solver: &TaskSolver<C>,
    cache: &mut BlockCache<LinePartition<C, S>>,
    census: Census,
    most: u64,
    control: &dyn Control,
) -> Result<Census, GenerateError> {
    let layout = solver.layout;
    let bytes = |block| block_bytes::<C, S>(layout, layers(solver.rules), block);
    let plan = BatchPlan::within(layout, most, bytes).ok_or(GenerateError::Memory)?;
    let all = layout.all_steps();
    let mut done: u64 = 0;
    let sums = 0..=layout.greatest_sum();
    for task in sums.flat_map(|sum| layout.tasks(sum)).filter(|&task| cache.is_done(task)) {
        done += layout.steps(task);
    }
    if done > 0 {
        control.advance(done);
        control.report_event(Event::Resumed { done, all });
    }
    let work_done = Mutex::new(WorkDone { census, steps: done });
    for batch in plan.batches() {
        let sum_of = |at: fn(&(usize, usize)) -> usize| batch.iter().map(at).sum::<usize>();
        let (least, end) = (sum_of(|group| group.0), sum_of(|group| group.1 - 1));
        let mut is_loaded = false;
        for sum in least..=end {
            let mut tasks = Vec::new();
            let remains = |&task: &TaskRanges| is_in_batch(task, batch) && !cache.is_done(task);
            layout.tasks(sum).filter(remains).try_for_each(|task| tasks.grow(task))?;
            if !is_loaded && !tasks.is_empty() {
                cache.load_all(&blocks_of_batch(batch)?)?;
                is_loaded = true;
            }
            // Split the tasks, so that checkpoints are not too far apart.
            for tasks in tasks.chunks(TASKS_PER_CHECKPOINT * parallel::threads()) {
                let solved = run(solver, cache, tasks, &work_done, control);
                cache.checkpoint_after(solved, *lock(&work_done), all, control)?;
            }
        }
    }
    Ok(lock(&work_done).census)
}
