//! A small table, unpacked: a bit for the outcome at each place of a line, and a word for each place of a staircase.
//!
//! Lists of marks and staircases are compact, but slow to read. A table that answers many questions is unpacked if each
//! of its bitmaps takes at most [`MAX_BITMAP`]. One bitmap, `within`, has the outcomes of a line side by side, for
//! moves that stay in the row. The other, `beyond`, has them by row, for moves into the rows of greater currentmax. Two
//! reads then return the outcomes after all moves of up to [`MAX_READ`] stones without a reset, and two more reads the
//! outcomes after moves with a reset.

use super::bitmaps::{Bitmaps, MAX_READ};
use super::layout::ExpandingLayout;
use super::lost_runs::LostRuns;
use super::mask::TakeMask;
use super::outcomes::OutcomeArrays;
use super::position::Move;
use super::rules::Expanding;
use super::verdicts::{UnpackedVerdicts, Verdicts};
use crate::format::{Body, Fault};

/// Maximum size of a bitmap in bytes.
const MAX_BITMAP: u64 = 4 << 20;

/// An unpacked table. The *number* of a line counts the classes of all rows: row × classes + class.
#[derive(Debug)]
pub(super) struct UnpackedTable {
    pub(super) rows: Box<[UnpackedRow]>,
    /// Maximum number of stones of a position.
    stones: u64,
    /// The least currentmax of the open row, which is the last one; `u32::MAX` if no row is open.
    open_from: u32,
    /// By number of the line: a bit for each place, set if the place is lost. The places are in descending order, so
    /// that moves of more stones lead to higher bits.
    within: Bitmaps,
    /// By class and number of stones gone: bit r is set if the move into row r, whose take becomes the currentmax,
    /// leads to a lost position. Bit 0 is unused.
    beyond: Bitmaps,
    verdicts: Option<UnpackedVerdicts>,
    /// The lines of a row, in the order of the layout.
    pub(super) lines: Box<[UnpackedLine]>,
    /// Maximum take for which [`short_masks`](Self::short_masks) finds the winning moves.
    max_short: u32,
}

/// The classes of the lines that the moves of a line lead to.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextClasses {
    /// The class after a move without a reset.
    pub(super) plain: usize,
    /// The class after a move with a reset. Has no meaning unless `may_reset`.
    pub(super) reset: usize,
    /// True if the player to move has a reset left.
    pub(super) may_reset: bool,
}

/// A line, and the offsets of the lines that its moves lead to.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnpackedLine {
    pub(super) class: u32,
    pub(super) next: NextClasses,
    /// Byte offsets in [`UnpackedTable::within`] of the lines after moves without and with a reset, from a row's first.
    within: [usize; 2],
    /// The byte offsets of these lines in [`UnpackedTable::beyond`].
    beyond: [usize; 2],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct UnpackedRow {
    /// Number of places.
    pub(super) length: u64,
    /// Maximum number of stones that a move may take without a reset in force.
    pub(super) limit: u32,
    /// Maximum number of stones that a move takes without leaving the row.
    stay: u32,
    index: u32,
    /// The number of the row's first line.
    first_line: u32,
    /// Byte offset of the first line in [`UnpackedTable::within`].
    within: usize,
}

/// The stored lines of a table.
pub(super) struct StoredLines<'a> {
    pub(super) body: &'a Body,
    pub(super) layout: &'a ExpandingLayout,
    pub(super) rules: &'a Expanding,
    /// Number of classes of a row.
    pub(super) classes: usize,
    /// For each line, its class, and the classes that its moves lead to.
    pub(super) lines: Vec<(u32, NextClasses)>,
    pub(super) outcomes: &'a OutcomeArrays,
    pub(super) verdicts: Option<&'a Verdicts>,
}

impl UnpackedTable {
    /// Returns true if a table of this size can be unpacked.
    fn fits(rows: u64, classes: u64, stones: u64) -> bool {
        let places = stones + 1;
        let within = Bitmaps::bytes(rows.saturating_mul(classes), places);
        let beyond = Bitmaps::bytes(classes.saturating_mul(places), rows);
        within.max(beyond) <= MAX_BITMAP
    }

