//! The rows to which a move goes that takes more than currentmax.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use bouton_tables::expanding::{Expanding, Layout};

/// The rows solved last, as far as the next one can reach them.
pub(super) struct Reach<T> {
    layout: Layout,
    lanes: usize,
    reset_limit: u32,
    /// Rows from the next one up, each as the elements along its stones.
    rows: VecDeque<Vec<T>>,
    most: usize,
    next: Option<usize>,
}

/// A row about to be solved: where its moves go.
pub(super) struct Ahead {
    pub(super) row: usize,
    pub(super) length: usize,
    /// The most stones taken by a move that stays in the row, without and with a reset in force.
    pub(super) stay: [usize; 2],
    /// The takes that leave the row, without and with a reset in force.
    leave: [RangeInclusive<usize>; 2],
}

impl<T: Copy> Reach<T> {
    pub(super) fn new(rules: &Expanding, layout: Layout, lanes: usize) -> Self {
        let next = layout.rows().checked_sub(1);
        let most = rules.growth().max(1) as usize;
        Self { layout, lanes, reset_limit: rules.reset_limit(), rows: VecDeque::new(), most, next }
    }

    /// The next row to solve: the greatest first.
    pub(super) fn next(&mut self) -> Option<Ahead> {
        let row = self.next?;
        self.next = row.checked_sub(1);
        let currentmax = self.layout.currentmax(row) as usize;
        let length = self.layout.length(row) as usize;
        let limits = [self.layout.limit(row), self.reset_limit].map(|limit| (limit as usize).min(length - 1));
        Some(Ahead {
            row,
            length,
            stay: limits.map(|limit| limit.min(currentmax)),
            leave: limits.map(|limit| currentmax + 1..=limit),
        })
    }

    /// The elements that moves out of the row lead to, from `stones` stones; `imposed` as 0 or 1.
    #[inline]
    pub(super) fn leaving(&self, ahead: &Ahead, imposed: usize, stones: usize) -> impl Iterator<Item = &[T]> {
        let takes = &ahead.leave[imposed];
        let (first, last) = (*takes.start(), (*takes.end()).min(stones));
        (first..=last)
            .zip(&self.rows)
            .map(move |(take, row)| &row[(stones - take) * self.lanes..][..self.lanes])
    }

    /// Takes the elements of the row just solved.
    pub(super) fn put(&mut self, row: Vec<T>) {
        self.rows.truncate(self.most - 1);
        self.rows.push_front(row);
    }
}
