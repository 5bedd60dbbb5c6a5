//! Cuts the sizes of heaps into ranges, and thereby a game into tasks.
//!
//! All *ranges* have the same number of sizes, a power of two. A *task* is all positions whose three greatest heaps lie
//! in three given ranges. A move leads to the same task, or to one with a lesser sum of ranges. So no move leads from a
//! task to another one with the same sum. Example: with ranges of 8 sizes, {20,9,3,1} belongs to the task (2,1,0), and
//! a move from there may lead to the tasks (2,0,0) and (1,1,0), but not to (3,0,0).
//!
//! A game with fewer than three heaps gets *stand-ins* before its own heaps: heaps of the greatest size, from which no
//! move takes.

use std::ops::Range;

use bouton_tables::heaps::{Heap, HeapRules};

/// Number of heaps whose ranges define a task: the three greatest.
pub(crate) const TASK_HEAPS: usize = 3;

/// The ranges of a task, descending.
pub(crate) type TaskRanges = [usize; TASK_HEAPS];

/// The heaps of a game, with sizes cut into ranges.
pub(crate) struct HeapRanges {
    /// Bounds in descending order, beginning with the stand-ins.
    bounds: Vec<Heap>,
    /// Number of stand-ins.
    pub(crate) stand_ins: usize,
    /// Binary logarithm of the number of sizes in a range.
    shift: u32,
    /// Number of ranges.
    pub(crate) count: usize,
}

impl HeapRanges {
    /// Returns ranges of 2^`shift` sizes.
    pub(crate) fn new(rules: &HeapRules, shift: u32) -> Self {
        let greatest = rules.greatest_bound();
        let stand_ins = TASK_HEAPS.saturating_sub(rules.heaps());
        let own = rules.bounds().iter().rev().copied();
        Self {
            bounds: std::iter::repeat_n(greatest, stand_ins).chain(own).collect(),
            stand_ins,
            shift,
            count: (greatest >> shift) as usize + 1,
        }
    }

    /// Returns the least `shift` with which there are at most `max_ranges` ranges.
    pub(crate) fn least_shift(rules: &HeapRules, max_ranges: usize) -> u32 {
        let ranges = |shift: u32| (rules.greatest_bound() >> shift) as usize + 1;
        (0..Heap::BITS).find(|&shift| ranges(shift) <= max_ranges).unwrap_or(Heap::BITS - 1)
    }

    /// Returns the bound of a place; place 0 is the greatest heap.
    pub(crate) fn bound(&self, place: usize) -> Heap {
        self.bounds[place]
    }

    /// Returns the bounds of the game's own heaps, ascending.
    pub(crate) fn own_bounds(&self) -> Vec<Heap> {
        self.bounds[self.stand_ins..].iter().rev().copied().collect()
    }

    /// Returns the number of heaps, with stand-ins.
    pub(crate) fn heaps(&self) -> usize {
        self.bounds.len()
    }

    /// Returns the number of sizes in a range.
    pub(crate) fn width(&self) -> u64 {
        1 << self.shift
    }

    /// Returns the range of a size.
    #[inline(always)]
    pub(crate) fn range(&self, size: Heap) -> usize {
        (size >> self.shift) as usize
    }

    /// Returns the sizes that a heap at a place can have in a range.
    pub(crate) fn sizes(&self, place: usize, range: usize) -> Range<Heap> {
        let bound = self.bounds[place];
        if place < self.stand_ins {
            return bound..bound + 1;
        }
        let first = (range as Heap) << self.shift;
        first..first.saturating_add(1 << self.shift).min(bound + 1)
    }

    /// Returns the sizes that a heap at a place can have in a task.
    pub(crate) fn task_sizes(&self, task: TaskRanges, place: usize) -> Range<Heap> {
        match task.get(place) {
            Some(&range) => self.sizes(place, range),
            None => 0..self.bound(place) + 1,
        }
    }

    /// Reports whether the greatest heaps can lie in these ranges, which are descending.
    pub(crate) fn exists(&self, ranges: &[usize]) -> bool {
        ranges.iter().enumerate().all(|(place, &range)| {
            !self.sizes(place, range).is_empty() && (place >= self.stand_ins || range == self.count - 1)
        })
    }

    /// Returns the tasks with a given sum of ranges: they do not depend on each other.
    pub(crate) fn tasks(&self, sum: usize) -> impl Iterator<Item = TaskRanges> {
        (0..self.count.min(sum + 1)).flat_map(move |first| {
            (0..=first.min(sum - first)).filter_map(move |second| {
                let task = [first, second, sum - first - second];
                (task[2] <= second && self.exists(&task)).then_some(task)
            })
        })
    }

    /// Returns all tasks, by the sum of their ranges.
    pub(crate) fn all_tasks(&self) -> impl Iterator<Item = TaskRanges> {
        (0..=self.greatest_sum()).flat_map(|sum| self.tasks(sum))
    }

    /// Returns a sum that the ranges of no task exceed. If the bounds differ, perhaps no task reaches it.
    pub(crate) fn greatest_sum(&self) -> usize {
        TASK_HEAPS * (self.count - 1)
    }
}
