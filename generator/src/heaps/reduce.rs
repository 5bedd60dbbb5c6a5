//! From solved positions to the few classes that the table tells apart.
//!
//! Heaps that lead to the same positions, whatever is added to them, are of one class. Depths are split into
//! what the classes share and what is added on the way, so that heaps of one class may differ in depth by a
//! constant. Going from whole positions to fewer and fewer heaps, each step has fewer groups of heaps to look
//! at, and in most games by far fewer classes than groups.

use std::ops::{BitOr, Range};

use bouton_tables::heaps::{Heap, HeapKeys, HeapRules, Ranks};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cuts::{least_bits, voids};
use super::edges::{EdgeList, from_wide, wide};
use super::groups::{ByRank, Groups, Level, MANY, OneLayer, Source, Used, VOID, View, in_batches, stored};
use super::listed::LostBits;
use super::pack::{Edge, Parts, Target};
use super::squares::reduce_squares;
use crate::control::{Patience, check};
use crate::memory::{Grow, copied, room};
use crate::{Control, GenerateError, Phase, parallel};

/// Steps that one thread looks at in one go.
const CHUNK: u64 = 1 << 18;

/// So many steps are always looked at.
const FEW_STEPS: u64 = 1 << 16;

/// A body of so many bits is of a small game.
const SMALL: u64 = 1 << 12;

/// One level down from groups to which a source tells the edges. `None` if its classes have more than `most` steps.
fn reduce<S: Source<Edge>>(
    rules: &HeapRules,
    above: &S,
    most: u64,
    control: &dyn Control,
) -> Result<Option<Level>, GenerateError> {
    let heaps = above.ranks().heaps() - 1;
    let ranks = Ranks::try_new(&rules.bounds()[rules.heaps() - heaps..])?;
    let width = rules.greatest() as usize + 1;
    let most_classes = usize::try_from(most / width as u64).unwrap_or(usize::MAX);
    let groups = Groups::new(rules, &ranks);
    let chunk = (CHUNK / width as u64).clamp(16, 4096);
    // Each chunk has a dictionary of its own; put together in order, they give each class the number in which
    // it first appears, whatever the threads did.
    let of_chunk = |view: &S::View<'_>, chunk: Range<u64>| {
        let mut patience = Patience::new(control);
        let mut others = ranks.unrank(chunk.start);
        let mut found = Dictionary::default();
        let mut edges = room(chunk.end - chunk.start)?;
        let mut steps = room(width as u64)?;
        let mut scratch = Default::default();
        for _ in chunk.clone() {
            patience.spend(width)?;
            steps.clear();
            view.beside(&others, &mut scratch, &mut |edge| steps.push(edge));
            edges.push(found.edge(&steps)?);
            ranks.advance(&mut others);
        }
        control.advance(chunk.end - chunk.start);
        let few = found.numbers.len() <= most_classes;
        Ok::<_, GenerateError>(few.then_some((found, edges)))
    };
    control.begin(Phase::Packing, groups.count());
    let mut all = Dictionary::default();
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
            let Some(found) = found.collect::<Option<Vec<_>>>() else { return Ok(None) };
            for (found, of_chunk) in found {
                let numbers = found.keys().map(|key| all.number(key)).collect::<Result<Vec<u32>, _>>()?;
                let numbered = |edge: &Edge| Edge { class: numbers[edge.class as usize], ..*edge };
                edges.extend(of_chunk.iter().map(numbered))?;
            }
            if all.numbers.len() > most_classes {
                return Ok(None);
            }
        }
    }
    // Sizes that do not fit, or that the key leaves out, have steps all of zeros.
    let mut steps = room(all.ends.len() as u64 * width as u64)?;
    for key in all.keys() {
        steps.extend(key.iter().copied().chain(std::iter::repeat(0)).take(width).map(from_wide));
    }
    Ok(Some(Level { ranks, edges, steps }))
}

