//! Games solved in blocks of positions: moves take certain amounts from one heap, or take from several heaps.
//!
//! The positions are cut into blocks (`layout`). A task solves one block, and reads a few other blocks. Its kernel
//! (`task`) is one of `subtraction_depths` (row by row), `prefix_minima` (from the minima of neighbouring positions)
//! and `plain` (move by move). Blocks that are not in use may lie in a work folder
//! ([`block_cache`](super::block_cache)). At the end, the positions are packed from memory or from the folder
//! (`position_source`); if a move takes any number of stones, their lines are packed (`lost_lines`).

mod block;
pub(super) mod cell;
mod layout;
mod lost_lines;
mod neighbourhood;
mod plain;
mod position_source;
mod prefix_minima;
mod subtraction_depths;
mod task;

use std::marker::PhantomData;
use std::sync::Mutex;

use bouton_tables::Ruleset;
use bouton_tables::heaps::{HeapRules, Take};

use self::block::PositionPartition;
use self::cell::{PositionCell, PositionCode, PositionWidth};
use self::layout::{PositionLayout, Ranges};
use self::lost_lines::LostLines;
use self::neighbourhood::Neighbourhood;
use self::position_source::{Positions, greatest_section};
pub(super) use self::prefix_minima::choices;
pub(super) use self::task::PositionKernel;
use self::task::{TaskKernel, TaskOutput, solver};
use super::block_cache::{BlockCache, Partition, SolvedBlocks, WorkDone, lock};
use super::checkpoint::Checkpointer;
use super::merge_classes::{SearchResult, merge_lines, merge_positions};
use super::multisets::RankFunction;
use super::multisets_without;
use super::search_checkpoints::SearchCheckpoints;
use crate::control::check;
use crate::estimate::{for_solving, packed};
use crate::memory::{Grow, room};
use crate::work::Job;
use crate::{Census, Control, Event, GenerateError, Options, Resources, parallel};

/// Games of more positions are too large for any machine.
const MOST_POSITIONS: u128 = 1 << 46;

/// What lists take, in bytes: all, and for each block.
const LISTS: u64 = 1 << 18;
const OF_BLOCK: u64 = 400;

/// Allocator slack left by the estimate's trial runs, in bytes.
const LEFT: u64 = 6 << 20;

/// What waits to be put together while the first groups are packed, for each thread.
const WAITING: u128 = 8 << 20;

/// Tasks after which a checkpoint may be made, for each thread.
const BETWEEN: usize = 4;

/// Calls a function for the cells of a game.
macro_rules! with_width {
    ($rules:expr, $function:ident($($argument:expr),*)) => {
        match PositionWidth::of($rules) {
            PositionWidth::Two => $function::<i16>($($argument),*),
            PositionWidth::Four => $function::<i32>($($argument),*),
            PositionWidth::Eight => $function::<i64>($($argument),*),
        }
    };
}

/// Solves a game, and packs its positions. Rank 0 works alone.
pub(super) fn make(
    rules: &HeapRules,
    options: Options,
    resources: &Resources,
    control: &dyn Control,
) -> Result<(SearchResult, Census), GenerateError> {
    let alone = Resources { peers: None, ..*resources };
    with_width!(rules, make_in(rules, options, &alone, control))
}

/// How much of some memory is for blocks, and for what is packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct PositionMemory {
    /// What the groups take that packing begins with, and what the search for classes of them takes.
    packing: u64,
    /// The cells of all blocks.
    blocks: u64,
    /// The offers that are needed at a time, at the most.
    offers: u64,
    /// What a task needs of blocks, at the most.
    task: u64,
    /// The most positions that are packed at a time from a folder.
    section: u64,
    /// What a task takes besides blocks, with all threads.
    room: u64,
}

impl PositionMemory {
    /// What is needed to have all in memory.
    pub(super) fn whole(self) -> u64 {
        self.blocks.saturating_add(self.packing.max(self.offers)).saturating_add(self.room)
    }

    /// The most bytes of a work folder. No block is written twice, and what packing has found is there as it was at two
    /// checkpoints, as are offers before that; each piece has a sum.
    pub(super) fn folder(self) -> u128 {
        (u128::from(self.blocks) + 2 * u128::from(self.packing.max(self.offers))) * 1001 / 1000
    }

    /// What is needed at the least, with a work folder.
    pub(super) fn least(self) -> u64 {
        self.task.saturating_add(self.room).max(self.section.saturating_add(self.packing))
    }
}

