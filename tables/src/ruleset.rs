//! A ruleset of any family.

use serde::{Deserialize, Serialize};

use crate::expanding::Expanding;
use crate::heaps::HeapRules;

/// The complete rules of a game, and the bounds within which a table covers it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ruleset {
    /// Expanding Nim.
    Expanding(Expanding),
    /// A heap game.
    Heaps(HeapRules),
}

impl Ruleset {
    /// The family's name, as in `game = "..."`.
    #[must_use]
    pub fn family(&self) -> &'static str {
        match self {
            Self::Expanding(_) => "expanding",
            Self::Heaps(_) => "heaps",
        }
    }

    /// Number of positions of a table.
    #[must_use]
    pub fn positions(&self) -> u64 {
        match self {
            Self::Expanding(rules) => rules.positions(),
            Self::Heaps(rules) => rules.positions(),
        }
    }
}
