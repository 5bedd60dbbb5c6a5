//! Games in which a move takes any number of stones from one heap, solved in blocks of lines.
//!
//! For each line (one heap varies, the others are fixed) the solver keeps one number, the *cell* (`cell`), and the size
//! of the line's own heap in its lost position. The lines are cut into blocks (`layout`); a task reads and writes three
//! blocks. Its kernel is `nim_depths`, or for tables without depths `nim_outcomes`; both go row by row (`rows`).
//! `frame` schedules the tasks, and keeps the blocks in memory or in a work folder: `plan` orders the tasks so that few
//! blocks are read and written. At the end the lines are packed from memory or from the folder (`line_source`). Cost: one
//! step for each position and heap.

mod cell;
mod layout;
mod line_numbers;
mod line_source;
mod nim_depths;
mod nim_outcomes;
mod partition;
mod plan;
mod rows;

use bouton_tables::Ruleset;
use bouton_tables::heaps::{Heap, HeapRules};

use self::cell::widths;
use self::layout::LineLayout;
use self::line_source::{Lines, greatest_section};
use self::nim_depths::NimDepths;
use self::nim_outcomes::NimOutcomes;
use self::plan::BatchPlan;
use self::rows::{RowKernel, solve_task};
use crate::census::Census;
use crate::control::Control;
use crate::estimate::{bytes_for_packing, bytes_for_solving};
use crate::heaps::block_game::BlockGame;
use crate::heaps::classes::merge_classes::{SearchResult, merge_lines};
use crate::heaps::frame::block_cache::{BlockCache, SolvedBlocks};
use crate::heaps::frame::block_memory::BlockMemory;
use crate::heaps::frame::heap_ranges::{TASK_HEAPS, TaskRanges};
use crate::heaps::frame::kernel::Kernel;
use crate::heaps::frame::partition::Partition;
use crate::heaps::frame::run::{self, memory_limit};
use crate::heaps::frame::search_checkpoints::SearchCheckpoints;
use crate::heaps::sizes::multisets_without;
use crate::making::{GenerateError, Resources};
use crate::memory::capped;
use crate::work::Job;

/// Games with more lines are too large for any machine.
const MAX_LINES: u128 = 1 << 44;

/// Bytes for the lists of blocks, tasks and runs of lines.
const LIST_BYTES: u64 = 2 << 20;

/// Returns a game, ready to be solved.
pub(super) fn game(rules: &HeapRules, depths: bool) -> Result<Box<dyn BlockGame + '_>, GenerateError> {
    // Refuse early: such a table could never be stored, and its table of ranks would be huge.
    if multisets_without(rules.bounds(), 1) > MAX_LINES {
        return Err(GenerateError::Memory);
    }
    Ok(match widths(rules, depths) {
        [1, 0] => Box::new(LineGame::<NimOutcomes<u8>>::new(rules, depths)?),
        [4, 0] => Box::new(LineGame::<NimOutcomes<Heap>>::new(rules, depths)?),
        [2, _] => Box::new(LineGame::<NimDepths<i16, u8>>::new(rules, depths)?),
        [4, _] => Box::new(LineGame::<NimDepths<i32, u8>>::new(rules, depths)?),
        _ => Box::new(LineGame::<NimDepths<i64, Heap>>::new(rules, depths)?),
    })
}

/// A game, and its kernel.
struct LineGame<'a, K> {
    rules: &'a HeapRules,
    depths: bool,
    layout: LineLayout,
    kernel: K,
}

impl<K: RowKernel> Kernel for LineGame<'_, K> {
    fn solve(&self, task: TaskRanges, cache: &BlockCache) -> Result<Census, GenerateError> {
        solve_task(&self.kernel, &self.layout, task, cache)
    }
}

impl<'a, K: RowKernel> LineGame<'a, K> {
    fn new(rules: &'a HeapRules, depths: bool) -> Result<Self, GenerateError> {
        let layout = LineLayout::new(rules, widths(rules, depths))?;
        Ok(Self { rules, depths, layout, kernel: K::new(rules) })
    }

