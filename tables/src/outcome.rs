//! The outcome of a position, the kind of play, and a table's answer for a position.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The result of a position for the player to move, if both players play best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Every move of the player to move loses, or in normal play there is none (the literature's P-position).
    Loss,
    /// Some move of the player to move wins, or in misère play there is none (the literature's N-position).
    Win,
}

impl Outcome {
    /// Returns the outcome for the other player.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Win => Self::Loss,
        }
    }

    /// Returns `win` or `loss`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Win => "win",
        }
    }

    /// Returns `Win` if `won`, else `Loss`.
    pub fn from_won(won: bool) -> Self {
        if won { Self::Win } else { Self::Loss }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Normal or misère play: the rule that names the winner when no move is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Play {
    /// A player without a move has lost: the player who makes the last move wins.
    Normal,
    /// A player without a move has won: the player who makes the last move loses.
    Misere,
}

impl Play {
    /// Returns the outcome for a player without a move.
    pub fn outcome_without_moves(self) -> Outcome {
        Outcome::from_won(self == Self::Misere)
    }

    /// Returns the outcome of a position of known depth. The players alternate, so the parity of the depth determines
    /// which of them has no move at the end.
    pub fn outcome_at_depth(self, depth: u32) -> Outcome {
        Outcome::from_won((self == Self::Misere) == depth.is_multiple_of(2))
    }
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normal => "normal",
            Self::Misere => "misere",
        })
    }
}

/// Outcome of a position, and its depth if the table holds depths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// Plies to the end of the game under best play: the winner hurries, the loser delays.
    pub depth: Option<u32>,
}

/// Everything that a table says about one position. `W` is the family's set of winning moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<M, W> {
    /// Outcome and depth.
    pub verdict: Verdict,
    /// The best move; `None` if there is no move. With depths: in a won position the winning move of least depth, in
    /// a lost position the move of greatest depth; ties go to fewer stones taken, then to the first move in the
    /// natural order. Without depths: the first winning move, or the first move of a lost position.
    pub best: Option<M>,
    /// Every winning move.
    pub winning: W,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_shown_by_their_names() {
        assert_eq!([Outcome::Win, Outcome::Loss].map(|outcome| outcome.to_string()), ["win", "loss"]);
        assert_eq!([Outcome::Win, Outcome::Loss].map(Outcome::as_str), ["win", "loss"]);
        assert_eq!([Play::Normal, Play::Misere].map(|play| play.to_string()), ["normal", "misere"]);
    }
}
