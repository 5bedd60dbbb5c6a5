//! The two sides of a game.

use std::fmt;

use bouton_tables::Outcome;
use serde::{Deserialize, Serialize};

/// A side of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The player who makes the first move of the game.
    First,
    /// The other player.
    Second,
}

impl Side {
    /// Both sides, the first one first.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// Returns the other side.
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// Returns 0 for the first side, 1 for the second.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns the winner, if this side is to move in a position with this outcome.
    pub fn winner(self, outcome: Outcome) -> Self {
        if outcome == Outcome::Win { self } else { self.other() }
    }

    /// Returns the side that makes a ply, counted from 0.
    pub fn of_ply(ply: usize) -> Self {
        if ply.is_multiple_of(2) { Self::First } else { Self::Second }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}
