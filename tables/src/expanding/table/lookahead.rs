//! Prefetching for answers from a large table.
//!
//! An answer needs the marks of four lines, and for each line two dependent reads. If the table exceeds the
//! processor's cache, waiting for them is most of the time of an answer. So the four reads start together, and
//! batches prefetch for later positions too.

use super::{ExpandingTable, OutcomeLine, RowLines};
use crate::expanding::Position;
use crate::expanding::unpacked_table::NextClasses;
use crate::format::Fault;
use crate::prefetch::prefetch;

/// Least size in bytes of the body of a large table.
const LARGE: usize = 4 << 20;

/// In a batch, marks are prefetched this many positions ahead, and lines twice as many.
const AHEAD: usize = 4;

impl ExpandingTable {
    /// Returns true if the file is too large for the processor's cache.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn is_large(&self) -> bool {
        self.body.len() >= LARGE
    }

    /// Returns the lines that moves lead to, without and with a reset: in the same row, and in the next row if some
    /// moves lead there. Each comes with the number of stones below which the moves lead.
    #[cfg_attr(feature = "fast", inline(always))]
    fn lines_after<'t>(
        &'t self,
        position: &Position,
        row: &'t RowLines,
        reach: u32,
    ) -> Result<[(&'t OutcomeLine, u32); 4], Fault> {
        let NextClasses { plain, reset, .. } = self.next(position.turn, position.resets);
        let (above, fewer) = if row.stay < reach {
            (self.row(row.stay + 1)?, position.stones - row.stay)
        } else {
            (row, position.stones)
        };
        let stones = position.stones;
        Ok([
            (&row.outcomes[plain], stones),
            (&row.outcomes[reset], stones),
            (&above.outcomes[plain], fewer),
            (&above.outcomes[reset], fewer),
        ])
    }

    /// Prefetches the marks for the present position.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn prefetch_marks(
        &self,
        position: &Position,
        row: &RowLines,
        reach: u32,
    ) -> Result<(), Fault> {
        for (line, stones) in self.lines_after(position, row, reach)? {
            line.prefetch(&self.body, stones);
        }
        Ok(())
    }

    /// Prefetches for positions a little later in the batch.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn prefetch_later(&self, positions: &[Position], place: usize) {
        // An error is reported when the position is answered.
        let of = |position: &Position| {
            let row = self.row_of(position).ok()?;
            self.lines_after(position, row, self.reach(position, row.limit)).ok()
        };
        if let Some(lines) = positions.get(place + 2 * AHEAD).and_then(of) {
            for (line, _) in lines {
                prefetch(line);
            }
        }
        if let Some(lines) = positions.get(place + AHEAD).and_then(of) {
            for (line, stones) in lines {
                line.prefetch(&self.body, stones);
            }
        }
    }
}
