//! A small table, unpacked: where its lines say so in a few bits, here each position has a bit, and a word for its depth.
//!
//! Lists of marks and staircases are short, but it takes some steps to find a place in them. A table that is asked often is
//! unpacked, if what that takes is within [`FITS`]. Then two words tell the moves that win, without a branch that cannot be foreseen.

use super::bitmaps::{AT_ONCE, Bitmaps};
use super::layout::Layout;
use super::lost_runs::LostRuns;
use super::mask::TakeMask;
use super::outcomes::Outcomes;
use super::position::Move;
use super::rules::Expanding;
use super::verdicts::{Unpacked, Verdicts};
use crate::format::{Body, Fault};

/// Bytes of all bitmaps of a table, at the most.
const FITS: u64 = 4 << 20;

/// The rows and lines of a small table. A *number* of a line counts all classes of all rows.
#[derive(Debug)]
pub(super) struct Small {
    rows: Box<[Row]>,
    /// The most stones of a position.
    stones: u32,
    /// The least currentmax of the row that is that of every greater one too, which is the last; more than any currentmax if there is
    /// none.
    open_from: u32,
    /// By the number of a line which of its places are lost. The places stand in descending order, so that moves of more stones lead
    /// to higher bits.
    within: Bitmaps,
    /// By class and by how many of all stones are gone: bit r tells whether a move from there that leads into row r, because it takes
    /// more than was ever taken, leads to a lost position. Bit 0 is not used.
    beyond: Bitmaps,
    verdicts: Option<Unpacked>,
    /// By the number that the layout gives the line of a position.
    lines: Box<[Line]>,
    /// The most stones of a move up to which two words tell all of a class.
    near: u32,
}

/// The lines to which moves lead, by their classes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    pub(super) plain: usize,
    /// With a reset. If the player to move has none left, this is a line all the same, but not one that a move leads to.
    pub(super) reset: usize,
    pub(super) may_reset: bool,
}

/// A line, and where those lie to which moves lead from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) class: u32,
    pub(super) next: Next,
    /// Where in [`Small::within`] the lines without and with a reset lie behind the first one of a row, and where their first lines in
    /// [`Small::beyond`] are: in bytes.
    within: [usize; 2],
    beyond: [usize; 2],
}

/// A row of a small table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// How many places it has.
    pub(super) length: u32,
    /// The most that may be taken without a reset.
    pub(super) limit: u32,
    /// The most stones taken by a move that stays in the row.
    stay: u32,
    /// Its own number.
    number: u32,
    /// The number of its first line.
    first: u32,
    /// Where in [`Small::within`] that begins, in bytes.
    within: usize,
}

/// The lines of a table as they are stored.
pub(super) struct Lines<'a> {
    pub(super) body: &'a Body,
    pub(super) layout: &'a Layout,
    pub(super) rules: &'a Expanding,
    /// How many classes a row has.
    pub(super) classes: usize,
    /// For each line its class, and those to which moves from it lead.
    pub(super) lines: Vec<(u32, Next)>,
    pub(super) outcomes: &'a Outcomes,
    pub(super) verdicts: Option<&'a Verdicts>,
}

impl Small {
    /// Whether a table of so many rows, with so many classes, of up to so many stones is unpacked.
    fn fits(rows: u64, classes: u64, stones: u32) -> bool {
        let places = u64::from(stones) + 1;
        let within = Bitmaps::bytes(rows.saturating_mul(classes), places);
        let beyond = Bitmaps::bytes(classes.saturating_mul(places), rows);
        within.max(beyond) <= FITS
    }

    /// Unpacks a table, if it is small.
    ///
    /// # Errors
    /// If it is damaged.
    pub(super) fn new(table: &Lines) -> Result<Option<Self>, Fault> {
        let Lines { body, layout, rules, classes, outcomes, verdicts, ref lines } = *table;
        let stones = rules.stones();
        if !Self::fits(layout.rows() as u64, classes as u64, stones) {
            return Ok(None);
        }
        let mut within = Bitmaps::new(layout.rows() * classes, stones + 1);
        let mut beyond = Bitmaps::new(classes * (stones as usize + 1), layout.rows() as u32);
        let stride = within.stride();
        let row = |number: usize| Row {
            length: layout.length(number),
            limit: rules.limit(layout.currentmax(number), false),
            stay: layout.stay(number),
            number: number as u32,
            first: (number * classes) as u32,
            within: number * classes * stride,
        };
        let rows: Box<[Row]> = (0..layout.rows()).map(row).collect();
        for row in &rows {
            let number = row.number as usize;
            let taken = layout.currentmax(number);
            for class in 0..classes {
                let line = row.first as usize + class;
                let outcomes = outcomes.line(body, line as u64, row.stay)?;
                LostRuns::new(body, &outcomes, row.length).each(|run| {
                    for place in run.start as u32..run.end as u32 {
                        within.set(line, row.length - 1 - place);
                        // Row 0 is not led to, and the last one, if it is open, not always by a move of its currentmax.
                        let gone = stones.checked_sub(place.saturating_add(taken));
                        if let (Some(gone), 1..) = (gone, number) {
                            beyond.set(class * (stones as usize + 1) + gone as usize, row.number);
                        }
                    }
                })?;
            }
        }
        let lengths = rows.iter().map(|row| row.length);
        let verdicts = verdicts.and_then(|verdicts| verdicts.unpack(body, lengths, classes as u64));
        let of_class = beyond.stride() * (stones as usize + 1);
        let line = |&(class, next): &(u32, Next)| {
            let classes = [next.plain, next.reset];
            let (within, beyond) =
                (classes.map(|class| class * stride), classes.map(|class| class * of_class));
            Line { class, next, within, beyond }
        };
        let lines = lines.iter().map(line).collect();
        let open_from = layout.open_from();
        let near = AT_ONCE.min(open_from.saturating_sub(1));
        Ok(Some(Self { rows, stones, open_from, within, beyond, verdicts, lines, near }))
    }

