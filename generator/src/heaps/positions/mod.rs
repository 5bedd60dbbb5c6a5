//! Depths of games in which a move takes certain amounts from one heap, or takes from several heaps, solved in blocks of
//! positions.
//!
//! For each position the solver keeps one number, the *cell* (`cell`). The positions are cut into blocks (`layout`). A
//! task solves one block, and reads a few other blocks (`neighbourhood`). Its kernel (`task`) is one of
//! `subtraction_depths` (row by row), `prefix_minima` (from the *offers* of neighbouring positions) and `plain` (move by
//! move). Blocks that are not in use may lie in a work folder ([`block_cache`](crate::heaps::frame::block_cache)). At the end, the
//! positions are packed from memory or from the folder (`position_source`); if a move takes any number of stones, the
//! lost positions of lines are packed instead (`lost_lines`).

mod block;
pub(super) mod cell;
mod choice;
mod layout;
mod lost_lines;
mod neighbourhood;
mod partition;
mod plain;
mod position_source;
mod prefix_minima;
mod subtraction_depths;
mod task;

use std::marker::PhantomData;
use std::sync::Mutex;

use bouton_tables::Ruleset;
use bouton_tables::heaps::{HeapRules, Take};

use self::cell::{PositionCell, PositionCode, PositionWidth};
pub(super) use self::choice::{PositionKernel, choices};
use self::layout::{PositionLayout, Ranges};
use self::lost_lines::LostLines;
use self::neighbourhood::Neighbourhood;
use self::partition::PositionPartition;
use self::plain::PlainMoves;
use self::position_source::{Positions, greatest_section};
use self::prefix_minima::PrefixMinima;
use self::subtraction_depths::SubtractionDepths;
use self::task::{TaskKernel, TaskOutput};
use crate::census::Census;
use crate::control::{Control, Event, check_cancelled};
use crate::estimate::{bytes_for_solving, packing_bytes};
use crate::heaps::classes::merge_classes::{SearchResult, merge_lines, merge_positions};
use crate::heaps::classes::multisets::RankFunction;
use crate::heaps::classes::search_checkpoints::SearchCheckpoints;
use crate::heaps::frame::block_cache::{BlockCache, SolvedBlocks, WorkDone, lock};
use crate::heaps::frame::checkpoint::Checkpointer;
use crate::heaps::frame::partition::Partition;
use crate::heaps::sizes::{capped, layers, multisets_without};
use crate::making::{GenerateError, GenerateOptions, Resources};
use crate::memory::{Grow, room};
use crate::parallel;
use crate::work::Job;

/// Games with more positions are too large for any machine.
const MAX_POSITIONS: u128 = 1 << 46;

/// Bytes for lists: once, and for each block.
const LIST_BYTES: u64 = 1 << 18;
const LIST_BYTES_PER_BLOCK: u64 = 400;

/// Allocator slack left by the estimate's trial runs, in bytes.
const ALLOCATOR_SLACK: u64 = 6 << 20;

/// Bytes of chunks that wait to be merged while the first level is packed, for each thread.
const WAITING_BYTES: u128 = 8 << 20;

/// Maximum number of tasks between two chances for a checkpoint, for each thread.
const TASKS_PER_CHECKPOINT: usize = 4;

/// Calls a function with the type of cells of a game.
macro_rules! with_width {
    ($rules:expr, $function:ident($($argument:expr),*)) => {
        match PositionWidth::of($rules) {
            PositionWidth::Two => $function::<i16>($($argument),*),
            PositionWidth::Four => $function::<i32>($($argument),*),
            PositionWidth::Eight => $function::<i64>($($argument),*),
        }
    };
}

/// Solves a game, and packs its positions. MPI rank 0 works alone.
pub(super) fn make(
    rules: &HeapRules,
    options: GenerateOptions,
    resources: &Resources,
    control: &dyn Control,
) -> Result<(SearchResult, Census), GenerateError> {
    let alone = Resources { communicator: None, ..*resources };
    with_width!(rules, make_in(rules, options, &alone, control))
}

/// Memory for a game, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct PositionMemory {
    /// The edges of the first level that packing computes, and the search for classes.
    packing: u64,
    /// The cells of all blocks.
    blocks: u64,
    /// Offers: the maximum at a time.
    offers: u64,
    /// The blocks that one task needs.
    task: u64,
    /// The largest section, when packing from a folder.
    section: u64,
    /// Buffers of all threads, lists and allocator slack.
    buffers: u64,
}

