//! Prefetching for answers from a large table.
//!
//! An answer needs the marks of four lines: those that moves without and with a reset lead to, in the same row and in
//! the next. Each line takes two dependent reads. If the table exceeds the processor's cache, an answer mostly waits for
//! these reads. So the reads for the four lines start together, and batches prefetch for later positions too.

use super::{ExpandingTable, OutcomeLine, RowLines};
use crate::expanding::Position;
use crate::expanding::unpacked_table::NextClasses;
use crate::format::Fault;
use crate::prefetch::prefetch;

/// Minimum length in bytes of the body of a large table.
const LARGE: usize = 1 << 20;

/// In a batch, marks are prefetched this many positions ahead, and lines twice as many.
const AHEAD: usize = 4;

impl ExpandingTable {
    /// Returns true if the body is too large for the processor's cache.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn is_large(&self) -> bool {
        self.body.len() >= LARGE
    }

    /// Returns the lines that moves lead to, without and with a reset: in the same row, and in the next row if some
    /// moves lead there.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn lines_after<'t>(
        &'t self,
        position: &Position,
        row: &'t RowLines,
        reach: u32,
    ) -> Result<[&'t OutcomeLine; 4], Fault> {
        let NextClasses { plain, reset, .. } = self.next_classes(position.turn, position.resets);
        let next_row = if row.stay < reach { self.row(row.stay + 1)? } else { row };
        Ok([&row.outcomes[plain], &row.outcomes[reset], &next_row.outcomes[plain], &next_row.outcomes[reset]])
    }

    /// Prefetches for positions after the one at `index` of a batch.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn prefetch_later(&self, positions: &[Position], index: usize) {
        // An error is reported when the position is answered.
        let lines_after = |position: &Position| {
            let row = self.row_of(position).ok()?;
            self.lines_after(position, row, self.reach(position, row.limit)).ok()
        };
        if let Some(lines) = positions.get(index + 2 * AHEAD).and_then(lines_after) {
            for line in lines {
                prefetch(line);
            }
        }
        if let Some(lines) = positions.get(index + AHEAD).and_then(lines_after) {
            for line in lines {
                line.prefetch(&self.body);
            }
        }
    }
}
