//! Games in which a move takes any number of stones from one heap, solved in blocks of lines.
//!
//! For each line (one heap varies, the others are fixed) the solver keeps one number, the *cell* (`cell`), and the size
//! of the line's own heap in its lost position. The lines are cut into blocks (`layout`); a task reads and writes three
//! blocks. Its kernel is `nim_depths`, or for tables without depths `nim_outcomes`; both go row by row (`rows`).
//! `frame` schedules the tasks, and keeps the blocks in memory or in a work folder: `plan` orders the tasks so that few
//! blocks are read and written. At the end the lines are packed from memory (`memory_lines`) or from the folder
//! (`disk_lines`). Cost: one step for each position and heap.

mod cell;
mod disk_lines;
mod layout;
mod line_numbers;
mod line_runs;
mod memory_lines;
mod nim_depths;
mod nim_outcomes;
mod partition;
mod plan;
mod rows;

use std::marker::PhantomData;

use bouton_tables::Ruleset;
use bouton_tables::heaps::{Heap, HeapRules, Ranks};

use self::cell::{LineCode, LineWidth};
use self::disk_lines::{DiskLines, greatest_section};
use self::layout::LineLayout;
use self::line_numbers::HeapSize;
use self::line_runs::LineRuns;
use self::memory_lines::{LineReader, MemoryLines};
use self::nim_depths::NimDepths;
use self::nim_outcomes::NimOutcomes;
use self::partition::LinePartition;
use self::plan::BatchPlan;
use self::rows::{ByRows, RowKernel};
use crate::census::Census;
use crate::control::Control;
use crate::estimate::{bytes_for_packing, bytes_for_solving};
use crate::family::ClusterCost;
use crate::heaps::block_game::BlockGame;
use crate::heaps::classes::merge_classes::{SearchResult, merge_lines};
use crate::heaps::classes::search_checkpoints::SearchCheckpoints;
use crate::heaps::frame::block::Block;
use crate::heaps::frame::block_cache::{Packing, SolvedBlocks};
use crate::heaps::frame::block_memory::BlockMemory;
use crate::heaps::frame::heap_ranges::TASK_HEAPS;
use crate::heaps::frame::numbers::FileNumber;
use crate::heaps::frame::partition::Partition;
use crate::heaps::frame::run::{self, process_memory};
use crate::heaps::sizes::{layers, multisets_without};
use crate::making::{GenerateError, Resources};
use crate::memory::{capped, room};
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
    let layout = LineLayout::new(rules)?;
    Ok(match LineWidth::of(rules, depths) {
        LineWidth::SmallOutcomes => Box::new(LineGame::<NimOutcomes, u8>::new(rules, depths, layout)),
        LineWidth::LargeOutcomes => Box::new(LineGame::<NimOutcomes, Heap>::new(rules, depths, layout)),
        LineWidth::Small => Box::new(LineGame::<NimDepths<i16>, u8>::new(rules, depths, layout)),
        LineWidth::Long => Box::new(LineGame::<NimDepths<i32>, u8>::new(rules, depths, layout)),
        LineWidth::Large => Box::new(LineGame::<NimDepths<i64>, Heap>::new(rules, depths, layout)),
    })
}

/// A game, its kernel `K`, and the type `S` of sizes.
struct LineGame<'a, K, S> {
    rules: &'a HeapRules,
    depths: bool,
    layout: LineLayout,
    numbers: PhantomData<fn() -> (K, S)>,
}

impl<'a, K: RowKernel, S: HeapSize> LineGame<'a, K, S> {
    fn new(rules: &'a HeapRules, depths: bool, layout: LineLayout) -> Self {
        Self { rules, depths, layout, numbers: PhantomData }
    }

