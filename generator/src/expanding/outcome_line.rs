//! Outcome lines: the lost places of a line, stored by the places where the outcome changes.
//!
//! A line begins with a *head*, a short list of changes. From place `from` on follows its *tail*: all places have the
//! same outcome, except those that [`Marks`] cover, if there are marks. For example, the head [2, 5] with `from` 9 and
//! a constant won tail says that the places 2, 3 and 4 are lost. A tail with the marks 10, 14, 19, shift 1 and run 2
//! covers 11-12, 15-16 and 20-21.

use std::sync::Arc;

use super::marks::{EqualGaps, MarkCursor, Marks, NEVER};
use crate::making::GenerateError;
use crate::memory::Grow;

/// A set of places: the lost ones of a line, unless stated otherwise. (Solvers also use it for covered places.)
#[derive(Clone, Debug)]
pub(super) struct OutcomeLine {
    /// The places before `from` where the outcome changes, ascending. Places before the first change are won.
    pub(super) head: Vec<u64>,
    /// First place of the tail.
    pub(super) from: u64,
    pub(super) tail: Tail,
}

/// The outcomes of a line from its place `from` on.
#[derive(Clone, Debug)]
pub(super) enum Tail {
    /// All places are lost if true, and won if false.
    Constant(bool),
    /// The places that marks cover have one outcome, all others the opposite one.
    Marks(ShiftedMarks),
}

/// Marks that are shifted and widened: a mark y covers the places y + shift to y + shift + run - 1. No two marks cover
/// the same place.
#[derive(Clone, Debug)]
pub(super) struct ShiftedMarks {
    pub(super) list: Arc<Marks>,
    pub(super) shift: u64,
    /// Number of places that a mark covers.
    pub(super) run: u64,
    /// True if the covered places are lost and the others won; false if it is the reverse.
    pub(super) is_lost: bool,
}

impl OutcomeLine {
    /// Returns a line on which every place is lost, or every place is won.
    pub(super) fn constant(lost: bool) -> Self {
        Self { head: Vec::new(), from: 0, tail: Tail::Constant(lost) }
    }

    /// Returns whether no place is lost.
    pub(super) fn is_empty(&self) -> bool {
        self.head.is_empty() && matches!(self.tail, Tail::Constant(false))
    }

    /// Iterates over the runs of lost places, ascending. A run may begin where the previous one ends.
    pub(super) fn runs(&self) -> Runs<'_> {
        let mut rest = match &self.tail {
            Tail::Constant(false) => Rest::Won,
            Tail::Constant(true) => Rest::Lost,
            Tail::Marks(ShiftedMarks { list, is_lost: true, .. }) => Rest::Covered(list.iter()),
            Tail::Marks(ShiftedMarks { list, .. }) => Rest::Uncovered(list.iter(), self.from),
        };
        if let (Rest::Covered(cursor) | Rest::Uncovered(cursor, _), Tail::Marks(marks)) =
            (&mut rest, &self.tail)
        {
            // Skip the marks whose cover ends before the tail begins.
            while cursor.next != NEVER && cursor.next + marks.shift + marks.run <= self.from {
                cursor.advance();
            }
        }
        Runs { line: self, head: 0, rest }
    }

    /// Returns the places below `length` where the outcome changes, ascending. Places before the first change are won.
    pub(super) fn changes(&self, length: u64) -> Result<Vec<u64>, GenerateError> {
        let (mut runs, mut changes) = (self.runs(), Vec::new());
        loop {
            let [start, end] = runs.next_run();
            if start >= length {
                return Ok(changes);
            }
            // A run may begin where the previous one ended.
            match changes.last() {
                Some(&last) if last == start => {
                    changes.pop();
                }
                _ => changes.grow(start)?,
            }
            if end >= length {
                return Ok(changes);
            }
            changes.grow(end)?;
        }
    }

    /// Estimated bytes in memory, without the shared list of marks.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + 8 * self.head.capacity()
    }
}

