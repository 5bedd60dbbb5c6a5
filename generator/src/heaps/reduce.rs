//! From solved positions to the few classes that the table tells apart.
//!
//! Heaps that lead to the same positions, whatever is added to them, are of one class. Depths are split into
//! what the classes share and what is added on the way, so that heaps of one class may differ in depth by a
//! constant. Going from whole positions to fewer and fewer heaps, each step has fewer groups of heaps to look
//! at, and in most games by far fewer classes than groups.

use bouton_tables::heaps::{Edge, HeapRules, Heaps, Parts, Ranks, Target};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::line::Line;

/// Groups of heaps that one thread looks at in one go.
const CHUNK: u64 = 4096;

/// A group without a lost position: its depth is no number.
pub(super) const VOID: u32 = u32::MAX;

/// The class of each group of so many heaps: for each number of passes left, by rank.
pub(super) struct Level {
    pub(super) ranks: Ranks,
    /// The depth that the group adds to that of its class; [`VOID`] if it has no lost position.
    pub(super) groups: Vec<Edge>,
}

/// The bits of an array that holds these edges.
fn bits(edges: &[Edge]) -> u64 {
    let (class, deeper) = edges.iter().fold((0, 0), |(class, deeper), edge| {
        (class | edge.class, deeper | if edge.deeper == VOID { 0 } else { edge.deeper })
    });
    let width = u64::from((u32::BITS - class.leading_zeros()) + (u32::BITS - deeper.leading_zeros()));
    width.max(1) * edges.len() as u64
}

fn stored(edge: Edge) -> Edge {
    Edge { deeper: if edge.deeper == VOID { 0 } else { edge.deeper }, ..edge }
}

/// The classes of groups with one heap fewer.
struct Reduced {
    level: Level,
    /// For each class and each size of a further heap where it leads.
    edges: Vec<Edge>,
}

/// One step down: groups of one heap fewer than `above` has. `None` if their classes take more than `most`
/// bits.
fn reduce(rules: &HeapRules, above: &Level, most: u64) -> Option<Reduced> {
    let heaps = above.ranks.heaps() - 1;
    let bounds = &rules.bounds()[rules.heaps() - heaps..];
    let ranks = Ranks::new(bounds);
    let width = rules.greatest() as usize + 1;
    // A class has at least a bit for each size.
    let most_classes = usize::try_from(most / width as u64).unwrap_or(usize::MAX);
    let layers = u64::from(rules.passes()) + 1;
    let chunks: Vec<(u64, u64)> = (0..layers)
        .flat_map(|layer| (0..ranks.count()).step_by(CHUNK as usize).map(move |rank| (layer, rank)))
        .collect();
    // Each chunk has a dictionary of its own; put together in order, they give each class the number in which
    // it first appears, whatever the threads did.
    let local = |&(layer, first): &(u64, u64)| {
        let first_above = layer * above.ranks.count();
        let last = (first + CHUNK).min(ranks.count());
        let mut others = ranks.unrank(first);
        let mut found = Dictionary::default();
        let mut groups = Vec::with_capacity((last - first) as usize);
        let mut edges = Vec::with_capacity(width);
        for rank in first..last {
            edges.clear();
            let line = Line::new(&above.ranks, &others);
            edges.extend(line.ranks().map(|rank| above.groups[(first_above + rank) as usize]));
            groups.push(found.class_of(&mut edges, width));
            if rank + 1 < last {
                ranks.advance(&mut others);
            }
        }
        (found.numbers.len() <= most_classes).then_some((found, groups))
    };
    let mut all = Dictionary::default();
    let mut groups = Vec::with_capacity((layers * ranks.count()) as usize);
    // So many chunks at a time that their dictionaries stay few.
    for some in chunks.chunks(64 * rayon::current_num_threads()) {
        let found: Option<Vec<_>> = some.par_iter().map(local).collect();
        for (local, of_chunk) in found? {
            let numbers: Vec<u32> = local.edges.chunks_exact(width).map(|edges| all.number(edges)).collect();
            groups.extend(of_chunk.iter().map(|edge| Edge { class: numbers[edge.class as usize], ..*edge }));
        }
        if all.numbers.len() > most_classes {
            return None;
        }
    }
    Some(Reduced { level: Level { ranks, groups }, edges: all.edges })
}

/// Classes, by where they lead.
#[derive(Default)]
struct Dictionary {
    numbers: FxHashMap<Box<[Edge]>, u32>,
    /// The edges of all classes, by number.
    edges: Vec<Edge>,
}

