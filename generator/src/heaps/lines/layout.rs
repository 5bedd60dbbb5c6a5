//! The partition of lines into blocks, by their two greatest heaps.
//!
//! A *block* is all lines with the greatest heap in one range, and the next heap in another (`heap_ranges`). The lines
//! through the positions of a task lie in three blocks, one for each pair of its ranges: task (2,1,0) uses the blocks
//! (2,1), (2,0) and (1,0). Different tasks with the same sum of ranges have no block in common.

use bouton_tables::heaps::{Heap, HeapRules, Ranks};

use crate::heaps::frame::heap_ranges::{HeapRanges, TASK_HEAPS};
use crate::heaps::sizes::layers;
use crate::making::GenerateError;

/// Returns the maximum number of ranges of a game with a number of positions. 16 ranges give 816 tasks, 64 ranges tens of
/// thousands: enough for many threads, each with enough work. The largest games need many MPI ranks.
fn max_ranges(positions: u64) -> usize {
    match positions {
        0..30_000 => 16,
        30_000..1_000_000 => 32,
        1_000_000..=100_000_000_000 => 64,
        _ => 256,
    }
}

/// The partition of the lines of a game into blocks.
pub(super) struct LineLayout {
    pub(super) ranges: HeapRanges,
    /// Ranks of the heaps of a line.
    pub(super) lines: Ranks,
    /// Ranks of the heaps of a line without the two greatest: the last part of a line's rank.
    pub(super) rest: Ranks,
    /// Layers: one for each number of passes left.
    pub(super) layers: u64,
    /// Bytes of a cell, and of a size; 0 without sizes.
    pub(super) widths: [usize; 2],
}

impl LineLayout {
    pub(super) fn new(rules: &HeapRules, widths: [usize; 2]) -> Result<Self, GenerateError> {
        let heaps = rules.heaps();
        let shift = HeapRanges::least_shift(rules, max_ranges(rules.multisets()));
        Ok(Self {
            ranges: HeapRanges::new(rules, shift),
            lines: Ranks::try_new(&rules.bounds()[1..])?,
            rest: Ranks::try_new(&rules.bounds()[1..heaps.max(TASK_HEAPS) - TASK_HEAPS + 1])?,
            layers: layers(rules),
            widths,
        })
    }

    /// Returns the number of the block of two ranges, the greater one first.
    pub(super) fn block(&self, [first, second]: [usize; 2]) -> usize {
        first * (first + 1) / 2 + second
    }

    /// Returns the ranges of a block, by number.
    pub(super) fn ranges_of(&self, block: usize) -> [usize; 2] {
        // The greatest number with first * (first + 1) / 2 <= block.
        let first = ((8 * block + 1).isqrt() - 1) / 2;
        [first, block - first * (first + 1) / 2]
    }

    /// Returns the number of indices of lines in a block; 0 if the block does not exist. If its two ranges are equal,
    /// some indices may have no line: those with a second heap greater than the first.
    pub(super) fn block_lines(&self, ranges: [usize; 2]) -> u64 {
        if !self.ranges.exists(&ranges) {
            return 0;
        }
        // Saturate: no machine can hold that many lines.
        (self.ranges.sizes(0, ranges[0]).len() as u64).saturating_mul(self.run_len(ranges[1]))
    }

    /// Returns the number of lines with a given greatest heap, and the next heap in a range. These lines are adjacent.
    fn run_len(&self, second: usize) -> u64 {
        let sizes = self.ranges.sizes(1, second);
        self.rank_part(sizes.end) - self.rank_part(sizes.start)
    }

    /// Returns the part of a line's rank that the heap at place 1 contributes.
    fn rank_part(&self, heap: Heap) -> u64 {
        match 1_usize.checked_sub(self.ranges.stand_ins) {
            Some(place) => self.lines.part(place, heap),
            // A game of one heap has one line, without other heaps.
            None => u64::from(heap > self.ranges.bound(1)),
        }
    }

    /// Returns the index in its block of the first line with these two greatest heaps.
    pub(super) fn offset(&self, ranges: [usize; 2], [first, second]: [Heap; 2]) -> usize {
        let run = u64::from(first - self.ranges.sizes(0, ranges[0]).start);
        let in_run = self.rank_part(second) - self.rank_part(self.ranges.sizes(1, ranges[1]).start);
        (run * self.run_len(ranges[1]) + in_run) as usize
    }

    /// Returns the run of lines that begins with these two greatest heaps: the second heap grows to the end of its
    /// range, and the greatest stays. The lines have adjacent ranks. Returns the end of the second heap's sizes, and
    /// the number of lines.
    pub(super) fn adjacent_lines(&self, [first, second]: [Heap; 2]) -> (Heap, u64) {
        let end = self.ranges.sizes(1, self.ranges.range(second)).end.min(first + 1);
        (end, self.rank_part(end) - self.rank_part(second))
    }

    /// Returns the block of the lines with these two greatest heaps, and the index of the first one.
    pub(super) fn first_line(&self, heaps: [Heap; 2]) -> (usize, usize) {
        let ranges = heaps.map(|heap| self.ranges.range(heap));
        (self.block(ranges), self.offset(ranges, heaps))
    }
}