/// About how much packing gathers, but for groups; and what is held while that is found out.
pub(super) fn packed_of(rules: &HeapRules, options: Options) -> [u128; 2] {
    let [packed, held] = packed(rules, options);
    // Small games without depths are packed from bits, of which the first groups are found in another way. With passes,
    // the search goes through more than it does in small games.
    let packed = match options.depths {
        true if rules.passes() > 0 => 2 * packed,
        true => packed + packed / 4,
        false => 2 * packed + WAITING * parallel::threads() as u128,
    };
    [packed, held]
}

/// What it takes to solve a game. `packed` is what packing gathers, but for groups; `None` if that is more than can be
/// had.
pub(super) fn needs(rules: &HeapRules, packed: u128) -> Option<PositionMemory> {
    // Refuse early: such a table could never be stored, and its table of ranks would be huge.
    let few = multisets_without(rules.bounds(), 0) <= MOST_POSITIONS;
    few.then(|| with_width!(rules, needs_in(rules, packed)))?
}

/// Bytes of memory in which a game is solved with all blocks in memory, and the groups that packing begins with.
pub(super) fn memory(rules: &HeapRules) -> u128 {
    let Some(needs) = needs(rules, 0) else { return u64::MAX.into() };
    (u128::from(needs.blocks) + u128::from(needs.room - LEFT))
        .saturating_add((2 * narrow_edges(rules)).max(needs.offers.into()))
}

fn needs_in<C: PositionCell>(rules: &HeapRules, packed: u128) -> Option<PositionMemory> {
    // What does not fit a table of ranks is more than can be had.
    let layout = PositionLayout::new::<C>(rules).ok()?;
    needs_of::<C>(rules, &layout, packed).ok()
}

fn needs_of<C: PositionCell>(
    rules: &HeapRules,
    layout: &PositionLayout,
    packed: u128,
) -> Result<PositionMemory, GenerateError> {
    // EdgeSource to few classes are narrow.
    let edges = if packed > WIDE { 2 } else { 1 } * narrow_edges(rules);
    let lists = LISTS + OF_BLOCK * layout.blocks() as u64;
    let [all, of_thread] = match PositionKernel::of(rules) {
        PositionKernel::Subtraction => subtraction_depths::bytes::<C>(rules, layout),
        PositionKernel::PrefixMinima => [prefix_minima::bytes::<C>(rules), 0],
        PositionKernel::Plain => [0, 0],
    };
    let room = all + (of_thread + u128::from(neighbourhood::bytes(layout))) * parallel::threads() as u128;
    Ok(PositionMemory {
        packing: capped(edges.saturating_add(packed)).saturating_add(lists),
        blocks: layout.bytes::<C>(),
        offers: layout.offers_bytes::<C>()?,
        task: layout.least::<C>()?,
        section: if by_lines(rules) { 0 } else { greatest_section::<C>(layout)? },
        room: capped(room).saturating_add(lists + LEFT),
    })
}

/// Whether a table tells of each line where it has a lost position, and not of each position whether it is lost.
pub(super) fn by_lines(rules: &HeapRules) -> bool {
    *rules.take() == Take::Any
}

/// Bytes of what packing begins with: narrow edges to groups, and the lines themselves where it begins with these.
fn narrow_edges(rules: &HeapRules) -> u128 {
    let (fewer, lines) = if by_lines(rules) { (2, lost_lines::bytes(rules)) } else { (1, 0) };
    4 * multisets_without(rules.bounds(), fewer) * (u128::from(rules.passes()) + 1) + lines
}

/// A number of bytes, or the greatest one if there are more.
fn capped(bytes: u128) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

/// Where packing gathers more, there may be more classes than fit narrow edges.
const WIDE: u128 = 16 << 20;

/// Steps of progress.
pub(super) fn steps(rules: &HeapRules) -> Result<u64, GenerateError> {
    fn of<C: PositionCell>(rules: &HeapRules) -> Result<u64, GenerateError> {
        Ok(PositionLayout::new::<C>(rules)?.all_steps())
    }
    with_width!(rules, of(rules))
}

fn make_in<C: PositionCell>(
    rules: &HeapRules,
    options: Options,
    resources: &Resources,
    control: &dyn Control,
) -> Result<(SearchResult, Census), GenerateError> {
    if multisets_without(rules.bounds(), 0) > MOST_POSITIONS {
        return Err(GenerateError::Memory);
    }
    let layout = PositionLayout::new::<C>(rules)?;
    // Without a folder all must be in memory. It is seldom that packing takes more than solving does.
    let is_short = resources.folder.is_some()
        && needs_of::<C>(rules, &layout, 0)?.whole().saturating_mul(4) > for_solving(resources.memory);
    let packed = is_short.then(|| packed_of(rules, options)[0]);
    make_of::<C>(rules, options, &layout, packed, resources, control)
}