    /// Unpacks a table, if it is small and undamaged.
    pub(super) fn new(table: &StoredLines) -> Option<Self> {
        let StoredLines { body, layout, rules, classes, outcomes, verdicts, ref lines } = *table;
        let stones = rules.stones();
        if !Self::fits(layout.rows() as u64, classes as u64, stones) {
            return None;
        }
        let mut within = Bitmaps::new(layout.rows() * classes, stones + 1);
        let mut beyond = Bitmaps::new(classes * (stones as usize + 1), layout.rows() as u64);
        let stride = within.stride;
        let row = |index: usize| UnpackedRow {
            length: layout.length(index),
            limit: rules.limit(layout.currentmax(index), false),
            stay: layout.stay(index),
            index: index as u32,
            first_line: (index * classes) as u32,
            within: index * classes * stride,
        };
        let rows: Box<[UnpackedRow]> = (0..layout.rows()).map(row).collect();
        for row in &rows {
            let index = row.index as usize;
            let take = layout.currentmax(index);
            for class in 0..classes {
                let line = row.first_line as usize + class;
                let outcomes = outcomes.line(body, line as u64, row.stay).ok()?;
                for run in LostRuns::new(body, &outcomes, row.length) {
                    for place in run.ok()? {
                        within.set(line, row.length - 1 - place);
                        // Bit 0 is unused, since no move enters row 0. Moves into an open row use `within`.
                        let gone = stones.checked_sub(place + u64::from(take));
                        if let (Some(gone), 1..) = (gone, index) {
                            beyond.set(class * (stones as usize + 1) + gone as usize, row.index.into());
                        }
                    }
                }
            }
        }
        let lengths = rows.iter().map(|row| row.length);
        let verdicts = verdicts.and_then(|verdicts| verdicts.unpack(body, lengths, classes as u64));
        let class_stride = beyond.stride * (stones as usize + 1);
        let line = |&(class, next): &(u32, NextClasses)| {
            let classes = [next.plain, next.reset];
            let (within, beyond) =
                (classes.map(|class| class * stride), classes.map(|class| class * class_stride));
            UnpackedLine { class, next, within, beyond }
        };
        let lines = lines.iter().map(line).collect();
        let open_from = layout.least_open_currentmax();
        let max_short = MAX_READ.min(open_from.saturating_sub(1));
        Some(Self { rows, stones, open_from, within, beyond, verdicts, lines, max_short })
    }

    /// Returns true if a place of a row is lost, on the line of a class.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn is_lost(&self, row: &UnpackedRow, class: u32, stones: u64) -> bool {
        self.within.get((row.first_line + class) as usize, row.length - 1 - stones, 1) != 0
    }

    /// Returns the depth and the best move at a place of a row; `None` if depths are not unpacked, or not stored.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn verdict(
        &self,
        row: &UnpackedRow,
        class: u32,
        stones: u32,
    ) -> Result<Option<(u32, Option<Move>)>, Fault> {
        self.verdicts
            .as_ref()
            .map(|verdicts| verdicts.get((row.first_line + class) as usize, stones))
            .transpose()
    }

    /// Returns a mask of the takes from `from + 1` to `to` that lead to a lost position of `row`, on the line of a
    /// class: the lowest bit is the first take, and there are at most [`MAX_READ`].
    fn staying(&self, row: &UnpackedRow, class: usize, stones: u64, from: u32, to: u32) -> u64 {
        self.within.get(row.first_line as usize + class, row.length + u64::from(from) - stones, to - from)
    }

    /// Returns a mask like [`staying`](Self::staying), for the moves out of `row`, each into a row of its own.
    fn leaving(&self, row: &UnpackedRow, class: usize, stones: u64, from: u32, to: u32) -> u64 {
        let gone = (self.stones - stones) as usize;
        let line = class * (self.stones as usize + 1) + gone;
        self.beyond.get(line, (row.index + 1 + (from - row.stay)).into(), to - from)
    }

    /// Returns the masks of the takes from 1 to `reach` that lead to a lost position, without and with a reset. `None`
    /// if they do not fit into a word, or some lead into the open row. `reach` is at most the stones left.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn short_masks(
        &self,
        row: &UnpackedRow,
        line: &UnpackedLine,
        stones: u64,
        reach: u32,
    ) -> Option<[u64; 2]> {
        if reach > self.max_short {
            return None;
        }
        let stay = reach.min(row.stay);
        let bit = row.length - stones;
        let within = row.within + bit as usize / 8;
        let gone = (self.stones - stones) as usize;
        let beyond = gone * self.beyond.stride + (row.index + 1) as usize / 8;
        let lost = |reset: usize| {
            let staying = self.within.at(within + line.within[reset], (bit % 8) as u32) & ((1 << stay) - 1);
            let leaving = self.beyond.at(beyond + line.beyond[reset], (row.index + 1) % 8) << stay;
            (staying | leaving) & ((1 << reach) - 1)
        };
        // Mask instead of branching: whether a reset is left is unpredictable.
        Some([lost(0), lost(1) & 0_u64.wrapping_sub(line.next.may_reset.into())])
    }

    /// Sets the bits of the takes from 1 to `reach` that lead to a lost position on the line of a class. `reach` is at
    /// most the stones left.
    pub(super) fn lost_after<M: TakeMask>(
        &self,
        row: &UnpackedRow,
        stones: u64,
        reach: u32,
        class: usize,
        mask: &mut M,
    ) {
        let stay = reach.min(row.stay);
        let open = self.open_from.saturating_sub(1).clamp(stay, reach);
        let mut set_bits = |mut from: u32, end: u32, get: &dyn Fn(u32, u32) -> u64| {
            while from < end {
                let to = end.min(from + MAX_READ);
                mask.set(from, get(from, to));
                from = to;
            }
        };
        set_bits(0, stay, &|from, to| self.staying(row, class, stones, from, to));
        set_bits(stay, open, &|from, to| self.leaving(row, class, stones, from, to));
        let open_row = &self.rows[self.rows.len() - 1];
        set_bits(open, reach, &|from, to| self.staying(open_row, class, stones, from, to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_small_tables_are_unpacked() {
        assert!(UnpackedTable::fits(44, 26, 1000) && UnpackedTable::fits(1, 4, 999_999));
        assert!(
            !UnpackedTable::fits(444, 26, 100_000)
                && !UnpackedTable::fits(u64::MAX, u64::MAX, u32::MAX.into())
        );
    }
}