/// Classes, by where they lead.
#[derive(Default)]
struct Dictionary {
    numbers: FxHashMap<Box<[u64]>, u32>,
    /// The keys of all classes, by number, one after the other, and where each ends.
    keys: Vec<u64>,
    ends: Vec<usize>,
    /// Room for a key.
    key: Vec<u64>,
}

impl Dictionary {
    /// The edge to a group from which further heaps lead where `steps` tell.
    fn edge(&mut self, steps: &[Edge]) -> Result<Edge, GenerateError> {
        let deeper = steps.iter().map(|step| step.deeper).min().unwrap_or(VOID);
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        key.grow_by(steps.iter().map(|step| {
            let deeper = if step.deeper == VOID { 0 } else { step.deeper - deeper };
            wide(Edge { deeper, ..*step })
        }))?;
        // What does not fit is never asked for, so that a line may be taken for a longer one.
        while key.last() == Some(&0) {
            key.pop();
        }
        let class = self.number(&key)?;
        self.key = key;
        Ok(Edge { class, deeper })
    }

    fn number(&mut self, key: &[u64]) -> Result<u32, GenerateError> {
        if let Some(&number) = self.numbers.get(key) {
            return Ok(number);
        }
        let number = u32::try_from(self.numbers.len()).map_err(|_| GenerateError::Memory)?;
        self.keys.grow_by(key.iter().copied())?;
        self.ends.grow(self.keys.len())?;
        self.numbers.try_reserve(1)?;
        self.numbers.insert(copied(key)?.into_boxed_slice(), number);
        Ok(number)
    }

    /// The keys of all classes, by number.
    fn keys(&self) -> impl Iterator<Item = &[u64]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.keys[begin..end])
    }
}

/// The smallest parts of a body whose last level leads to the groups of a source, which have these targets, if any; and how many
/// bits they take, but for the targets.
///
/// `first` is the level that these groups make, where it is known already.
fn smallest(
    rules: &HeapRules,
    source: &impl Source<Edge>,
    targets: &[Target],
    first: Option<Level>,
    control: &dyn Control,
) -> Result<(Parts, u64), GenerateError> {
    let together = smallest_stem(rules, source, targets, first, control)?;
    if rules.passes() == 0 || together.0.stem.len() as u64 == u64::from(rules.passes()) + 1 {
        return Ok(together);
    }
    // Positions with few passes left may be of few classes, and those with more of none.
    let keys = HeapKeys { passes: 0, ..rules.keys().clone() };
    let without = keys.rules().map_err(|_| GenerateError::Memory)?;
    let mut layers = room(u64::from(rules.passes()) + 1)?;
    for layer in 0..=u64::from(rules.passes()) {
        layers.push(smallest_stem(&without, &OneLayer { source, layer }, targets, None, control)?.0);
    }
    let apart = Parts::of_layers(rules, layers);
    let bits = apart.bits(rules)?;
    Ok(if bits < together.1 / 8 * 7 { (apart, bits) } else { together })
}

/// The same with a stem of as many heaps for each number of passes left.
fn smallest_stem(
    rules: &HeapRules,
    source: &impl Source<Edge>,
    targets: &[Target],
    mut first: Option<Level>,
    control: &dyn Control,
) -> Result<(Parts, u64), GenerateError> {
    let width = rules.greatest() as usize + 1;
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
        // So many steps at the most, as each of them names a class; or a few more, which may be cut.
        let most = (best.0 + best.0 / 4).saturating_sub(steps)
            / u64::from((u32::BITS - classes.leading_zeros()).max(1));
        let most = most.max(FEW_STEPS);
        let level = match levels.last() {
            None if first.is_some() => first.take(),
            None => reduce(rules, source, most, control)?,
            Some(last) => reduce(rules, last, most, control)?,
        };
        let Some(level) = level else { break };
        steps += least_bits(&level.steps, width, &above)?;
        above = voids(&level.steps, width, &above)?;
        let used = Used::by_all(level.edges.iter());
        let bits = steps + used.bits(level.edges.len());
        classes = used.0[0];
        levels.push(level);
        if bits <= best.0 {
            best = (bits, depth);
        } else if depth == ranks.heaps() && best.0 >= SMALL && bits <= best.0 + best.0 / 4 {
            // Without heaps in the stem their order does not matter, and answers are faster: that is worth
            // some bits, if there are not just a few heaps in a few orders.
            best.1 = depth;
        }
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
    let (levels_of, targets) = (vec![Vec::new(); rules.heaps()], copied(targets)?);
    let mut parts = Parts { stems: Vec::new(), stem, levels: levels_of, targets };
    for level in levels {
        parts.levels[level.ranks.heaps()] = level.steps;
    }
    Ok((parts, best.0))
}

