//! From solved positions to the few classes that the table tells apart.
//!
//! Heaps that lead to the same positions, whatever is added to them, are of one class. Depths are split into
//! what the classes share and what is added on the way, so that heaps of one class may differ in depth by a
//! constant. Going from whole positions to fewer and fewer heaps, each step has fewer groups of heaps to look
//! at, and in most games by far fewer classes than groups.

use std::ops::{BitOr, Range};

use bouton_tables::heaps::{HeapKeys, HeapRules, Ranks};

use super::cuts::{least_bits, voids};
use super::edges::{EdgeList, from_wide, wide};
use super::groups::{ByRank, Groups, Level, OneLayer, Source, Used, VOID, View, in_batches, stored};
use super::listed::LostBits;
use super::numbering::Numbering;
use super::pack::{Edge, Parts, Target, widths};
use super::rows::Rows;
use super::squares::reduce_squares;
use super::targets::{Classed, TargetClasses, used};
use crate::control::{Patience, check};
use crate::memory::{Grow, room};
use crate::{Control, GenerateError, Phase, parallel};

/// Steps that one thread looks at in one go.
const CHUNK: u64 = 1 << 16;

/// So many steps are always looked at, if they do not take more than enough in two bits each.
const FEW_STEPS: u64 = 1 << 16;

/// A body of so many bits is of a small game.
const SMALL: u64 = 1 << 12;

/// A body of so many bits is looked for whatever the game, to be compared with others.
const NOT_MUCH: u64 = 1 << 16;

/// The classes of groups, by where further heaps lead: their keys, numbered.
pub(super) trait Dictionary: Default {
    /// Whether heaps are added in descending order only.
    const DESCENDING: bool;

    /// Writes the key of a class with these steps, and says what it leaves out of their depths: [`VOID`] if none leads to a lost
    /// position.
    fn key(steps: &[Edge], key: &mut Vec<u64>) -> Result<u32, GenerateError>;

    /// The number of a key, which is a new one if there is no class yet that it can be of.
    fn number(&mut self, key: &[u64]) -> Result<u32, GenerateError>;

    /// How many classes there are.
    fn len(&self) -> usize;

    /// Bytes of memory that this uses.
    fn bytes(&self) -> usize;

    /// The steps of all classes, `width` for each, and the edges to all groups so that they fit these.
    fn steps(
        self,
        edges: &mut EdgeList,
        ranks: &Ranks,
        width: usize,
        control: &dyn Control,
    ) -> Result<Vec<Edge>, GenerateError>;
}

/// Classes to which heaps are added in any order.
impl Dictionary for Numbering {
    const DESCENDING: bool = false;

    fn key(steps: &[Edge], key: &mut Vec<u64>) -> Result<u32, GenerateError> {
        let deeper = steps.iter().map(|step| step.deeper).min().unwrap_or(VOID);
        key.grow_by(steps.iter().map(|step| {
            let deeper = if step.deeper == VOID { 0 } else { step.deeper - deeper };
            wide(Edge { deeper, ..*step })
        }))?;
        // What does not fit is never asked for, so that a line may be taken for a longer one.
        while key.last() == Some(&0) {
            key.pop();
        }
        Ok(deeper)
    }