/// The same with a layout. `packed` is what packing gathers, but for groups, where it may not fit memory.
fn make_of<C: PositionCell>(
    rules: &HeapRules,
    options: Options,
    layout: &PositionLayout,
    packed: Option<u128>,
    resources: &Resources,
    control: &dyn Control,
) -> Result<(SearchResult, Census), GenerateError> {
    let solver = solver::<C>(rules, layout)?;
    let needs = needs_of::<C>(rules, layout, packed.unwrap_or(0))?;
    let memory = if packed.is_some() { for_solving(resources.memory) } else { u64::MAX };
    let for_blocks = memory.saturating_sub(needs.room);
    let in_memory = needs.whole() <= memory;
    let ruleset = Ruleset::Heaps(rules.clone());
    let cells = format!("{} ranges, {} bytes", layout.ranges, C::BYTES);
    let cells = if layout.offers > 0 { format!("{cells}, {} offers", layout.offers) } else { cells };
    let job = Job::new(&ruleset, options.depths, cells);
    let cut = PositionPartition { layout, cells: PhantomData };
    let (mut store, census) = BlockCache::<PositionPartition<C>>::open(cut, for_blocks, resources, job)?;
    let census = solve(&*solver, &mut store, census, for_blocks, control)?;
    let all = layout.all_steps();
    if in_memory {
        // Those of a work that was broken off are still in the folder.
        let mut blocks = room(layout.blocks() as u64)?;
        blocks.extend((0..layout.blocks()).filter(|&block| layout.shape(block).items > 0));
        store.hold(&blocks, |_, last| last)?;
    } else {
        store.checkpoint(census, [all, all])?;
    }
    let SolvedBlocks { mut blocks, unsaved, bytes, saver } = store.into_solved(census, all, in_memory)?;
    let (code, depths) = (PositionCode::new(rules), options.depths);
    // Whatever more the edges take counts as a part of the search.
    let groups = capped(narrow_edges(rules)).saturating_add(LISTS + OF_BLOCK * layout.blocks() as u64);
    let limit = match (in_memory, packed) {
        (true, None) => u64::MAX,
        (true, Some(_)) => memory.saturating_sub(needs.blocks.saturating_add(groups)),
        (false, _) => memory.saturating_sub(groups),
    };
    // What the search takes may be more than is foreseen.
    let section = (memory.saturating_sub(needs.packing) / 4).max(needs.section);
    if !in_memory {
        // Free the blocks: packing needs the memory.
        blocks.clear();
    }
    let folder = saver.as_ref().filter(|_| !in_memory).and_then(Checkpointer::reader);
    let mut stages = SearchCheckpoints::new(saver.map(|saver| saver.with(&blocks, unsaved, bytes)));
    let positions = Positions { layout, code, depths, blocks: &blocks, folder: folder.as_ref(), section };
    let found = if by_lines(rules) {
        let lines = LostLines::find(&positions, control)?;
        let at = |layer, rank| lines.target(layer, rank);
        merge_lines(rules, &RankFunction { ranks: &lines.others, at }, &mut stages, control)?
    } else {
        merge_positions(rules, &positions, limit, &mut stages, control)?
    };
    stages.tell_volume(folder.as_ref(), control);
    Ok((found, census))
}

/// In which order tasks come.
fn order([one, two, three]: Ranges) -> u64 {
    ((one + two + three) as u64) << 32 | (one as u64) << 16 | two as u64
}

/// Returns the block that later tasks read for these ranges: offers if there are any, otherwise cells.
fn block_to_read(layout: &PositionLayout, ranges: Ranges) -> usize {
    layout.block(ranges) + if layout.offers > 0 { layout.blocks() } else { 0 }
}

/// When a block is needed next after a task; `None` if no more.
fn next_use(layout: &PositionLayout, block: usize, after: u64) -> Option<u64> {
    let number = block % layout.blocks();
    let ranges = layout.ranges_of(number);
    if block != block_to_read(layout, ranges) {
        return None;
    }
    layout.above(ranges).map(order).filter(|&next| next > after).min()
}

