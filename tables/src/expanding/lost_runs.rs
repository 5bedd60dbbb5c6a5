//! The lost positions of a line, as runs of adjacent places (FORMAT.md, section 4.3).

use std::ops::Range;

use super::outcomes::{BucketMarks, OutcomeLine};
use crate::Damage;
use crate::format::{Body, Fault};

/// Iterator over the maximal runs of lost positions of a line, as ascending ranges of stones. If 0, 5, 6 and 7 stones
/// are lost: `0..1`, `5..8`. Takes time in proportion to the number of runs. Ends after the first damage.
#[derive(Debug)]
pub struct LostRuns<'a> {
    body: &'a Body,
    line: &'a OutcomeLine,
    /// The end of the part of the line to visit.
    end: u64,
    /// The end of the part visited so far.
    at: u64,
    /// The run in progress, whose end may grow.
    run: Option<Range<u64>>,
    /// Number of the next bucket.
    bucket: u64,
    /// The current bucket, its first place, and its next mark with the number of gaps before the mark.
    marks: Option<(BucketMarks, u64, (u64, u32))>,
    is_over: bool,
}

impl<'a> LostRuns<'a> {
    /// Returns the runs below `end`.
    pub(super) fn new(body: &'a Body, line: &'a OutcomeLine, end: u32) -> Self {
        let bucket = line.first_bucket();
        Self { body, line, end: end.into(), at: 0, run: None, bucket, marks: None, is_over: false }
    }

    /// Returns the next stretch of the line with one outcome, and true if it is lost. The stretch need not be maximal.
    #[inline]
    fn next_stretch(&mut self) -> Result<Option<(Range<u64>, bool)>, Fault> {
        let start = self.at;
        if start >= self.end {
            return Ok(None);
        }
        let own = u64::from(self.line.own);
        let is_lost = if start < own {
            let (len, is_lost) = self.line.head_run(self.body, start, own.min(self.end) - start)?;
            self.at += len;
            is_lost
        } else {
            self.advance_in_tail()?
        };
        Ok(Some((start..self.at.min(self.end), is_lost)))
    }

    /// Advances along the tail to the next change of outcome. Returns true if the part passed is lost.
    #[inline]
    fn advance_in_tail(&mut self) -> Result<bool, Fault> {
        let OutcomeLine { own, shift, run, is_tail_lost, .. } = *self.line;
        let [own, shift, run] = [own, shift, run].map(u64::from);
        loop {
            let Some((marks, begins, (mark, number))) = &mut self.marks else {
                match self.line.bucket(self.body, self.bucket, self.end)? {
                    None => {
                        self.at = self.end;
                        return Ok(is_tail_lost);
                    }
                    Some((marks, begins)) => {
                        self.bucket += 1;
                        self.marks = marks.first().map(|first| (marks, begins, first));
                    }
                }
                continue;
            };
            let start = *begins + *mark + shift;
            let end = start + run;
            if end > own && start > self.at {
                self.at = start;
                return Ok(is_tail_lost);
            }
            match marks.after(*mark, *number) {
                Some(next) => (*mark, *number) = next,
                None => self.marks = None,
            }
            if end > own {
                // Runs of marks must not overlap.
                if start.max(own) < self.at {
                    return Err(Fault::Impossible);
                }
                self.at = end;
                return Ok(!is_tail_lost);
            }
        }
    }

    #[inline]
    fn next_run(&mut self) -> Result<Option<Range<u64>>, Fault> {
        while let Some((stretch, is_lost)) = self.next_stretch()? {
            if is_lost {
                match &mut self.run {
                    Some(run) => run.end = stretch.end,
                    None => self.run = Some(stretch),
                }
            } else if !stretch.is_empty()
                && let Some(run) = self.run.take()
            {
                return Ok(Some(run));
            }
        }
        Ok(self.run.take())
    }
}

impl Iterator for LostRuns<'_> {
    type Item = Result<Range<u32>, Damage>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        match self.next_run() {
            Ok(run) => run.map(|run| Ok(run.start as u32..run.end as u32)),
            Err(fault) => {
                self.is_over = true;
                Some(Err(fault.into()))
            }
        }
    }
}
