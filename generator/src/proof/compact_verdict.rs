//! A verdict in four bytes.

use bouton_tables::{Outcome, Verdict};

/// A verdict in four bytes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct CompactVerdict(u32);

impl CompactVerdict {
    /// Stands for a verdict that is not known. No right table has this verdict, as its depth is too great.
    pub(crate) const UNKNOWN: Self = Self(u32::MAX);

    pub(crate) fn new(verdict: Verdict) -> Self {
        // Depths of right tables are less than 2^30. A greater depth may lose its top bit, and then the proof refuses it: the
        // verdict as read again differs from this one.
        let depth = verdict.depth.map_or(0, |depth| depth + 1);
        Self(depth << 1 | u32::from(verdict.outcome == Outcome::Win))
    }

    #[inline]
    pub(crate) fn verdict(self) -> Verdict {
        Verdict { outcome: Outcome::from_won(self.0 & 1 == 1), depth: (self.0 >> 1).checked_sub(1) }
    }
}