/// The body of a table in which each position's class is given (0 if it is won, else one more than what its
/// best try takes), and the depth, [`VOID`] of a won one, by passes left and rank.
pub(super) fn reduce_positions(
    rules: &HeapRules,
    ranks: &Ranks,
    at: &(impl Fn(u64, u64) -> Edge + Sync + Send),
    control: &dyn Control,
) -> Result<Parts, GenerateError> {
    Ok(smallest(rules, &ByRank { ranks, at }, &[], None, control)?.0)
}

/// The body of a table of which the lost positions are given, without depths, by passes left.
pub(super) fn reduce_bits(
    rules: &HeapRules,
    layers: &[LostBits],
    control: &dyn Control,
) -> Result<Parts, GenerateError> {
    let ranks = Ranks::try_new(rules.bounds())?;
    let at = |layer: u64, rank: u64| match layers[layer as usize].is_lost(rank) {
        true => Edge { class: 1, deeper: 0 },
        false => Edge { class: 0, deeper: VOID },
    };
    let in_squares = rules.heaps() > 1 && rules.greatest() < 64;
    let lines = in_squares.then(|| reduce_squares(rules, &ranks, layers, control)).transpose()?;
    Ok(smallest(rules, &ByRank { ranks: &ranks, at }, &[], lines, control)?.0)
}

/// The body of a table of which a source tells each line's target.
pub(super) fn reduce_lines(
    rules: &HeapRules,
    lines: &impl Source<Target>,
    control: &dyn Control,
) -> Result<Parts, GenerateError> {
    let none = rules.greatest() + 1;
    let groups = Groups::new(rules, lines.ranks());
    let (classes, of_lines) = TargetClasses::new(groups, lines, control)?;
    let targets = classes.targets()?;
    let source = Classed { lines, classes: &classes, none };
    let (parts, bits) = smallest(rules, &source, &targets, None, control)?;

    // Where classes save nothing, each line has its own target.
    let of_targets = parts.targets.iter().copied().map(used).fold(Used::default(), Used::bitor);
    if bits + of_targets.bits(parts.targets.len() as u64) <= of_lines.bits(groups.count()) {
        return Ok(parts);
    }
    drop(parts);
    let targets = groups.collect(lines, |target| target)?;
    Ok(Parts { levels: vec![Vec::new(); rules.heaps()], targets, ..Parts::default() })
}

/// The bits that a target uses.
fn used(target: Target) -> Used {
    Used([target.size, target.deeper, target.tries])
}

/// What tells the classes of targets instead of targets.
struct Classed<'a, S> {
    lines: S,
    classes: &'a TargetClasses,
    /// The size of a target that there is not.
    none: Heap,
}

impl<S> Classed<'_, S> {
    #[inline]
    fn edge(&self, target: Target) -> Edge {
        let deeper = if target.size == self.none { VOID } else { target.deeper };
        Edge { class: self.classes.of(target), deeper }
    }
}