/// The unread part of a line's tail.
enum Rest {
    /// All places are won.
    Won,
    /// All places are lost.
    Lost,
    /// The places that marks cover are lost.
    Covered(MarkCursor),
    /// The places that marks do not cover are lost, from this place on.
    Uncovered(MarkCursor, u64),
}

/// A cursor on the runs of a line.
pub(super) struct Runs<'a> {
    line: &'a OutcomeLine,
    /// Index of the next run's start in the line's head.
    head: usize,
    rest: Rest,
}

impl Runs<'_> {
    /// Returns the start and the end of the next run, or [`NEVER`] twice after the last one.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn next_run(&mut self) -> [u64; 2] {
        let from = self.line.from;
        if let Some(&start) = self.line.head.get(self.head) {
            let end = self.line.head.get(self.head + 1).copied().unwrap_or(from);
            self.head += 2;
            return [start, end];
        }
        let Tail::Marks(ShiftedMarks { shift, run, .. }) = self.line.tail else {
            return match std::mem::replace(&mut self.rest, Rest::Won) {
                Rest::Lost => [from, NEVER],
                _ => [NEVER; 2],
            };
        };
        match &mut self.rest {
            Rest::Covered(marks) => {
                if marks.next == NEVER {
                    return [NEVER; 2];
                }
                let start = marks.next + shift;
                marks.advance();
                [start.max(from), start + run]
            }
            Rest::Uncovered(marks, from) => loop {
                let start = *from;
                if marks.next == NEVER {
                    *from = NEVER;
                    return [start, NEVER];
                }
                let end = marks.next + shift;
                *from = start.max(end + run);
                marks.advance();
                if start < end {
                    return [start, end];
                }
            },
            Rest::Won | Rest::Lost => [NEVER; 2],
        }
    }
}

/// A train of runs after the current one: each is as long as the current run, and equally far from the previous one.
pub(super) struct EqualRuns {
    /// Distance from a run to the next.
    pub(super) gap: u64,
    /// Number of runs.
    pub(super) times: u64,
}

impl Runs<'_> {
    /// Returns the train of runs after the current run, which is the one that [`next_run`](Self::next_run) returned last.
    /// `None` if the train is unknown.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn equal_runs_after(&self, [start, end]: [u64; 2]) -> Option<EqualRuns> {
        let Tail::Marks(ShiftedMarks { run, .. }) = self.line.tail else { return None };
        let (marks, width) = match &self.rest {
            Rest::Covered(marks) => (marks, run),
            Rest::Uncovered(marks, _) => (marks, marks.gap.saturating_sub(run)),
            Rest::Won | Rest::Lost => return None,
        };
        // The runs of the head are not known to be equal, and the first run of the tail may be cut off.
        let is_equal = start >= self.line.from && end - start == width;
        is_equal.then_some(EqualRuns { gap: marks.gap, times: marks.left })
    }

    /// Passes over a number of equal runs, at most their `times`.
    pub(super) fn skip(&mut self, runs: u64) {
        match &mut self.rest {
            Rest::Covered(marks) => marks.skip_gaps(runs),
            Rest::Uncovered(marks, from) => {
                *from += runs * marks.gap;
                marks.skip_gaps(runs);
            }
            Rest::Won | Rest::Lost => {}
        }
    }
}

/// Builds a line from ascending runs of lost places.
pub(super) struct OutcomeLineBuilder {
    head: Vec<u64>,
    /// The last run. The next run may still extend it.
    last: [u64; 2],
}

impl OutcomeLineBuilder {
    /// Starts a line whose first place is lost or won.
    pub(super) fn new(first_is_lost: bool) -> Self {
        Self { head: Vec::new(), last: [0, first_is_lost.into()] }
    }

