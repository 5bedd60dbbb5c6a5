//! The lost positions of a line (FORMAT.md, section 4.3): as trains of runs, and as single runs.

use std::collections::VecDeque;
use std::ops::Range;

use super::marks::{Progression, Progressions};
use super::outcomes::OutcomeLine;
use crate::Damage;
use crate::format::{Body, Fault};

/// Runs of lost positions that are equally long and equally far apart. For example, if 5, 6, 15, 16, 25 and 26 stones
/// are lost, the train begins at 5, and has three runs of width 2 and gap 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostTrain {
    /// The fewest stones of the first run.
    pub start: u64,
    /// Number of positions of a run.
    pub width: u64,
    /// Distance from the start of a run to the start of the next; at least `width`. The gap of a single run is its
    /// width.
    pub gap: u64,
    /// Number of runs, at least 1.
    pub count: u64,
}

impl LostTrain {
    /// Returns a train of one run.
    fn single(start: u64, end: u64) -> Self {
        Self { start, width: end - start, gap: end - start, count: 1 }
    }
}

/// Iterator over the lost positions of a line as ascending trains. A train may begin where the previous one ends. Takes
/// time in proportion to the number of trains, not of runs. Ends after the first damage.
#[derive(Debug)]
pub struct LostTrains<'a> {
    body: &'a Body,
    line: &'a OutcomeLine,
    /// The end of the part of the line to visit.
    end: u64,
    /// The end of the part visited so far.
    at: u64,
    /// The progressions that are left, once the tail has been reached.
    progressions: Option<Progressions>,
    /// Trains that have been read and not yet returned.
    pending: VecDeque<LostTrain>,
    is_over: bool,
}

impl<'a> LostTrains<'a> {
    /// Returns the trains below `end`.
    pub(super) fn new(body: &'a Body, line: &'a OutcomeLine, end: u64) -> Self {
        let pending = VecDeque::new();
        Self { body, line, end, at: 0, progressions: None, pending, is_over: false }
    }

    /// Adds the part of a train below `end` to the pending trains.
    fn push(&mut self, train: LostTrain) {
        let LostTrain { start, width, gap, count } = train;
        if width == 0 || start >= self.end {
            return;
        }
        let count = count.min((self.end - start).div_ceil(gap));
        let last = start + (count - 1) * gap;
        if width == gap {
            self.pending.push_back(LostTrain::single(start, (last + width).min(self.end)));
        } else if last + width <= self.end {
            self.pending.push_back(LostTrain { start, width, gap, count });
        } else {
            if count > 1 {
                self.pending.push_back(LostTrain { start, width, gap, count: count - 1 });
            }
            self.pending.push_back(LostTrain::single(last, self.end));
        }
    }

    fn push_run(&mut self, start: u64, end: u64) {
        self.push(LostTrain::single(start, end.max(start)));
    }

    /// Returns the next progression; `None` after the last one.
    fn next_progression(&mut self) -> Result<Option<Progression>, Fault> {
        let marks = &self.line.marks;
        if self.line.run == 0 {
            return Ok(None);
        }
        let progressions = match &mut self.progressions {
            Some(progressions) => progressions,
            none => none.insert(marks.progressions_at(self.body, self.line.first_mark())?),
        };
        progressions.next(marks, self.body)
    }

    /// Advances along the line, and adds the trains of this part.
    fn advance(&mut self) -> Result<(), Fault> {
        let OutcomeLine { own, shift, run, is_tail_lost, .. } = *self.line;
        let run = u64::from(run);
        if self.at < own {
            let (len, is_lost) = self.line.head_run(self.body, self.at, own.min(self.end) - self.at)?;
            if is_lost {
                self.push_run(self.at, self.at + len);
            }
            self.at += len;
            return Ok(());
        }
        let Some(Progression { first, gap, end }) = self.next_progression()? else {
            if is_tail_lost {
                self.push_run(self.at, self.end);
            }
            self.at = self.end;
            return Ok(());
        };
        let (mut start, mut count) = (first + shift, (end - first).div_ceil(gap));
        // The last run that begins in the head may reach into the tail.
        let before = own.saturating_sub(start).div_ceil(gap).min(count);
        let reached = (start + before * gap + run).saturating_sub(gap);
        let in_tail = count - before + u64::from(before > 0 && reached > own);
        // In the tail, runs must not overlap, and must not begin before the part visited so far.
        if in_tail > 1 && gap < run || start.max(own) < self.at {
            return Err(Fault::Impossible);
        }
        if before > 0 {
            if !is_tail_lost {
                self.push_run(own, reached);
            }
            self.at = self.at.max(reached);
            (start, count) = (start + before * gap, count - before);
        }
        if count == 0 {
            return Ok(());
        }
        if is_tail_lost {
            self.push_run(self.at, start);
            if count > 1 {
                self.push(LostTrain { start: start + run, width: gap - run, gap, count: count - 1 });
            }
        } else {
            self.push(LostTrain { start, width: run, gap, count });
        }
        self.at = start + (count - 1) * gap + run;
        Ok(())
    }
}

impl Iterator for LostTrains<'_> {
    type Item = Result<LostTrain, Damage>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(train) = self.pending.pop_front() {
                return Some(Ok(train));
            }
            if self.is_over || self.at >= self.end {
                return None;
            }
            if let Err(fault) = self.advance() {
                self.is_over = true;
                return Some(Err(fault.into()));
            }
        }
    }
}

/// Iterator over the maximal runs of lost positions of a line, as ascending ranges of stones. If 0, 5, 6 and 7 stones
/// are lost: `0..1`, `5..8`. Takes time in proportion to the number of runs. Ends after the first damage.
#[derive(Debug)]
pub struct LostRuns<'a> {
    trains: LostTrains<'a>,
    /// The runs of the current train that are left.
    train: Option<LostTrain>,
    /// The run in progress, whose end may grow.
    run: Option<Range<u64>>,
}

impl<'a> LostRuns<'a> {
    /// Returns the runs below `end`.
    pub(super) fn new(body: &'a Body, line: &'a OutcomeLine, end: u64) -> Self {
        Self { trains: LostTrains::new(body, line, end), train: None, run: None }
    }

    /// Returns the next run of a train, which need not be maximal.
    #[inline]
    fn next_part(&mut self) -> Option<Result<Range<u64>, Damage>> {
        let LostTrain { start, width, gap, count } = match self.train.take() {
            Some(train) => train,
            None => match self.trains.next()? {
                Ok(train) => train,
                Err(damage) => return Some(Err(damage)),
            },
        };
        self.train = (count > 1).then_some(LostTrain { start: start + gap, width, gap, count: count - 1 });
        Some(Ok(start..start + width))
    }
}

impl Iterator for LostRuns<'_> {
    type Item = Result<Range<u64>, Damage>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let part = match self.next_part() {
                None => return self.run.take().map(Ok),
                Some(Err(damage)) => {
                    self.run = None;
                    return Some(Err(damage));
                }
                Some(Ok(part)) => part,
            };
            match &mut self.run {
                Some(run) if run.end == part.start => run.end = part.end,
                run => {
                    if let Some(run) = run.replace(part) {
                        return Some(Ok(run));
                    }
                }
            }
        }
    }
}
