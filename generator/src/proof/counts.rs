//! The counts of a proof.

use bouton_tables::{Outcome, Verdict};

/// Statistics of the verified positions, counted by the proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions, as the family counts positions.
    pub positions: u64,
    /// Positions won for the player to move.
    pub wins: u64,
    /// The greatest depth; 0 without depths.
    pub deepest: u32,
}

impl Counts {
    /// Counts `positions` positions with this verdict. With 0 positions, only the depth counts.
    pub(crate) fn add(&mut self, verdict: &Verdict, positions: u64) {
        self.positions += positions;
        self.wins += if verdict.outcome == Outcome::Win { positions } else { 0 };
        self.deepest = self.deepest.max(verdict.depth.unwrap_or(0));
    }

    /// Returns the counts of two disjoint sets of positions together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            positions: self.positions.saturating_add(other.positions),
            wins: self.wins.saturating_add(other.wins),
            deepest: self.deepest.max(other.deepest),
        }
    }
}
