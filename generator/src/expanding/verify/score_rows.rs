//! The target rows of moves that raise currentmax, arranged so that the best of many rows is found at once.
//!
//! A move of `take` stones, more than ever before, leads from `stones` to the place `stones - take` of row `take`. For
//! one number of stones, all such moves lie on a diagonal through the rows. The legal ones form an interval of the
//! diagonal, from currentmax + 1 to the limit, which moves down as the proof goes from the last row to the first. Two
//! parts give its best place:
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
//! Under a reset the limit is the same for every currentmax, so the interval only grows and the first part suffices.

use std::collections::VecDeque;

use bouton_tables::expanding::Expanding;

use super::best_move::{MoveScore, ScoredMove, SlidingMaximum};
use super::groups::{CurrentmaxGroup, CurrentmaxGroups, LineKind};
use crate::memory::{filled, room};
use crate::proof::VerifyError;
use crate::{GenerateError, parallel};

/// The scores of the lines of a group, one line after the other.
#[derive(Debug)]
pub(super) struct ScoreRow {
    /// Number of places of a line.
    length: usize,
    /// The score for each line and place.
    score: Vec<MoveScore>,
}

impl ScoreRow {
    /// Returns the row of these scores, with lines of `length` places.
    pub(super) fn new(
        length: usize,
        places: impl ExactSizeIterator<Item = MoveScore>,
    ) -> Result<Self, GenerateError> {
        let mut score = room(places.len() as u64)?;
        score.extend(places);
        Ok(Self { length, score })
    }

    fn line(&self, number: u32) -> &[MoveScore] {
        &self.score[number as usize * self.length..][..self.length]
    }

    /// Replaces each score by the maximum along the diagonal since the block's beginning. `before` already holds such
    /// maxima.
    fn keep_best_since(&mut self, before: &Self) -> Result<(), VerifyError> {
        parallel::chunks(&mut self.score, self.length, |line, score| {
            for (score, &before) in score.iter_mut().zip(&before.line(line as u32)[1..]) {
                *score = before.max(*score);
            }
            Ok(())
        })
    }
}

/// The best moves that raise currentmax, for each target line and each number of stones before the move.
#[derive(Debug)]
struct DiagonalBests {
    /// Number of different numbers of stones.
    length: usize,
    lines: usize,
    /// Empty before the first row.
    choices: Vec<ScoredMove>,
}

impl DiagonalBests {
    fn new(rules: &Expanding, lines: usize) -> Self {
        Self { length: rules.stones() as usize + 1, lines, choices: Vec::new() }
    }

    /// Adds the moves to a row, which must take fewer stones than all added before.
    fn improve(&mut self, take: u32, row: &ScoreRow) -> Result<(), VerifyError> {
        if self.choices.is_empty() {
            self.choices = filled(self.length as u64 * self.lines as u64, ScoredMove::NONE)?;
        }
        parallel::chunks(&mut self.choices, self.length, |line, choices| {
            for (choice, &score) in choices[take as usize..].iter_mut().zip(row.line(line as u32)) {
                *choice = ScoredMove::new(score, take).max(*choice);
            }
            Ok(())
        })
    }

    /// Returns the best moves to a line, for each number of stones; empty if there are no moves.
    fn line(&self, number: u32) -> &[ScoredMove] {
        self.choices.chunks(self.length).nth(number as usize).unwrap_or(&[])
    }
}

/// The rows that moves from the current group can reach, beginning with its own.
#[derive(Debug)]
pub(super) struct ScoreRows<'a> {
    rules: &'a Expanding,
    groups: &'a CurrentmaxGroups,
    /// Index of the current group.
    at: usize,
    rows: VecDeque<ScoreRow>,
    /// The best moves up to the end of the block that contains the first row after the current group; and up to the
    /// limit under a reset.
    of_block: DiagonalBests,
    after_reset: DiagonalBests,
}

impl<'a> ScoreRows<'a> {
    /// Begins before the last group.
    pub(super) fn new(rules: &'a Expanding, groups: &'a CurrentmaxGroups, lines: usize) -> Self {
        let at = groups.all().len();
        let [of_block, after_reset] = [(); 2].map(|()| DiagonalBests::new(rules, lines));
        Self { rules, groups, at, rows: VecDeque::new(), of_block, after_reset }
    }

    /// Bytes besides the rows, for each line and number of stones.
    pub(super) const BESTS: usize = 2 * size_of::<ScoredMove>();

    /// The most bytes of rows in memory at a time, for `lines` lines.
    pub(super) fn bytes_in_use(groups: &CurrentmaxGroups, lines: u128) -> u128 {
        let all = groups.all();
        let places = |group: &CurrentmaxGroup| u128::from(group.most) + 1;
        let (mut end, mut of_these, mut most) = (0, 0, 0);
        for at in 0..all.len() {
            while end < at + groups.reached(at) {
                of_these += places(&all[end]);
                end += 1;
            }
            most = most.max(of_these);
            of_these -= places(&all[at]);
        }
        most * lines * size_of::<MoveScore>() as u128
    }

