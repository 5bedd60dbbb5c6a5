//! Counts the lost positions of a row. Several currentmax may share a row, so one place of a line stands for several
//! positions. In this file a *pair* is a number of stones together with a currentmax.

use bouton_tables::expanding::{Expanding, ExpandingLayout};

use crate::expanding::marks::EqualGaps;
use crate::expanding::outcome_line::{OutcomeLine, ShiftedMarks, Tail};

/// Counts the positions of a row, over every currentmax that shares it.
pub(super) struct LostCounter<'a> {
    rules: &'a Expanding,
    length: u64,
    /// First currentmax that shares the row.
    first: u32,
    /// Last currentmax that shares the row.
    last: u32,
    /// Number of currentmax that share the row.
    sharing: u128,
    /// Below this number of stones, every currentmax that shares the row has positions.
    full_below: u64,
}

impl<'a> LostCounter<'a> {
    pub(super) fn new(rules: &'a Expanding, layout: &ExpandingLayout, row: usize) -> Self {
        let greatest = rules.greatest_currentmax();
        let own = layout.currentmax(row);
        let first = if row == 0 { 0 } else { own };
        let last = if layout.is_open(row) { greatest } else { own.min(greatest) };
        let sharing = u128::from(last - first) + 1;
        let full_below = rules.max_stones(last).map_or(0, |most| most + 1);
        Self { rules, length: layout.length(row), first, last, sharing, full_below }
    }

    /// Returns the number of pairs with fewer than `stones` stones.
    fn pairs_below(&self, stones: u64) -> u128 {
        let stones = stones.min(self.length);
        if stones <= self.full_below {
            return u128::from(stones) * self.sharing;
        }
        self.rules.pairs_below(self.first..=self.last, stones)
    }

    /// Returns the number of positions of the row, with one player to move.
    pub(super) fn positions(&self) -> u128 {
        self.pairs_below(self.length) * u128::from(self.rules.positions_per_pair())
    }

    /// Returns the number of pairs with `start` stones or more, and fewer than `end`.
    fn pairs(&self, start: u64, end: u64) -> u128 {
        self.pairs_below(end.max(start)) - self.pairs_below(start)
    }

    /// Returns the number of lost positions of a line.
    pub(super) fn lost(&self, line: &OutcomeLine) -> u128 {
        let from = line.from.min(self.length);
        let mut lost = 0;
        for run in line.head.chunks(2) {
            lost += self.pairs(run[0], run.get(1).copied().unwrap_or(from));
        }
        let in_tail = self.pairs(from, self.length);
        lost + match &line.tail {
            Tail::Constant(true) => in_tail,
            Tail::Constant(false) => 0,
            Tail::Marks(marks) if marks.is_lost => self.covered(marks, from),
            Tail::Marks(marks) => in_tail - self.covered(marks, from),
        }
    }

    /// Returns the number of pairs that marks cover, from a place on.
    fn covered(&self, ShiftedMarks { list, shift, run, .. }: &ShiftedMarks, from: u64) -> u128 {
        let (shift, run) = (*shift, *run);
        let pairs = |start: u64| self.pairs(start.max(from), start + run);
        let mut start = list.first() + shift;
        let mut covered = if list.count() > 0 { pairs(start) } else { 0 };
        for EqualGaps { gap, mut gaps } in list.progressions() {
            while gaps > 0 {
                // The marks in the middle cover equally many pairs each, so only those at both ends are counted one by
                // one.
                let is_whole = start + gap >= from;
                let whole = if is_whole && start + gaps * gap + run <= self.full_below {
                    gaps
                } else if is_whole {
                    self.full_below.saturating_sub(start + run) / gap
                } else {
                    0
                };
                if whole > 0 {
                    start += whole * gap;
                    covered += u128::from(whole * run) * self.sharing;
                } else {
                    start += gap;
                    covered += pairs(start);
                }
                gaps -= whole.max(1);
            }
        }
        covered
    }
}