    fn number(&mut self, key: &[u64]) -> Result<u32, GenerateError> {
        self.number(key)
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn steps(
        self,
        _: &mut EdgeList,
        _: &Ranks,
        width: usize,
        _: &dyn Control,
    ) -> Result<Vec<Edge>, GenerateError> {
        // Sizes that do not fit, or that the key leaves out, have steps all of zeros.
        let mut steps = room(self.len() as u64 * width as u64)?;
        for key in self.keys() {
            steps.extend(key.iter().copied().chain(std::iter::repeat(0)).take(width).map(from_wide));
        }
        Ok(steps)
    }
}

/// One level down from groups to which a source tells the edges. `None` if its classes have more than `most` steps, `width` for
/// each.
fn reduce<D: Dictionary, S: Source<Edge>>(
    rules: &HeapRules,
    above: &S,
    width: usize,
    most: u64,
    held: &mut Held,
    control: &dyn Control,
) -> Result<Option<Level>, GenerateError> {
    let heaps = above.ranks().heaps() - 1;
    let ranks = Ranks::try_new(&rules.bounds()[rules.heaps() - heaps..])?;
    let most_classes = usize::try_from(most / width as u64).unwrap_or(usize::MAX);
    let groups = Groups::new(rules, &ranks);
    let chunk = (CHUNK / width as u64).clamp(16, 4096);
    // Each chunk has a dictionary of its own; put together in order, they give each class the number in which
    // it first appears, whatever the threads did.
    let of_chunk = |view: &S::View<'_>, chunk: Range<u64>| {
        let mut patience = Patience::new(control);
        let mut others = ranks.unrank(chunk.start);
        let mut found = Numbering::default();
        let mut edges = room(chunk.end - chunk.start)?;
        let (mut steps, mut key) = (room(width as u64)?, room(width as u64)?);
        let mut scratch = Default::default();
        for _ in chunk.clone() {
            patience.spend(width)?;
            steps.clear();
            if D::DESCENDING {
                view.behind(&others, &mut scratch, &mut |edge| steps.push(edge));
            } else {
                view.beside(&others, &mut scratch, &mut |edge| steps.push(edge));
            }
            key.clear();
            let deeper = D::key(&steps, &mut key)?;
            edges.push(Edge { class: found.number(&key)?, deeper });
            ranks.advance(&mut others);
        }
        control.advance(chunk.end - chunk.start);
        Ok::<_, GenerateError>((found, edges))
    };
    control.begin(Phase::Packing, groups.count());
    let mut all = D::default();
    let mut edges = EdgeList::room(groups.count())?;
    let sections = above.sections(&ranks)?;
    let layers = 0..=u64::from(rules.passes());
    for (layer, section) in layers.flat_map(|layer| sections.iter().map(move |section| (layer, section))) {
        check(control)?;
        let view = above.view(layer, section)?;
        let of_section = |number: usize| {
            let first = section.start + number as u64 * chunk;
            first..(first + chunk).min(section.end)
        };
        for some in in_batches((section.end - section.start).div_ceil(chunk) as usize) {
            check(control)?;
            let found = parallel::map(some.len(), |number| of_chunk(&view, of_section(some.start + number)))?;
            // Each thread has room for the steps of a group, and for a key.
            let mut waiting = 2 * 8 * width * some.len().min(parallel::threads());
            for (found, of_chunk) in found {
                waiting += found.bytes();
                if all.len() <= most_classes {
                    let mut numbers = room(found.len() as u64)?;
                    for key in found.keys() {
                        numbers.push(all.number(key)?);
                    }
                    let numbered = |edge: &Edge| Edge { class: numbers[edge.class as usize], ..*edge };
                    edges.extend(of_chunk.iter().map(numbered))?;
                }
            }
            held.beside((waiting + all.bytes()) as u64)?;
            held.check((waiting + all.bytes()) as u64 + edges.more() + view.bytes())?;
            if all.len() > most_classes {
                return Ok(None);
            }
        }
    }
    let steps_len = all.len() * width;
    held.beside((all.bytes() + steps_len * size_of::<Edge>()) as u64)?;
    held.check((all.bytes() + steps_len * size_of::<Edge>()) as u64 + edges.more())?;
    let steps = all.steps(&mut edges, &ranks, width, control)?;
    Ok(Some(Level { ranks, edges, steps }))
}

/// What a search found.
pub(super) struct Found {
    pub(super) parts: Parts,
    /// The most bytes of memory that the search held, but for the edges to groups.
    pub(super) held: u64,
}

/// The bytes of memory that a search holds.
struct Held {
    /// What it found so far.
    kept: u64,
    /// The most at a time.
    most: u64,
    /// What it may hold.
    limit: u64,
}

impl Held {
    fn within(limit: u64) -> Self {
        Self { kept: 0, most: 0, limit }
    }

    fn keep(&mut self, bytes: u64) {
        self.kept += bytes;
        self.most = self.most.max(self.kept);
    }

    /// So much is held for a while besides what is kept.
    ///
    /// # Errors
    /// If that is more than may be held.
    fn beside(&mut self, bytes: u64) -> Result<(), GenerateError> {
        self.most = self.most.max(self.kept + bytes);
        self.check(bytes)
    }

    /// The same of what is not counted.
    fn check(&self, bytes: u64) -> Result<(), GenerateError> {
        if self.kept + bytes > self.limit { Err(GenerateError::Memory) } else { Ok(()) }
    }
}

