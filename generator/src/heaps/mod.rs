//! Solves heap games, and proves their tables.
//!
//! First, `sizes` lowers the greatest bound to the largest size that can change an answer. Then `Solver` chooses how to
//! solve:
//!
//! - a move takes any number from one heap: `kernel::pairs` (one or two heaps, no depths), `kernel::nim_outcomes` (no
//!   depths, in memory), otherwise `lines`;
//! - a move takes certain amounts, and there is one heap, whose positions soon repeat: `single_heap`;
//! - a move takes certain amounts from one heap: `kernel::subtraction_outcomes` (no depths, in memory), otherwise
//!   `positions`;
//! - a move takes any number from one of two heaps, or the same from both: `kernel::wythoff`;
//! - everything else: `positions`.
//!
//! Example: Nim with 3 heaps of at most 100 stones is solved by `lines` with depths, and by `kernel::nim_outcomes`
//! without. `lines` and `positions` keep their blocks in memory or in a work folder (`frame`).
//!
//! Then `classes` merges equivalent multisets of heaps into classes, from whole positions down to no heaps, and writes
//! them. A table without depths of a game with very many positions may need no solver: if a move takes from one heap,
//! there are no passes, and there are not too many classes, `quotient` finds classes that are valid for any number of
//! heaps. `verify` proves tables, and shares only the numbering of positions with the solvers.

mod block_game;
mod classes;
mod estimate;
mod frame;
mod kernel;
mod line;
mod lines;
mod passes;
mod positions;
mod quotient;
mod room_left;
mod single_heap;
mod sizes;
mod solved;
#[cfg(test)]
mod tests;
mod verify;

use std::sync::atomic::{AtomicU8, AtomicU32};

use bouton_tables::format::Sink;
use bouton_tables::heaps::{HeapRules, MoveKind, Ranks};

pub use classes::edges::ClassEdge;
pub use classes::pack::{LostTarget, TableParts};
pub use quotient::{ByClasses, ByClassesError, Elements, NoQuotient, quotient_elements};
pub(crate) use quotient::{check_applicable as applies_to_classes, verify as verify_by_classes};

use self::block_game::BlockGame;
use self::classes::level_cut::LevelSteps;
use self::classes::merge_classes::{SearchResult, cut_single_heap, merge_lines, merge_lost_bits};
use self::classes::multisets::{Multisets, RankFunction};
use self::frame::search_checkpoints::SearchCheckpoints;
use self::kernel::atomic_size::AtomicSize;
use self::kernel::planes::Planes;
use self::kernel::{nim_outcomes, pairs, plain, subtraction_outcomes, wythoff};
use self::passes::by_passes;
use self::quotient::Quotient;
use self::sizes::{effective_bounds, full_census, layers};
use crate::census::Census;
use crate::control::{Control, Phase};
use crate::estimate::{bytes_for_packing, memory_with_folder, needs_more_than};
use crate::family::{Estimated, Measurement, Solvable};
use crate::making::{GenerateError, GenerateOptions, Resources, Summary};
use crate::work::has_checkpoint;

impl Solvable for HeapRules {
    fn make(
        &self,
        GenerateOptions { depths }: GenerateOptions,
        resources: &Resources,
        sink: &mut dyn Sink,
        control: &dyn Control,
    ) -> Result<(Summary, Measurement), GenerateError> {
        let effective = effective_bounds(self);
        let (found, census) = solve(&effective, depths, resources, control)?;
        let SearchResult { parts, single_heap, peak_memory } = found;
        let census = full_census(self, &effective, census);
        let summary = parts.write_with(single_heap, self, &effective, depths, census, sink)?;
        let file = summary.bytes.into();
        Ok((summary, Measurement { packed: peak_memory.into(), file, ..Measurement::default() }))
    }

