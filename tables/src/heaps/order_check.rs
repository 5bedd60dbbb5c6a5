//! Checks if the heaps of an automaton may be added in any order.
//!
//! Lookups are faster if they need not sort the heaps. This is allowed if, from each class, two further heaps in either
//! order lead to the same class with the same depth: any order can be reached by exchanging neighbours. The check tries
//! all such pairs, and gives up if there are more than [`MAX_PAIRS`]. In Nim, for example, `3,1,2` and `3,2,1` lead to
//! the same class.

use std::ops::Range;

use super::automaton::Automaton;
use super::edge_sources::{MAX_RECORDS, UnpackedEdge, UnpackedEdges};
use super::position::Heaps;
use super::ranks::Ranks;

/// Maximum number of pairs of further heaps that the check tries.
const MAX_PAIRS: usize = 1 << 21;

/// The edges of one level.
struct LevelEdges {
    /// The level's range among the edges of all levels.
    edges: Range<usize>,
    /// Number of edges from a class of this level to a whole position or to a class with a target.
    left: usize,
}

impl UnpackedEdges {
    /// Adds edges for the heaps of stems, and returns edges to the class of no heaps, one for each number of passes left.
    /// Returns `None`, perhaps after adding edges, if heaps may not be added in any order, or there are too many pairs.
    pub(super) fn unpack_stems(&mut self, automaton: &Automaton) -> Option<Vec<UnpackedEdge>> {
        let width = automaton.equal_width?;
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
        if pairs > MAX_PAIRS {
            return None;
        }
        levels.sort_by_key(|level| level.left);
        self.check_pairs(&levels, width).map(|()| starts)
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

    /// Checks that two further heaps lead from each class to the same class and depth in either order; depths do not
    /// matter in classes from which no lost position is reached. `None` if some pair fails, or an edge leads to a missing
    /// class. The levels are in ascending order of `left`.
    fn check_pairs(&self, levels: &[LevelEdges], width: usize) -> Option<()> {
        // True for classes from which no lost position is reached, by index of their first edge.
        let mut voids = vec![false; self.edges.len()];
        let is_void = |voids: &[bool], to: u32, left: usize| match left {
            0 if self.targets.is_empty() => Some(to == 0),
            0 => self.targets.get(to as usize).map(|&[size, ..]| size as usize >= width),
            _ => voids.get(to as usize).copied(),
        };
        for &LevelEdges { ref edges, left } in levels {
            for class in edges.clone().step_by(width) {
                let mut are_void = true;
                for edge in &self.edges[class..class + width] {
                    are_void &= is_void(&voids, edge.to, left - 1)?;
                }
                voids[class] = are_void;
                match left {
                    1 => self.check_targets(class, width)?,
                    _ => self.check_edges(class, width, |to| is_void(&voids, to, left - 2))?,
                }
            }
        }
        Some(())
    }

    /// Checks that the targets of a class of all heaps except two agree: if size a has the target b, then size b has the
    /// target a, with the same depth and best take.
    fn check_targets(&self, class: usize, width: usize) -> Option<()> {
        let target = |size: usize| {
            let to = self.edges.get(class + size)?;
            let &[target, deeper, best_take] = self.targets.get(to.to as usize)?;
            Some((target as usize, u64::from(to.depth) + u64::from(deeper), best_take))
        };
        let sizes = if self.targets.is_empty() { 0 } else { width };
        for size in 0..sizes {
            let (other, depth, best_take) = target(size)?;
            (other >= width || target(other)? == (size, depth, best_take)).then_some(())?;
        }
        Some(())
    }

    /// Checks that the order of two further heaps makes no difference for a class.
    fn check_edges(&self, class: usize, width: usize, is_void: impl Fn(u32) -> Option<bool>) -> Option<()> {
        let after = |one: usize, two: usize| {
            let first = self.edges.get(class + one)?;
            let second = self.edges.get(first.to as usize + two)?;
            Some((second.to, u64::from(first.depth) + u64::from(second.depth)))
        };
        for (one, two) in (0..width).flat_map(|one| (0..one).map(move |two| (one, two))) {
            let (found, other) = (after(one, two)?, after(two, one)?);
            (found == other || is_void(found.0)? && is_void(other.0)?).then_some(())?;
        }
        Some(())
    }
}
