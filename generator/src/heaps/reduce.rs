//! From solved positions to the few classes that the table tells apart.
//!
//! Heaps that lead to the same positions, whatever is added to them, are of one class. Depths are split into
//! what the classes share and what is added on the way, so that heaps of one class may differ in depth by a
//! constant. Going from whole positions to fewer and fewer heaps, each step has fewer groups of heaps to look
//! at, and in most games by far fewer classes than groups.

use std::ops::BitOr;

use bouton_tables::heaps::{HeapRules, Ranks};
use rustc_hash::{FxHashMap, FxHashSet};

use super::groups::{Groups, Level, MANY, Used, VOID, in_batches, stored};
use super::line::Line;
use super::listed::LostBits;
use super::pack::{Edge, Parts, Target};
use super::squares::reduce_squares;
use crate::control::{Patience, check};
use crate::memory::{Grow, copied, room};
use crate::{Control, GenerateError, Phase, parallel};

/// Steps that one thread looks at in one go.
const CHUNK: u64 = 1 << 18;

/// A body of so many bits is of a small game.
const SMALL: u64 = 1 << 12;

/// What there is at each number of passes left and rank.
trait Edges: Fn(u64, u64) -> Edge + Sync + Send {}
impl<F: Fn(u64, u64) -> Edge + Sync + Send> Edges for F {}

/// One level down from groups of `above`, the edges to which `at` tells by passes left and rank. `None` if
/// its classes have more than `most` steps.
fn reduce(
    rules: &HeapRules,
    above: &Ranks,
    at: &impl Edges,
    most: u64,
    control: &dyn Control,
) -> Result<Option<Level>, GenerateError> {
    let heaps = above.heaps() - 1;
    let ranks = Ranks::try_new(&rules.bounds()[rules.heaps() - heaps..])?;
    let width = rules.greatest() as usize + 1;
    let most_classes = usize::try_from(most / width as u64).unwrap_or(usize::MAX);
    let groups = Groups::new(rules, &ranks);
    let chunk = (CHUNK / width as u64).clamp(16, 4096);
    // Each chunk has a dictionary of its own; put together in order, they give each class the number in which
    // it first appears, whatever the threads did.
    let of_chunk = |number| {
        let (layer, chunk) = groups.chunk(number, chunk);
        let mut patience = Patience::new(control);
        let mut others = ranks.unrank(chunk.start);
        let mut found = Dictionary::default();
        let mut edges = room(chunk.end - chunk.start)?;
        let mut steps = room(width as u64)?;
        for _ in chunk.clone() {
            patience.spend(width)?;
            steps.clear();
            let line = Line::new(above, &others);
            steps.extend(line.ranks().map(|rank| at(layer, rank)));
            edges.push(found.edge(&steps)?);
            ranks.advance(&mut others);
        }
        control.advance(chunk.end - chunk.start);
        let few = found.numbers.len() <= most_classes;
        Ok::<_, GenerateError>(few.then_some((found, edges)))
    };
    control.begin(Phase::Packing, groups.count());
    let mut all = Dictionary::default();
    let mut edges = room(groups.count())?;
    for some in in_batches(groups.chunks(chunk)) {
        check(control)?;
        let found = parallel::map(some.len(), |number| of_chunk(some.start + number))?;
        let Some(found) = found.collect::<Option<Vec<_>>>() else { return Ok(None) };
        for (found, of_chunk) in found {
            let numbers = found.keys().map(|key| all.number(key)).collect::<Result<Vec<u32>, _>>()?;
            edges.extend(of_chunk.iter().map(|edge| Edge { class: numbers[edge.class as usize], ..*edge }));
        }
        if all.numbers.len() > most_classes {
            return Ok(None);
        }
    }
    // Sizes that do not fit, or that the key leaves out, have steps all of zeros.
    let mut steps = room(all.ends.len() as u64 * width as u64)?;
    for key in all.keys() {
        steps.extend(key.iter().copied().chain(std::iter::repeat(0)).take(width).map(unpack));
    }
    Ok(Some(Level { ranks, edges, steps }))
}

/// An edge as one number: those hash fast.
fn pack(edge: Edge) -> u64 {
    u64::from(edge.class) << 32 | u64::from(edge.deeper)
}

