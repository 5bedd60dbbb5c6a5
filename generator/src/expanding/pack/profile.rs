//! The outcomes along a line.

use bouton_tables::Outcome;
use bouton_tables::expanding::Expanding;

use crate::GenerateError;
use crate::expanding::row::Run;
use crate::memory::Grow;

/// The first outcome of a line, and the places at which it changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Profile {
    first_lost: bool,
    changes: Vec<u32>,
}

impl Profile {
    /// That of a line on which positions are won before the first change.
    pub(super) fn of_changes(changes: impl Iterator<Item = u32>) -> Result<Self, GenerateError> {
        let mut profile = Self::default();
        for change in changes {
            if change == 0 {
                profile.first_lost = true;
            } else {
                profile.changes.grow(change)?;
            }
        }
        Ok(profile)
    }

    /// That of a line with these runs, of which the first begins at 0.
    pub(super) fn of_runs(rules: &Expanding, runs: &[Run]) -> Result<Self, GenerateError> {
        let is_lost = |run: &Run| rules.play().outcome_at_depth(run.depth) == Outcome::Loss;
        let mut lost = false;
        Self::of_changes(runs.iter().filter_map(|run| {
            let changes = is_lost(run) != lost;
            lost ^= changes;
            changes.then_some(run.start)
        }))
    }

    /// The last outcome: where it begins, and whether it is a loss.
    pub(super) fn last(&self) -> (u32, bool) {
        (self.changes.last().copied().unwrap_or(0), self.first_lost ^ (self.changes.len() % 2 == 1))
    }

    /// The runs of equal outcomes before `end`: start, end, whether lost.
    pub(super) fn runs(&self, end: u32) -> impl DoubleEndedIterator<Item = (u32, u32, bool)> {
        let n = self.changes.partition_point(|&change| change < end);
        (0..=n).filter(move |_| end > 0).map(move |i| {
            let start = if i == 0 { 0 } else { self.changes[i - 1] };
            let stop = if i == n { end } else { self.changes[i] };
            (start, stop, self.first_lost ^ (i % 2 == 1))
        })
    }
}
