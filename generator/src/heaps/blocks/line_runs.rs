//! Maps the rank of a line to its block and its place in the block.

use std::ops::Range;

use super::layout::LineLayout;
use crate::GenerateError;
use crate::memory::Grow;

/// All lines by rank, ascending, cut where they go on in another place.
pub(super) struct LineRuns(Vec<LineRun>);

struct LineRun {
    /// The rank of the first line.
    rank: u64,
    block: u32,
    /// Where the first line lies in the block.
    at: u64,
}

impl LineRuns {
    pub(super) fn new(layout: &LineLayout) -> Result<Self, GenerateError> {
        let mut runs = Vec::new();
        for first in 0..layout.ranges {
            for a in layout.sizes(0, first) {
                for second in 0..=layout.range(a) {
                    let ranges = [first, second];
                    let seconds = layout.sizes(1, second);
                    if layout.exists(&ranges) && seconds.start <= a {
                        let key = [a, seconds.start];
                        let rank = layout.lines.rank(&key[layout.stand_ins.min(2)..]);
                        let at = layout.offset(ranges, key) as u64;
                        runs.grow(LineRun { rank, block: layout.block(ranges) as u32, at })?;
                    }
                }
            }
        }
        Ok(Self(runs))
    }

    /// Calls `visit` with each block in which lines of some ranks lie side by side, and where in it.
    pub(super) fn each(&self, ranks: Range<u64>, mut visit: impl FnMut(usize, Range<usize>)) {
        let mut rank = ranks.start;
        let mut next = self.0.partition_point(|run| run.rank <= rank);
        while rank < ranks.end {
            let LineRun { rank: begins, block, at } = self.0[next - 1];
            let end = self.0.get(next).map_or(ranks.end, |next| next.rank.min(ranks.end));
            let place = |rank: u64| (at + (rank - begins)) as usize;
            visit(block as usize, place(rank)..place(end));
            (rank, next) = (end, next + 1);
        }
    }
}