impl PositionMemory {
    /// Returns the memory for solving without a folder.
    pub(super) fn without_folder(self) -> u64 {
        self.blocks.saturating_add(self.packing.max(self.offers)).saturating_add(self.buffers)
    }

    /// Returns the maximum bytes of the work folder. Each block is written once. Files of packing and offers exist for
    /// two checkpoints. Checksums add 0.1 %.
    pub(super) fn folder(self) -> u128 {
        (u128::from(self.blocks) + 2 * u128::from(self.packing.max(self.offers))) * 1001 / 1000
    }

    /// Returns the minimum memory with a work folder.
    pub(super) fn least(self) -> u64 {
        self.task.saturating_add(self.buffers).max(self.section.saturating_add(self.packing))
    }
}

/// Estimates the bytes of the search for classes, without the edges of multisets. Also returns the bytes of the trial
/// runs for this estimate.
pub(super) fn search_and_trial_bytes(rules: &HeapRules, options: GenerateOptions) -> [u128; 2] {
    let [search_bytes, trial_runs] = packing_bytes(rules, options);
    // Trial runs without depths are packed from bits, where the first level is found differently. With passes, the
    // search needs more than in small games.
    let search_bytes = match options.depths {
        true if rules.passes() > 0 => 2 * search_bytes,
        true => search_bytes + search_bytes / 4,
        false => 2 * search_bytes + WAITING_BYTES * parallel::threads() as u128,
    };
    [search_bytes, trial_runs]
}

/// Returns the kernel for a game.
fn solver<'a, C: PositionCell>(
    rules: &'a HeapRules,
    layout: &'a PositionLayout,
) -> Result<Box<dyn TaskKernel<C> + 'a>, GenerateError> {
    Ok(match PositionKernel::of(rules) {
        PositionKernel::Subtraction => Box::new(SubtractionDepths::new(rules, layout)?),
        PositionKernel::PrefixMinima => Box::new(PrefixMinima::new(rules)),
        PositionKernel::MoveByMove => Box::new(PlainMoves::new(rules)),
    })
}

/// Returns the memory for a game; `search_bytes` are the bytes of the search for classes. `None` if no machine has
/// enough.
pub(super) fn memory_needed(rules: &HeapRules, search_bytes: u128) -> Option<PositionMemory> {
    // Refuse early: such a table could never be stored, and its table of ranks would be huge.
    let few = multisets_without(rules.bounds(), 0) <= MAX_POSITIONS;
    few.then(|| with_width!(rules, memory_in(rules, search_bytes)))?
}

/// Returns the memory for all blocks, and for the edges of the first level that packing computes.
pub(super) fn memory(rules: &HeapRules) -> u128 {
    let Some(needs) = memory_needed(rules, 0) else { return u64::MAX.into() };
    (u128::from(needs.blocks) + u128::from(needs.buffers - ALLOCATOR_SLACK))
        .saturating_add((2 * narrow_edges(rules)).max(needs.offers.into()))
}

fn memory_in<C: PositionCell>(rules: &HeapRules, search_bytes: u128) -> Option<PositionMemory> {
    // A game that overflows a table of ranks is too large for any machine.
    let layout = PositionLayout::new::<C>(rules).ok()?;
    memory_of::<C>(rules, &layout, search_bytes).ok()
}

fn memory_of<C: PositionCell>(
    rules: &HeapRules,
    layout: &PositionLayout,
    search_bytes: u128,
) -> Result<PositionMemory, GenerateError> {
    // Edges to a small number of classes fit into four bytes.
    let edges = if search_bytes > WIDE_EDGES_FROM { 2 } else { 1 } * narrow_edges(rules);
    let lists = LIST_BYTES + LIST_BYTES_PER_BLOCK * layout.blocks() as u64;
    let [all, per_thread] = match PositionKernel::of(rules) {
        PositionKernel::Subtraction => subtraction_depths::bytes::<C>(rules, layout),
        PositionKernel::PrefixMinima => [prefix_minima::bytes::<C>(rules), 0],
        PositionKernel::MoveByMove => [0, 0],
    };
    let buffers = all + (per_thread + u128::from(neighbourhood::bytes(layout))) * parallel::threads() as u128;
    Ok(PositionMemory {
        packing: capped(edges.saturating_add(search_bytes)).saturating_add(lists),
        blocks: layout.memory_bytes::<C>(),
        offers: layout.offers_bytes::<C>()?,
        task: layout.task_bytes::<C>()?,
        section: if is_by_lines(rules) { 0 } else { greatest_section::<C>(layout)? },
        buffers: capped(buffers).saturating_add(lists + ALLOCATOR_SLACK),
    })
}