fn unpack(packed: u64) -> Edge {
    Edge { class: (packed >> 32) as u32, deeper: packed as u32 }
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
            pack(Edge { deeper, ..*step })
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

/// Stem and levels of the smallest body whose last level leads to the groups of `ranks`, the edges to which
/// `at` tells by passes left and rank; and how many bits they take.
///
/// `first` is the level that these make, where it is known already.
fn smallest(
    rules: &HeapRules,
    ranks: &Ranks,
    at: &impl Edges,
    mut first: Option<Level>,
    control: &dyn Control,
) -> Result<(Parts, u64), GenerateError> {
    let groups = Groups::new(rules, ranks);
    let used = groups.used(control, |layer, rank| Used::by(at(layer, rank)))?;
    let mut best = (used.bits(groups.count()), 0);
    let mut levels: Vec<Level> = Vec::new();
    // What all steps so far take. Levels that take more than the best so far altogether are not worth
    // looking at.
    let mut steps = 0;
    let mut classes = used.0[0];
    for depth in 1..=ranks.heaps() {
        // So many steps at the most, as each of them names a class.
        let most = (best.0 + best.0 / 4).saturating_sub(steps)
            / u64::from((u32::BITS - classes.leading_zeros()).max(1));
        let level = match levels.last() {
            None if first.is_some() => first.take(),
            None => reduce(rules, ranks, at, most, control)?,
            Some(last) => {
                let of_layer = |layer| (layer * last.ranks.count()) as usize;
                let at = |layer, rank| last.edges[of_layer(layer) + rank as usize];
                reduce(rules, &last.ranks, &at, most, control)?
            }
        };
        let Some(level) = level else { break };
        steps += Used::by_all(&level.steps).bits(level.steps.len() as u64);
        let used = Used::by_all(&level.edges);
        let bits = steps + used.bits(level.edges.len() as u64);
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
    let stem = match levels.last_mut() {
        None => groups.collect(&|layer, rank| stored(at(layer, rank)))?,
        Some(last) => {
            last.edges.iter_mut().for_each(|edge| *edge = stored(*edge));
            std::mem::take(&mut last.edges)
        }
    };
    let mut parts = Parts { stem, levels: vec![Vec::new(); rules.heaps()], targets: Vec::new() };
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
    Ok(smallest(rules, ranks, at, None, control)?.0)
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
    Ok(smallest(rules, &ranks, &at, lines, control)?.0)
}

/// The body of a table in which each line's target is given, by passes left and by the rank of the other
/// heaps, of which `ranks` are.
pub(super) fn reduce_lines(
    rules: &HeapRules,
    ranks: &Ranks,
    line: &(impl Fn(u64, u64) -> Target + Sync + Send),
    control: &dyn Control,
) -> Result<Parts, GenerateError> {
    let none = rules.greatest() + 1;
    let lines = Groups::new(rules, ranks);
    let fields = |target: Target| Used([target.size, target.deeper, target.tries]);
    let of_lines = lines.used(control, |layer, rank| fields(line(layer, rank)))?;
    let classes = TargetClasses::new(lines, line, none, control)?;
    let at = |layer, rank| {
        let target = line(layer, rank);
        let deeper = if target.size == none { VOID } else { target.deeper };
        Edge { class: classes.of(target), deeper }
    };
    let (mut parts, bits) = smallest(rules, ranks, &at, None, control)?;
    parts.targets = classes.targets()?;

    // Where classes save nothing, each line has its own target.
    let of_targets = parts.targets.iter().copied().map(fields).fold(Used::default(), Used::bitor);
    if bits + of_targets.bits(parts.targets.len() as u64) <= of_lines.bits(lines.count()) {
        return Ok(parts);
    }
    drop(parts);
    let targets = lines.collect(line)?;
    Ok(Parts { stem: Vec::new(), levels: vec![Vec::new(); rules.heaps()], targets })
}

/// Lines by their targets, the depth left aside: each size and try that there is makes a class.
struct TargetClasses {
    /// All sizes and tries, ascending.
    all: Vec<(u32, u32)>,
    /// For each size the number of the first class with it.
    first: Vec<u32>,
}

impl TargetClasses {
    /// The classes of the targets of these lines, the sizes of which are at most `most`.
    fn new(
        lines: Groups,
        line: &(impl Fn(u64, u64) -> Target + Sync + Send),
        most: u32,
        control: &dyn Control,
    ) -> Result<Self, GenerateError> {
        type Found = FxHashSet<(u32, u32)>;
        let of_chunk = |chunk| {
            check(control)?;
            let mut found = Found::default();
            // Most have been met lately.
            let mut recent = [(u32::MAX, u32::MAX); 256];
            let (layer, chunk) = lines.chunk(chunk, MANY);
            for Target { size, tries, .. } in chunk.map(|rank| line(layer, rank)) {
                let recent = &mut recent[(size ^ tries << 6) as usize % 256];
                if *recent != (size, tries) {
                    *recent = (size, tries);
                    found.try_reserve(1)?;
                    found.insert((size, tries));
                }
            }
            Ok(found)
        };
        let together = |mut a: Found, mut b: Found| {
            if a.len() < b.len() {
                std::mem::swap(&mut a, &mut b);
            }
            a.try_reserve(b.len())?;
            a.extend(b);
            Ok::<_, GenerateError>(a)
        };
        let chunks = lines.chunks(MANY);
        let found = parallel::reduce(chunks, of_chunk, together)?;
        let mut all = room(found.len() as u64)?;
        all.extend(found);
        all.sort_unstable();
        let below = |size| all.partition_point(|&(other, _)| other < size) as u32;
        let mut first = room(u64::from(most) + 2)?;
        first.extend((0..=most + 1).map(below));
        Ok(Self { first, all })
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
