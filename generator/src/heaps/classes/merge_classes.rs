//! Merges equivalent multisets of heaps into classes, from which the table is made.
//!
//! Multisets of heaps are equivalent if adding the same heaps to either gives the same outcomes, and depths that differ
//! by a constant. The search starts from whole positions (or lines), and goes down level by level: [`refine`] finds the
//! classes of the multisets with one heap less. There are fewer and fewer multisets, and in most games far fewer
//! classes. After each level we compute the size of the table that stores the steps of all levels so far, and a class
//! for each multiset of the lowest level (the stem). The smallest of these tables is chosen. Example, Nim 3 x 100
//! without depths: 5,151 pairs of heaps have 102 classes, lost with a third heap of 0 to 100 stones, or with none. If
//! heaps in any order need too many classes, the search runs again for heaps in descending order (`ordered_classes`).

use std::ops::BitOr;

use bouton_tables::heaps::{HeapKeys, HeapRules, Ranks};

use super::dictionary::ClassDictionary;
use super::edges::{ClassEdge, VOID};
use super::level_cut::{LevelCut, LevelSteps, least_bits, voids, voids_of_positions};
use super::multisets::{ClassLevel, MultisetSource, Multisets, RankFunction, SingleLayer, UsedBits, stored};
use super::numbering::Numbering;
use super::ordered_classes::OrderedClasses;
use super::pack::{LostTarget, TableParts, widths};
use super::refine::{MemoryBudget, SearchContext, refine};
use super::squares::merge_squares;
use super::targets::{TargetClasses, TargetEdges, TargetsAsEdges, used};
use crate::control::Control;
use crate::heaps::frame::search_checkpoints::SearchCheckpoints;
use crate::heaps::kernel::subtraction_outcomes::LostBits;
use crate::making::GenerateError;
use crate::memory::{Grow, room};

/// For lines, a level may have as many steps as if each line had a record of this many bits. Few records are that wide,
/// but cutting a level can save most bits of its steps: in Nim 3 x 600 without depths, 0.4 million steps save three
/// quarters of the bits of 0.2 million records.
const BITS_PER_LINE: u64 = 32;

/// The search always tries levels with at most this many steps, if these fit into the limit at two bits each.
const FEW_STEPS: u64 = 1 << 16;

/// Bodies of at most this number of bits are not worth optimizing.
const SMALL: u64 = 1 << 12;

/// Minimum of the limit on the bits of a body for heaps in any order.
const MIN_LIMIT: u64 = 1 << 16;

/// The parts of a table's body, found by a search for classes.
pub(crate) struct SearchResult {
    pub(crate) parts: TableParts,
    /// The steps of a single heap, if they are not in `parts`.
    pub(crate) single_heap: Option<LevelCut>,
    /// Peak memory of the search in bytes, without the edges of multisets.
    pub(crate) peak_memory: u64,
}

/// Finds the smallest parts of a body whose last level leads to the multisets of a source. If these are lines,
/// `targets` are the lost positions of their classes. Returns the parts, and their bits without the targets.
///
/// `first` is the first level below the source, if it is known already.
fn smallest(
    rules: &HeapRules,
    source: &dyn MultisetSource<ClassEdge>,
    targets: Vec<LostTarget>,
    first: Option<ClassLevel>,
    mut context: SearchContext,
) -> Result<(SearchResult, u64), GenerateError> {
    context.memory.keep(size_of_val(&targets[..]) as u64);
    let mut search = ClassSearch { rules, source, targets: &targets, used: Vec::new(), context };
    // Answers are faster if heaps may be added in any order. This may cost 1/8 bit for each position; a body that costs
    // more is accepted if it has at most twice the bits of descending order.
    let may_descend = targets.is_empty() && rules.heaps() > 1;
    let eighth = Multisets::new(rules, source.ranks()).count() / 8;
    let limit = if may_descend { eighth.max(MIN_LIMIT) } else { u64::MAX };
    let mut found = search.smallest::<Numbering>(first, limit)?;
    let is_final =
        |(parts, bits): &(TableParts, u64)| *bits <= SMALL || !parts.levels[0].is_empty() && *bits <= eighth;
    if may_descend && !found.as_ref().is_some_and(is_final) {
        let descending = search.smallest::<OrderedClasses>(None, u64::MAX)?;
        let twice = descending.as_ref().map_or(0, |(_, bits)| bits * 2);
        found = found.filter(|(_, bits)| *bits <= twice).or(descending);
    }
    let peak_memory = search.context.memory.peak;
    let (mut parts, bits) = found.expect("without a limit, the stem alone is a result");
    parts.targets = targets;
    Ok((SearchResult { parts, single_heap: None, peak_memory }, bits))
}