impl<S: Source<Target>> Source<Edge> for Classed<'_, &S> {
    type View<'a>
        = Classed<'a, S::View<'a>>
    where
        Self: 'a;

    fn ranks(&self) -> &Ranks {
        self.lines.ranks()
    }

    fn each(&self, layer: u64, ranks: Range<u64>, visit: &mut impl FnMut(Edge)) -> Result<(), GenerateError> {
        self.lines.each(layer, ranks, &mut |target| visit(self.edge(target)))
    }

    fn sections(&self, below: &Ranks) -> Result<Vec<Range<u64>>, GenerateError> {
        self.lines.sections(below)
    }

    fn view(&self, layer: u64, section: &Range<u64>) -> Result<Self::View<'_>, GenerateError> {
        Ok(Classed { lines: self.lines.view(layer, section)?, classes: self.classes, none: self.none })
    }
}

impl<V: View<Target>> View<Edge> for Classed<'_, V> {
    type Scratch = V::Scratch;

    #[inline]
    fn beside(&self, others: &[Heap], scratch: &mut V::Scratch, visit: &mut impl FnMut(Edge)) {
        self.lines.beside(others, scratch, &mut |target| visit(self.edge(target)));
    }
}

/// Lines by their targets, the depth left aside: each size and try that there is makes a class.
struct TargetClasses {
    /// All sizes and tries, ascending.
    all: Vec<(u32, u32)>,
    /// For each size the number of the first class with it.
    first: Vec<u32>,
}

impl TargetClasses {
    /// The classes of the targets of these lines, and the bits that these use.
    fn new(
        groups: Groups,
        lines: &impl Source<Target>,
        control: &dyn Control,
    ) -> Result<(Self, Used), GenerateError> {
        type Found = (FxHashSet<(u32, u32)>, Used);
        let of_chunk = |chunk| {
            check(control)?;
            let (mut found, mut bits) = Found::default();
            // Most have been met lately.
            let mut recent = [(u32::MAX, u32::MAX); 256];
            let (layer, chunk) = groups.chunk(chunk, MANY);
            let mut room = Ok(());
            lines.each(layer, chunk, &mut |target| {
                let Target { size, tries, .. } = target;
                bits = bits | used(target);
                let recent = &mut recent[(size ^ tries << 6) as usize % 256];
                if *recent != (size, tries) {
                    *recent = (size, tries);
                    match found.try_reserve(1) {
                        Ok(()) => {
                            found.insert((size, tries));
                        }
                        Err(error) => room = Err(error),
                    }
                }
            })?;
            room?;
            Ok((found, bits))
        };
        let together = |(mut a, a_bits): Found, (mut b, b_bits): Found| {
            if a.len() < b.len() {
                std::mem::swap(&mut a, &mut b);
            }
            a.try_reserve(b.len())?;
            a.extend(b);
            Ok::<_, GenerateError>((a, a_bits | b_bits))
        };
        let chunks = groups.chunks(MANY);
        let (found, bits) = parallel::reduce(chunks, of_chunk, together)?;
        let mut all = room(found.len() as u64)?;
        all.extend(found);
        all.sort_unstable();
        let below = |size| all.partition_point(|&(other, _)| other < size) as u32;
        let greatest = all.last().map_or(0, |&(size, _)| size);
        let mut first = room(u64::from(greatest) + 2)?;
        first.extend((0..=greatest + 1).map(below));
        Ok((Self { first, all }, bits))
    }

    #[inline]
    fn of(&self, target: Target) -> u32 {
        let (mut class, end) = (self.first[target.size as usize], self.first[target.size as usize + 1]);
        if class + 1 < end {
            let tries = &self.all[class as usize..end as usize];
            class += tries.partition_point(|&(_, tries)| tries < target.tries) as u32;
        }
        class
    }

    fn targets(&self) -> Result<Vec<Target>, GenerateError> {
        let mut targets = room(self.all.len() as u64)?;
        targets.extend(self.all.iter().map(|&(size, tries)| Target { size, deeper: 0, tries }));
        Ok(targets)
    }
}