/// The smallest parts of a body whose last level leads to the groups of a source, which have these targets, if any; and how many
/// bits they take, but for the targets.
///
/// `first` is the level that these groups make, where it is known already.
fn smallest(
    rules: &HeapRules,
    source: &impl Source<Edge>,
    targets: Vec<Target>,
    first: Option<Level>,
    mut held: Held,
    control: &dyn Control,
) -> Result<(Found, u64), GenerateError> {
    held.keep(size_of_val(&targets[..]) as u64);
    let mut search = Search { rules, source, targets: &targets, held, control };
    // Answers are faster where heaps may be added in any order. That is worth an eighth of a bit for each position, or as many bits as
    // descending order takes; what takes more than an eighth, and is not small, is not looked for any longer.
    let may_descend = targets.is_empty() && rules.heaps() > 1;
    let worth = Groups::new(rules, source.ranks()).count() / 8;
    let most = if may_descend { worth.max(NOT_MUCH) } else { u64::MAX };
    let mut found = search.smallest::<Numbering>(first, most)?;
    let is_good =
        |(parts, bits): &(Parts, u64)| *bits <= SMALL || !parts.levels[0].is_empty() && *bits <= worth;
    if may_descend && !found.as_ref().is_some_and(is_good) {
        let descending = search.smallest::<Rows>(None, u64::MAX)?;
        let twice = descending.as_ref().map_or(0, |(_, bits)| bits * 2);
        found = found.filter(|(_, bits)| *bits <= twice).or(descending);
    }
    let held = search.held.most;
    let (mut parts, bits) = found.expect("some parts do not take more than any number of bits");
    parts.targets = targets;
    Ok((Found { parts, held }, bits))
}

/// A search for small parts, but for their targets, which are known.
struct Search<'a, S> {
    rules: &'a HeapRules,
    source: &'a S,
    targets: &'a [Target],
    held: Held,
    control: &'a dyn Control,
}

impl<S: Source<Edge>> Search<'_, S> {
    /// The smallest parts, and how many bits they take; `None` if that is more than `enough`.
    fn smallest<D: Dictionary>(
        &mut self,
        first: Option<Level>,
        enough: u64,
    ) -> Result<Option<(Parts, u64)>, GenerateError> {
        let Self { rules, source, targets, control, .. } = *self;
        let kept = self.held.kept;
        let held = &mut self.held;
        let mut found = smallest_stem::<D>(rules, source, targets, first, enough, held, control)?;
        let layers = u64::from(rules.passes()) + 1;
        if layers > 1 && found.as_ref().is_none_or(|(together, _)| together.stem.len() as u64 > layers) {
            // Positions with few passes left may be of few classes, and those with more of none.
            let without =
                HeapKeys { passes: 0, ..rules.keys().clone() }.rules().expect("fewer passes are allowed");
            let mut apart = room(layers)?;
            for layer in 0..layers {
                let source = OneLayer { source, layer };
                let of_layer = smallest_stem::<D>(&without, &source, targets, None, enough, held, control)?;
                apart.extend(of_layer.map(|(parts, _)| parts));
            }
            if apart.len() as u64 == layers {
                held.beside(apart.iter().map(Parts::bytes).sum())?;
                let apart = Parts::of_layers(rules, D::DESCENDING, apart)?;
                let bits_apart = apart.bits(rules)?;
                let most = found.as_ref().map_or(enough, |(_, bits)| bits / 8 * 7);
                if bits_apart <= most {
                    found = Some((apart, bits_apart));
                }
            }
        }
        held.kept = kept + found.as_ref().map_or(0, |(parts, _)| parts.bytes());
        Ok(found)
    }
}

/// The smallest parts with a stem of as many heaps for each number of passes left.
fn smallest_stem<D: Dictionary>(
    rules: &HeapRules,
    source: &impl Source<Edge>,
    targets: &[Target],
    mut first: Option<Level>,
    enough: u64,
    held: &mut Held,
    control: &dyn Control,
) -> Result<Option<(Parts, u64)>, GenerateError> {
    let widths = widths(rules, D::DESCENDING);
    let mut above = Parts::last_voids(targets, rules.greatest() + 1);
    let ranks = source.ranks();
    let groups = Groups::new(rules, ranks);
    let used = groups.used(control, source, Used::by)?;
    let mut best = (used.bits(groups.count()), 0);
    let mut levels: Vec<Level> = Vec::new();
    // What all steps so far take. Levels that take more than the best so far altogether are not worth
    // looking at.
    let mut steps = 0;
    let mut classes = used.0[0];
    for depth in 1..=ranks.heaps() {
        let width = widths[ranks.heaps() - depth];
        // So many steps at the most, as each of them names a class; or a few more, which may be cut.
        let worth = best.0.min(enough);
        let most = (worth + worth / 4).saturating_sub(steps)
            / u64::from((u32::BITS - classes.leading_zeros()).max(1));
        let most = most.max(FEW_STEPS.min(enough / 2));
        let level = match levels.last() {
            None if first.is_some() => first.take(),
            None => reduce::<D, _>(rules, source, width, most, held, control)?,
            Some(last) => reduce::<D, _>(rules, last, width, most, held, control)?,
        };
        let Some(level) = level else { break };
        steps += least_bits(&level.steps, width, &above)?;
        above = voids(&level.steps, width, &above)?;
        let used = Used::by_all(level.edges.iter());
        let bits = steps + used.bits(level.edges.len());
        classes = used.0[0];
        held.keep((level.steps.len() * size_of::<Edge>()) as u64);
        levels.push(level);
        let all_are = depth == ranks.heaps() && !D::DESCENDING;
        if bits <= best.0 {
            best = (bits, depth);
        } else if all_are && best.0 >= SMALL && bits <= best.0 + best.0 / 4 {
            // Without heaps in the stem their order does not matter, and answers are faster: that is worth
            // some bits, if there are not just a few heaps in a few orders.
            best.1 = depth;
        }
    }
    if best.0 > enough {
        return Ok(None);
    }
    levels.truncate(best.1);
    let stem = match levels.last() {
        None => groups.collect(source, stored)?,
        Some(last) => {
            let mut stem = room(last.edges.len())?;
            stem.extend(last.edges.iter().map(stored));
            stem
        }
    };
    held.keep((stem.len() * size_of::<Edge>()) as u64);
    let mut parts = Parts {
        stem,
        levels: vec![Vec::new(); rules.heaps()],
        descending: D::DESCENDING && !levels.is_empty(),
        ..Parts::default()
    };
    for level in levels {
        parts.levels[level.ranks.heaps()] = level.steps;
    }
    Ok(Some((parts, best.0)))
}