/// Reports whether the table stores the lost position of each line, and not the outcome of each position.
pub(super) fn is_by_lines(rules: &HeapRules) -> bool {
    *rules.take() == Take::Any
}

/// Returns the bytes for narrow edges of the first level that packing computes, and for the lost positions of lines.
fn narrow_edges(rules: &HeapRules) -> u128 {
    let (omitted, lines) = if is_by_lines(rules) { (2, lost_lines::bytes(rules)) } else { (1, 0) };
    4 * multisets_without(rules.bounds(), omitted) * u128::from(layers(rules)) + lines
}

/// If the search for classes has more bytes, there may be too many classes for narrow edges.
const WIDE_EDGES_FROM: u128 = 16 << 20;

pub(super) fn steps(rules: &HeapRules) -> Result<u64, GenerateError> {
    fn of<C: PositionCell>(rules: &HeapRules) -> Result<u64, GenerateError> {
        Ok(PositionLayout::new::<C>(rules)?.all_steps())
    }
    with_width!(rules, of(rules))
}

fn make_in<C: PositionCell>(
    rules: &HeapRules,
    options: GenerateOptions,
    resources: &Resources,
    control: &dyn Control,
) -> Result<(SearchResult, Census), GenerateError> {
    if multisets_without(rules.bounds(), 0) > MAX_POSITIONS {
        return Err(GenerateError::Memory);
    }
    let layout = PositionLayout::new::<C>(rules)?;
    // Without a folder everything must be in memory. Packing rarely needs more than solving, so
    // four times this memory is surely enough.
    let is_short = resources.folder.is_some()
        && memory_of::<C>(rules, &layout, 0)?.without_folder().saturating_mul(4)
            > bytes_for_solving(resources.memory);
    let search_bytes = is_short.then(|| search_and_trial_bytes(rules, options)[0]);
    make_of::<C>(rules, options, &layout, search_bytes, resources, control)
}

/// Solves and packs a game with a given layout. `search_bytes` are the estimated bytes of the search for classes;
/// `None` if there surely is enough memory.
fn make_of<C: PositionCell>(
    rules: &HeapRules,
    options: GenerateOptions,
    layout: &PositionLayout,
    search_bytes: Option<u128>,
    resources: &Resources,
    control: &dyn Control,
) -> Result<(SearchResult, Census), GenerateError> {
    let solver = solver::<C>(rules, layout)?;
    let needs = memory_of::<C>(rules, layout, search_bytes.unwrap_or(0))?;
    let memory = if search_bytes.is_some() { bytes_for_solving(resources.memory) } else { u64::MAX };
    let for_blocks = memory.saturating_sub(needs.buffers);
    let in_memory = needs.without_folder() <= memory;
    let ruleset = Ruleset::Heaps(rules.clone());
    let cells = format!("{} ranges, {} bytes", layout.ranges, C::BYTES);
    let cells = if layout.offers > 0 { format!("{cells}, {} offers", layout.offers) } else { cells };
    let job = Job::new(&ruleset, options.depths, cells);
    let partition = PositionPartition { layout, cells: PhantomData };
    let (mut cache, census) =
        BlockCache::<PositionPartition<C>>::open(partition, for_blocks, resources, job)?;
    let census = solve(&*solver, &mut cache, census, for_blocks, control)?;
    let all = layout.all_steps();
    if in_memory {
        // In a resumed run, blocks may still be in the folder.
        let mut blocks = room(layout.blocks() as u64)?;
        blocks.extend((0..layout.blocks()).filter(|&block| layout.shape(block).items > 0));
        cache.load(&blocks, |_, last| last)?;
    } else {
        cache.checkpoint(census, [all, all])?;
    }
    let SolvedBlocks { mut blocks, unsaved, bytes, checkpointer } =
        cache.into_solved(census, all, in_memory)?;
    let (code, depths) = (PositionCode::new(rules), options.depths);
    // The limit of the search does not count lists and narrow edges.
    let list_bytes = capped(narrow_edges(rules))
        .saturating_add(LIST_BYTES + LIST_BYTES_PER_BLOCK * layout.blocks() as u64);
    let limit = match (in_memory, search_bytes) {
        (true, None) => u64::MAX,
        (true, Some(_)) => memory.saturating_sub(needs.blocks.saturating_add(list_bytes)),
        (false, _) => memory.saturating_sub(list_bytes),
    };
    // A section may take a quarter of the free memory, as the search may need more than the estimate.
    let section = (memory.saturating_sub(needs.packing) / 4).max(needs.section);
    if !in_memory {
        // Free the blocks: packing needs the memory.
        blocks.clear();
    }
    let folder = checkpointer.as_ref().filter(|_| !in_memory).and_then(Checkpointer::reader);
    let mut checkpoints = SearchCheckpoints::new(
        checkpointer.map(|checkpointer| checkpointer.with_unsaved(&blocks, unsaved, bytes)),
    );
    let positions = Positions { layout, code, depths, blocks: &blocks, folder: folder.as_ref(), section };
    let found = if is_by_lines(rules) {
        let lines = LostLines::find(&positions, control)?;
        let at = |layer, rank| lines.target(layer, rank);
        merge_lines(rules, &RankFunction { ranks: &lines.others, at }, &mut checkpoints, control)?
    } else {
        merge_positions(rules, &positions, limit, &mut checkpoints, control)?
    };
    checkpoints.report_volume(folder.as_ref(), control);
    Ok((found, census))
}