impl Dictionary {
    /// The class of a group that leads where `edges` tell, and the depth that it adds.
    fn class_of(&mut self, edges: &mut Vec<Edge>, width: usize) -> Edge {
        let deeper = edges.iter().map(|edge| edge.deeper).min().unwrap_or(VOID);
        for edge in edges.iter_mut() {
            edge.deeper = if edge.deeper == VOID { 0 } else { edge.deeper - deeper };
        }
        // What no position of the table asks for.
        edges.resize(width, Edge::default());
        Edge { class: self.number(edges), deeper }
    }

    fn number(&mut self, edges: &[Edge]) -> u32 {
        if let Some(&number) = self.numbers.get(edges) {
            return number;
        }
        let number = u32::try_from(self.numbers.len()).expect("fewer classes than groups in memory");
        self.edges.extend_from_slice(edges);
        self.numbers.insert(edges.into(), number);
        number
    }
}

/// The body of a table in which each position's class (0 if it is won, else one more than what its best try
/// takes) is given.
pub(super) fn reduce_positions(rules: &HeapRules, positions: Level) -> Parts {
    let parts = Parts { levels: vec![Vec::new(); rules.heaps()], ..Parts::default() };
    smallest(rules, positions, parts, 0)
}

/// The body of a table in which each line's target is given: for each number of passes left, by the rank of
/// the other heaps.
pub(super) fn reduce_lines(rules: &HeapRules, ranks: Ranks, lines: &[Target]) -> Parts {
    let levels = vec![Vec::new(); rules.heaps()];
    // A class is a target, without the depth.
    let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut targets = Vec::new();
    let mut last = ((u32::MAX, u32::MAX), 0);
    let none = rules.greatest() + 1;
    let group = |target: &Target| {
        let key = (target.size, target.tries);
        if key != last.0 {
            last = (
                key,
                *numbers.entry(key).or_insert_with(|| {
                    targets.push(Target { deeper: 0, ..*target });
                    targets.len() as u32 - 1
                }),
            );
        }
        Edge { class: last.1, deeper: if target.size == none { VOID } else { target.deeper } }
    };
    let groups: Vec<Edge> = lines.iter().map(group).collect();
    let widths = |targets: &[Target]| {
        let most = targets.iter().fold([0; 3], |[a, b, c], t| [a | t.size, b | t.deeper, c | t.tries]);
        most.iter().map(|most| u64::from(u32::BITS - most.leading_zeros())).sum::<u64>().max(1)
    };
    let of_classes = widths(&targets) * targets.len() as u64;
    let parts = Parts { levels: levels.clone(), targets, ..Parts::default() };
    let classes = smallest(rules, Level { ranks, groups }, parts, of_classes);
    // Where classes save nothing, each line has its own target.
    let plain = widths(lines) * lines.len() as u64;
    if size(&classes) + of_classes <= plain {
        return classes;
    }
    Parts { stem: Vec::new(), levels, targets: lines.to_vec() }
}

/// The bits of stem and levels.
fn size(parts: &Parts) -> u64 {
    bits(&parts.stem)
        + parts.levels.iter().filter(|level| !level.is_empty()).map(|level| bits(level)).sum::<u64>()
}

/// Goes down level by level, and keeps what takes the fewest bits.
fn smallest(rules: &HeapRules, mut level: Level, mut parts: Parts, _targets: u64) -> Parts {
    let stem = |level: &Level| level.groups.iter().map(|&edge| stored(edge)).collect::<Vec<_>>();
    parts.stem = stem(&level);
    let mut best = (size(&parts), parts.clone());
    while level.ranks.heaps() > 0 {
        // What comes below costs something too: more than the best so far is not worth looking at.
        let levels: u64 =
            parts.levels.iter().filter(|level| !level.is_empty()).map(|level| bits(level)).sum();
        let Some(reduced) = reduce(rules, &level, best.0.saturating_sub(levels)) else { break };
        parts.levels[reduced.level.ranks.heaps()] = reduced.edges;
        parts.stem = stem(&reduced.level);
        level = reduced.level;
        let bits = size(&parts);
        if bits <= best.0 {
            best = (bits, parts.clone());
        }
    }
    best.1
}

/// The heaps of a rank and those of all ranks after it.
pub(super) fn from_rank(ranks: &Ranks, rank: u64) -> impl Iterator<Item = Heaps> {
    let first = (rank < ranks.count()).then(|| ranks.unrank(rank));
    std::iter::successors(first, |heaps| {
        let mut next = *heaps;
        ranks.advance(&mut next).map(|_| next)
    })
}
