//! Games in which a move takes certain amounts from one heap, or takes from several heaps, solved with depths in blocks
//! of positions.
//!
//! For each position the solver keeps one number, the *cell* (`cell`). The positions are cut into blocks (`layout`). A
//! task solves one block, and reads a few other blocks (`neighbourhood`). Its kernel (`task`) is one of
//! `subtraction_depths` (row by row), `prefix_minima` (from the *offers* of neighbouring positions) and `heap_by_heap`
//! (row by row, from the offers of positions after a take). `frame` schedules the tasks, and keeps the blocks in memory
//! or in a work folder. At the end, the positions are packed from memory or from the folder (`position_source`); if a
//! move takes any number of stones, the lost positions of lines are packed instead (`lost_lines`).

mod cell;
mod choice;
mod heap_by_heap;
mod layout;
mod lost_lines;
mod neighbourhood;
mod offer_plan;
mod partition;
mod position_source;
mod prefix_minima;
mod subtraction_depths;
mod task;

use std::marker::PhantomData;

use bouton_tables::Ruleset;
use bouton_tables::heaps::HeapRules;

pub(super) use self::cell::{PositionCode, cell_bytes};
pub(super) use self::choice::{PositionKernel, choices, steps};
use self::heap_by_heap::HeapByHeap;
use self::layout::PositionLayout;
use self::lost_lines::LostLines;
use self::position_source::{Positions, greatest_section};
use self::prefix_minima::PrefixMinima;
use self::subtraction_depths::SubtractionDepths;
use self::task::{TaskKernel, TaskRunner};
use crate::census::Census;
use crate::control::Control;
use crate::estimate::{bytes_for_packing, bytes_for_solving, packing_bytes};
use crate::heaps::block_game::BlockGame;
use crate::heaps::classes::merge_classes::{SearchResult, merge_lines, merge_positions};
use crate::heaps::classes::multisets::RankFunction;
use crate::heaps::frame::block_cache::SolvedBlocks;
use crate::heaps::frame::block_memory::BlockMemory;
use crate::heaps::frame::numbers::Number;
use crate::heaps::frame::partition::Partition;
use crate::heaps::frame::run::{self, memory_limit};
use crate::heaps::frame::search_checkpoints::SearchCheckpoints;
use crate::heaps::sizes::{layers, multisets_without};
use crate::making::{GenerateError, GenerateOptions, Resources};
use crate::memory::capped;
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

/// If the search for classes needs more bytes, there may be too many classes for narrow edges.
const WIDE_EDGES_FROM: u128 = 16 << 20;

/// Returns a game, ready to be solved.
pub(super) fn game(
    rules: &HeapRules,
    options: GenerateOptions,
) -> Result<Box<dyn BlockGame + '_>, GenerateError> {
    // Refuse early: such a table could never be stored, and its table of ranks would be huge.
    if multisets_without(rules.bounds(), 0) > MAX_POSITIONS {
        return Err(GenerateError::Memory);
    }
    Ok(match cell_bytes(rules) {
        2 => Box::new(PositionGame::<i16>::new(rules, options)?),
        4 => Box::new(PositionGame::<i32>::new(rules, options)?),
        _ => Box::new(PositionGame::<i64>::new(rules, options)?),
    })
}

/// A game, and the type `C` of cells.
struct PositionGame<'a, C> {
    rules: &'a HeapRules,
    options: GenerateOptions,
    layout: PositionLayout,
    cells: PhantomData<fn() -> C>,
}

/// How to solve and pack a game in the memory of the process.
#[derive(Clone, Copy)]
struct BlockPlan {
    needs: BlockMemory,
    /// Memory for solving and packing. `u64::MAX` if there surely is enough, and also without a folder, where
    /// everything must be in memory.
    memory: u64,
}

impl<'a, C: Number> PositionGame<'a, C> {
    fn new(rules: &'a HeapRules, options: GenerateOptions) -> Result<Self, GenerateError> {
        Ok(Self::with_layout(rules, options, PositionLayout::new(rules, C::BYTES)?))
    }

