//! From solved positions to the few classes that the table tells apart.
//!
//! Heaps that lead to the same positions, whatever is added to them, are of one class. Depths are split into
//! what the classes share and what is added on the way, so that heaps of one class may differ in depth by a
//! constant. Going from whole positions to fewer and fewer heaps, each step has fewer groups of heaps to look
//! at, and in most games by far fewer classes than groups.

use std::ops::BitOr;

use bouton_tables::heaps::{HeapRules, Ranks};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::line::Line;
use super::listed::LostBits;
use super::pack::{Edge, Parts, Target};
use super::squares::reduce_squares;

/// Steps that one thread looks at in one go.
const CHUNK: u64 = 1 << 18;
/// Chunks for each thread whose dictionaries wait to be put together.
pub(super) const WAITING: usize = 8;

/// A body of so many bits is of a small game.
const SMALL: u64 = 1 << 12;

/// A group from which no position is lost, whatever is added: it has no depth.
pub(super) const VOID: u32 = u32::MAX;

/// The edges to the groups of so many heaps, for each number of passes left, by rank. The depth of an edge is
/// [`VOID`] where no position is lost.
pub(super) struct Level {
    pub(super) ranks: Ranks,
    pub(super) edges: Vec<Edge>,
    /// For each class and each size of a further heap where it leads.
    pub(super) steps: Vec<Edge>,
}

/// What there is at each number of passes left and rank.
trait Edges: Fn(u64, u64) -> Edge + Sync {}
impl<F: Fn(u64, u64) -> Edge + Sync> Edges for F {}

/// The bits that are set in any of some numbers, of several fields side by side.
#[derive(Clone, Copy, Default)]
struct Used([u32; 3]);

impl BitOr for Used {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

/// Passes left and first rank of each chunk of so many groups, in order.
pub(super) fn in_chunks(layers: u64, ranks: &Ranks, chunk: u64) -> Vec<(u64, u64)> {
    let of_layer = |layer| (0..ranks.count()).step_by(chunk as usize).map(move |rank| (layer, rank));
    (0..layers).flat_map(of_layer).collect()
}

/// A value for each number of passes left and rank, in order.
fn each<T: Send>(
    layers: u64,
    ranks: &Ranks,
    at: &(impl Fn(u64, u64) -> T + Sync),
) -> impl IndexedParallelIterator<Item = T> {
    let count = ranks.count();
    (0..(layers * count) as usize).into_par_iter().map(move |n| {
        // One layer is the usual case, and divisions are slow.
        let (layer, rank) = if layers == 1 { (0, n as u64) } else { (n as u64 / count, n as u64 % count) };
        at(layer, rank)
    })
}

impl Used {
    fn by(edge: Edge) -> Self {
        let Edge { class, deeper } = stored(edge);
        Self([class, deeper, 0])
    }

    fn by_all(edges: impl IntoParallelIterator<Item = Edge>) -> Self {
        edges.into_par_iter().map(Self::by).reduce(Self::default, Self::bitor)
    }

