//! The rows that moves lead to, kept so that the best of many rows is known at once.
//!
//! A move of `take` stones, more than ever before, leads from `stones` to the place `stones - take` of row `take`. For one number of
//! stones, all such moves lie on a diagonal through the rows, which is the same for positions of every currentmax; and those that are
//! legal are a stretch of it, from currentmax + 1 to the limit, which moves down as the rows are gone through from the last one to the
//! first. Its best place is put together from two:
//!
//! - Rows are dealt into blocks of as many as the limit grows, so that each stretch begins in a block and ends in the next one. The best
//!   from its beginning to the end of that block is kept for each diagonal, and each row that comes in improves it.
//! - The best from the beginning of the next block to one of its rows is what that row holds, instead of its own places: a block is
//!   changed so as soon as it is whole.
//!
//! After a reset the limit is the same everywhere, so that the stretch only grows: it needs the first half alone.

use std::collections::VecDeque;

use bouton_tables::expanding::Expanding;

use super::best::{Choice, Window, Worth};
use super::groups::{Group, Groups, Kind};
use crate::memory::{filled, room};
use crate::proof::VerifyError;
use crate::{GenerateError, parallel};

/// What is known of the lines of a group, one after the other by their numbers.
#[derive(Debug)]
pub(super) struct Row {
    /// Places of a line.
    length: usize,
    /// For each line and place.
    worth: Vec<Worth>,
}

impl Row {
    /// Of lines of so many places, these one after the other.
    pub(super) fn new(
        length: usize,
        places: impl ExactSizeIterator<Item = Worth>,
    ) -> Result<Self, GenerateError> {
        let mut worth = room(places.len() as u64)?;
        worth.extend(places);
        Ok(Self { length, worth })
    }

    fn line(&self, number: u32) -> &[Worth] {
        &self.worth[number as usize * self.length..][..self.length]
    }

    /// Keeps, of each place and those of the rows before on the same diagonal, the best; the row before has done so.
    fn keep_best_since(&mut self, before: &Self) -> Result<(), VerifyError> {
        parallel::chunks(&mut self.worth, self.length, |line, worth| {
            for (worth, &before) in worth.iter_mut().zip(&before.line(line as u32)[1..]) {
                *worth = before.max(*worth);
            }
            Ok(())
        })
    }
}

/// The best moves of more stones than ever before, for each line that they lead to and each number of stones before the move.
#[derive(Debug)]
struct Bests {
    /// Numbers of stones.
    length: usize,
    lines: usize,
    /// Empty as long as there are none.
    choices: Vec<Choice>,
}

impl Bests {
    fn new(rules: &Expanding, lines: usize) -> Self {
        Self { length: rules.stones() as usize + 1, lines, choices: Vec::new() }
    }

    /// Takes in the moves to a row. They must be of fewer stones than all before.
    fn improve(&mut self, take: u32, row: &Row) -> Result<(), VerifyError> {
        if self.choices.is_empty() {
            self.choices = filled(self.length as u64 * self.lines as u64, Choice::NONE)?;
        }
        parallel::chunks(&mut self.choices, self.length, |line, choices| {
            for (choice, &worth) in choices[take as usize..].iter_mut().zip(row.line(line as u32)) {
                *choice = Choice::new(worth, take).max(*choice);
            }
            Ok(())
        })
    }

    /// The moves to lines of a number, for each number of stones; none of them if there are none at all.
    fn line(&self, number: u32) -> &[Choice] {
        self.choices.chunks(self.length).nth(number as usize).unwrap_or(&[])
    }
}

/// The rows that moves from the present group lead to, from itself on.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    rules: &'a Expanding,
    groups: &'a Groups,
    /// The number of the present group.
    at: usize,
    rows: VecDeque<Row>,
    /// What is best up to the end of the block of the first row behind the present group; and up to the limit after a reset.
    of_block: Bests,
    after_reset: Bests,
}

impl<'a> Rows<'a> {
    /// Before the last group.
    pub(super) fn new(rules: &'a Expanding, groups: &'a Groups, lines: usize) -> Self {
        let at = groups.all().len();
        let [of_block, after_reset] = [(); 2].map(|()| Bests::new(rules, lines));
        Self { rules, groups, at, rows: VecDeque::new(), of_block, after_reset }
    }

    /// Bytes besides the rows, for each line and number of stones.
    pub(super) const BESTS: usize = 2 * size_of::<Choice>();