    /// Adds a run of lost places, which must not begin before an earlier run does.
    #[inline]
    pub(super) fn push(&mut self, start: u64, end: u64) -> Result<(), GenerateError> {
        if start > self.last[1] {
            self.flush_last()?;
            self.last = [start, end];
        } else {
            self.last[1] = self.last[1].max(end);
        }
        Ok(())
    }

    /// Moves the last run to the head.
    fn flush_last(&mut self) -> Result<(), GenerateError> {
        let [start, end] = self.last;
        if start < end {
            self.head.grow(start)?;
            self.head.grow(end)?;
        }
        Ok(())
    }

    /// Finishes the line with a tail from place `from` on. All runs must begin before `from`.
    pub(super) fn finish(mut self, from: u64, tail: Tail) -> Result<OutcomeLine, GenerateError> {
        // Cut a run that crosses `from`: the tail decides from there on.
        self.last = self.last.map(|place| place.min(from));
        self.flush_last()?;
        if self.head.last() == Some(&from) {
            self.head.pop();
        }
        Ok(OutcomeLine { head: self.head, from, tail })
    }

    /// Finishes the line; all further places are won.
    pub(super) fn finish_won(self) -> Result<OutcomeLine, GenerateError> {
        let end = self.last[1];
        self.finish(end, Tail::Constant(false))
    }

    /// Finishes a line of `length` places, all of which have been added. Stores its last runs as marks if enough of them
    /// are equally long. Otherwise, if the line has many changes, stores each lost place, or each won one, as a mark.
    pub(super) fn finish_all(mut self, length: u64) -> Result<OutcomeLine, GenerateError> {
        self.last[1] = self.last[1].min(length);
        self.flush_last()?;
        let mut line = OutcomeLine { head: self.head, from: length, tail: Tail::Constant(false) };
        line.find_marks()?;
        if line.head.len() > LONG_HEAD {
            line.mark_places(length)?;
        }
        Ok(line)
    }
}

/// Inverts the outcomes from a place on.
pub(super) fn toggle_change(head: &mut Vec<u64>, place: u64) {
    match head.binary_search(&place) {
        Ok(index) => drop(head.remove(index)),
        Err(index) => head.insert(index, place),
    }
}

/// Least number of runs for which a list of marks is worth its overhead.
const MIN_MARKS: usize = 8;

/// Maximum number of changes of a head. If there are more, a list of marks is shorter, and lines can share it.
const LONG_HEAD: usize = 256;

impl OutcomeLine {
    /// Replaces the last runs of a line without a tail by marks, as far back as the runs have the same length.
    fn find_marks(&mut self) -> Result<(), GenerateError> {
        let length = self.from;
        let ends_lost = self.head.last() == Some(&length);
        if ends_lost {
            self.head.pop();
        }
        if self.head.len() < 2 * MIN_MARKS {
            self.cut_constant_end(ends_lost);
            return Ok(());
        }
        // The end of the line may cut off its last stretch. Of the two stretches before it, the shorter one is the run of a
        // mark.
        let n = self.head.len();
        let [a, b, c] = [n - 3, n - 2, n - 1].map(|index| self.head[index]);
        let lost_before_last = !ends_lost;
        let (run, is_lost, mut index) =
            if c - b <= b - a { (c - b, lost_before_last, n - 2) } else { (b - a, !lost_before_last, n - 3) };
        // Going back, every second change begins a mark.
        let mut marks = Vec::new();
        if is_lost != lost_before_last && length - c <= run {
            marks.grow(c)?;
        } else if is_lost != lost_before_last {
            // The last stretch is longer than a mark, so the pattern has ended.
            self.cut_constant_end(ends_lost);
            return Ok(());
        }
        while self.head[index + 1] - self.head[index] == run {
            marks.grow(self.head[index])?;
            match index.checked_sub(2) {
                Some(before) => index = before,
                None => break,
            }
        }
        if marks.len() < MIN_MARKS {
            self.cut_constant_end(ends_lost);
            return Ok(());
        }
        marks.reverse();
        let min_gap = marks.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(1);
        let mut list = Marks::new(min_gap);
        marks.iter().try_for_each(|&mark| list.push(mark))?;
        self.from = marks[0];
        self.head.retain(|&change| change < marks[0]);
        self.tail = Tail::Marks(ShiftedMarks { list: Arc::new(list), shift: 0, run, is_lost });
        Ok(())
    }

