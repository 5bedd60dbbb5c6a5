//! The lost positions of a line, as runs of adjacent places (FORMAT.md, section 4.3).

use std::ops::Range;

use super::marks::{Progression, Progressions};
use super::outcomes::OutcomeLine;
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
    /// The current bucket: the marks of a progression that are left, and the progressions after it.
    marks: Option<(Progression, Progressions)>,
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
            let Some((marks, progressions)) = &mut self.marks else {
                if run == 0 || self.line.marks.start_of(self.bucket) + shift >= self.end {
                    self.at = self.end;
                    return Ok(is_tail_lost);
                }
                let mut progressions = self.line.marks.bucket(self.body, self.bucket)?;
                self.bucket += 1;
                let first = progressions.next(&self.line.marks, self.body)?;
                self.marks = first.map(|first| (first, progressions));
                continue;
            };
            let start = marks.first + shift;
            let end = start + run;
            if end > own && start > self.at {
                self.at = start;
                return Ok(is_tail_lost);
            }
            marks.first += marks.gap;
            if marks.first >= marks.end {
                match progressions.next(&self.line.marks, self.body)? {
                    Some(next) => *marks = next,
                    None => self.marks = None,
                }
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
