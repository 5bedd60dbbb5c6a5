//! The partition of lines into blocks, by their two greatest heaps.
//!
//! Sizes are cut into *ranges* of the same width. A *block* is all lines with the greatest heap in one range, and the
//! next heap in another. A *task* is all positions with the three greatest heaps in three ranges; their lines lie in
//! three blocks, one for each pair of these ranges. A move leads from a task to one where no range is greater. So
//! different tasks with the same sum of ranges have no move between them, and no block in common. Example: task (2,1,0)
//! uses the blocks (2,1), (2,0) and (1,0).
//!
//! A game with fewer than three heaps gets *stand-ins* before its own heaps: heaps of the greatest size from which
//! nobody takes.

use std::ops::Range;

use bouton_tables::heaps::{Heap, HeapRules, Ranks};

use crate::making::GenerateError;

/// Number of heaps whose ranges define a task: the three greatest.
pub(super) const TASK_HEAPS: usize = 3;

/// The ranges of a task, descending.
pub(super) type TaskRanges = [usize; TASK_HEAPS];

/// Maximum number of ranges. 64 ranges give tens of thousands of tasks: enough for many threads, each with enough work.
const RANGES: Heap = 64;
/// Maximum number of ranges in games with more than `MANY_POSITIONS` positions, which need many ranks.
const MANY_RANGES: Heap = 256;
const MANY_POSITIONS: u64 = 100_000_000_000;

/// The partition of the lines of a game into blocks.
pub(super) struct LineLayout {
    /// Bounds in descending order, beginning with the stand-ins.
    bounds: Vec<Heap>,
    /// Number of stand-ins.
    pub(super) stand_ins: usize,
    /// Sizes in a range.
    width: Heap,
    /// Number of ranges.
    pub(super) ranges: usize,
    /// Ranks of the heaps of a line.
    pub(super) lines: Ranks,
    /// Ranks of the heaps of a line without the two greatest: the last part of a line's rank.
    pub(super) rest: Ranks,
}

impl LineLayout {
    pub(super) fn new(rules: &HeapRules) -> Result<Self, GenerateError> {
        let (greatest, heaps) = (rules.greatest_bound(), rules.heaps());
        let stand_ins = TASK_HEAPS.saturating_sub(heaps);
        let own = rules.bounds().iter().rev().copied();
        let ranges = if rules.multisets() > MANY_POSITIONS { MANY_RANGES } else { RANGES };
        let width = greatest / ranges + 1;
        Ok(Self {
            bounds: std::iter::repeat_n(greatest, stand_ins).chain(own).collect(),
            stand_ins,
            width,
            ranges: (greatest / width) as usize + 1,
            lines: Ranks::try_new(&rules.bounds()[1..])?,
            rest: Ranks::try_new(&rules.bounds()[1..heaps.max(TASK_HEAPS) - TASK_HEAPS + 1])?,
        })
    }

    /// Returns the bound of a place; place 0 is the greatest heap.
    pub(super) fn bound(&self, place: usize) -> Heap {
        self.bounds[place]
    }

    /// Returns the number of heaps, with stand-ins.
    pub(super) fn heaps(&self) -> usize {
        self.bounds.len()
    }

    /// Returns the sizes that a heap at a place can have in a range.
    pub(super) fn sizes(&self, place: usize, range: usize) -> Range<Heap> {
        let bound = self.bounds[place];
        if place < self.stand_ins {
            return bound..bound + 1;
        }
        let first = range as Heap * self.width;
        first..first.saturating_add(self.width).min(bound + 1)
    }

    /// Reports whether the greatest heaps can lie in these ranges, which are descending.
    pub(super) fn exists(&self, ranges: &[usize]) -> bool {
        ranges.iter().enumerate().all(|(place, &range)| {
            !self.sizes(place, range).is_empty() && (place >= self.stand_ins || range == self.ranges - 1)
        })
    }

