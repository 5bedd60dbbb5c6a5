//! Verdict lines: depths and best moves of a line as a staircase, with runs of its own below `own`, and from there on
//! the runs of another line, shifted and deeper (FORMAT.md, section 4.4).

use std::collections::HashMap;
use std::sync::Arc;

use crate::GenerateError;
use crate::expanding::marks::NEVER;
use crate::expanding::row::Run;
use crate::memory::Grow;

/// The depths and best moves of a line.
#[derive(Clone, Debug)]
pub(in crate::expanding) struct VerdictLine {
    /// Runs of the places below `own`.
    pub(in crate::expanding) head: Vec<Run>,
    pub(in crate::expanding) own: u32,
    /// The other line, which holds from `own` on.
    pub(in crate::expanding) other: ShiftedRuns,
}

/// The runs of a whole line, shifted up and made deeper.
#[derive(Clone, Debug)]
pub(in crate::expanding) struct ShiftedRuns {
    pub(in crate::expanding) runs: Arc<Vec<Run>>,
    pub(in crate::expanding) shift: u32,
    pub(in crate::expanding) deeper: u32,
}

impl ShiftedRuns {
    /// Returns the number of runs that begin at `place` or before.
    fn begun(&self, place: u32) -> usize {
        self.runs.partition_point(|run| u64::from(run.start) + u64::from(self.shift) <= place.into())
    }

    /// Returns the run at a place, already shifted.
    fn at(&self, place: u32) -> Option<Run> {
        Some(self.seen(self.runs.get(self.begun(place).checked_sub(1)?)?))
    }

    fn seen(&self, run: &Run) -> Run {
        Run { start: run.start + self.shift, depth: run.depth + self.deeper, ..*run }
    }

    /// Returns the end of the run before run number `next`.
    fn end(&self, next: usize) -> u64 {
        self.runs.get(next).map_or(NEVER, |next| u64::from(next.start) + u64::from(self.shift))
    }
}

/// Two lines of a row are equal if their identities are: head, `own`, address of the runs, shift, and `deeper`.
type Identity<'a> = (&'a [Run], u32, usize, u32, u32);

/// Returns the greatest depth on lines of a length.
pub(in crate::expanding) fn deepest(lines: &[Arc<VerdictLine>], length: u32) -> u32 {
    // For each run of a whole line, the greatest depth up to there.
    let mut until: HashMap<*const Vec<Run>, Vec<u32>> = HashMap::new();
    let of_line = |line: &Arc<VerdictLine>| {
        let VerdictLine { head, own, other: ShiftedRuns { runs, shift, deeper } } = &**line;
        let until = until.entry(Arc::as_ptr(runs)).or_insert_with(|| {
            let mut deepest = 0;
            let so_far = |run: &Run| {
                deepest = run.depth.max(deepest);
                deepest
            };
            runs.iter().map(so_far).collect()
        });
        let [first, end] = [own + 1, length].map(|end| runs.partition_point(|run| run.start + shift < end));
        let [first, last] = [first, end].map(|end| end.saturating_sub(1));
        let before = first.checked_sub(1).map_or(0, |before| until[before]);
        let of_tail = if until[last] > before {
            until[last]
        } else {
            runs[first..=last].iter().map(|run| run.depth).fold(0, u32::max)
        };
        let of_tail = of_tail + deeper;
        head.iter().map(|run| run.depth).fold(of_tail, u32::max)
    };
    lines.iter().map(of_line).max().unwrap_or(0)
}

impl VerdictLine {
    /// A line that consists of runs of its own only.
    pub(in crate::expanding) fn whole(runs: Vec<Run>) -> Self {
        Self { head: Vec::new(), own: 0, other: ShiftedRuns { runs: Arc::new(runs), shift: 0, deeper: 0 } }
    }

    /// A line that begins with `head`, and continues with `other` from `own` on. Lets `other` begin as early as it
    /// agrees.
    pub(super) fn with_head(mut head: Vec<Run>, mut own: u32, other: ShiftedRuns) -> Self {
        while let Some(run) = head.last()
            && let Some(of_other) = own.checked_sub(1).and_then(|last| other.at(last))
        {
            let start = run.start.max(of_other.start);
            let same = run.depth == of_other.depth
                && run.reset == of_other.reset
                && run.take_at(start) == of_other.take_at(start)
                && (start + 1 == own || run.advance == of_other.advance);
            if !same {
                break;
            }
            own = start;
            if run.start == start {
                head.pop();
            }
        }
        head.shrink_to_fit();
        Self { head, own, other }
    }