/// A search for the smallest parts.
struct ClassSearch<'a, 's> {
    rules: &'a HeapRules,
    source: &'a dyn MultisetSource<ClassEdge>,
    /// Targets of the source's classes, if these are lines.
    targets: &'a [LostTarget],
    /// Bits in use by the edges of the source: of all layers, then of each layer.
    used: Vec<UsedBits>,
    context: SearchContext<'a, 's>,
}

impl ClassSearch<'_, '_> {
    /// Returns the smallest parts and their bits; `None` if these are more than `limit`.
    fn smallest<D: ClassDictionary>(
        &mut self,
        first: Option<ClassLevel>,
        limit: u64,
    ) -> Result<Option<(TableParts, u64)>, GenerateError> {
        let Self { rules, source, targets, .. } = *self;
        let kept = self.context.memory.kept;
        let used = self.used_by(0, rules, source)?;
        let context = &mut self.context;
        let mut found = smallest_stem::<D>(rules, (source, used), targets, first, limit, context)?;
        let layers = u64::from(rules.passes()) + 1;
        if layers > 1 && found.as_ref().is_none_or(|(together, _)| together.stem.len() as u64 > layers) {
            // Search each layer on its own too: with few passes left there may be few classes, and with more passes
            // almost as many classes as positions.
            let without_passes =
                HeapKeys { passes: 0, ..rules.keys().clone() }.rules().expect("fewer passes are allowed");
            let mut apart = room(layers)?;
            for layer in 0..layers {
                let source = SingleLayer { source, layer };
                let used = self.used_by(1 + layer, &without_passes, &source)?;
                let (source, context) = ((&source as &dyn MultisetSource<_>, used), &mut self.context);
                let of_layer = smallest_stem::<D>(&without_passes, source, targets, None, limit, context)?;
                apart.extend(of_layer.map(|(parts, _)| parts));
            }
            if apart.len() as u64 == layers {
                // The combined parts are made while the separate ones are still in memory.
                self.context.memory.note_temporary(2 * apart.iter().map(TableParts::bytes).sum::<u64>())?;
                let apart = TableParts::of_layers(rules, D::DESCENDING, apart)?;
                let bits_apart = apart.bits(rules)?;
                let most = found.as_ref().map_or(limit, |(_, bits)| bits / 8 * 7);
                if bits_apart <= most {
                    found = Some((apart, bits_apart));
                }
            }
        }
        self.context.memory.kept = kept + found.as_ref().map_or(0, |(parts, _)| parts.bytes());
        Ok(found)
    }

    /// Returns the bits in use by the edges of a source; `number` is the source's index in `used`.
    fn used_by(
        &mut self,
        number: u64,
        rules: &HeapRules,
        source: &dyn MultisetSource<ClassEdge>,
    ) -> Result<UsedBits, GenerateError> {
        if let Some(&used) = self.used.get(number as usize) {
            return Ok(used);
        }
        let SearchContext { checkpoints, control, .. } = &mut self.context;
        let found = checkpoints.numbers(*control, || {
            let UsedBits(bits) = Multisets::new(rules, source.ranks()).used(source, *control)?;
            Ok(bits.map(u64::from).to_vec())
        })?;
        self.used.grow(UsedBits::from_words(&found))?;
        Ok(UsedBits::from_words(&found))
    }
}