    /// Replaces a line of `length` places by marks of single places: of the lost ones, or of the won ones if they are
    /// fewer.
    fn mark_places(&mut self, length: u64) -> Result<(), GenerateError> {
        let mut ends = self.changes(length)?;
        if ends.len() % 2 == 1 {
            ends.grow(length)?;
        }
        let lost = ends.chunks(2).map(|run| run[1] - run[0]).sum::<u64>();
        let is_lost = lost <= length / 2;
        if !is_lost {
            // The won runs lie between the changes.
            ends.try_reserve(2)?;
            ends.insert(0, 0);
            ends.grow(length)?;
        }
        let runs = ends.chunks(2).filter(|run| run[0] < run[1]);
        let is_single = runs.clone().all(|run| run[1] - run[0] == 1);
        let after = runs.clone().zip(runs.clone().skip(1)).map(|(run, next)| next[0] - run[1] + 1);
        let mut marks = Marks::new(if is_single { after.min().unwrap_or(1) } else { 1 });
        for run in runs {
            marks.push(run[0])?;
            if let gaps @ 1.. = run[1] - run[0] - 1 {
                marks.push_gaps(EqualGaps { gap: 1, gaps })?;
            }
        }
        let list = Arc::new(marks);
        let tail = Tail::Marks(ShiftedMarks { list, shift: 0, run: 1, is_lost });
        *self = Self { head: Vec::new(), from: 0, tail };
        Ok(())
    }

    /// Turns the places after the last change into a constant tail.
    fn cut_constant_end(&mut self, ends_lost: bool) {
        self.from = self.head.pop().unwrap_or(0);
        self.tail = Tail::Constant(ends_lost);
    }

    /// Sets whether the first place is lost.
    pub(super) fn set_first(&mut self, lost: bool) {
        if self.from == 0 {
            // Move the first place from the tail to the head.
            let is_lost = self.runs().next_run()[0] == 0;
            self.from = 1;
            if is_lost {
                self.head.insert(0, 0);
            }
        }
        if (self.head.first() == Some(&0)) != lost {
            toggle_change(&mut self.head, 0);
            // Keep the outcome of place 1.
            if self.from > 1 {
                toggle_change(&mut self.head, 1);
            }
        }
    }

    /// Moves the beginning of the tail back as far as the head agrees with it.
    pub(super) fn trim(&mut self) {
        // The changes that the tail would have before `from`.
        let mut changes = Vec::new();
        let mut lost = match &self.tail {
            Tail::Constant(lost) => *lost,
            Tail::Marks(ShiftedMarks { list, shift, run, is_lost }) => {
                let before = |mark: &u64| *mark + *shift < self.from;
                for mark in list.iter().take_while(before) {
                    changes.extend([mark + shift, mark + shift + run]);
                }
                while changes.last().is_some_and(|&change| change >= self.from) {
                    changes.pop();
                }
                // True if the tail would make the last place before `from` lost.
                (changes.len() % 2 == 1) == *is_lost
            }
        };
        while self.from > 0 && (self.head.len() % 2 == 1) == lost {
            let of_tail = changes.last().copied().unwrap_or(0);
            let of_head = self.head.last().copied().unwrap_or(0);
            self.from = of_tail.max(of_head);
            if of_head == self.from && self.head.pop().is_none() {
                return;
            }
            if of_tail == self.from {
                changes.pop();
                lost = !lost;
            }
        }
    }
}