    /// The bits of so many records.
    fn bits(self, records: u64) -> u64 {
        let width: u32 = self.0.iter().map(|used| u32::BITS - used.leading_zeros()).sum();
        u64::from(width.max(1)) * records
    }
}

fn stored(edge: Edge) -> Edge {
    Edge { deeper: if edge.deeper == VOID { 0 } else { edge.deeper }, ..edge }
}

/// One level down from groups of `above`, the edges to which `at` tells by passes left and rank. `None` if
/// its classes have more than `most` steps.
fn reduce(rules: &HeapRules, above: &Ranks, at: &impl Edges, most: u64) -> Option<Level> {
    let heaps = above.heaps() - 1;
    let ranks = Ranks::new(&rules.bounds()[rules.heaps() - heaps..]);
    let width = rules.greatest() as usize + 1;
    let most_classes = usize::try_from(most / width as u64).unwrap_or(usize::MAX);
    let layers = u64::from(rules.passes()) + 1;
    let chunk = (CHUNK / width as u64).clamp(16, 4096);
    let chunks = in_chunks(layers, &ranks, chunk);
    // Each chunk has a dictionary of its own; put together in order, they give each class the number in which
    // it first appears, whatever the threads did.
    let of_chunk = |&(layer, first): &(u64, u64)| {
        let last = (first + chunk).min(ranks.count());
        let mut others = ranks.unrank(first);
        let mut found = Dictionary::default();
        let mut edges = Vec::with_capacity((last - first) as usize);
        let mut steps = Vec::with_capacity(width);
        for rank in first..last {
            steps.clear();
            let line = Line::new(above, &others);
            steps.extend(line.ranks().map(|rank| at(layer, rank)));
            edges.push(found.edge(&steps));
            if rank + 1 < last {
                ranks.advance(&mut others);
            }
        }
        (found.numbers.len() <= most_classes).then_some((found, edges))
    };
    let mut all = Dictionary::default();
    let mut edges = Vec::with_capacity((layers * ranks.count()) as usize);
    for some in chunks.chunks(WAITING * rayon::current_num_threads()) {
        let found: Option<Vec<_>> = some.par_iter().map(of_chunk).collect();
        for (found, of_chunk) in found? {
            let numbers: Vec<u32> = found.keys().map(|key| all.number(key)).collect();
            edges.extend(of_chunk.iter().map(|edge| Edge { class: numbers[edge.class as usize], ..*edge }));
        }
        if all.numbers.len() > most_classes {
            return None;
        }
    }
    // Sizes that do not fit, or that the key leaves out, have steps all of zeros.
    let padded =
        all.keys().flat_map(|key| key.iter().copied().chain(std::iter::repeat(0)).take(width).map(unpack));
    let steps = padded.collect();
    Some(Level { ranks, edges, steps })
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
    fn edge(&mut self, steps: &[Edge]) -> Edge {
        let deeper = steps.iter().map(|step| step.deeper).min().unwrap_or(VOID);
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        key.extend(steps.iter().map(|step| {
            let deeper = if step.deeper == VOID { 0 } else { step.deeper - deeper };
            pack(Edge { deeper, ..*step })
        }));
        // What does not fit is never asked for, so that a line may be taken for a longer one.
        while key.last() == Some(&0) {
            key.pop();
        }
        let class = self.number(&key);
        self.key = key;
        Edge { class, deeper }
    }

    fn number(&mut self, key: &[u64]) -> u32 {
        if let Some(&number) = self.numbers.get(key) {
            return number;
        }
        let number = u32::try_from(self.numbers.len()).expect("fewer classes than groups in memory");
        self.keys.extend_from_slice(key);
        self.ends.push(self.keys.len());
        self.numbers.insert(key.into(), number);
        number
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
fn smallest(rules: &HeapRules, ranks: &Ranks, at: &impl Edges, mut first: Option<Level>) -> (Parts, u64) {
    let layers = u64::from(rules.passes()) + 1;
    let groups = layers * ranks.count();
    let used = Used::by_all(each(layers, ranks, at));
    let mut best = (used.bits(groups), 0);
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
            None => reduce(rules, ranks, at, most),
            Some(last) => {
                let of_layer = |layer| (layer * last.ranks.count()) as usize;
                let at = |layer, rank| last.edges[of_layer(layer) + rank as usize];
                reduce(rules, &last.ranks, &at, most)
            }
        };
        let Some(level) = level else { break };
        steps += Used::by_all(level.steps.par_iter().copied()).bits(level.steps.len() as u64);
        let used = Used::by_all(level.edges.par_iter().copied());
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
    let stem = match levels.last() {
        None => each(layers, ranks, at).map(stored).collect(),
        Some(last) => last.edges.iter().map(|&edge| stored(edge)).collect(),
    };
    let mut parts = Parts { stem, levels: vec![Vec::new(); rules.heaps()], targets: Vec::new() };
    for level in levels {
        parts.levels[level.ranks.heaps()] = level.steps;
    }
    (parts, best.0)
}

/// The body of a table in which each position's class is given (0 if it is won, else one more than what its
/// best try takes), and the depth, [`VOID`] of a won one, by passes left and rank.
pub(super) fn reduce_positions(
    rules: &HeapRules,
    ranks: &Ranks,
    at: &(impl Fn(u64, u64) -> Edge + Sync),
) -> Parts {
    smallest(rules, ranks, at, None).0
}

/// The body of a table of which the lost positions are given, without depths, by passes left.
pub(super) fn reduce_bits(rules: &HeapRules, layers: &[LostBits]) -> Parts {
    let ranks = Ranks::new(rules.bounds());
    let at = |layer: u64, rank: u64| match layers[layer as usize].is_lost(rank) {
        true => Edge { class: 1, deeper: 0 },
        false => Edge { class: 0, deeper: VOID },
    };
    let lines = (rules.heaps() > 1 && rules.greatest() < 64).then(|| reduce_squares(rules, &ranks, layers));
    smallest(rules, &ranks, &at, lines).0
}

/// The body of a table in which each line's target is given, by passes left and by the rank of the other
/// heaps, of which `ranks` are.
pub(super) fn reduce_lines(
    rules: &HeapRules,
    ranks: &Ranks,
    line: &(impl Fn(u64, u64) -> Target + Sync),
) -> Parts {
    let none = rules.greatest() + 1;
    let layers = u64::from(rules.passes()) + 1;
    let lines = layers * ranks.count();
    let fields = |target: Target| Used([target.size, target.deeper, target.tries]);
    let of_lines = each(layers, ranks, line).map(fields).reduce(Used::default, Used::bitor);
    let classes = TargetClasses::new(each(layers, ranks, line), none);
    let at = |layer, rank| {
        let target = line(layer, rank);
        let deeper = if target.size == none { VOID } else { target.deeper };
        Edge { class: classes.of(target), deeper }
    };
    let (mut parts, bits) = smallest(rules, ranks, &at, None);
    parts.targets = classes.targets();

    // Where classes save nothing, each line has its own target.
    let of_targets = parts.targets.iter().copied().map(fields).fold(Used::default(), Used::bitor);
    if bits + of_targets.bits(parts.targets.len() as u64) <= of_lines.bits(lines) {
        return parts;
    }
    let targets = each(layers, ranks, line).collect();
    Parts { stem: Vec::new(), levels: vec![Vec::new(); rules.heaps()], targets }
}

/// Lines by their targets, the depth left aside: each size and try that there is makes a class.
struct TargetClasses {
    /// All sizes and tries, ascending.
    all: Vec<(u32, u32)>,
    /// For each size the number of the first class with it.
    first: Vec<u32>,
}

impl TargetClasses {
    /// The classes of these targets, the sizes of which are at most `most`.
    fn new(targets: impl IndexedParallelIterator<Item = Target>, most: u32) -> Self {
        let of_some = |mut found: FxHashSet<(u32, u32)>, some: Vec<Target>| {
            // Most have been met lately.
            let mut recent = [(u32::MAX, u32::MAX); 256];
            for Target { size, tries, .. } in some {
                let recent = &mut recent[(size ^ tries << 6) as usize % 256];
                if *recent != (size, tries) {
                    *recent = (size, tries);
                    found.insert((size, tries));
                }
            }
            found
        };
        let sets = targets.chunks(1 << 16).fold(FxHashSet::default, of_some);
        let together = |a: FxHashSet<_>, b| a.union(&b).copied().collect();
        let mut all: Vec<_> = sets.reduce(FxHashSet::default, together).into_iter().collect();
        all.sort_unstable();
        let below = |size| all.partition_point(|&(other, _)| other < size) as u32;
        Self { first: (0..=most + 1).map(below).collect(), all }
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

    fn targets(&self) -> Vec<Target> {
        self.all.iter().map(|&(size, tries)| Target { size, deeper: 0, tries }).collect()
    }
}
