//! Checks if the heaps of an automaton may be added in any order.
//!
//! Lookups are faster if they need not sort the heaps. This is allowed if, from each class, two further heaps in either
//! order lead to the same class with the same depth: any order can be reached by exchanging neighbours. The check tries
//! all such pairs, and gives up if there are more than [`MAX_PAIRS`]. In Nim, for example, `3,1,2` and `3,2,1` lead to
//! the same class.

use std::ops::Range;

use super::automaton::Automaton;
use super::position::{Heap, Heaps};
use super::ranks::Ranks;

/// Maximum number of records that are unpacked.
pub(super) const MAX_RECORDS: u64 = 1 << 16;
/// Maximum number of pairs of further heaps that the check tries.
const MAX_PAIRS: usize = 1 << 20;

#[derive(Clone, Copy, Debug)]
pub(super) struct UnpackedEdge {
    /// Index of the first edge of the next class; after the last edge, the class itself.
    pub(super) to: u32,
    /// The depth that the edge adds.
    pub(super) depth: u32,
}

/// The unpacked records of an automaton.
#[derive(Debug)]
pub(super) struct UnpackedAutomaton {
    /// The records of the stem.
    pub(super) roots: Vec<UnpackedEdge>,
    /// The edges of all levels, one level after the other.
    pub(super) edges: Vec<UnpackedEdge>,
    /// For each class of all heaps except one: the lost size, the depth that the target adds, and the best take. Empty
    /// if a move may not take any number of stones.
    pub(super) targets: Vec<[u32; 3]>,
    /// The greatest effective size: greater heaps have the same classes.
    pub(super) greatest: Heap,
}

/// The edges of one level.
struct LevelEdges {
    /// Their range among the edges of all levels.
    edges: Range<usize>,
    /// Number of edges from a class of this level to a whole position or to a class with a target.
    left: usize,
}

impl UnpackedAutomaton {
    /// Adds edges for the heaps of stems if heaps may then be added in any order, and returns edges to the class of no
    /// heaps, one for each number of passes left. Otherwise returns `None`, also if there are too many pairs.
    pub(super) fn unpack_stems(&mut self, automaton: &Automaton) -> Option<Box<[UnpackedEdge]>> {
        let before = self.edges.len();
        let starts = self.checked_starts(automaton);
        if starts.is_none() {
            self.edges.truncate(before);
        }
        starts
    }

    /// Does the work of [`unpack_stems`](Self::unpack_stems), but leaves added edges behind if it returns `None`.
    fn checked_starts(&mut self, automaton: &Automaton) -> Option<Box<[UnpackedEdge]>> {
        let width = automaton.equal_width()?;
        let mut levels = Vec::new();
        let mut begin = 0;
        for (number, level) in automaton.levels.iter().enumerate() {
            let end = begin + level.edge_count() as usize;
            levels.push(LevelEdges { edges: begin..end, left: automaton.levels.len() - number });
            begin = end;
        }
        let starts =
            (0..automaton.layers()).map(|passes| self.add_stem(automaton, passes, width, &mut levels));
        let starts = starts.collect::<Option<_>>()?;
        let pairs: usize = levels.iter().map(|level| level.edges.len() * width / 2).sum();
        (pairs <= MAX_PAIRS && self.all_edges_commute(&levels, width)?).then_some(starts)
    }

