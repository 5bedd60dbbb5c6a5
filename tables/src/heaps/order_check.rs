//! Checks if the heaps of a diagram may be added in any order.
//!
//! Lookups are faster if a diagram may read heaps in any order. This holds if, from each class, two sizes in either
//! order lead to the same class with the same depth. The check tries all such pairs, at most [`MOST_PAIRS`].

use std::ops::Range;

use super::diagram::Diagram;
use super::position::{Heap, Heaps};
use super::ranks::Ranks;
use super::step_sources::MOST_RECORDS;

/// The most pairs of further heaps that the check tries.
const MOST_PAIRS: usize = 1 << 20;

/// An unpacked step.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnpackedStep {
    /// Index of the first step of the next class; after the last step, the class itself.
    pub(super) to: u32,
    pub(super) depth: u32,
}

/// The unpacked records of a diagram.
#[derive(Debug)]
pub(super) struct UnpackedDiagram {
    pub(super) roots: Vec<UnpackedStep>,
    /// The steps of all levels, one level after the other.
    pub(super) steps: Vec<UnpackedStep>,
    pub(super) targets: Vec<[u32; 3]>,
    /// The greatest effective size: greater heaps have the same classes.
    pub(super) greatest: Heap,
}

/// The steps of one level, among all, and the number of steps from there to a whole position or target, inclusive.
struct ChainLevel {
    steps: Range<usize>,
    left: usize,
}

impl UnpackedDiagram {
    /// Adds steps for the heaps of stems if heaps may then be added in any order, and returns the class of no heaps for
    /// each number of passes left. Returns `None`, and adds no steps, if the order matters or there are too many pairs.
    pub(super) fn unpack_stems(&mut self, diagram: &Diagram) -> Option<Box<[UnpackedStep]>> {
        let before = self.steps.len();
        let starts = self.starts(diagram);
        if starts.is_none() {
            self.steps.truncate(before);
        }
        starts
    }

    fn starts(&mut self, diagram: &Diagram) -> Option<Box<[UnpackedStep]>> {
        let width = diagram.equal_width()?;
        let mut levels = Vec::new();
        let mut begin = 0;
        for (number, level) in diagram.levels.iter().enumerate() {
            let end = begin + level.steps() as usize;
            levels.push(ChainLevel { steps: begin..end, left: diagram.levels.len() - number });
            begin = end;
        }
        let starts = (0..diagram.layers()).map(|passes| self.add_stem(diagram, passes, width, &mut levels));
        let starts = starts.collect::<Option<_>>()?;
        let pairs: usize = levels.iter().map(|level| level.steps.len() * width / 2).sum();
        (pairs <= MOST_PAIRS && self.all_steps_commute(&levels, width)?).then_some(starts)
    }

    /// Adds a level of steps for each heap of a stem. Returns the class of no heaps.
    fn add_stem(
        &mut self,
        diagram: &Diagram,
        passes: usize,
        width: usize,
        levels: &mut Vec<ChainLevel>,
    ) -> Option<UnpackedStep> {
        let (level, records) = diagram.roots_of(passes);
        let (stem, first) = (diagram.stem_heaps(passes as u8), records.start as usize);
        let bounds = vec![diagram.greatest; stem];
        // Index of the first step of the multisets with one heap more.
        let mut next = None;
        for heaps in (0..stem).rev() {
            let groups = Ranks::try_new(&bounds[..heaps]).ok()?;
            let greater = Ranks::try_new(&bounds[..=heaps]).ok()?;
            if groups.count().saturating_mul(width as u64) > MOST_RECORDS {
                return None;
            }
            let begin = self.steps.len();
            for group in 0..groups.count() {
                let group = groups.unrank(group);
                for size in 0..=diagram.greatest {
                    let mut all: Heaps = group.iter().copied().collect();
                    all.push(size);
                    let rank = greater.rank(&all.descending()) as usize;
                    self.steps.push(match next {
                        None => *self.roots.get(first + rank)?,
                        Some(next) => UnpackedStep { to: u32::try_from(next + rank * width).ok()?, depth: 0 },
                    });
                }
            }
            let left = stem - heaps + diagram.levels.len() - level;
            levels.push(ChainLevel { steps: begin..self.steps.len(), left });
            next = Some(begin);
        }
        match next {
            None => self.roots.get(first).copied(),
            Some(next) => Some(UnpackedStep { to: u32::try_from(next).ok()?, depth: 0 }),
        }
    }

    /// Returns true if two further heaps lead from each class to the same class and depth in either order. `None` if
    /// a step leads to a missing class.
    fn all_steps_commute(&self, levels: &[ChainLevel], width: usize) -> Option<bool> {
        // Classes that never reach a lost position, by index of their first step. Their depths do not matter.
        let mut reaches_none = vec![false; self.steps.len()];
        let mut by_left: Vec<&ChainLevel> = levels.iter().collect();
        by_left.sort_by_key(|level| level.left);
        for level in by_left {
            for class in level.steps.clone().step_by(width) {
                let mut none = true;
                for step in &self.steps[class..class + width] {
                    none &= self.never_loses(&reaches_none, step.to, level.left - 1)?;
                }
                reaches_none[class] = none;
            }
        }
        for ChainLevel { steps, left } in levels {
            for class in steps.clone().step_by(width) {
                let agree = match left {
                    1 => self.targets_match(class, width)?,
                    _ => {
                        self.steps_commute(class, width, &|to| self.never_loses(&reaches_none, to, left - 2))?
                    }
                };
                if !agree {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// Returns true if no lost position is reachable from class `to`, which has `left` further steps.
    fn never_loses(&self, reaches_none: &[bool], to: u32, left: usize) -> Option<bool> {
        if left > 0 {
            return reaches_none.get(to as usize).copied();
        }
        if self.targets.is_empty() {
            return Some(to == 0);
        }
        self.targets.get(to as usize).map(|&[size, ..]| size > self.greatest)
    }

    /// Returns true if both lines through each lost position agree on its depth and tries, for a class.
    fn targets_match(&self, class: usize, width: usize) -> Option<bool> {
        if self.targets.is_empty() {
            return Some(true);
        }
        let target = |size: usize| {
            let to = self.steps.get(class + size)?;
            let &[target, deeper, tries] = self.targets.get(to.to as usize)?;
            Some((target as usize, u64::from(to.depth) + u64::from(deeper), tries))
        };
        for size in 0..width {
            let (other, depth, tries) = target(size)?;
            if other < width && target(other)? != (size, depth, tries) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns true if the order of two further heaps makes no difference for a class.
    fn steps_commute(
        &self,
        class: usize,
        width: usize,
        never_loses: &dyn Fn(u32) -> Option<bool>,
    ) -> Option<bool> {
        let after = |one: usize, two: usize| {
            let first = self.steps.get(class + one)?;
            let second = self.steps.get(first.to as usize + two)?;
            Some((second.to, u64::from(first.depth) + u64::from(second.depth)))
        };
        for one in 0..width {
            for two in 0..one {
                let (found, other) = (after(one, two)?, after(two, one)?);
                if found != other && !(never_loses(found.0)? && never_loses(other.0)?) {
                    return Some(false);
                }
            }
        }
        Some(true)
    }
}