    /// Returns the tasks with a given sum of ranges: they do not depend on each other.
    pub(super) fn tasks(&self, sum: usize) -> impl Iterator<Item = TaskRanges> {
        (0..self.ranges.min(sum + 1)).flat_map(move |first| {
            (0..=first.min(sum - first)).filter_map(move |second| {
                let task = [first, second, sum - first - second];
                (task[2] <= second && self.exists(&task)).then_some(task)
            })
        })
    }

    /// Returns the steps of progress of a task: about its number of positions.
    pub(super) fn steps(&self, [one, two, three]: TaskRanges) -> u64 {
        (self.sizes(0, one).len() as u64).saturating_mul(self.block_lines([two, three]).max(1))
    }

    /// Returns the steps of progress of all tasks.
    pub(super) fn all_steps(&self) -> u64 {
        let of_sum = |sum| self.tasks(sum).map(|task| self.steps(task)).fold(0, u64::saturating_add);
        (0..=self.greatest_sum()).map(of_sum).fold(0, u64::saturating_add)
    }

    /// Returns the greatest sum of ranges that a task can have.
    pub(super) fn greatest_sum(&self) -> usize {
        TASK_HEAPS * (self.ranges - 1)
    }

    /// Returns the number of blocks, including those that do not exist.
    pub(super) fn blocks(&self) -> usize {
        self.ranges * (self.ranges + 1) / 2
    }

    /// Returns the number of the block of two ranges, the greater one first.
    pub(super) fn block(&self, [first, second]: [usize; 2]) -> usize {
        first * (first + 1) / 2 + second
    }

    /// Returns the ranges of all blocks, by number.
    pub(super) fn all_blocks(&self) -> impl Iterator<Item = [usize; 2]> {
        (0..self.ranges).flat_map(|first| (0..=first).map(move |second| [first, second]))
    }

    /// Returns the ranges of a block, by number.
    pub(super) fn ranges_of(&self, block: usize) -> [usize; 2] {
        let first = (0..self.ranges).rev().find(|first| first * (first + 1) / 2 <= block).unwrap_or(0);
        [first, block - first * (first + 1) / 2]
    }

    /// Returns the number of lines of a block; 0 if it does not exist.
    pub(super) fn block_lines(&self, ranges: [usize; 2]) -> u64 {
        if !self.exists(&ranges) {
            return 0;
        }
        // Saturate: no machine can hold that many lines.
        (self.sizes(0, ranges[0]).len() as u64).saturating_mul(self.run_len(ranges[1]))
    }

    /// Returns the number of lines with a given greatest heap, and the next heap in a range. They are adjacent.
    fn run_len(&self, second: usize) -> u64 {
        let sizes = self.sizes(1, second);
        self.rank_part(sizes.end) - self.rank_part(sizes.start)
    }

    /// Returns the part of a line's rank that the heap at place 1 contributes.
    fn rank_part(&self, heap: Heap) -> u64 {
        match 1_usize.checked_sub(self.stand_ins) {
            Some(place) => self.lines.part(place, heap),
            // A game of one heap has one line, without other heaps.
            None => u64::from(heap > self.bounds[1]),
        }
    }

    /// Returns the index in its block of the first line with these two greatest heaps.
    pub(super) fn offset(&self, ranges: [usize; 2], [first, second]: [Heap; 2]) -> usize {
        let run = u64::from(first - self.sizes(0, ranges[0]).start);
        let in_run = self.rank_part(second) - self.rank_part(self.sizes(1, ranges[1]).start);
        (run * self.run_len(ranges[1]) + in_run) as usize
    }

    /// Returns the block of the lines with these two greatest heaps, and the index of the first one.
    pub(super) fn first_line(&self, heaps: [Heap; 2]) -> (usize, usize) {
        let ranges = heaps.map(|heap| self.range(heap));
        (self.block(ranges), self.offset(ranges, heaps))
    }

    /// Returns the range of a size.
    pub(super) fn range(&self, size: Heap) -> usize {
        (size / self.width) as usize
    }
}
