//! Fetching ahead what an answer from a large table needs.
//!
//! What tells where the moves of a position lead are marks of four lines, and for each of them one fetch waits for another. In a table
//! larger than what the processor has at hand that is most of the time that an answer takes: so all four are begun at the same time, and
//! in batches those of later positions too.

use super::{ExpandingTable, OutcomeLine, Row};
use crate::expanding::Position;
use crate::expanding::small::Next;
use crate::format::Fault;
use crate::prefetch::prefetch;

/// Bytes of a body from which on a table is large.
const LARGE: usize = 4 << 20;

/// The marks of a position are fetched when so many others are to be answered before it, and its lines when there are twice as many.
const AHEAD: usize = 4;

impl ExpandingTable {
    /// Whether the file is too large for the processor to have most of it at hand.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn is_large(&self) -> bool {
        self.body.len() >= LARGE
    }

    /// The lines that moves of a position lead to, without and with a reset: in its own row and, if some lead there, in the next; with the
    /// stones below which they do.
    #[cfg_attr(feature = "fast", inline(always))]
    fn lines_after<'t>(
        &'t self,
        position: &Position,
        row: &'t Row,
        reach: u32,
    ) -> Result<[(&'t OutcomeLine, u32); 4], Fault> {
        let Next { plain, reset, .. } = self.next(position.turn, position.resets);
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

    /// Begins to fetch the marks for a position that is answered now.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn prefetch_marks(&self, position: &Position, row: &Row, reach: u32) -> Result<(), Fault> {
        for (line, stones) in self.lines_after(position, row, reach)? {
            line.prefetch(&self.body, stones);
        }
        Ok(())
    }

    /// Begins to fetch what those of some positions need that are answered a little later than one of them.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn prefetch_later(&self, positions: &[Position], place: usize) {
        // What is wrong with a position is found when it is answered.
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
