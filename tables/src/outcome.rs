//! Outcome, kind of play, and the set of answers to one position.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What becomes of a position under best play by both, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The player to move loses, whatever he does (the literature's P-position).
    Loss,
    /// The player to move has a move that wins (the literature's N-position).
    Win,
}

impl Outcome {
    /// The outcome for the other player.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Win => Self::Loss,
        }
    }

    /// `win` or `loss`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Win => "win",
        }
    }

    /// `Win` if `won`.
    #[must_use]
    pub fn from_won(won: bool) -> Self {
        if won { Self::Win } else { Self::Loss }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Who wins when no move is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, bincode::Decode)]
#[serde(rename_all = "lowercase")]
pub enum Play {
    /// The player who takes the last stone wins: a player who cannot move has lost.
    Normal,
    /// The player who takes the last stone loses: a player who cannot move has won.
    Misere,
}

impl Play {
    /// The outcome for a player who has no move.
    #[must_use]
    pub fn outcome_without_moves(self) -> Outcome {
        Outcome::from_won(self == Self::Misere)
    }

    /// The outcome of a position whose depth is known: the loser's moves and the winner's alternate, so that
    /// the parity of the plies tells who is left without a move.
    #[must_use]
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
    /// For the player to move.
    pub outcome: Outcome,
    /// Plies to the end of the game under best play: the winner hurries, the loser delays.
    pub depth: Option<u32>,
}

/// All that a table knows of one position. `W` is the family's set of winning moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<M, W> {
    /// Outcome and depth.
    pub verdict: Verdict,
    /// The best move; `None` where there is no move. In a won position it is the winning move of least depth,
    /// in a lost one the move of greatest depth; ties go to fewer stones taken, then to the move that is listed
    /// first. Without depths it is the first winning move, and in a lost position the first move.
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