    /// The most bytes of the rows that are kept at the same time, for so many lines.
    pub(super) fn held(groups: &Groups, lines: u128) -> u128 {
        let all = groups.all();
        let places = |group: &Group| u128::from(group.most) + 1;
        let (mut end, mut of_these, mut most) = (0, 0, 0);
        for at in 0..all.len() {
            while end < at + groups.reached(at) {
                of_these += places(&all[end]);
                end += 1;
            }
            most = most.max(of_these);
            of_these -= places(&all[at]);
        }
        most * lines * size_of::<Worth>() as u128
    }

    /// Goes on to the group before, of which [`push`](Self::push) is to tell: what no move reaches any more makes room.
    pub(super) fn go_on(&mut self) -> Result<(), VerifyError> {
        let later = self.at;
        self.at -= 1;
        if self.is_on_diagonals(later) {
            self.take_in(later)?;
        }
        self.rows.truncate(self.groups.reached(self.at) - 1);
        Ok(())
    }

    /// Takes the row of the present group.
    pub(super) fn push(&mut self, row: Row) {
        self.rows.push_front(row);
    }

    /// Whether a group is a single row behind the first one: moves of one number of stones lead there from each group before.
    fn is_on_diagonals(&self, number: usize) -> bool {
        number > 0 && self.groups.all().get(number).is_some_and(Group::is_single)
    }

    /// Takes in the moves to a group, whose row is the first of those that are kept.
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
            self.of_block.choices.fill(Choice::NONE);
        }
        self.of_block.improve(take, row)?;
        if take <= self.rules.reset_limit() {
            self.after_reset.improve(take, row)?;
        }
        Ok(())
    }

    /// The moves from positions of a kind to lines of a number, for positions of so many stones and more.
    pub(super) fn moves(&self, (.., imposed): Kind, line: u32, stones: u32) -> Moves<'_> {
        let all = self.groups.all();
        let group = &all[self.at];
        let limit = if imposed { self.rules.reset_limit().into() } else { group.limit };
        let limit = limit.min(group.most.into()) as u32;
        let window = |at: u32, by| Window::new(self.rows[at as usize].line(line), by, stones);
        let stay = window(0, [1, limit.min(group.stay as u32)]);
        // From the last group's first currentmax on, all moves lead to one row.
        let open = all.last().filter(|last| !last.is_single() && last.first > group.last);
        let open = open.map_or(u32::MAX, |last| last.first);
        let far = (open <= limit).then(|| window(open - group.last, [open, limit]));
        // Behind the present group, of single rows.
        let (next, furthest, growth) = (group.last + 1, limit.min(open - 1), self.rules.growth());
        let (mut near, mut later) = (&[][..], None);
        if next <= furthest {
            near = if imposed { &self.after_reset } else { &self.of_block }.line(line);
            let least = (next / growth + 1) * growth;
            if !imposed && least <= furthest {
                later = Some(Later { rows: &self.rows, line, least, most: furthest, before: group.last });
            }
        }
        Moves { stay, near, later, far }
    }
}

/// The moves that lead from positions of a kind to lines of a number.
pub(super) struct Moves<'a> {
    /// To the same group.
    stay: Window<'a>,
    /// The best ones to the rows behind it up to the end of a block, for each number of stones; empty if there are none.
    near: &'a [Choice],
    /// To rows of the next block.
    later: Option<Later<'a>>,
    /// To the last group, where it is not one row of many.
    far: Option<Window<'a>>,
}

impl Moves<'_> {
    /// The best move of a position. Stones must not become fewer from call to call.
    #[inline]
    pub(super) fn best(&mut self, stones: u32) -> Choice {
        let near = self.near.get(stones as usize).copied().unwrap_or(Choice::NONE);
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

/// Moves that lead to rows of a block, of which each holds the best since the first.
struct Later<'a> {
    rows: &'a VecDeque<Row>,
    line: u32,
    /// The fewest and the most stones of the moves.
    least: u32,
    most: u32,
    /// The row that comes with this move is the first of `rows`.
    before: u32,
}

impl Later<'_> {
    /// The best since the first row.
    fn worth(&self, stones: u32, take: u32) -> Worth {
        self.rows[(take - self.before) as usize].line(self.line)[(stones - take) as usize]
    }

    /// The best one of these moves, and one that takes fewer stones.
    #[inline]
    fn best(&self, stones: u32, fewer: Choice) -> Choice {
        let most = self.most.min(stones);
        if most < self.least {
            return fewer;
        }
        let worth = self.worth(stones, most);
        if fewer >= Choice::new(worth, self.least) {
            return fewer;
        }
        // It is worth that much from the first such move on.
        let (mut least, mut take) = (self.least, most);
        while least < take {
            let middle = least.midpoint(take);
            if self.worth(stones, middle) < worth { least = middle + 1 } else { take = middle }
        }
        Choice::new(worth, take)
    }
}