/// Returns the sort key of a task in the order of solving.
fn order([one, two, three]: Ranges) -> u64 {
    ((one + two + three) as u64) << 32 | (one as u64) << 16 | two as u64
}

/// Returns the number of the block that later tasks read for these ranges: its offers, or without offers its cells.
fn block_to_read(layout: &PositionLayout, ranges: Ranges) -> usize {
    layout.block(ranges) + if layout.offers > 0 { layout.blocks() } else { 0 }
}

/// Returns the [`order`] of the first task after `after` that reads a block; `None` if there is none.
fn next_use(layout: &PositionLayout, block: usize, after: u64) -> Option<u64> {
    let number = block % layout.blocks();
    let ranges = layout.ranges_of(number);
    if block != block_to_read(layout, ranges) {
        return None;
    }
    layout.above(ranges).map(order).filter(|&next| next > after).min()
}

/// Solves all tasks that are not done yet, sum by sum of their ranges: tasks with the same sum are independent.
fn solve<C: PositionCell>(
    solver: &dyn TaskKernel<C>,
    cache: &mut BlockCache<PositionPartition<C>>,
    census: Census,
    most: u64,
    control: &dyn Control,
) -> Result<Census, GenerateError> {
    let layout = cache.partition.layout;
    let all = layout.all_steps();
    let is_done =
        |cache: &BlockCache<PositionPartition<C>>, task: Ranges| cache.tasks_done(layout.block(task)) > 0;
    let mut done: u64 = 0;
    for task in (0..=layout.greatest_sum()).flat_map(|sum| layout.tasks(sum)) {
        if is_done(cache, task) {
            done += layout.steps(task);
        }
    }
    if done > 0 {
        control.advance(done);
        control.report_event(Event::Resumed { done, all });
    }
    if done > 0 && cache.all_fit() {
        // All blocks are needed at the end. Load them now, to find any damage before hours of work are lost.
        let mut in_folder = room(cache.partition.blocks() as u64)?;
        in_folder.extend((0..cache.partition.blocks()).filter(|&block| cache.has_file(block)));
        cache.load(&in_folder, |_, last_use| last_use)?;
    }
    let work_done = Mutex::new(WorkDone { census, steps: done });
    for sum in 0..=layout.greatest_sum() {
        let mut tasks = Vec::new();
        layout.tasks(sum).filter(|&task| !is_done(cache, task)).try_for_each(|task| tasks.grow(task))?;
        if layout.offers > 0
            && let Some(finished_sum) = sum.checked_sub(layout.sums_down() + 1)
        {
            layout.tasks(finished_sum).for_each(|task| cache.discard(block_to_read(layout, task)));
        }
        let mut tasks = &tasks[..];
        while !tasks.is_empty() {
            let (now, blocks) = fitting_tasks::<C>(layout, tasks, most)?;
            let last = order(tasks[now - 1]);
            cache
                .load(&blocks, |block, _| next_use(layout, block, last).map_or(0, |next| u64::MAX - next))?;
            let solved = solve_tasks(solver, cache, &tasks[..now], &work_done, control);
            tasks = &tasks[now..];
            cache.checkpoint_after(solved, *lock(&work_done), all, control)?;
        }
    }
    if layout.offers > 0 {
        let last = layout.greatest_sum();
        let left = (last.saturating_sub(layout.sums_down())..=last).flat_map(|sum| layout.tasks(sum));
        left.for_each(|task| cache.discard(block_to_read(layout, task)));
    }
    Ok(lock(&work_done).census)
}

