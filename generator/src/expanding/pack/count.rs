//! Counting the lost positions of a row.

use bouton_tables::expanding::{Expanding, Layout};

use crate::expanding::line::{Line, Marked, Tail};

/// Counts positions of a row: those of every currentmax that shares it.
pub(super) struct Counter<'a> {
    rules: &'a Expanding,
    length: u64,
    /// The currentmax that share it: the first and the last that arise.
    first: u32,
    last: u32,
    /// How many there are.
    shared: u64,
    /// Up to here each of them has all numbers of stones.
    even: u64,
}

impl<'a> Counter<'a> {
    pub(super) fn new(rules: &'a Expanding, layout: &Layout, row: usize) -> Self {
        let greatest = rules.greatest_currentmax();
        let own = layout.currentmax(row);
        let first = if row == 0 { 0 } else { own };
        let last = if layout.is_open(row) { greatest } else { own.min(greatest) };
        let shared = u64::from(last - first) + 1;
        let even = rules.most_stones(last).map_or(0, |most| u64::from(most) + 1);
        Self { rules, length: layout.length(row).into(), first, last, shared, even }
    }

    /// Pairs of fewer stones than so many and a currentmax.
    fn pairs_below(&self, stones: u64) -> u64 {
        let stones = stones.min(self.length);
        if stones <= self.even {
            return stones * self.shared;
        }
        self.rules.pairs_below(self.first..=self.last, stones)
    }

    /// Positions of the row, with either turn.
    pub(super) fn positions(&self) -> u128 {
        u128::from(self.pairs_below(self.length)) * u128::from(self.rules.positions_per_pair())
    }

    fn pairs(&self, start: u64, end: u64) -> u64 {
        self.pairs_below(end.max(start)) - self.pairs_below(start)
    }

    /// The lost positions of a line.
    pub(super) fn lost(&self, line: &Line) -> u64 {
        let from = u64::from(line.from).min(self.length);
        let mut lost = 0;
        for run in line.head.chunks(2) {
            lost += self.pairs(run[0].into(), run.get(1).map_or(from, |&end| end.into()));
        }
        let in_tail = self.pairs(from, self.length);
        lost + match &line.tail {
            Tail::All(true) => in_tail,
            Tail::All(false) => 0,
            Tail::Marked(marked) if marked.lost => self.covered(marked, from),
            Tail::Marked(marked) => in_tail - self.covered(marked, from),
        }
    }

    /// What marks cover from a place on.
    fn covered(&self, Marked { list, shift, run, .. }: &Marked, from: u64) -> u64 {
        let (shift, run) = (u64::from(*shift), u64::from(*run));
        let pairs = |mark: u32| {
            let start = u64::from(mark) + shift;
            self.pairs(start.max(from), start + run)
        };
        // Marks in the middle cover as much each: only those at either end are looked at.
        let at_the_end = |mark: &u32| u64::from(*mark) + shift + run > self.even;
        let (mut covered, mut left) = (0, u64::from(list.count()));
        for mark in list.iter_back().take_while(at_the_end) {
            covered += pairs(mark);
            left -= 1;
        }
        let at_the_beginning = |mark: &u32| u64::from(*mark) + shift < from;
        for mark in list.iter().take(left as usize).take_while(at_the_beginning) {
            covered += pairs(mark);
            left -= 1;
        }
        covered + left * run * self.shared
    }
}
