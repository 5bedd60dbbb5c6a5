//! The target rows of moves that raise currentmax, arranged so that the best of many moves is found in a few steps.
//!
//! A move of `take` stones, more than currentmax, leads from `stones` to the place `stones - take` of the row of
//! currentmax `take` (called row `take` here). For one number of stones, the targets of all such moves lie on a diagonal
//! through the rows. The legal moves form an interval of the diagonal, from currentmax + 1 to the limit, which moves
//! down as the proof goes from the last row to the first. The best move of the interval is the better one of two parts:
//!
//! - The rows are cut into blocks of `growth`, so that each interval begins in one block and ends in the same or the
//!   next one. For each diagonal, [`DiagonalBests`] has the best move from the interval's beginning to the end of that
//!   block; each new row improves it.
//! - Once a block is complete, each of its rows is overwritten by the best from the block's beginning to this row,
//!   along each diagonal. The row at the limit then answers for the interval's part in the next block.
//!
//! For example, with growth 3 and the blocks 3-5 and 6-8, currentmax 4 has the interval 5-7: row 5 by the first part,
//! and the best of rows 6 and 7 stored in row 7 by the second.
//!
//! Under a reset the limit is the same for every currentmax, so the interval only grows, and one [`DiagonalBests`] suffices.

use std::collections::VecDeque;

use bouton_tables::expanding::Expanding;

use super::best_move::{MoveScore, ScoredMove, SlidingMaximum};
use super::groups::{CurrentmaxGroup, CurrentmaxGroups, LineKind};
use super::line_array::LineArray;
use crate::proof::VerifyError;

/// The scores of the lines of a group.
type ScoreRow = LineArray<MoveScore>;

/// Replaces each score by the maximum along the diagonal from the block's beginning to this row. `before`, the previous
/// row of the block, has such maxima already.
fn accumulate_maxima(row: &mut ScoreRow, before: &ScoreRow) -> Result<(), VerifyError> {
    row.each_line(|line, scores| {
        for (score, &before) in scores.iter_mut().zip(&before.line(line)[1..]) {
            *score = before.max(*score);
        }
        Ok(())
    })
}

/// The best moves that raise currentmax, for each target line and each number of stones before the move.
type DiagonalBests = LineArray<ScoredMove>;

/// Adds the moves to a row. They must take fewer stones than all moves added before.
fn improve(bests: &mut DiagonalBests, take: u32, row: &ScoreRow) -> Result<(), VerifyError> {
    bests.each_line(|line, choices| {
        for (choice, &score) in choices[take as usize..].iter_mut().zip(row.line(line)) {
            *choice = ScoredMove::new(score, take).max(*choice);
        }
        Ok(())
    })
}

/// The rows that moves from the current group can reach, beginning with its own.
#[derive(Debug)]
pub(super) struct ScoreRows<'a> {
    rules: &'a Expanding,
    groups: &'a CurrentmaxGroups,
    /// Index of the current group.
    current: usize,
    rows: VecDeque<ScoreRow>,
    /// The best moves to the rows after the current group, up to the end of the block that contains the first of them.
    to_block_end: DiagonalBests,
    /// The best moves to the rows after the current group, up to the limit under a reset.
    under_reset: DiagonalBests,
}

impl<'a> ScoreRows<'a> {
    /// Begins before the last group.
    pub(super) fn new(
        rules: &'a Expanding,
        groups: &'a CurrentmaxGroups,
        lines: usize,
    ) -> Result<Self, VerifyError> {
        let current = groups.as_slice().len();
        let none = || DiagonalBests::filled(rules.stones() as usize + 1, lines, ScoredMove::NONE);
        let (to_block_end, under_reset) = (none()?, none()?);
        Ok(Self { rules, groups, current, rows: VecDeque::new(), to_block_end, under_reset })
    }

    /// Bytes of the best moves, for each line and number of stones.
    pub(super) const BEST_MOVE_BYTES: usize = 2 * size_of::<ScoredMove>();

    /// Returns the maximum bytes of the rows in memory at a time, for `lines` lines.
    pub(super) fn bytes_in_use(groups: &CurrentmaxGroups, lines: u128) -> u128 {
        let all = groups.as_slice();
        let places = |group: &CurrentmaxGroup| u128::from(group.most) + 1;
        let (mut end, mut sum, mut greatest) = (0, 0, 0);
        for current in 0..all.len() {
            while end < current + groups.count_reached(current) {
                sum += places(&all[end]);
                end += 1;
            }
            greatest = greatest.max(sum);
            sum -= places(&all[current]);
        }
        greatest * lines * size_of::<MoveScore>() as u128
    }

    /// Steps to the previous group, and frees the rows that no move reaches any more. [`push`](Self::push) must follow.
    pub(super) fn step_back(&mut self) -> Result<(), VerifyError> {
        let later = self.current;
        self.current -= 1;
        if self.is_on_diagonals(later) {
            self.add_moves_to(later)?;
        }
        self.rows.truncate(self.groups.count_reached(self.current) - 1);
        Ok(())
    }

    /// Stores the row of the current group.
    pub(super) fn push(&mut self, row: ScoreRow) {
        self.rows.push_front(row);
    }

