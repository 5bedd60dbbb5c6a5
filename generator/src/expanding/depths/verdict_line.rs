//! Verdict lines: the depths and best moves of a line, as runs (FORMAT.md, section 4.4).
//!
//! Up to a place a line has a *head* of runs of its own. From there on it has a *tail*: the runs of a whole line of the
//! same row, moved up by some stones and made deeper by some plies. A *whole* line shares no other line's runs: it has
//! no head, and all its own runs are in its tail, neither moved nor deeper. (In a file, `own` is then the line's
//! length.)

use std::collections::HashMap;
use std::sync::Arc;

use crate::expanding::marks::NEVER;
use crate::expanding::run::Run;
use crate::making::GenerateError;
use crate::memory::Grow;

/// The depths and best moves of a line.
#[derive(Clone, Debug)]
pub(in crate::expanding) struct VerdictLine {
    /// Runs of the places below `tail_from`.
    pub(in crate::expanding) head: Vec<Run>,
    /// The place where the tail begins; 0 for a whole line.
    pub(in crate::expanding) tail_from: u32,
    /// The runs of the places from `tail_from` on.
    pub(in crate::expanding) tail: ShiftedRuns,
}

/// The runs of a whole line, shifted up and made deeper.
#[derive(Clone, Debug)]
pub(in crate::expanding) struct ShiftedRuns {
    pub(in crate::expanding) runs: Arc<Vec<Run>>,
    /// Stones added to each place.
    pub(in crate::expanding) shift: u32,
    /// Plies added to each depth.
    pub(in crate::expanding) deeper: u32,
}

impl ShiftedRuns {
    /// Returns the number of runs that begin at `place` or before.
    fn count_begun(&self, place: u32) -> usize {
        self.runs.partition_point(|run| u64::from(run.start) + u64::from(self.shift) <= place.into())
    }

    /// Returns the run at a place, already shifted.
    fn at(&self, place: u32) -> Option<Run> {
        Some(self.shifted(self.runs.get(self.count_begun(place).checked_sub(1)?)?))
    }

    fn shifted(&self, run: &Run) -> Run {
        Run { start: run.start + self.shift, depth: run.depth + self.deeper, ..*run }
    }

    /// Returns the place where a run begins, given its index, or [`NEVER`] after the last run.
    #[inline]
    pub(super) fn start(&self, index: usize) -> u64 {
        self.runs.get(index).map_or(NEVER, |run| u64::from(run.start) + u64::from(self.shift))
    }
}

/// Head, `tail_from`, address of the tail's runs, shift, and `deeper`. Two lines of a row are equal if these are.
type Identity<'a> = (&'a [Run], u32, usize, u32, u32);

/// Returns the greatest depth at the first `length` places of a row's lines.
pub(in crate::expanding) fn deepest(lines: &[Arc<VerdictLine>], length: u32) -> u32 {
    // For each list of runs and each of its runs, the greatest depth up to there.
    let mut maxima: HashMap<*const Vec<Run>, Vec<u32>> = HashMap::new();
    let deepest_of_line = |line: &Arc<VerdictLine>| {
        let VerdictLine { head, tail_from, tail: ShiftedRuns { runs, shift, deeper } } = &**line;
        let maxima = maxima.entry(Arc::as_ptr(runs)).or_insert_with(|| {
            let mut deepest = 0;
            let so_far = |run: &Run| {
                deepest = run.depth.max(deepest);
                deepest
            };
            runs.iter().map(so_far).collect()
        });
        let [first, last] = [tail_from + 1, length]
            .map(|end| runs.partition_point(|run| run.start + shift < end).saturating_sub(1));
        let before = first.checked_sub(1).map_or(0, |before| maxima[before]);
        // The tail begins with run `first`. A maximum greater than the one before `first` lies in the tail.
        let in_tail = if maxima[last] > before {
            maxima[last]
        } else {
            runs[first..=last].iter().map(|run| run.depth).fold(0, u32::max)
        };
        head.iter().map(|run| run.depth).fold(in_tail + deeper, u32::max)
    };
    lines.iter().map(deepest_of_line).max().unwrap_or(0)
}

impl VerdictLine {
    /// Returns a whole line.
    pub(in crate::expanding) fn whole(runs: Vec<Run>) -> Self {
        Self {
            head: Vec::new(),
            tail_from: 0,
            tail: ShiftedRuns { runs: Arc::new(runs), shift: 0, deeper: 0 },
        }
    }

    /// Returns the line that begins with `head`, and continues with `tail` from `tail_from` on. Lets `tail` begin as
    /// early as it agrees with `head`.
    pub(super) fn with_head(mut head: Vec<Run>, mut tail_from: u32, tail: ShiftedRuns) -> Self {
        while let Some(run) = head.last()
            && let Some(in_tail) = tail_from.checked_sub(1).and_then(|last| tail.at(last))
        {
            let start = run.start.max(in_tail.start);
            let agrees = run.depth == in_tail.depth
                && run.reset == in_tail.reset
                && run.take_at(start) == in_tail.take_at(start)
                && (start + 1 == tail_from || run.advance == in_tail.advance);
            if !agrees {
                break;
            }
            tail_from = start;
            if run.start == start {
                head.pop();
            }
        }
        head.shrink();
        Self { head, tail_from, tail }
    }