    fn partition(&self) -> LinePartition<'_, K::Cell, S> {
        LinePartition { layout: &self.layout, layers: layers(self.rules), numbers: PhantomData }
    }

    fn memory(&self) -> BlockMemory {
        let Self { rules, layout, .. } = self;
        let partition = self.partition();
        // Without passes there are few classes, so edges are narrow.
        let edge = if rules.passes() == 0 { 4 } else { 8 };
        let layers = u128::from(partition.layers);
        let multisets = multisets_without(rules.bounds(), 2).saturating_mul(layers * edge);
        // With passes hardly any multisets are equivalent: there are nearly as many classes as lines, with up to about 56
        // bytes for each line and layer.
        let search = if rules.passes() == 0 { 0 } else { 56 * layers };
        let search = multisets_without(rules.bounds(), 1).saturating_mul(search);
        BlockMemory {
            edges: capped(multisets).saturating_add(LIST_BYTES),
            search: capped(search),
            blocks: partition.max_bytes(),
            batch: BatchPlan::least(&layout.ranges, |ranges| partition.memory_bytes(layout.block(ranges))),
            section: (rules.heaps() > TASK_HEAPS).then(|| greatest_section::<K::Cell, S>(layout)),
            ..BlockMemory::default()
        }
    }

    /// Solves the game; resumes from the last checkpoint if there is one.
    fn solve<'b>(
        &self,
        resources: &'b Resources,
        control: &dyn Control,
    ) -> Result<SolvedBlocks<'b, LinePartition<'_, K::Cell, S>>, GenerateError> {
        let needs = self.memory();
        let memory = process_memory(resources);
        // Without a folder, all blocks must be in memory: try, even if they seem too large.
        let for_blocks = if resources.folder.is_some() { bytes_for_solving(memory) } else { u64::MAX };
        let cells = format!("{} ranges, {} + {} bytes", self.layout.ranges.count, K::Cell::BYTES, S::BYTES);
        let job = Job::new(&Ruleset::Heaps(self.rules.clone()), self.depths, cells);
        // Games with few heaps are packed from memory.
        let in_memory = needs.section.is_none() || needs.without_folder() <= for_blocks;
        if needs.section.is_none() && needs.blocks.saturating_add(needs.edges) > for_blocks {
            return Err(GenerateError::Memory);
        }
        let kernel = ByRows(K::new(self.rules));
        run::solve(self.partition(), &kernel, job, for_blocks, in_memory, resources, control)
    }
}

impl<K: RowKernel, S: HeapSize> BlockGame for LineGame<'_, K, S> {
    fn steps(&self) -> u64 {
        self.partition().all_steps()
    }

    fn make(
        &self,
        resources: &Resources,
        control: &dyn Control,
    ) -> Result<(SearchResult, Census), GenerateError> {
        let Self { rules, depths, ref layout, .. } = *self;
        let (needs, mut solved) = (self.memory(), self.solve(resources, control)?);
        let census = solved.census;
        let Packing { blocks, folder, checkpointer } = solved.packing();
        let mut checkpoints = SearchCheckpoints::new(checkpointer);
        let read = LineReader { code: LineCode::new(rules), depths, none: rules.greatest_bound() + 1 };
        let runs = LineRuns::new(layout)?;
        let limit = |in_use: u64| bytes_for_packing(resources.memory, in_use.into());
        let found = match &folder {
            None => {
                let numbers =
                    blocks.iter().map(|block| block.as_ref().map_or_else(Default::default, Block::numbers));
                let mut all = room(numbers.len() as u64)?;
                let lines = layout.all_blocks().map(|block| layout.block_lines(block) as usize);
                all.extend(numbers.zip(lines));
                let lines = MemoryLines { layout, read, blocks: all, runs };
                let in_use = needs.blocks.saturating_add(needs.edges);
                merge_lines(rules, &lines, limit(in_use), &mut checkpoints, control)?
            }
            Some(folder) => {
                let below = Ranks::try_new(&rules.bounds()[2..])?;
                let lines = DiskLines { layout, partition: self.partition(), read, runs, below, folder };
                let in_use = needs.section.unwrap_or(0).saturating_add(needs.edges);
                // Without passes there are few classes, and `needs` overstates the rest.
                let limit = if rules.passes() == 0 { u64::MAX } else { limit(in_use) };
                merge_lines(rules, &lines, limit, &mut checkpoints, control)?
            }
        };
        checkpoints.report_volume(folder.as_ref(), control);
        Ok((found, census))
    }

    fn work_as_rank(&self, resources: &Resources, control: &dyn Control) -> Result<(), GenerateError> {
        self.solve(resources, control).map(|_| ())
    }

    fn solving_bytes(&self) -> u128 {
        let needs = self.memory();
        needs.blocks.saturating_add(needs.edges).into()
    }

    fn least_memory_and_folder(&self, _: u64) -> Option<(u128, u128)> {
        let needs = self.memory();
        needs.section?;
        // Each block may have a file of the last checkpoint, and a newer one.
        Some((needs.least().into(), 2 * u128::from(needs.without_folder())))
    }

    fn cluster_cost(&self, processes: usize) -> Result<ClusterCost, GenerateError> {
        run::cluster_cost(&self.partition(), self.memory(), processes)
    }

    fn enough_processes(&self, fits: &dyn Fn(u64) -> bool) -> Option<usize> {
        run::enough_processes(&self.partition(), self.memory(), fits)
    }
}