    fn with_layout(rules: &'a HeapRules, options: GenerateOptions, layout: PositionLayout) -> Self {
        Self { rules, options, layout, cells: PhantomData }
    }

    fn kernel(&self) -> Result<TaskRunner<'_, C>, GenerateError> {
        let Self { rules, layout, .. } = self;
        let kernel: Box<dyn TaskKernel<C>> = match PositionKernel::of(rules) {
            PositionKernel::Subtraction => Box::new(SubtractionDepths::new(rules, layout)?),
            PositionKernel::PrefixMinima => Box::new(PrefixMinima::new(rules)),
            PositionKernel::HeapByHeap => Box::new(HeapByHeap::new(rules)?),
        };
        Ok(TaskRunner { layout, kernel })
    }

    /// Returns the memory, given the bytes of the search for classes.
    fn needs(&self, search_bytes: u128) -> Result<BlockMemory, GenerateError> {
        let Self { rules, layout, .. } = self;
        // Edges to a small number of classes fit into four bytes.
        let edges = if search_bytes > WIDE_EDGES_FROM { 2 } else { 1 } * self.narrow_edges();
        let [all, per_thread] = match PositionKernel::of(rules) {
            PositionKernel::Subtraction => subtraction_depths::bytes::<C>(rules, layout),
            PositionKernel::PrefixMinima => [prefix_minima::bytes::<C>(rules), 0],
            PositionKernel::HeapByHeap => heap_by_heap::bytes::<C>(rules, layout),
        };
        let of_threads = per_thread + u128::from(neighbourhood::bytes(layout));
        let buffers = all + of_threads * parallel::threads() as u128;
        let by_lines = rules.at_most_one_loss_per_line();
        Ok(BlockMemory {
            edges: capped(edges).saturating_add(self.list_bytes()),
            search: capped(search_bytes),
            blocks: layout.all_cells_bytes(),
            temporary: layout.offers_bytes()?,
            batch: layout.task_bytes()?,
            section: Some(if by_lines { 0 } else { greatest_section(layout)? }),
            buffers: capped(buffers).saturating_add(self.list_bytes() + ALLOCATOR_SLACK),
        })
    }

    /// Returns the bytes for narrow edges of the first level that packing computes, and for the lost positions of lines.
    fn narrow_edges(&self) -> u128 {
        let Self { rules, .. } = self;
        let (omitted, lines) =
            if rules.at_most_one_loss_per_line() { (2, lost_lines::bytes(rules)) } else { (1, 0) };
        4 * multisets_without(rules.bounds(), omitted) * u128::from(layers(rules)) + lines
    }

    fn list_bytes(&self) -> u64 {
        LIST_BYTES + LIST_BYTES_PER_BLOCK * self.layout.cell_blocks() as u64
    }

    fn plan(&self, resources: &Resources) -> Result<BlockPlan, GenerateError> {
        let needs = self.needs(0)?;
        let limit = memory_limit(resources);
        let memory = bytes_for_solving(limit);
        // Without a folder everything must be in memory. Packing rarely needs more than solving, so four times this memory
        // is surely enough.
        if resources.folder.is_none() || needs.without_folder().saturating_mul(4) <= memory {
            return Ok(BlockPlan { needs, memory: u64::MAX });
        }
        Ok(BlockPlan { needs: self.memory(limit)?.0, memory })
    }

    /// Solves the game; resumes from the last checkpoint if there is one.
    fn solve<'b>(
        &'b self,
        plan: BlockPlan,
        resources: &'b Resources,
        control: &dyn Control,
    ) -> Result<SolvedBlocks<'b>, GenerateError> {
        let layout = &self.layout;
        let cells = format!("{} ranges, {} bytes", layout.ranges.count, C::BYTES);
        let cells = if layout.offers > 0 { format!("{cells}, {} offers", layout.offers) } else { cells };
        let job = Job::new(&Ruleset::Heaps(self.rules.clone()), self.options.depths, cells);
        let for_blocks = plan.memory.saturating_sub(plan.needs.buffers);
        let in_memory = plan.needs.without_folder() <= plan.memory;
        run::solve(layout, &self.kernel()?, job, for_blocks, in_memory, resources, control)
    }

    /// Solves and packs a game with a given plan.
    fn make_with(
        &self,
        plan: BlockPlan,
        resources: &Resources,
        control: &dyn Control,
    ) -> Result<(SearchResult, Census), GenerateError> {
        let Self { rules, options: GenerateOptions { depths }, ref layout, .. } = *self;
        let SolvedBlocks { census, blocks, folder } = self.solve(plan, resources, control)?;
        let BlockPlan { needs, memory } = plan;
        let mut checkpoints = SearchCheckpoints::new(folder, &blocks);
        let reader = checkpoints.block_reader();
        // The limit of the search does not count blocks, lists and narrow edges.
        let mut in_use = self.narrow_edges() + u128::from(self.list_bytes());
        if reader.is_none() {
            in_use += u128::from(needs.blocks);
        }
        let limit = bytes_for_packing(resources.memory, in_use);
        // A section may take a quarter of the free memory, as the search may need more than the estimate.
        let section = (memory.saturating_sub(needs.packing()) / 4).max(needs.section.unwrap_or(0));
        let code: PositionCode<C> = PositionCode::new(rules);
        let folder = reader.as_ref();
        let positions = Positions { layout, code, depths, blocks: &blocks, folder, section };
        let found = if rules.at_most_one_loss_per_line() {
            let lines = LostLines::find(&positions, control)?;
            let at = |layer, rank| lines.target(layer, rank);
            merge_lines(rules, &RankFunction { ranks: &lines.others, at }, limit, &mut checkpoints, control)?
        } else {
            merge_positions(rules, &positions, limit, &mut checkpoints, control)?
        };
        checkpoints.report_volume(folder, control);
        Ok((found, census))
    }
}

