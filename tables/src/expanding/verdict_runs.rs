//! The verdicts along a line, as runs of equal depth.

use super::lost_runs::LostRuns;
use super::verdicts::{VerdictRow, VerdictRun, Verdicts};
use crate::format::Body;
use crate::{Damage, Outcome, Play};

/// Iterator over the verdicts of a line, as ascending runs. A run takes the time of an answer. Ends after the first damage.
#[derive(Debug)]
pub struct VerdictRuns<'a> {
    pub(super) body: &'a Body,
    pub(super) verdicts: &'a Verdicts,
    pub(super) row: &'a VerdictRow,
    pub(super) class: u32,
    pub(super) play: Play,
    /// The lost positions: depths must agree with them.
    pub(super) lost: std::iter::Peekable<LostRuns<'a>>,
    /// The place where the next run begins.
    pub(super) at: u32,
    /// The end of the part of the line to visit.
    pub(super) end: u32,
}

impl VerdictRuns<'_> {
    fn next_run(&mut self) -> Result<VerdictRun, Damage> {
        let Self { body, verdicts, row, class, at, .. } = *self;
        let mut run = verdicts.run(body, row, class, at)?;
        run.end = run.end.min(self.end);
        let (start, end) = (u64::from(run.start), u64::from(run.end));
        while self.lost.next_if(|lost| lost.as_ref().is_ok_and(|lost| lost.end <= start)).is_some() {}
        let lost = match self.lost.peek() {
            Some(Ok(lost)) => lost.clone(),
            Some(Err(damage)) => return Err(damage.clone()),
            None => end..end,
        };
        let agrees = match self.play.outcome_at_depth(run.depth) {
            Outcome::Loss => lost.start <= start && end <= lost.end,
            Outcome::Win => end <= lost.start,
        };
        if !agrees {
            let what = format!("depths and outcomes of {start} to {} stones on a line disagree", end - 1);
            return Err(Damage::new(what));
        }
        self.at = run.end;
        Ok(run)
    }
}

impl Iterator for VerdictRuns<'_> {
    type Item = Result<VerdictRun, Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.end {
            return None;
        }
        let run = self.next_run();
        if run.is_err() {
            self.at = self.end;
        }
        Some(run)
    }
}