    /// Returns whether a group is a single row, and not the first group: from each earlier group, only moves of one number of
    /// stones lead there.
    fn is_on_diagonals(&self, number: usize) -> bool {
        number > 0 && self.groups.as_slice().get(number).is_some_and(CurrentmaxGroup::is_single)
    }

    /// Adds the moves to a group, whose row is the first in `rows`.
    fn add_moves_to(&mut self, number: usize) -> Result<(), VerifyError> {
        let (take, growth) = (self.groups.as_slice()[number].first, self.rules.growth());
        // Rows come in descending order, so the last row of a block completes the next block.
        let is_last_of_block = (take + 1).is_multiple_of(growth);
        if is_last_of_block {
            let later =
                (number + 1..self.groups.as_slice().len()).take_while(|&later| self.is_on_diagonals(later));
            let block = 1..=later.count().min(self.rows.len() - 1);
            let rows = &mut self.rows.make_contiguous()[block];
            for row in 1..rows.len() {
                let (before, rest) = rows.split_at_mut(row);
                accumulate_maxima(&mut rest[0], &before[row - 1])?;
            }
        }
        let row = &self.rows[0];
        if is_last_of_block {
            self.to_block_end.values.fill(ScoredMove::NONE);
        }
        improve(&mut self.to_block_end, take, row)?;
        if take <= self.rules.reset_limit() {
            improve(&mut self.under_reset, take, row)?;
        }
        Ok(())
    }

    /// Returns the moves from positions of a kind to a line, for `stones` stones and more.
    pub(super) fn moves(&self, (.., imposed): LineKind, line: usize, stones: u32) -> MovesToLine<'_> {
        let all = self.groups.as_slice();
        let group = &all[self.current];
        let limit = if imposed { self.rules.reset_limit().into() } else { group.limit };
        let limit = limit.min(group.most) as u32;
        let window = |row: u32, takes| SlidingMaximum::new(self.rows[row as usize].line(line), takes, stones);
        let stay = window(0, [1, limit.min(group.stay as u32)]);
        // From the last group's first currentmax on, all moves lead to one row.
        let open = all.last().filter(|last| !last.is_single() && last.first > group.last);
        let open_from = open.map_or(u32::MAX, |last| last.first);
        let open_row = (open_from <= limit).then(|| window(open_from - group.last, [open_from, limit]));
        // After the current group come single rows.
        let (least, most, growth) = (group.last + 1, limit.min(open_from - 1), self.rules.growth());
        let (mut single_rows, mut next_block) = (&[][..], None);
        if least <= most {
            single_rows = if imposed { &self.under_reset } else { &self.to_block_end }.line(line);
            let block_start = (least / growth + 1) * growth;
            if !imposed && block_start <= most {
                let before = group.last;
                next_block =
                    Some(NextBlockMoves { rows: &self.rows, line, least: block_start, most, before });
            }
        }
        MovesToLine { stay, single_rows, next_block, open_row }
    }
}

/// The moves from positions of a kind to one line.
pub(super) struct MovesToLine<'a> {
    /// Moves that stay in the group.
    stay: SlidingMaximum<'a>,
    /// For each number of stones the best move to the single rows after the group, up to the end of a block or, under a
    /// reset, up to the limit; empty if there are none.
    single_rows: &'a [ScoredMove],
    /// Moves to rows of the next block.
    next_block: Option<NextBlockMoves<'a>>,
    /// Moves to the last group, if it is one row for many currentmax.
    open_row: Option<SlidingMaximum<'a>>,
}

impl MovesToLine<'_> {
    /// Returns the best move of a position. Stones must not decrease from call to call.
    #[inline]
    pub(super) fn best(&mut self, stones: u32) -> ScoredMove {
        let to_single_rows = self.single_rows.get(stones as usize).copied().unwrap_or(ScoredMove::NONE);
        let mut best = self.stay.best(stones).max(to_single_rows);
        if let Some(next_block) = &self.next_block {
            best = next_block.best(stones, best);
        }
        match &mut self.open_row {
            Some(open_row) => best.max(open_row.best(stones)),
            None => best,
        }
    }
}

/// Moves to the rows of a block. Each row holds the maxima of the scores from the block's first row to this row.
struct NextBlockMoves<'a> {
    rows: &'a VecDeque<ScoreRow>,
    line: usize,
    /// The fewest stones of the moves.
    least: u32,
    /// The most stones of the moves.
    most: u32,
    /// Last currentmax of the group whose row is the first of `rows`.
    before: u32,
}

impl NextBlockMoves<'_> {
    /// Returns the best score from the block's first row to row `take`.
    fn score(&self, stones: u32, take: u32) -> MoveScore {
        self.rows[(take - self.before) as usize].line(self.line)[(stones - take) as usize]
    }

    /// Returns the best of these moves and `fewer`, a move of fewer stones.
    #[inline]
    fn best(&self, stones: u32, fewer: ScoredMove) -> ScoredMove {
        let most = self.most.min(stones);
        if most < self.least {
            return fewer;
        }
        let score = self.score(stones, most);
        if fewer >= ScoredMove::new(score, self.least) {
            return fewer;
        }
        // Find the fewest stones with this score.
        let (mut least, mut take) = (self.least, most);
        while least < take {
            let middle = least.midpoint(take);
            if self.score(stones, middle) < score { least = middle + 1 } else { take = middle }
        }
        ScoredMove::new(score, take)
    }
}