impl<C: Number> BlockGame for PositionGame<'_, C> {
    fn partition(&self) -> &dyn Partition {
        &self.layout
    }

    fn memory(&self, limit: u64) -> Result<(BlockMemory, u128), GenerateError> {
        let Self { rules, options, .. } = *self;
        let [search_bytes, trial_runs] = packing_bytes(rules, options, limit);
        // Trial runs without depths are packed from bits, where the first level is found differently. With passes, the
        // search needs more than in small games.
        let search_bytes = match options.depths {
            true if rules.passes() > 0 => 2 * search_bytes,
            true => search_bytes + search_bytes / 4,
            false => 2 * search_bytes + WAITING_BYTES * parallel::threads() as u128,
        };
        Ok((self.needs(search_bytes)?, trial_runs))
    }

    fn make(
        &self,
        resources: &Resources,
        control: &dyn Control,
    ) -> Result<(SearchResult, Census), GenerateError> {
        self.make_with(self.plan(resources)?, resources, control)
    }

    fn work_as_rank(&self, resources: &Resources, control: &dyn Control) -> Result<(), GenerateError> {
        self.solve(self.plan(resources)?, resources, control).map(drop)
    }

    fn solving_bytes(&self) -> u128 {
        let Ok(needs) = self.needs(0) else { return u64::MAX.into() };
        (u128::from(needs.blocks) + u128::from(needs.buffers - ALLOCATOR_SLACK))
            .saturating_add((2 * self.narrow_edges()).max(needs.temporary.into()))
    }

    fn least_memory_and_folder(&self, limit: u64) -> Option<(u128, u128)> {
        let (needs, trial_runs) = self.memory(limit).ok()?;
        // Each block is written once. Files of packing and offers exist for two checkpoints. Checksums add 0.1 %.
        let folder = u128::from(needs.blocks) + 2 * u128::from(needs.packing().max(needs.temporary));
        // The solver repeats the trial runs, so their memory counts too.
        Some((trial_runs.max(needs.least().into()), folder * 1001 / 1000))
    }
}

#[cfg(test)]
mod tests;