/// Returns the smallest parts with the same number of stem heaps in each layer, and their bits; `None` if these are more
/// than `limit`. `used` are the bits in use by the source's edges.
fn smallest_stem<D: ClassDictionary>(
    rules: &HeapRules,
    (source, used): (&dyn MultisetSource<ClassEdge>, UsedBits),
    targets: &[LostTarget],
    mut first: Option<ClassLevel>,
    limit: u64,
    context: &mut SearchContext,
) -> Result<Option<(TableParts, u64)>, GenerateError> {
    let widths = widths(rules, D::DESCENDING);
    let mut above = TableParts::last_voids(targets, rules.greatest_bound() + 1);
    let ranks = source.ranks();
    let multisets = Multisets::new(rules, ranks);
    // With passes nearly every multiset is a class of its own, so a thorough search would find nothing.
    let is_thorough = !targets.is_empty() && rules.passes() == 0;
    let thorough_bits = if is_thorough { multisets.count().saturating_mul(BITS_PER_LINE) } else { 0 };
    // The least bits so far, and the number of levels with steps.
    let mut best = (used.bits(multisets.count()), 0);
    let mut levels: Vec<ClassLevel> = Vec::new();
    // Bits of the steps of all levels so far. Stop if these alone exceed the best total.
    let mut step_bits = 0;
    // The OR of the class numbers of the level before.
    let mut classes = used.0[0];
    for depth in 1..=ranks.heaps() {
        let width = widths[ranks.heaps() - depth];
        // Each step names a class, so the best total so far bounds the number of steps. Allow more, as levels may be cut.
        let max_bits = best.0.max(thorough_bits).min(limit);
        let max_steps = (max_bits + max_bits / 4).saturating_sub(step_bits)
            / u64::from((u32::BITS - classes.leading_zeros()).max(1));
        let max_steps = max_steps.max(FEW_STEPS.min(limit / 2));
        let level = match levels.last() {
            None if first.is_some() => first.take(),
            None => refine::<D>(rules, source, width, max_steps, context)?,
            Some(last) => refine::<D>(rules, &last.source(), width, max_steps, context)?,
        };
        let Some(level) = level else { break };
        let [bits, cut_bytes] = least_bits(&level.steps, width, &above)?;
        context.memory.note_temporary(cut_bytes + size_of_val(&level.steps[..]) as u64)?;
        step_bits += bits;
        above = voids(&level.steps, width, &above)?;
        let used = UsedBits::of_all(level.edges.iter());
        let bits = step_bits + used.bits(level.edges.len());
        classes = used.0[0];
        context.memory.keep((level.steps.len() * size_of::<ClassEdge>()) as u64);
        levels.push(level);
        let has_empty_stem = depth == ranks.heaps() && !D::DESCENDING;
        if bits <= best.0 {
            best = (bits, depth);
        } else if has_empty_stem && best.0 >= SMALL && bits <= best.0 + best.0 / 4 {
            // Without heaps in the stem, answers need not sort heaps: worth a quarter more bits, unless all is small.
            best.1 = depth;
        }
    }
    if best.0 > limit {
        return Ok(None);
    }
    levels.truncate(best.1);
    let mut stem = match levels.last() {
        None => multisets.collect(source)?,
        Some(last) => {
            let mut stem = room(last.edges.len())?;
            stem.extend(last.edges.iter());
            stem
        }
    };
    stem.iter_mut().for_each(|edge| *edge = stored(*edge));
    context.memory.keep((stem.len() * size_of::<ClassEdge>()) as u64);
    let mut parts = TableParts {
        stem,
        levels: vec![Vec::new(); rules.heaps()],
        descending: D::DESCENDING && !levels.is_empty(),
        ..TableParts::default()
    };
    for level in levels {
        parts.levels[level.ranks.heaps()] = level.steps;
    }
    Ok(Some((parts, best.0)))
}

/// Merges the classes of positions. The source has an edge for each position: if lost, 1 plus the stones of the best
/// move, and the depth; if won, 0 and [`VOID`]. `limit` is the memory of the search in bytes, without the edges of
/// multisets.
pub(crate) fn merge_positions(
    rules: &HeapRules,
    positions: &dyn MultisetSource<ClassEdge>,
    limit: u64,
    checkpoints: &mut SearchCheckpoints,
    control: &dyn Control,
) -> Result<SearchResult, GenerateError> {
    let context = SearchContext { memory: MemoryBudget::within(limit), checkpoints, control };
    Ok(smallest(rules, positions, Vec::new(), None, context)?.0)
}