/// The body of a table in which each position's class is given (0 if it is won, else one more than what its
/// best try takes), and the depth, [`VOID`] of a won one, by passes left and rank.
pub(super) fn reduce_positions(
    rules: &HeapRules,
    ranks: &Ranks,
    at: &(impl Fn(u64, u64) -> Edge + Sync + Send),
    control: &dyn Control,
) -> Result<Found, GenerateError> {
    reduce_source(rules, &ByRank { ranks, at }, u64::MAX, control)
}

/// The same of what a source tells. The search may hold so many bytes, but for the edges to groups.
pub(super) fn reduce_source(
    rules: &HeapRules,
    positions: &impl Source<Edge>,
    limit: u64,
    control: &dyn Control,
) -> Result<Found, GenerateError> {
    Ok(smallest(rules, positions, Vec::new(), None, Held::within(limit), control)?.0)
}

/// The body of a table of which the lost positions are given, without depths, by passes left.
pub(super) fn reduce_bits(
    rules: &HeapRules,
    layers: &[LostBits],
    control: &dyn Control,
) -> Result<Found, GenerateError> {
    let ranks = Ranks::try_new(rules.bounds())?;
    let at = |layer: u64, rank: u64| match layers[layer as usize].is_lost(rank) {
        true => Edge { class: 1, deeper: 0 },
        false => Edge { class: 0, deeper: VOID },
    };
    let in_squares = rules.heaps() > 1 && rules.greatest() < 64;
    let lines = in_squares.then(|| reduce_squares(rules, &ranks, layers, control)).transpose()?;
    Ok(smallest(rules, &ByRank { ranks: &ranks, at }, Vec::new(), lines, Held::within(u64::MAX), control)?.0)
}

/// The body of a table of which a source tells each line's target.
pub(super) fn reduce_lines(
    rules: &HeapRules,
    lines: &impl Source<Target>,
    control: &dyn Control,
) -> Result<Found, GenerateError> {
    let none = rules.greatest() + 1;
    let groups = Groups::new(rules, lines.ranks());
    let (classes, of_lines) = TargetClasses::new(groups, lines, control)?;
    let targets = classes.targets()?;
    let source = Classed { lines, classes: &classes, none };
    let mut held = Held::within(u64::MAX);
    held.keep(classes.bytes());
    let (found, bits) = smallest(rules, &source, targets, None, held, control)?;

    // Where classes save nothing, each line has its own target.
    let targets = &found.parts.targets;
    let of_targets = targets.iter().copied().map(used).fold(Used::default(), Used::bitor);
    if bits + of_targets.bits(targets.len() as u64) <= of_lines.bits(groups.count()) {
        return Ok(found);
    }
    let Found { parts, held } = found;
    drop(parts);
    let targets = groups.collect(lines, |target| target)?;
    let parts = Parts { levels: vec![Vec::new(); rules.heaps()], targets, ..Parts::default() };
    Ok(Found { held: held.max(parts.bytes()), parts })
}

/// The same with heaps in descending order, whatever others take.
#[cfg(test)]
pub(super) fn reduce_descending(
    rules: &HeapRules,
    ranks: &Ranks,
    at: &(impl Fn(u64, u64) -> Edge + Sync + Send),
) -> Parts {
    let source = ByRank { ranks, at };
    let mut search =
        Search { rules, source: &source, targets: &[], held: Held::within(u64::MAX), control: &() };
    search.smallest::<Rows>(None, u64::MAX).expect("enough memory").expect("there is no limit").0
}