    /// Returns whether the line consists of one unshifted list of runs.
    pub(in crate::expanding) fn is_whole(&self) -> bool {
        self.own == 0 && self.other.shift == 0 && self.other.deeper == 0
    }

    /// Returns what distinguishes the line from others of its row.
    pub(in crate::expanding) fn identity(&self) -> Identity<'_> {
        let Self { head, own, other: ShiftedRuns { runs, shift, deeper } } = self;
        (head, *own, Arc::as_ptr(runs).addr(), *shift, *deeper)
    }

    /// Estimated bytes in memory, without the runs of the other line.
    pub(in crate::expanding) fn bytes(&self) -> usize {
        size_of::<Self>() + self.head.capacity() * size_of::<Run>()
    }

    /// Returns the runs of the other line; the line's own runs if it [is whole](Self::is_whole).
    pub(in crate::expanding) fn runs(&self) -> &Arc<Vec<Run>> {
        &self.other.runs
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
    stairs: &'a VerdictLine,
    by: u32,
    /// Index of the next run: of the head, then of the other line.
    next: usize,
    is_in_head: bool,
    run: Option<Run>,
    /// End of the current run; before the first run, where the line begins.
    pub(super) end: u64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(stairs: &'a VerdictLine, by: u32) -> Self {
        Self { stairs, by, next: 0, is_in_head: true, run: None, end: by.into() }
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
        let Self { stairs: VerdictLine { head, own, other }, by, .. } = *self;
        let up = u64::from(by);
        let mut run;
        if self.is_in_head && self.next < head.len() {
            run = head[self.next];
            self.next += 1;
            self.end = up + u64::from(head.get(self.next).map_or(*own, |next| next.start));
        } else {
            if self.is_in_head {
                self.is_in_head = false;
                self.next = other.begun(*own).saturating_sub(1);
            }
            run = other.seen(&other.runs[self.next]);
            if run.start < *own {
                run = Run { start: *own, take: run.take_at(*own), ..run };
            }
            self.next += 1;
            self.end = other.end(self.next).saturating_add(up);
        }
        run.start += by;
        self.run = Some(run);
    }
}

/// Joins runs into as few and as long runs as possible.
#[derive(Default)]
pub(super) struct RunBuilder {
    runs: Vec<Run>,
    /// Whether the last run can continue with the same number of stones (`stays`), or with one more at each place
    /// (`goes`). A run of one place may still become either.
    stays: bool,
    goes: bool,
}

impl RunBuilder {
    /// Appends a run that ends at `end`.
    #[inline]
    pub(super) fn push(&mut self, run: Run, end: u32) -> Result<(), GenerateError> {
        let is_alone = end - run.start == 1;
        if let Some(last) = self.runs.last_mut() {
            let is_same = last.depth == run.depth && last.reset == run.reset;
            let stays = self.stays && is_same && run.take == last.take;
            let goes = self.goes && is_same && run.take == last.take + (run.start - last.start);
            let (stays_on, goes_on) =
                (stays && (is_alone || !run.advance), goes && (is_alone || run.advance));
            if stays_on || goes_on {
                (self.stays, self.goes) = (stays_on, goes_on);
                return Ok(());
            }
            if stays || goes {
                // The new run's first place belongs to the last run.
                last.advance = !stays;
                let start = run.start + 1;
                let run = Run { start, take: run.take_at(start), ..run };
                return self.begin(run, end);
            }
            last.advance = !self.stays && self.goes;
        }
        self.begin(run, end)
    }

    fn begin(&mut self, run: Run, end: u32) -> Result<(), GenerateError> {
        let is_alone = end - run.start == 1;
        (self.stays, self.goes) = (is_alone || !run.advance, is_alone || run.advance);
        self.runs.grow(run)
    }

    /// Returns all runs.
    pub(super) fn finish(mut self) -> Vec<Run> {
        if let Some(last) = self.runs.last_mut() {
            last.advance = !self.stays && self.goes;
        }
        self.runs
    }
}
