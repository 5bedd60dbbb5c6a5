//! Positions and moves of Expanding Nim.

use std::fmt;

use crate::notation::write_number;

/// The player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Turn {
    /// Player 1, the one with the first move of the game.
    First,
    /// Player 2.
    Second,
}

impl Turn {
    /// Returns the other player.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// Returns 0 for player 1 and 1 for player 2, the index of this player's resets.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns 1 or 2.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }
}

/// A position of Expanding Nim.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Stones left.
    pub stones: u64,
    /// The most stones taken in one move so far; 0 at the start.
    pub currentmax: u32,
    /// The player to move.
    pub turn: Turn,
    /// Numbers of resets left to players 1 and 2.
    pub resets: [u8; 2],
    /// True if the opponent's last move imposed a reset on this turn.
    pub imposed: bool,
}

impl Position {
    /// Returns a number of stones, or the stones left if these are fewer.
    #[inline]
    #[must_use]
    pub fn at_most_left(&self, stones: u32) -> u32 {
        u64::from(stones).min(self.stones) as u32
    }

    pub(super) fn write(&self, text: &mut impl fmt::Write) -> fmt::Result {
        write_number(self.stones, text)?;
        text.write_char('/')?;
        write_number(self.currentmax, text)?;
        text.write_str(if self.turn == Turn::First { "/1/" } else { "/2/" })?;
        write_number(self.resets[0], text)?;
        text.write_char(',')?;
        write_number(self.resets[1], text)?;
        text.write_str(if self.imposed { "/r" } else { "/-" })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}

/// A move: the stones taken, and a flag for a reset. Moves sort by stones, then without a reset first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Stones taken, 1 and up.
    pub take: u32,
    /// True if the move imposes a reset on the opponent's next move.
    pub reset: bool,
}

impl Move {
    pub(super) fn write(self, text: &mut impl fmt::Write) -> fmt::Result {
        write_number(self.take, text)?;
        if self.reset { text.write_char('r') } else { Ok(()) }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)
    }
}
