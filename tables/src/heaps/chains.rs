//! Whether the heaps of a diagram may be added in any order.

use std::ops::Range;

use super::diagram::Diagram;
use super::position::{Heap, Heaps};
use super::ranks::Ranks;
use super::unpacked::MOST_RECORDS;

/// So many pairs of further heaps are tried at the most, to see whether their order makes a difference.
const MOST_PAIRS: usize = 1 << 20;

/// A step that is unpacked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Where the steps of the class that it leads to begin; if none follow, the class.
    pub(super) to: u32,
    pub(super) depth: u32,
}

/// All that a diagram is made of, unpacked.
#[derive(Debug)]
pub(super) struct Chains {
    pub(super) roots: Vec<Step>,
    /// The steps of all levels, one level after the other.
    pub(super) steps: Vec<Step>,
    pub(super) targets: Vec<[u32; 3]>,
    /// The greatest size of a heap that is told apart from greater ones.
    pub(super) greatest: Heap,
}

/// The steps of a level, among those of all; and after how many of them, this one included, a whole position or a target is reached.
struct Chain {
    steps: Range<usize>,
    left: usize,
}

impl Chains {
    /// Adds steps to the heaps of stems as well, one after the other, if then heaps may be added in any order, and gives the class of no
    /// heaps for each number of passes left. If the order makes a difference, or may make one, `None`, and the steps stay as they were.
    pub(super) fn allow_any_order(&mut self, diagram: &Diagram) -> Option<Box<[Step]>> {
        let before = self.steps.len();
        let starts = self.starts(diagram);
        if starts.is_none() {
            self.steps.truncate(before);
        }
        starts
    }

    fn starts(&mut self, diagram: &Diagram) -> Option<Box<[Step]>> {
        let width = diagram.equal_width()?;
        let mut levels = Vec::new();
        let mut begin = 0;
        for (number, level) in diagram.levels.iter().enumerate() {
            let end = begin + level.steps() as usize;
            levels.push(Chain { steps: begin..end, left: diagram.levels.len() - number });
            begin = end;
        }
        let starts = (0..diagram.layers()).map(|passes| self.add_stem(diagram, passes, width, &mut levels));
        let starts = starts.collect::<Option<_>>()?;
        let pairs: usize = levels.iter().map(|level| level.steps.len() * width / 2).sum();
        (pairs <= MOST_PAIRS && self.agree(&levels, width)?).then_some(starts)
    }

    /// Adds steps to the heaps of the stem, one after the other, each in a level of its own; gives the class of no heaps.
    fn add_stem(
        &mut self,
        diagram: &Diagram,
        passes: usize,
        width: usize,
        levels: &mut Vec<Chain>,
    ) -> Option<Step> {
        let (level, records) = diagram.roots_of(passes);
        let (stem, first) = (diagram.stem_heaps(passes as u8), records.start as usize);
        let bounds = vec![diagram.greatest; stem];
        // Where the steps of the groups of one heap more begin.
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
                        Some(next) => Step { to: u32::try_from(next + rank * width).ok()?, depth: 0 },
                    });
                }
            }
            let left = stem - heaps + diagram.levels.len() - level;
            levels.push(Chain { steps: begin..self.steps.len(), left });
            next = Some(begin);
        }
        match next {
            None => self.roots.get(first).copied(),
            Some(next) => Some(Step { to: u32::try_from(next).ok()?, depth: 0 }),
        }
    }

    /// Whether two further heaps lead from each class of some levels to the same, whichever comes first. `None` if a class is asked for
    /// that is not there.
    fn agree(&self, levels: &[Chain], width: usize) -> Option<bool> {
        // From which classes no lost position is reached, by where their steps begin: depths then mean nothing.
        let mut reaches_none = vec![false; self.steps.len()];
        let mut by_left: Vec<&Chain> = levels.iter().collect();
        by_left.sort_by_key(|level| level.left);
        for level in by_left {
            for class in level.steps.clone().step_by(width) {
                let mut none = true;
                for step in &self.steps[class..class + width] {
                    none &= self.is_nothing(&reaches_none, step.to, level.left - 1)?;
                }
                reaches_none[class] = none;
            }
        }
        for Chain { steps, left } in levels {
            for class in steps.clone().step_by(width) {
                let agree = match left {
                    1 => self.targets_agree(class, width)?,
                    _ => {
                        self.steps_agree(class, width, &|to| self.is_nothing(&reaches_none, to, left - 2))?
                    }
                };
                if !agree {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// Whether no lost position is reached from where a step leads, with so many further steps.
    fn is_nothing(&self, reaches_none: &[bool], to: u32, left: usize) -> Option<bool> {
        if left > 0 {
            return reaches_none.get(to as usize).copied();
        }
        if self.targets.is_empty() {
            return Some(to == 0);
        }
        self.targets.get(to as usize).map(|&[size, ..]| size > self.greatest)
    }

    /// Whether both lines of a lost position tell the same of it, for all further heaps of a class.
    fn targets_agree(&self, class: usize, width: usize) -> Option<bool> {
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

    /// Whether the order of two further heaps makes no difference for a class.
    fn steps_agree(
        &self,
        class: usize,
        width: usize,
        is_nothing: &dyn Fn(u32) -> Option<bool>,
    ) -> Option<bool> {
        let after = |one: usize, two: usize| {
            let first = self.steps.get(class + one)?;
            let second = self.steps.get(first.to as usize + two)?;
            Some((second.to, u64::from(first.depth) + u64::from(second.depth)))
        };
        for one in 0..width {
            for two in 0..one {
                let (found, other) = (after(one, two)?, after(two, one)?);
                if found != other && !(is_nothing(found.0)? && is_nothing(other.0)?) {
                    return Some(false);
                }
            }
        }
        Some(true)
    }
}