    fn make_small(
        &self,
        GenerateOptions { depths }: GenerateOptions,
        sink: &mut dyn Sink,
        control: &dyn Control,
    ) -> Result<Summary, GenerateError> {
        let effective = effective_bounds(self);
        let (parts, census) = match Solver::of(&effective, depths) {
            Solver::Wythoff => make_wythoff_small(&effective, depths, control)?,
            _ => {
                let ranks = Ranks::try_new(effective.bounds())?;
                control.begin(Phase::Solving, ranks.count().saturating_mul(layers(&effective)));
                plain::make(&effective, depths, &ranks, control)?
            }
        };
        parts.write(self, &effective, depths, full_census(self, &effective, census), sink)
    }

    fn work_as_rank(
        &self,
        options: GenerateOptions,
        resources: &Resources,
        control: &dyn Control,
    ) -> Result<(), GenerateError> {
        let effective = effective_bounds(self);
        // Rank 0 works alone, unless the game is solved in blocks.
        if effective.without_solving(options).is_some() {
            return Ok(());
        }
        let game = Solver::choose(&effective, options.depths, resources)?.block_game(&effective, options)?;
        game.map_or(Ok(()), |game| game.work_as_rank(resources, control))
    }
}

/// Solves a game by its quotient, by its period, or by a kernel. Returns the body of its table, and the census.
fn solve(
    rules: &HeapRules,
    depths: bool,
    resources: &Resources,
    control: &dyn Control,
) -> Result<(SearchResult, Census), GenerateError> {
    if let Some(quotient) = find_quotient(rules, depths, control)? {
        let (parts, census) = quotient::make(rules, &quotient)?;
        return Ok((SearchResult { peak_memory: parts.bytes(), parts, single_heap: None }, census));
    }
    if let Some(made) = single_heap::make(rules, depths, control)? {
        control.begin(Phase::Solving, 1);
        control.advance(1);
        return Ok(made);
    }
    let solver = Solver::choose(rules, depths, resources)?;
    solver.solve(rules, GenerateOptions { depths }, resources, control)
}

/// Finds the quotient from which to make a table, and proves it; `None` if the game is to be solved by a kernel.
fn find_quotient(
    rules: &HeapRules,
    depths: bool,
    control: &dyn Control,
) -> Result<Option<Quotient>, GenerateError> {
    if depths || !quotient::is_worthwhile(rules) {
        return Ok(None);
    }
    match quotient::find(rules, Phase::Solving, control)? {
        Ok(quotient) => Ok(Some(quotient)),
        // The theorem guarantees a quotient for such games, so a gap in the proof is a bug.
        Err(gap @ NoQuotient::Gap(_)) => Err(GenerateError::Unproved(gap.to_string())),
        Err(_) => Ok(None),
    }
}

/// The solver for a ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Solver {
    /// Any number of stones from one of at most two heaps, without depths.
    Pairs,
    /// Any number of stones from one heap, without depths, in memory.
    NimOutcomes,
    /// Any number of stones from one heap, in blocks of lines.
    NimBlocks,
    /// Certain numbers of stones from one heap, without depths, in memory.
    SubtractionOutcomes,
    /// Any number of stones from one of two heaps, or the same number from both.
    Wythoff,
    /// All other games, in blocks of positions.
    PositionBlocks,
}

impl Solver {
    /// Returns the solver for a ruleset with these resources. Replaces a solver in memory by one in blocks if there are
    /// several MPI ranks; or, with a work folder, if the folder has a checkpoint, if memory is short, or if the user
    /// has set a checkpoint interval and blocks fit. `Pairs` and `Wythoff` are never replaced.
    fn choose(rules: &HeapRules, depths: bool, resources: &Resources) -> Result<Self, GenerateError> {
        let in_memory = Self::of(rules, depths);
        let in_blocks = in_memory.in_blocks();
        if in_memory == in_blocks || resources.communicator.is_some() {
            return Ok(in_blocks);
        }
        let Some(folder) = resources.folder else { return Ok(in_memory) };
        let (options, ruleset) = (GenerateOptions { depths }, rules.clone().into());
        let fits = || {
            memory_with_folder(&ruleset, options, resources.memory)
                .is_some_and(|least| least.memory <= resources.memory)
        };
        let uses_blocks = resources.checkpoint_interval.is_some() && fits()
            || needs_more_than(rules, options, resources.memory)
            || has_checkpoint(folder, &ruleset, depths)?;
        Ok(if uses_blocks { in_blocks } else { in_memory })
    }