/// Merges the classes of positions without depths, given the lost positions of each layer. `limit` is as for
/// [`merge_positions`].
pub(crate) fn merge_lost_bits(
    rules: &HeapRules,
    layers: &[LostBits],
    limit: u64,
    control: &dyn Control,
) -> Result<SearchResult, GenerateError> {
    let ranks = Ranks::try_new(rules.bounds())?;
    let at = |layer: u64, rank: u64| match layers[layer as usize].is_lost(rank) {
        true => ClassEdge { class: 1, deeper: 0 },
        false => ClassEdge { class: 0, deeper: VOID },
    };
    let in_squares = rules.heaps() > 1 && rules.greatest_bound() < 64;
    let lines = in_squares.then(|| merge_squares(rules, &ranks, layers, control)).transpose()?;
    let context = SearchContext {
        memory: MemoryBudget::within(limit),
        checkpoints: &mut SearchCheckpoints::new(None, &[]),
        control,
    };
    Ok(smallest(rules, &RankFunction { ranks: &ranks, at }, Vec::new(), lines, context)?.0)
}

/// Cuts the steps of a single heap without passes; all depths are greater by `deeper`. As edges, the steps would take much
/// more memory. `None` if a cut does not save enough.
pub(crate) fn cut_single_heap(
    deeper: u32,
    steps: &LevelSteps<impl Fn(usize) -> ClassEdge + Copy + Sync>,
) -> Result<Option<SearchResult>, GenerateError> {
    Ok(LevelCut::best(steps, &voids_of_positions())?.map(|cut| SearchResult {
        parts: TableParts {
            stem: vec![ClassEdge { class: 0, deeper }],
            levels: vec![Vec::new()],
            ..TableParts::default()
        },
        peak_memory: cut.bytes(),
        single_heap: Some(cut),
    }))
}

/// Merges the classes of lines, given each line's lost position. `limit` is as for [`merge_positions`].
pub(crate) fn merge_lines(
    rules: &HeapRules,
    lines: &dyn MultisetSource<LostTarget>,
    limit: u64,
    checkpoints: &mut SearchCheckpoints,
    control: &dyn Control,
) -> Result<SearchResult, GenerateError> {
    let none = rules.greatest_bound() + 1;
    let multisets = Multisets::new(rules, lines.ranks());
    let words = checkpoints.numbers(control, || {
        let (classes, used_by_lines) = TargetClasses::find(multisets, lines, control)?;
        classes.to_words(used_by_lines)
    })?;
    let (classes, used_by_lines) = TargetClasses::from_words(&words)?;
    let targets = classes.targets()?;
    let source = TargetsAsEdges { lines, edges: TargetEdges { classes: &classes, none } };
    let mut memory = MemoryBudget::within(limit);
    memory.keep(classes.bytes());
    let context = SearchContext { memory, checkpoints, control };
    let (found, bits) = smallest(rules, &source, targets, None, context)?;

    // If classes save nothing, each line stores its own target.
    let targets = &found.parts.targets;
    let used_by_targets = targets.iter().copied().map(used).fold(UsedBits::default(), UsedBits::bitor);
    if bits + used_by_targets.bits(targets.len() as u64) <= used_by_lines.bits(multisets.count()) {
        return Ok(found);
    }
    let SearchResult { parts, peak_memory, .. } = found;
    drop(parts);
    let targets = multisets.collect(lines)?;
    let parts = TableParts { levels: vec![Vec::new(); rules.heaps()], targets, ..TableParts::default() };
    Ok(SearchResult { peak_memory: peak_memory.max(parts.bytes()), parts, single_heap: None })
}

/// Returns the smallest parts with heaps in descending order, even if other parts are smaller.
#[cfg(test)]
pub(crate) fn merge_ordered(
    rules: &HeapRules,
    ranks: &Ranks,
    at: &(impl Fn(u64, u64) -> ClassEdge + Sync + Send),
) -> TableParts {
    let source = RankFunction { ranks, at };
    let context = SearchContext {
        memory: MemoryBudget::within(u64::MAX),
        checkpoints: &mut SearchCheckpoints::new(None, &[]),
        control: &(),
    };
    let mut search = ClassSearch { rules, source: &source, targets: &[], used: Vec::new(), context };
    search.smallest::<OrderedClasses>(None, u64::MAX).expect("enough memory").expect("there is no limit").0
}