    /// Adds a level of edges for each heap of a stem. Returns an edge to the class of no heaps.
    fn add_stem(
        &mut self,
        automaton: &Automaton,
        passes: usize,
        width: usize,
        levels: &mut Vec<LevelEdges>,
    ) -> Option<UnpackedEdge> {
        let (level, records) = automaton.roots_of(passes);
        let (stem, first) = (automaton.stem_heaps(passes as u8), records.start as usize);
        let bounds = vec![automaton.greatest; stem];
        // Index of the first edge of the groups with one heap more.
        let mut next = None;
        for heaps in (0..stem).rev() {
            let groups = Ranks::try_new(&bounds[..heaps]).ok()?;
            let next_groups = Ranks::try_new(&bounds[..=heaps]).ok()?;
            if groups.count().saturating_mul(width as u64) > MAX_RECORDS {
                return None;
            }
            let begin = self.edges.len();
            for group in 0..groups.count() {
                let group = groups.unrank(group);
                for size in 0..=automaton.greatest {
                    let mut next_group: Heaps = group.iter().copied().collect();
                    next_group.push(size);
                    let rank = next_groups.rank(&next_group.descending()) as usize;
                    self.edges.push(match next {
                        None => *self.roots.get(first + rank)?,
                        Some(next) => UnpackedEdge { to: u32::try_from(next + rank * width).ok()?, depth: 0 },
                    });
                }
            }
            let left = stem - heaps + automaton.levels.len() - level;
            levels.push(LevelEdges { edges: begin..self.edges.len(), left });
            next = Some(begin);
        }
        match next {
            None => self.roots.get(first).copied(),
            Some(next) => Some(UnpackedEdge { to: u32::try_from(next).ok()?, depth: 0 }),
        }
    }

    /// Returns true if, from each class, two further heaps lead to the same class and depth in either order; depths do
    /// not matter in classes from which no lost position is reached. `None` if an edge leads to a missing class.
    fn all_edges_commute(&self, levels: &[LevelEdges], width: usize) -> Option<bool> {
        // True for classes from which no lost position is reached, by index of their first edge.
        let mut is_void = vec![false; self.edges.len()];
        let mut by_left: Vec<&LevelEdges> = levels.iter().collect();
        by_left.sort_by_key(|level| level.left);
        for level in by_left {
            for class in level.edges.clone().step_by(width) {
                let mut all_void = true;
                for edge in &self.edges[class..class + width] {
                    all_void &= self.is_void(&is_void, edge.to, level.left - 1)?;
                }
                is_void[class] = all_void;
            }
        }
        for LevelEdges { edges, left } in levels {
            for class in edges.clone().step_by(width) {
                let agree = match left {
                    1 => self.targets_match(class, width)?,
                    _ => self.edges_commute(class, width, &|to| self.is_void(&is_void, to, left - 2))?,
                };
                if !agree {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// Returns true if no lost position is reached from class `to` by `left` further edges. `is_void` knows the classes
    /// with edges.
    fn is_void(&self, is_void: &[bool], to: u32, left: usize) -> Option<bool> {
        if left > 0 {
            return is_void.get(to as usize).copied();
        }
        if self.targets.is_empty() {
            return Some(to == 0);
        }
        self.targets.get(to as usize).map(|&[size, ..]| size > self.greatest)
    }

    /// Returns true if a class of all heaps except two has targets that agree: if size a has the target b, then size b
    /// has the target a, with the same depth and best take.
    fn targets_match(&self, class: usize, width: usize) -> Option<bool> {
        if self.targets.is_empty() {
            return Some(true);
        }
        let target = |size: usize| {
            let to = self.edges.get(class + size)?;
            let &[target, deeper, best_take] = self.targets.get(to.to as usize)?;
            Some((target as usize, u64::from(to.depth) + u64::from(deeper), best_take))
        };
        for size in 0..width {
            let (other, depth, best_take) = target(size)?;
            if other < width && target(other)? != (size, depth, best_take) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns true if the order of two further heaps makes no difference for a class.
    fn edges_commute(
        &self,
        class: usize,
        width: usize,
        is_void: &dyn Fn(u32) -> Option<bool>,
    ) -> Option<bool> {
        let after = |one: usize, two: usize| {
            let first = self.edges.get(class + one)?;
            let second = self.edges.get(first.to as usize + two)?;
            Some((second.to, u64::from(first.depth) + u64::from(second.depth)))
        };
        for one in 0..width {
            for two in 0..one {
                let (found, other) = (after(one, two)?, after(two, one)?);
                if found != other && !(is_void(found.0)? && is_void(other.0)?) {
                    return Some(false);
                }
            }
        }
        Some(true)
    }
}