    fn needs(&self) -> BlockMemory {
        let Self { rules, layout, .. } = self;
        // Without passes there are few classes, so edges are narrow.
        let edge = if rules.passes() == 0 { 4 } else { 8 };
        let layers = u128::from(layout.layers);
        let multisets = multisets_without(rules.bounds(), 2).saturating_mul(layers * edge);
        // With passes hardly any multisets are equivalent: there are nearly as many classes as lines, with up to about 56
        // bytes for each line and layer.
        let search = if rules.passes() == 0 { 0 } else { 56 * layers };
        let search = multisets_without(rules.bounds(), 1).saturating_mul(search);
        BlockMemory {
            edges: capped(multisets).saturating_add(LIST_BYTES),
            search: capped(search),
            blocks: layout.max_bytes(),
            batch: BatchPlan::least(&layout.ranges, |ranges| layout.memory_bytes(layout.block(ranges))),
            section: (rules.heaps() > TASK_HEAPS).then(|| greatest_section(layout)),
            ..BlockMemory::default()
        }
    }

    /// Solves the game; resumes from the last checkpoint if there is one.
    fn solve_blocks<'b>(
        &'b self,
        resources: &'b Resources,
        control: &dyn Control,
    ) -> Result<SolvedBlocks<'b>, GenerateError> {
        let needs = self.needs();
        let memory = memory_limit(resources);
        // Without a folder, all blocks must be in memory: try, even if they seem too large.
        let for_blocks = if resources.folder.is_some() { bytes_for_solving(memory) } else { u64::MAX };
        let [cell, size] = self.layout.widths;
        let cells = format!("{} ranges, {cell} + {size} bytes", self.layout.ranges.count);
        let job = Job::new(&Ruleset::Heaps(self.rules.clone()), self.depths, cells);
        // Games with few heaps are packed from memory.
        let in_memory = needs.section.is_none() || needs.without_folder() <= for_blocks;
        if needs.section.is_none() && needs.blocks.saturating_add(needs.edges) > for_blocks {
            return Err(GenerateError::Memory);
        }
        run::solve(&self.layout, self, job, for_blocks, in_memory, resources, control)
    }
}

impl<K: RowKernel> BlockGame for LineGame<'_, K> {
    fn partition(&self) -> &dyn Partition {
        &self.layout
    }

    fn memory(&self, _: u64) -> Result<(BlockMemory, u128), GenerateError> {
        Ok((self.needs(), 0))
    }

    fn make(
        &self,
        resources: &Resources,
        control: &dyn Control,
    ) -> Result<(SearchResult, Census), GenerateError> {
        let Self { rules, ref layout, ref kernel, .. } = *self;
        let SolvedBlocks { census, blocks, folder } = self.solve_blocks(resources, control)?;
        let mut checkpoints = SearchCheckpoints::new(folder, &blocks);
        let reader = checkpoints.block_reader();
        let needs = self.needs();
        let in_use = if reader.is_some() { needs.section.unwrap_or(0) } else { needs.blocks };
        // Without passes there are few classes, and with a folder `needs` overstates the rest.
        let limit = match reader.is_some() && rules.passes() == 0 {
            true => u64::MAX,
            // The lists of tasks are gone.
            false => {
                bytes_for_packing(resources.memory, (in_use.saturating_add(needs.edges) - LIST_BYTES).into())
            }
        };
        let lines = Lines { kernel, layout, blocks: &blocks, folder: reader.as_ref() };
        let found = merge_lines(rules, &lines, limit, &mut checkpoints, control)?;
        checkpoints.report_volume(reader.as_ref(), control);
        Ok((found, census))
    }

    fn work_as_rank(&self, resources: &Resources, control: &dyn Control) -> Result<(), GenerateError> {
        self.solve_blocks(resources, control).map(drop)
    }

    fn solving_bytes(&self) -> u128 {
        let needs = self.needs();
        needs.blocks.saturating_add(needs.edges).into()
    }

    fn least_memory_and_folder(&self, _: u64) -> Option<(u128, u128)> {
        let needs = self.needs();
        needs.section?;
        // Each block may have a file of the last checkpoint, and a newer one.
        Some((needs.least().into(), 2 * u128::from(needs.without_folder())))
    }
}