    /// Moves to the previous group, and frees the rows that no move reaches any more. [`push`](Self::push) must follow.
    pub(super) fn go_on(&mut self) -> Result<(), VerifyError> {
        let later = self.at;
        self.at -= 1;
        if self.is_on_diagonals(later) {
            self.take_in(later)?;
        }
        self.rows.truncate(self.groups.reached(self.at) - 1);
        Ok(())
    }

    /// Stores the row of the current group.
    pub(super) fn push(&mut self, row: ScoreRow) {
        self.rows.push_front(row);
    }

    /// Returns whether a group is a single row, and not the first: moves of exactly one number of stones lead there
    /// from each earlier group.
    fn is_on_diagonals(&self, number: usize) -> bool {
        number > 0 && self.groups.all().get(number).is_some_and(CurrentmaxGroup::is_single)
    }

    /// Adds the moves to a group, whose row is the first in `rows`.
    fn take_in(&mut self, number: usize) -> Result<(), VerifyError> {
        let (take, growth) = (self.groups.all()[number].first, self.rules.growth());
        let begins_block = (take + 1).is_multiple_of(growth);
        if begins_block {
            let behind = (number + 1..self.groups.all().len()).take_while(|&at| self.is_on_diagonals(at));
            let block = 1..=behind.count().min(self.rows.len() - 1);
            let rows = &mut self.rows.make_contiguous()[block];
            for after in 1..rows.len() {
                let (before, rest) = rows.split_at_mut(after);
                rest[0].keep_best_since(&before[after - 1])?;
            }
        }
        let row = &self.rows[0];
        if begins_block {
            self.of_block.choices.fill(ScoredMove::NONE);
        }
        self.of_block.improve(take, row)?;
        if take <= self.rules.reset_limit() {
            self.after_reset.improve(take, row)?;
        }
        Ok(())
    }

    /// Returns the moves from positions of a kind to a line, for `stones` stones and more.
    pub(super) fn moves(&self, (.., imposed): LineKind, line: u32, stones: u32) -> MovesToLine<'_> {
        let all = self.groups.all();
        let group = &all[self.at];
        let limit = if imposed { self.rules.reset_limit().into() } else { group.limit };
        let limit = limit.min(group.most.into()) as u32;
        let window = |at: u32, by| SlidingMaximum::new(self.rows[at as usize].line(line), by, stones);
        let stay = window(0, [1, limit.min(group.stay as u32)]);
        // From the last group's first currentmax on, all moves lead to one row.
        let open = all.last().filter(|last| !last.is_single() && last.first > group.last);
        let open = open.map_or(u32::MAX, |last| last.first);
        let far = (open <= limit).then(|| window(open - group.last, [open, limit]));
        // After the current group come single rows.
        let (next, furthest, growth) = (group.last + 1, limit.min(open - 1), self.rules.growth());
        let (mut near, mut later) = (&[][..], None);
        if next <= furthest {
            near = if imposed { &self.after_reset } else { &self.of_block }.line(line);
            let least = (next / growth + 1) * growth;
            if !imposed && least <= furthest {
                later = Some(NextBlockMoves {
                    rows: &self.rows,
                    line,
                    least,
                    most: furthest,
                    before: group.last,
                });
            }
        }
        MovesToLine { stay, near, later, far }
    }
}

/// The moves from positions of a kind to one line.
pub(super) struct MovesToLine<'a> {
    /// Moves that stay in the group.
    stay: SlidingMaximum<'a>,
    /// The best moves to the rows after it up to the end of a block, for each number of stones; empty if there are
    /// none.
    near: &'a [ScoredMove],
    /// Moves to rows of the next block.
    later: Option<NextBlockMoves<'a>>,
    /// Moves to the last group, if it is one row for many currentmax.
    far: Option<SlidingMaximum<'a>>,
}

impl MovesToLine<'_> {
    /// Returns the best move of a position. Stones must not decrease from call to call.
    #[inline]
    pub(super) fn best(&mut self, stones: u32) -> ScoredMove {
        let near = self.near.get(stones as usize).copied().unwrap_or(ScoredMove::NONE);
        let mut best = self.stay.best(stones).max(near);
        if let Some(later) = &self.later {
            best = later.best(stones, best);
        }
        match &mut self.far {
            Some(far) => best.max(far.best(stones)),
            None => best,
        }
    }
}

/// Moves to rows of a block, each of which has the best scores since the block's first row.
struct NextBlockMoves<'a> {
    rows: &'a VecDeque<ScoreRow>,
    line: u32,
    /// The fewest and the most stones of the moves.
    least: u32,
    most: u32,
    /// The move of this many stones leads to the first of `rows`.
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
        // Search the first move with this score.
        let (mut least, mut take) = (self.least, most);
        while least < take {
            let middle = least.midpoint(take);
            if self.score(stones, middle) < score { least = middle + 1 } else { take = middle }
        }
        ScoredMove::new(score, take)
    }
}
