//! A ruleset of any family.

use serde::{Deserialize, Serialize};

use crate::expanding::Expanding;
use crate::heaps::HeapRules;
use crate::{Game, with_rules};

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
        fn name<G: Game>(_: &G) -> &'static str {
            G::FAMILY
        }
        with_rules!(self, |rules| name(rules))
    }

    /// Number of positions of a table.
    #[must_use]
    pub fn positions(&self) -> u64 {
        with_rules!(self, |rules| rules.positions())
    }
}

impl From<Expanding> for Ruleset {
    fn from(rules: Expanding) -> Self {
        Self::Expanding(rules)
    }
}

impl From<HeapRules> for Ruleset {
    fn from(rules: HeapRules) -> Self {
        Self::Heaps(rules)
    }
}
