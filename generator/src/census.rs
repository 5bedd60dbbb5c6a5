//! The statistics in a table's header.

use bouton_tables::heaps::ArrayLayout;
use bouton_tables::{Header, Ruleset};

/// The header fields that are known only once the game is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Positions that the player to move wins, counted like [`Header::positions`].
    pub wins: u64,
    /// The greatest depth; 0 without depths.
    pub deepest: u32,
}

impl Census {
    /// Returns the census of two disjoint sets of positions together.
    pub fn and(self, other: Self) -> Self {
        Self { wins: self.wins.saturating_add(other.wins), deepest: self.deepest.max(other.deepest) }
    }

    /// Returns the header of a table with this census.
    pub(crate) fn header(self, ruleset: Ruleset, depths: bool) -> Header {
        let layout = ArrayLayout::default();
        Header {
            positions: ruleset.positions(),
            ruleset,
            layout,
            has_depths: depths,
            wins: self.wins,
            deepest: self.deepest,
        }
    }
}