    /// Returns the solver for a ruleset if there is enough memory.
    fn of(rules: &HeapRules, depths: bool) -> Self {
        // If the recent rows along lines would outgrow the positions, solve in blocks of positions.
        let has_few_recent_rows =
            || subtraction_outcomes::recent_rows_bytes(rules) <= 8 * u128::from(rules.multisets());
        match rules.move_kind() {
            MoveKind::AnyFromOne if depths => Self::NimBlocks,
            MoveKind::AnyFromOne if rules.heaps() <= 2 => Self::Pairs,
            MoveKind::AnyFromOne => Self::NimOutcomes,
            MoveKind::AmountsFromOne(_) if !depths && has_few_recent_rows() => Self::SubtractionOutcomes,
            MoveKind::SameFromSeveral(2) if rules.heaps() == 2 => Self::Wythoff,
            _ => Self::PositionBlocks,
        }
    }

    /// Returns the solver in blocks for the same games.
    fn in_blocks(self) -> Self {
        match self {
            Self::NimOutcomes => Self::NimBlocks,
            Self::SubtractionOutcomes => Self::PositionBlocks,
            other => other,
        }
    }

    /// Returns the game, if this solver works in blocks.
    fn block_game(
        self,
        rules: &HeapRules,
        options: GenerateOptions,
    ) -> Result<Option<Box<dyn BlockGame + '_>>, GenerateError> {
        match self {
            Self::NimBlocks => lines::game(rules, options.depths).map(Some),
            Self::PositionBlocks => positions::game(rules, options).map(Some),
            Self::Pairs | Self::NimOutcomes | Self::SubtractionOutcomes | Self::Wythoff => Ok(None),
        }
    }

    fn solve(
        self,
        rules: &HeapRules,
        options: GenerateOptions,
        resources: &Resources,
        control: &dyn Control,
    ) -> Result<(SearchResult, Census), GenerateError> {
        if let Some(game) = self.block_game(rules, options)? {
            control.begin(Phase::Solving, game.partition().all_steps());
            let (found, census) = game.make(resources, control)?;
            // `positions` always computes depths, but this table may not store them.
            let deepest = if options.depths { census.deepest } else { 0 };
            return Ok((found, Census { deepest, ..census }));
        }
        let limit = bytes_for_packing(resources.memory, rules.solving_bytes(options, Measurement::default()));
        let steps = match self {
            Self::Pairs => 0,
            Self::Wythoff => wythoff::rows(rules),
            _ => layers(rules).saturating_mul(Planes::rows(rules)),
        };
        control.begin(Phase::Solving, steps);
        match self {
            Self::Pairs => solve_pairs(rules, limit, control),
            Self::NimOutcomes => solve_nim(rules, limit, control),
            Self::SubtractionOutcomes => solve_subtraction(rules, limit, control),
            Self::Wythoff => solve_wythoff(rules, options, limit, control),
            Self::NimBlocks | Self::PositionBlocks => unreachable!("solved in blocks above"),
        }
    }
}

fn solve_nim(
    rules: &HeapRules,
    limit: u64,
    control: &dyn Control,
) -> Result<(SearchResult, Census), GenerateError> {
    if u64::from(rules.greatest_bound()) < AtomicU8::MAX {
        solve_nim_in::<AtomicU8>(rules, limit, control)
    } else {
        solve_nim_in::<AtomicU32>(rules, limit, control)
    }
}