/// Solves all tasks that are not yet done.
fn solve<C: PositionCell>(
    solver: &dyn TaskKernel<C>,
    store: &mut BlockCache<PositionPartition<C>>,
    census: Census,
    most: u64,
    control: &dyn Control,
) -> Result<Census, GenerateError> {
    let layout = store.cut.layout;
    let all = layout.all_steps();
    let is_done = |store: &BlockCache<PositionPartition<C>>, task: Ranges| store.done(layout.block(task)) > 0;
    let mut done: u64 = 0;
    for task in (0..=layout.greatest_sum()).flat_map(|sum| layout.tasks(sum)) {
        if is_done(store, task) {
            done += layout.steps(task);
        }
    }
    if done > 0 {
        control.advance(done);
        control.tell(Event::Resumed { done, all });
    }
    if done > 0 && store.has_all() {
        // All are needed at the end: what is damaged is found now, and not when hours of work are lost by it.
        let mut known = room(store.cut.blocks() as u64)?;
        known.extend((0..store.cut.blocks()).filter(|&block| store.is_known(block)));
        store.hold(&known, |_, last| last)?;
    }
    let counted = Mutex::new(WorkDone { census, steps: done });
    for sum in 0..=layout.greatest_sum() {
        let mut tasks = Vec::new();
        layout.tasks(sum).filter(|&task| !is_done(store, task)).try_for_each(|task| tasks.grow(task))?;
        if layout.offers > 0
            && let Some(past) = sum.checked_sub(layout.sums_down() + 1)
        {
            layout.tasks(past).for_each(|task| store.forget(block_to_read(layout, task)));
        }
        let mut tasks = &tasks[..];
        while !tasks.is_empty() {
            let (now, blocks) = together::<C>(layout, tasks, most)?;
            let last = order(tasks[now - 1]);
            store
                .hold(&blocks, |block, _| next_use(layout, block, last).map_or(0, |next| u64::MAX - next))?;
            let solved = run(solver, store, &tasks[..now], &counted, control);
            tasks = &tasks[now..];
            store.after_tasks(solved, *lock(&counted), all, control)?;
        }
    }
    if layout.offers > 0 {
        let last = layout.greatest_sum();
        let left = (last.saturating_sub(layout.sums_down())..=last).flat_map(|sum| layout.tasks(sum));
        left.for_each(|task| store.forget(block_to_read(layout, task)));
    }
    Ok(lock(&counted).census)
}

/// The blocks that a task looks at or fills.
fn needed(layout: &PositionLayout, task: Ranges) -> Result<Vec<usize>, GenerateError> {
    let mut needed = Vec::new();
    needed.grow(layout.block(task))?;
    if layout.offers > 0 {
        needed.grow(block_to_read(layout, task))?;
    }
    layout.below(task)?.into_iter().try_for_each(|ranges| needed.grow(block_to_read(layout, ranges)))?;
    Ok(needed)
}

/// How many of some tasks can be solved at a time with so much memory, and the blocks that they need.
fn together<C: PositionCell>(
    layout: &PositionLayout,
    tasks: &[Ranges],
    most: u64,
) -> Result<(usize, Vec<usize>), GenerateError> {
    let cut = PositionPartition::<C> { layout, cells: PhantomData };
    let (mut blocks, mut bytes): (Vec<usize>, u64) = (Vec::new(), 0);
    let mut count = 0;
    for &task in tasks.iter().take(BETWEEN * parallel::threads()) {
        let before = blocks.len();
        let mut more = 0;
        for block in needed(layout, task)? {
            if !blocks.contains(&block) {
                more += cut.shape(block).bytes::<C>();
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

/// Solves tasks that have nothing to do with each other, and adds to what is counted.
fn run<C: PositionCell>(
    solver: &dyn TaskKernel<C>,
    store: &BlockCache<PositionPartition<C>>,
    tasks: &[Ranges],
    counted: &Mutex<WorkDone>,
    control: &dyn Control,
) -> Result<(), GenerateError> {
    let layout = store.cut.layout;
    let solve = |at: usize| {
        // A task that is begun is ended, so that a checkpoint can follow.
        check(control)?;
        let task = tasks[at];
        let below = layout.below(task)?;
        let mut held = room(below.len() as u64)?;
        held.extend(below.iter().map(|&ranges| store.look_at(block_to_read(layout, ranges))));
        let mut layers = room(layout.layers)?;
        for layer in 0..layout.layers {
            let mut blocks = room(held.len() as u64)?;
            blocks.extend(held.iter().map(|block| block.block().layer(layer)));
            layers.push(blocks);
        }
        let near = Neighbourhood::new(layout, task, below.iter().copied())?;
        let mut own = store.lock(layout.block(task));
        let mut of_offers = (layout.offers > 0).then(|| store.lock(block_to_read(layout, task)));
        let offers: &mut [C] = of_offers.as_mut().map_or(&mut [], |held| held.block_mut().cells_mut());
        let census =
            solver.solve(&near, TaskOutput { cells: own.block_mut().cells_mut(), offers }, &layers)?;
        let steps = layout.steps(task);
        let mut counted = lock(counted);
        store.set_done(layout.block(task), 1);
        *counted = WorkDone { census: counted.census.and(census), steps: counted.steps + steps };
        control.advance(steps);
        Ok(())
    };
    parallel::reduce(tasks.len(), solve, |(), ()| Ok(()))
}

#[cfg(test)]
mod tests;
