//! Maps the rank of a line to its block and its index in the block.
//!
//! A block has the lines with the two greatest heaps in two ranges. Lines with adjacent ranks are adjacent in a block,
//! as long as the greatest heap is the same and the next heap is in the same range: such lines are a *run*. Example, for
//! ranges of 8 sizes: the lines with heaps 20,8 to 20,15 are one run, 20,16 to 20,20 the next one.

use std::ops::Range;

use super::layout::LineLayout;
use crate::making::GenerateError;
use crate::memory::Grow;

/// All runs of lines, by rank.
pub(super) struct LineRuns(Vec<LineRun>);

struct LineRun {
    /// The rank of the first line.
    rank: u64,
    block: u32,
    /// The index of the first line in the block.
    first_line: u64,
}

impl LineRuns {
    pub(super) fn new(layout: &LineLayout) -> Result<Self, GenerateError> {
        let mut runs = Vec::new();
        for first in 0..layout.ranges.count {
            for a in layout.ranges.sizes(0, first) {
                for second in 0..=layout.ranges.range(a) {
                    let ranges = [first, second];
                    let seconds = layout.ranges.sizes(1, second);
                    if layout.ranges.exists(&ranges) && seconds.start <= a {
                        let key = [a, seconds.start];
                        let rank = layout.lines.rank(&key[layout.ranges.stand_ins.min(2)..]);
                        let first_line = layout.offset(ranges, key) as u64;
                        runs.grow(LineRun { rank, block: layout.block(ranges) as u32, first_line })?;
                    }
                }
            }
        }
        Ok(Self(runs))
    }

    /// Visits the lines of some ranks as ranges of adjacent lines: the block, and their indices in it.
    pub(super) fn each(&self, ranks: Range<u64>, mut visit: impl FnMut(usize, Range<usize>)) {
        let mut rank = ranks.start;
        let mut next = self.0.partition_point(|run| run.rank <= rank);
        while rank < ranks.end {
            let LineRun { rank: first_rank, block, first_line } = self.0[next - 1];
            let end = self.0.get(next).map_or(ranks.end, |next| next.rank.min(ranks.end));
            let line = |rank: u64| (first_line + (rank - first_rank)) as usize;
            visit(block as usize, line(rank)..line(end));
            (rank, next) = (end, next + 1);
        }
    }
}