    /// Returns whether the line is whole.
    pub(in crate::expanding) fn is_whole(&self) -> bool {
        self.tail_from == 0 && self.tail.shift == 0 && self.tail.deeper == 0
    }

    /// Returns the data that distinguish the line from others of its row.
    pub(in crate::expanding) fn identity(&self) -> Identity<'_> {
        let Self { head, tail_from, tail: ShiftedRuns { runs, shift, deeper } } = self;
        (head, *tail_from, Arc::as_ptr(runs).addr(), *shift, *deeper)
    }

    /// Estimated bytes in memory, without the runs of the tail.
    pub(in crate::expanding) fn bytes(&self) -> usize {
        size_of::<Self>() + self.head.capacity() * size_of::<Run>()
    }

    /// Returns all runs below `length`.
    #[cfg(test)]
    pub(in crate::expanding) fn expanded(&self, length: u32) -> Vec<Run> {
        let mut cursor = Cursor::new(self, 0);
        let mut all = RunBuilder::default();
        let mut place = 0;
        while place < u64::from(length) {
            let run = cursor.at(place).expect("a line begins at 0");
            let start = place as u32;
            place = cursor.end.min(length.into());
            all.push(Run { start, take: run.take_at(start), ..run }, place as u32).unwrap();
        }
        all.finish()
    }
}

/// A cursor on a line that is moved up by some stones.
pub(super) struct Cursor<'a> {
    line: &'a VerdictLine,
    shift: u32,
    /// Index of the next run: in the head, then in the tail.
    next: usize,
    is_in_head: bool,
    run: Option<Run>,
    /// End of the current run; before the first run, where the line begins.
    pub(super) end: u64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(line: &'a VerdictLine, shift: u32) -> Self {
        Self { line, shift, next: 0, is_in_head: true, run: None, end: shift.into() }
    }

    /// Returns the run at a place, or `None` before the line begins. Places must not decrease from call to call.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn at(&mut self, place: u64) -> Option<Run> {
        while self.end <= place {
            self.advance_run();
        }
        self.run
    }

    fn advance_run(&mut self) {
        let Self { line: VerdictLine { head, tail_from, tail }, shift, .. } = *self;
        let mut run;
        if self.is_in_head && self.next < head.len() {
            run = head[self.next];
            self.next += 1;
            self.end =
                u64::from(shift) + u64::from(head.get(self.next).map_or(*tail_from, |next| next.start));
        } else {
            if self.is_in_head {
                self.is_in_head = false;
                self.next = tail.count_begun(*tail_from).saturating_sub(1);
            }
            run = tail.shifted(&tail.runs[self.next]);
            if run.start < *tail_from {
                run = Run { start: *tail_from, take: run.take_at(*tail_from), ..run };
            }
            self.next += 1;
            self.end = tail.start(self.next).saturating_add(shift.into());
        }
        run.start += shift;
        self.run = Some(run);
    }
}

/// Joins runs into as few and as long runs as possible.
#[derive(Default)]
pub(super) struct RunBuilder {
    runs: Vec<Run>,
    /// True if the last run can continue with the same number of stones. A run of one place can continue either way.
    can_be_constant: bool,
    /// True if the last run can continue with one stone more at each place.
    can_advance: bool,
}

impl RunBuilder {
    /// Appends a run that ends at `end`.
    #[inline]
    pub(super) fn push(&mut self, run: Run, end: u32) -> Result<(), GenerateError> {
        let has_one_place = end - run.start == 1;
        if let Some(last) = self.runs.last_mut() {
            let is_same = last.depth == run.depth && last.reset == run.reset;
            let is_constant = self.can_be_constant && is_same && run.take == last.take;
            let advances = self.can_advance && is_same && run.take == last.take + (run.start - last.start);
            let can_be_constant = is_constant && (has_one_place || !run.advance);
            let can_advance = advances && (has_one_place || run.advance);
            if can_be_constant || can_advance {
                (self.can_be_constant, self.can_advance) = (can_be_constant, can_advance);
                return Ok(());
            }
            if is_constant || advances {
                // The new run as a whole does not continue the last one, but its first place does. So the last run gets
                // this place, and the new run begins after it.
                last.advance = !is_constant;
                let start = run.start + 1;
                return self.begin(Run { start, take: run.take_at(start), ..run }, end);
            }
            last.advance = !self.can_be_constant && self.can_advance;
        }
        self.begin(run, end)
    }

    fn begin(&mut self, run: Run, end: u32) -> Result<(), GenerateError> {
        let has_one_place = end - run.start == 1;
        (self.can_be_constant, self.can_advance) =
            (has_one_place || !run.advance, has_one_place || run.advance);
        self.runs.grow(run)
    }

    /// Returns all runs.
    pub(super) fn finish(mut self) -> Vec<Run> {
        if let Some(last) = self.runs.last_mut() {
            last.advance = !self.can_be_constant && self.can_advance;
        }
        self.runs
    }
}