/// Returns the blocks that a task reads or writes.
fn needed(layout: &PositionLayout, task: Ranges) -> Result<Vec<usize>, GenerateError> {
    let mut needed = Vec::new();
    needed.grow(layout.block(task))?;
    if layout.offers > 0 {
        needed.grow(block_to_read(layout, task))?;
    }
    layout.below(task)?.into_iter().try_for_each(|ranges| needed.grow(block_to_read(layout, ranges)))?;
    Ok(needed)
}

/// Returns how many of the first tasks fit into memory at a time, and the blocks that they need.
fn fitting_tasks<C: PositionCell>(
    layout: &PositionLayout,
    tasks: &[Ranges],
    most: u64,
) -> Result<(usize, Vec<usize>), GenerateError> {
    let partition = PositionPartition::<C> { layout, cells: PhantomData };
    let (mut blocks, mut bytes): (Vec<usize>, u64) = (Vec::new(), 0);
    let mut count = 0;
    for &task in tasks.iter().take(TASKS_PER_CHECKPOINT * parallel::threads()) {
        let before = blocks.len();
        let mut more = 0;
        for block in needed(layout, task)? {
            if !blocks.contains(&block) {
                more += partition.shape(block).memory_bytes::<C>();
                blocks.grow(block)?;
            }
        }
        if bytes + more > most {
            blocks.truncate(before);
            break;
        }
        (bytes, count) = (bytes + more, count + 1);
    }
    if count > 0 { Ok((count, blocks)) } else { Err(GenerateError::Memory) }
}

/// Solves independent tasks in parallel, and counts their positions.
fn solve_tasks<C: PositionCell>(
    solver: &dyn TaskKernel<C>,
    cache: &BlockCache<PositionPartition<C>>,
    tasks: &[Ranges],
    work_done: &Mutex<WorkDone>,
    control: &dyn Control,
) -> Result<(), GenerateError> {
    let layout = cache.partition.layout;
    let solve = |at: usize| {
        // Finish every task that has started, so that a checkpoint can follow.
        check_cancelled(control)?;
        let task = tasks[at];
        let below = layout.below(task)?;
        let mut slots = room(below.len() as u64)?;
        slots.extend(below.iter().map(|&ranges| cache.read_lock(block_to_read(layout, ranges))));
        let mut layers = room(layout.layers)?;
        for layer in 0..layout.layers {
            let mut blocks = room(slots.len() as u64)?;
            blocks.extend(slots.iter().map(|block| block.block().layer(layer)));
            layers.push(blocks);
        }
        let neighbourhood = Neighbourhood::new(layout, task, below.iter().copied())?;
        let mut own = cache.write_lock(layout.block(task));
        let mut of_offers = (layout.offers > 0).then(|| cache.write_lock(block_to_read(layout, task)));
        let offers: &mut [C] = of_offers.as_mut().map_or(&mut [], |slots| slots.block_mut().cells_mut());
        let census = solver.solve(
            &neighbourhood,
            TaskOutput { cells: own.block_mut().cells_mut(), offers },
            &layers,
        )?;
        let steps = layout.steps(task);
        let mut work_done = lock(work_done);
        cache.set_tasks_done(layout.block(task), 1);
        *work_done = WorkDone { census: work_done.census.and(census), steps: work_done.steps + steps };
        control.advance(steps);
        Ok(())
    };
    parallel::reduce(tasks.len(), solve, |(), ()| Ok(()))
}

#[cfg(test)]
mod tests;