    /// A row, if there is one of that number.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn row(&self, number: usize) -> Option<&Row> {
        self.rows.get(number)
    }

    /// Whether a place of a row is lost on the line of a class.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn is_lost(&self, row: &Row, class: u32, stones: u32) -> bool {
        self.within.get((row.first + class) as usize, row.length - 1 - stones, 1) != 0
    }

    /// Depth and best move at a place of a row; `None` if depths are not unpacked, or there are none.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn verdict(
        &self,
        row: &Row,
        class: u32,
        stones: u32,
    ) -> Result<Option<(u32, Option<Move>)>, Fault> {
        self.verdicts.as_ref().map(|verdicts| verdicts.get((row.first + class) as usize, stones)).transpose()
    }

    /// Which of the takes from `from + 1` to `to` of those that stay in a row lead to a lost position on the line of a class: at
    /// most [`AT_ONCE`]. The first one is the lowest bit. The same is told of those that lead into the open row.
    fn staying(&self, row: &Row, class: usize, stones: u32, from: u32, to: u32) -> u64 {
        self.within.get(row.first as usize + class, row.length + from - stones, to - from)
    }

    /// The same of those that lead from a row into one of their own each, by the number of stones that all rows have in common.
    fn leaving(&self, row: &Row, class: usize, stones: u32, from: u32, to: u32) -> u64 {
        let gone = (self.stones - stones) as usize;
        let line = class * (self.stones as usize + 1) + gone;
        self.beyond.get(line, row.number + 1 + (from - row.stay), to - from)
    }

    /// The line that has a number in the layout.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn line(&self, number: usize) -> &Line {
        &self.lines[number]
    }

    /// Which of the takes from 1 to `reach`, at most the stones, lead to a lost position, without and with a reset. `None` if there are too
    /// many for a word, or some lead into the open row.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn lost_after_near(
        &self,
        row: &Row,
        line: &Line,
        stones: u32,
        reach: u32,
    ) -> Option<[u64; 2]> {
        if reach > self.near {
            return None;
        }
        let stay = reach.min(row.stay);
        let place = row.length - stones;
        let within = row.within + place as usize / 8;
        let gone = (self.stones - stones) as usize;
        let beyond = gone * self.beyond.stride() + (row.number + 1) as usize / 8;
        let lost = |of: usize| {
            let staying = self.within.at(within + line.within[of], place % 8) & ((1 << stay) - 1);
            let leaving = self.beyond.at(beyond + line.beyond[of], (row.number + 1) % 8) << stay;
            (staying | leaving) & ((1 << reach) - 1)
        };
        // That a reset is left is no branch, as it cannot be foreseen.
        Some([lost(0), lost(1) & 0_u64.wrapping_sub(line.next.may_reset.into())])
    }

    /// Marks the takes, from 1 to `reach`, at most the stones, that lead to a lost position on the line of a class.
    pub(super) fn lost_after<M: TakeMask + ?Sized>(
        &self,
        row: &Row,
        stones: u32,
        reach: u32,
        class: usize,
        mask: &mut M,
    ) {
        let stay = reach.min(row.stay);
        let open = self.open_from.saturating_sub(1).clamp(stay, reach);
        let mut mark = |mut from: u32, end: u32, get: &dyn Fn(u32, u32) -> u64| {
            while from < end {
                let to = end.min(from + AT_ONCE);
                mask.set(from, get(from, to));
                from = to;
            }
        };
        mark(0, stay, &|from, to| self.staying(row, class, stones, from, to));
        mark(stay, open, &|from, to| self.leaving(row, class, stones, from, to));
        let last = &self.rows[self.rows.len() - 1];
        mark(open, reach, &|from, to| self.staying(last, class, stones, from, to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_small_tables_are_unpacked() {
        assert!(Small::fits(44, 26, 1000) && Small::fits(1, 4, 999_999));
        assert!(!Small::fits(444, 26, 100_000) && !Small::fits(u64::MAX, u64::MAX, u32::MAX));
    }
}