/// Solves Nim with `T` as the type of sizes.
fn solve_nim_in<T: AtomicSize>(
    rules: &HeapRules,
    limit: u64,
    control: &dyn Control,
) -> Result<(SearchResult, Census), GenerateError> {
    let planes = Planes::new(rules)?;
    let layers: Vec<nim_outcomes::NimLayer<T>> =
        by_passes(rules, |passed| nim_outcomes::solve(rules, &planes, passed, control))?;
    let lost: u64 = layers.iter().map(|layer| layer.lost_count).sum();
    let target = |layer: u64, rank| LostTarget::without_depth(layers[layer as usize].target(rank));
    Ok((pack_lines(rules, &target, limit, control)?, Census { wins: rules.positions() - lost, deepest: 0 }))
}

fn solve_pairs(
    rules: &HeapRules,
    limit: u64,
    control: &dyn Control,
) -> Result<(SearchResult, Census), GenerateError> {
    let layers: Vec<pairs::Pairs> = by_passes(rules, |passed| pairs::solve(rules, passed, control))?;
    let lost: u64 = layers.iter().map(|layer| layer.lost_count).sum();
    // The rank of one heap is its size, and the rank of no heaps is 0.
    let target =
        |layer: u64, rank: u64| LostTarget::without_depth(layers[layer as usize].partners[rank as usize]);
    Ok((pack_lines(rules, &target, limit, control)?, Census { wins: rules.positions() - lost, deepest: 0 }))
}

fn solve_wythoff(
    rules: &HeapRules,
    GenerateOptions { depths }: GenerateOptions,
    limit: u64,
    control: &dyn Control,
) -> Result<(SearchResult, Census), GenerateError> {
    let (lost, census) = wythoff::solve(rules, depths, control)?;
    // The rank of one heap is its size.
    let target = |layer: u64, rank: u64| lost[layer as usize][rank as usize];
    Ok((pack_lines(rules, &target, limit, control)?, census))
}

/// Makes the body of a table with a record for each line, and the census. For other games, [`plain::make`] does so.
fn make_wythoff_small(
    rules: &HeapRules,
    depths: bool,
    control: &dyn Control,
) -> Result<(TableParts, Census), GenerateError> {
    control.begin(Phase::Solving, wythoff::rows(rules));
    let (lost, census) = wythoff::solve(rules, depths, control)?;
    let ranks = &Ranks::try_new(&rules.bounds()[1..])?;
    let at = |layer: u64, rank: u64| lost[layer as usize][rank as usize];
    let targets = Multisets::new(rules, ranks).collect(&RankFunction { ranks, at })?;
    Ok((TableParts { levels: vec![Vec::new(); rules.heaps()], targets, ..TableParts::default() }, census))
}

/// Packs lines that are in memory. `target` returns the lost position of a line, by layer and the rank of the other
/// heaps. `limit` is the memory of the search.
fn pack_lines(
    rules: &HeapRules,
    target: &(impl Fn(u64, u64) -> LostTarget + Sync + Send),
    limit: u64,
    control: &dyn Control,
) -> Result<SearchResult, GenerateError> {
    let ranks = &Ranks::try_new(&rules.bounds()[1..])?;
    let source = RankFunction { ranks, at: target };
    merge_lines(rules, &source, limit, &mut SearchCheckpoints::new(None, &[]), control)
}

fn solve_subtraction(
    rules: &HeapRules,
    limit: u64,
    control: &dyn Control,
) -> Result<(SearchResult, Census), GenerateError> {
    let planes = Planes::new(rules)?;
    let layers: Vec<subtraction_outcomes::LostBits> =
        by_passes(rules, |passed| subtraction_outcomes::solve(rules, &planes, passed, control))?;
    let lost: u64 = layers.iter().map(|layer| layer.lost_count).sum();
    let cut = match &layers[..] {
        [layer] if rules.heaps() == 1 => {
            let step = |size: usize| ClassEdge { class: layer.is_lost(size as u64).into(), deeper: 0 };
            let width = rules.greatest_bound() as usize + 1;
            cut_single_heap(0, &LevelSteps { classes: 1, width, step, repetition: None })?
        }
        _ => None,
    };
    let found = cut.map_or_else(|| merge_lost_bits(rules, &layers, limit, control), Ok)?;
    Ok((found, Census { wins: rules.positions() - lost, deepest: 0 }))
}
