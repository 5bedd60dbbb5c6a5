//! Verdict lines: the depths and best moves of a line, as runs (FORMAT.md, section 4.4).
//!
//! A line has runs of its own below place `own`. From there on it has a *tail*: the runs of another line, moved up by some
//! stones and made deeper by some plies. A *whole* line is one whose `own` is 0 and whose tail is neither moved nor deeper.
//! The tails of all other lines have the runs of whole lines of the same row.

use std::collections::HashMap;
use std::sync::Arc;

use crate::expanding::marks::NEVER;
use crate::expanding::run::Run;
use crate::making::GenerateError;
use crate::memory::Grow;

/// The depths and best moves of a line.
#[derive(Clone, Debug)]
pub(in crate::expanding) struct VerdictLine {
    /// Runs of the places below `own`.
    pub(in crate::expanding) head: Vec<Run>,
    pub(in crate::expanding) own: u32,
    /// The runs of the places from `own` on.
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

/// Head, `own`, address of the tail's runs, shift, and `deeper`. Two lines of a row are equal if these are.
type Identity<'a> = (&'a [Run], u32, usize, u32, u32);

/// Returns the greatest depth on lines of a length.
pub(in crate::expanding) fn deepest(lines: &[Arc<VerdictLine>], length: u32) -> u32 {
    // For each list of runs and each of its runs, the greatest depth up to there.
    let mut maxima: HashMap<*const Vec<Run>, Vec<u32>> = HashMap::new();
    let deepest_of_line = |line: &Arc<VerdictLine>| {
        let VerdictLine { head, own, tail: ShiftedRuns { runs, shift, deeper } } = &**line;
        let maxima = maxima.entry(Arc::as_ptr(runs)).or_insert_with(|| {
            let mut deepest = 0;
            let so_far = |run: &Run| {
                deepest = run.depth.max(deepest);
                deepest
            };
            runs.iter().map(so_far).collect()
        });
        let [first, last] = [own + 1, length]
            .map(|end| runs.partition_point(|run| run.start + shift < end).saturating_sub(1));
        let before = first.checked_sub(1).map_or(0, |before| maxima[before]);
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
        Self { head: Vec::new(), own: 0, tail: ShiftedRuns { runs: Arc::new(runs), shift: 0, deeper: 0 } }
    }

    /// Returns the line that begins with `head`, and continues with `tail` from `own` on. Lets `tail` begin as early as it
    /// agrees with `head`.
    pub(super) fn with_head(mut head: Vec<Run>, mut own: u32, tail: ShiftedRuns) -> Self {
        while let Some(run) = head.last()
            && let Some(in_tail) = own.checked_sub(1).and_then(|last| tail.at(last))
        {
            let start = run.start.max(in_tail.start);
            let agrees = run.depth == in_tail.depth
                && run.reset == in_tail.reset
                && run.take_at(start) == in_tail.take_at(start)
                && (start + 1 == own || run.advance == in_tail.advance);
            if !agrees {
                break;
            }
            own = start;
            if run.start == start {
                head.pop();
            }
        }
        head.shrink_to_fit();
        Self { head, own, tail }
    }

    /// Returns whether the line is whole.
    pub(in crate::expanding) fn is_whole(&self) -> bool {
        self.own == 0 && self.tail.shift == 0 && self.tail.deeper == 0
    }

    /// Returns the data that distinguish the line from others of its row.
    pub(in crate::expanding) fn identity(&self) -> Identity<'_> {
        let Self { head, own, tail: ShiftedRuns { runs, shift, deeper } } = self;
        (head, *own, Arc::as_ptr(runs).addr(), *shift, *deeper)
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
        let Self { line: VerdictLine { head, own, tail }, shift, .. } = *self;
        let mut run;
        if self.is_in_head && self.next < head.len() {
            run = head[self.next];
            self.next += 1;
            self.end = u64::from(shift) + u64::from(head.get(self.next).map_or(*own, |next| next.start));
        } else {
            if self.is_in_head {
                self.is_in_head = false;
                self.next = tail.count_begun(*own).saturating_sub(1);
            }
            run = tail.shifted(&tail.runs[self.next]);
            if run.start < *own {
                run = Run { start: *own, take: run.take_at(*own), ..run };
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
    /// Whether the last run can continue with the same number of stones. A run of one place can continue either way.
    can_be_constant: bool,
    /// Whether the last run can continue with one stone more at each place.
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
                // The new run's first place belongs to the last run.
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
