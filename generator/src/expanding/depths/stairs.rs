//! Verdicts along a line, as a staircase: runs of its own, and from some place on those of another line, shifted and deeper.

use std::collections::HashMap;
use std::sync::Arc;

use crate::GenerateError;
use crate::expanding::marks::NEVER;
use crate::expanding::row::Run;
use crate::memory::Grow;

/// A line's verdicts.
#[derive(Clone, Debug)]
pub(in crate::expanding) struct Stairs {
    /// The runs that tell of the places before `own`.
    pub(in crate::expanding) head: Vec<Run>,
    pub(in crate::expanding) own: u32,
    /// What tells of the places from there on.
    pub(in crate::expanding) other: Other,
}

/// Runs from no stones up to the end of a row, which another line has at places further up, and deeper.
#[derive(Clone, Debug)]
pub(in crate::expanding) struct Other {
    pub(in crate::expanding) runs: Arc<Vec<Run>>,
    pub(in crate::expanding) shift: u32,
    pub(in crate::expanding) deeper: u32,
}

impl Other {
    /// How many runs begin up to a place.
    fn begun(&self, place: u32) -> usize {
        self.runs.partition_point(|run| u64::from(run.start) + u64::from(self.shift) <= place.into())
    }

    /// The run that tells of a place, as it is seen from the line that is told of.
    fn at(&self, place: u32) -> Option<Run> {
        Some(self.seen(self.runs.get(self.begun(place).checked_sub(1)?)?))
    }

    fn seen(&self, run: &Run) -> Run {
        Run { start: run.start + self.shift, depth: run.depth + self.deeper, ..*run }
    }

    /// Where the run before this one ends.
    fn end(&self, next: usize) -> u64 {
        self.runs.get(next).map_or(NEVER, |next| u64::from(next.start) + u64::from(self.shift))
    }
}

/// What tells a line from others of its row.
type Identity<'a> = (&'a [Run], u32, usize, u32, u32);

/// The greatest depth on some lines of a length.
pub(in crate::expanding) fn deepest(lines: &[Arc<Stairs>], length: u32) -> u32 {
    // For each run of a whole line the greatest depth up to there.
    let mut until: HashMap<*const Vec<Run>, Vec<u32>> = HashMap::new();
    let of_line = |line: &Arc<Stairs>| {
        let Stairs { head, own, other: Other { runs, shift, deeper } } = &**line;
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

impl Stairs {
    /// A line that is told by runs of its own only.
    pub(in crate::expanding) fn whole(runs: Vec<Run>) -> Self {
        Self { head: Vec::new(), own: 0, other: Other { runs: Arc::new(runs), shift: 0, deeper: 0 } }
    }

    /// A line that begins with some runs, and is another one from `own` on. The other one tells of as many places before
    /// as it can.
    pub(super) fn with_head(mut head: Vec<Run>, mut own: u32, other: Other) -> Self {
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

    /// Whether it has no runs of its own before another line's, nor is shifted.
    pub(in crate::expanding) fn is_whole(&self) -> bool {
        self.own == 0 && self.other.shift == 0 && self.other.deeper == 0
    }

    /// What tells it from others of its row: its head and where it ends, and where the other line is, how far shifted and how
    /// much deeper.
    pub(in crate::expanding) fn identity(&self) -> Identity<'_> {
        let Self { head, own, other: Other { runs, shift, deeper } } = self;
        (head, *own, Arc::as_ptr(runs).addr(), *shift, *deeper)
    }

    /// Bytes that it takes, without the runs of the other line.
    pub(in crate::expanding) fn bytes(&self) -> usize {
        size_of::<Self>() + self.head.capacity() * size_of::<Run>()
    }

    /// The runs of the other line, which is itself where it [is whole](Self::is_whole).
    pub(in crate::expanding) fn runs(&self) -> &Arc<Vec<Run>> {
        &self.other.runs
    }

    /// The runs within a length, one after the other.
    #[cfg(test)]
    pub(in crate::expanding) fn expanded(&self, length: u32) -> Vec<Run> {
        let mut cursor = Cursor::new(self, 0);
        let mut all = Builder::default();
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

/// Goes along a line that is moved up by some stones.
pub(super) struct Cursor<'a> {
    stairs: &'a Stairs,
    by: u32,
    /// The next run of the head, or once that is over, of the other line.
    next: usize,
    is_in_head: bool,
    run: Option<Run>,
    /// Where the present run ends, or the first begins.
    pub(super) end: u64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(stairs: &'a Stairs, by: u32) -> Self {
        Self { stairs, by, next: 0, is_in_head: true, run: None, end: by.into() }
    }

    /// The run at a place, none of which was asked for that lies further. `None` before the line begins.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn at(&mut self, place: u64) -> Option<Run> {
        while self.end <= place {
            self.go_on();
        }
        self.run
    }

    fn go_on(&mut self) {
        let Self { stairs: Stairs { head, own, other }, by, .. } = *self;
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

/// Joins runs to the fewest that there can be, each as long as it can be.
#[derive(Default)]
pub(super) struct Builder {
    runs: Vec<Run>,
    /// Whether the last run can go on so that it takes as many stones everywhere; or one more for each stone. A run of one
    /// place may still become either.
    stays: bool,
    goes: bool,
}

impl Builder {
    /// Appends a run that reaches to `end`.
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
                // Its first place belongs to the last run.
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

    /// All runs.
    pub(super) fn finish(mut self) -> Vec<Run> {
        if let Some(last) = self.runs.last_mut() {
            last.advance = !self.stays && self.goes;
        }
        self.runs
    }
}
