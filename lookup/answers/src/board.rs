//! How a game looks on a board and on a map, so that a client can draw it without knowing the rules.

use bouton_lookup::Explain;
use bouton_study::game_map::Mapped;
use bouton_tables::{MoveOf, MoveSet, PositionError, Solved};
use serde::Serialize;

use crate::budget::{Asking, Budget, STEPS};
use crate::state::Deed;

/// A table that can be shown.
pub trait Shown: Explain + Solved<Game: Board, Winning: MoveSet<MoveOf<Self>>> {}
impl<S: Explain + Solved<Game: Board>> Shown for S {}

/// A game with a board.
pub trait Board: Mapped {
    /// What an answer takes.
    fn effort(&self) -> Effort;

    /// Reads a position as a table of other rules writes it, where these have no such thing as is written there.
    ///
    /// # Errors
    /// Those of `read_position`.
    fn parse_of_other(&self, text: &str) -> Result<Self::Position, PositionError> {
        self.read_position(text)
    }

    /// Starts that people can play in a few minutes, the best first; at least one.
    fn small_starts(&self) -> Vec<Self::Position>;

    /// What a move does.
    fn deed(&self, chosen: Self::Move) -> Deed;

    /// What lies on the board.
    fn board_view(&self, position: &Self::Position) -> BoardView;

    /// The plane around a position in which games move.
    fn plane(&self, position: &Self::Position) -> Plane;

    /// The position at a place of that plane; `None` if the table has none there.
    fn at(&self, around: &Self::Position, plane: &Plane, x: u32, y: u32) -> Option<Self::Position>;
}

/// What is looked at for one position, at most: words of a table, or ways to move that are looked along. What time it takes
/// grows with that.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// For its outcome and depth.
    pub verdict: u64,
    /// For its winning moves too.
    pub answer: u64,
    /// For all positions that an answer to one question takes.
    pub most: u64,
}

impl Effort {
    /// So much for one position, and as much as is usual for an answer.
    pub(crate) fn new(verdict: u64, answer: u64) -> Self {
        Self { verdict, answer, most: STEPS }
    }

    /// What an answer to this may take.
    #[must_use]
    pub fn budget(self, asking: Asking) -> Budget {
        Budget::new(self.most, asking)
    }
}

/// The families of games, as answers name them.
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schemas", schema(rename_all = "lowercase"))]
#[allow(dead_code, reason = "it describes `Game::FAMILY`, for the interface's description")]
pub(crate) enum Family {
    /// Expanding Nim.
    Expanding,
    /// Heap games.
    Heaps,
}

/// Outcomes, as answers name them.
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schemas", schema(rename_all = "lowercase"))]
#[allow(dead_code, reason = "it describes `bouton_tables::Outcome`, for the interface's description")]
pub(crate) enum Outcome {
    /// The player wins, if it makes no mistake.
    Win,
    /// The player loses, if the opponent makes no mistake.
    Loss,
}

/// The stones on the board, by the family of the game.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum BoardView {
    /// In Expanding Nim.
    Pile {
        /// The pile, and the limits on the player to move.
        pile: Pile,
    },
    /// In heap games.
    Heaps {
        /// The heaps by row.
        heaps: Vec<u32>,
        /// The passes left, for either player.
        passes: u8,
    },
}

/// The stones on the board: the keys of either family. Clients that are generated know no other way to have some of the keys.
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[allow(dead_code, reason = "it describes `BoardView`, for the interface's description")]
pub(crate) struct EitherView {
    /// In Expanding Nim: the pile, and the limits on the player to move.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pile: Option<Pile>,
    /// In heap games: the heaps by row.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    heaps: Option<Vec<u32>>,
    /// In heap games: the passes left, for either player.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    passes: Option<u8>,
}

/// The pile of Expanding Nim.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct Pile {
    /// Stones left.
    pub stones: u32,
    /// The most stones taken in one move so far.
    pub currentmax: u32,
    /// The most that may be taken now, regardless of how many stones remain.
    pub limit: u32,
    /// The resets that players 1 and 2 have left.
    pub resets: [u8; 2],
    /// Whether a reset binds this turn.
    pub imposed: bool,
}

/// A plane of a table: two numbers vary, the others stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    /// The number that varies along a row.
    pub x: Axis,
    /// Absent if the game has only one number.
    pub y: Option<Axis>,
}

/// An axis: the numbers that vary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct Axis {
    /// What the axis counts, in words.
    pub name: String,
    /// The row that varies, counted from 1; `null` in Expanding Nim.
    #[cfg_attr(feature = "schemas", schema(required))]
    pub row: Option<usize>,
    /// The first number.
    pub from: u32,
    /// The last number, included.
    pub to: u32,
    /// The number of the position asked for.
    pub at: u32,
}

impl Axis {
    /// Up to `width` of the numbers from 0 to `most`, `at` among them. The part moves on by half its width, so
    /// that it stays while a game moves a little.
    pub fn around(name: String, row: Option<usize>, at: u32, most: u32, width: u32) -> Self {
        let half = width / 2;
        let from = (at / half).saturating_sub(1) * half;
        let from = from.min((most + 1).saturating_sub(width));
        Self { name, row, from, to: most.min(from + width - 1), at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_an_axis_has_the_position_in_it_and_is_as_wide_as_can_be() {
        for most in [0, 1, 5, 9, 10, 11, 19, 20, 21, 100] {
            for at in 0..=most {
                let Axis { from, to, .. } = Axis::around(String::new(), None, at, most, 10);
                assert!(from <= at && at <= to && to <= most, "{at} of {most}: {from} to {to}");
                assert_eq!(to - from + 1, 10.min(most + 1), "{at} of {most}");
            }
        }
    }
}
