//! What a table's header says of all its positions together.

use bouton_tables::heaps::Layout;
use bouton_tables::{Header, Ruleset};

/// The numbers in a header that take a solved game to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// How many positions are won for the player to move, counted as the family counts them.
    pub wins: u64,
    /// The greatest depth; 0 without depths.
    pub deepest: u32,
}

impl Census {
    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self { wins: self.wins.saturating_add(other.wins), deepest: self.deepest.max(other.deepest) }
    }

    /// The header of a table with these numbers.
    pub(crate) fn header(self, ruleset: Ruleset, depths: bool) -> Header {
        let layout = Layout::default();
        Header {
            positions: ruleset.positions(),
            ruleset,
            layout,
            gaps: false,
            stairs: false,
            depths,
            wins: self.wins,
            deepest: self.deepest,
        }
    }
}
