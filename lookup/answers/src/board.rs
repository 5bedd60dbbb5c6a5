//! The data from which a client draws a game on a board and on a map without knowing the rules.

use bouton_lookup::Explain;
use bouton_study::game_map::Mappable;
use bouton_tables::{MoveOf, MoveSet, PositionError, Solved};
use serde::Serialize;
use utoipa::ToSchema;

use crate::budget::LookUpCost;

/// A table of a game with a board.
pub trait BoardTable: Explain + Solved<Game: Board, WinningMoves: MoveSet<MoveOf<Self>>> {}
impl<S: Explain + Solved<Game: Board>> BoardTable for S {}

/// A game with a board.
pub trait Board: Mappable {
    /// Returns the cost of an answer for one position.
    fn cost(&self) -> LookUpCost;

    /// Reads a position as other rules of the family write it; ignores parts without a meaning here, such as further empty heaps.
    ///
    /// # Errors
    /// As [`Game::read_position`](bouton_tables::Game::read_position).
    fn read_foreign_position(&self, text: &str) -> Result<Self::Position, PositionError> {
        self.read_position(text)
    }

    /// Returns one or more starts that people can play in a few minutes, the best first.
    fn small_starts(&self) -> Vec<Self::Position>;

    /// Returns the effect of a move on the board.
    fn move_view(&self, chosen: Self::Move) -> MoveView;

    /// Returns the stones on the board.
    fn board_view(&self, position: &Self::Position) -> BoardView;

    /// Returns the plane that a map shows around a position, or around other numbers on its axes.
    fn plane(&self, position: &Self::Position, near: [Option<u64>; 2]) -> Plane;

    /// Returns the position at a point of the plane around a position; `None` if the table has no position there.
    fn position_at(&self, around: &Self::Position, plane: &Plane, x: u64, y: u64) -> Option<Self::Position>;
}

/// The names of families in answers.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[allow(dead_code, reason = "it describes `Game::FAMILY`, for the interface's description")]
pub(crate) enum Family {
    /// Expanding Nim.
    Expanding,
    /// Heap games.
    Heaps,
}

/// The names of outcomes in answers.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[allow(dead_code, reason = "it describes `bouton_tables::Outcome`, for the interface's description")]
pub(crate) enum Outcome {
    /// The player to move wins with perfect play.
    Win,
    /// The player to move loses if the opponent plays perfectly.
    Loss,
}

/// The stones on the board, with the keys of the game's family. One type has the keys of both families: generated clients
/// cannot express a choice of keys.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = EitherView)]
pub struct BoardView {
    /// In Expanding Nim: the pile, and the limits on the player to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub pile: Option<Pile>,
    /// In heap games: the heaps by row.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub heaps: Option<Vec<u32>>,
    /// In heap games: the passes left, for either player.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub passes: Option<u8>,
}

/// The pile of Expanding Nim.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Pile {
    /// Stones left.
    pub stones: u64,
    /// The most stones taken in one move so far.
    pub currentmax: u32,
    /// The most that may be taken now, regardless of how many stones remain.
    pub limit: u32,
    /// The resets that players 1 and 2 have left.
    pub resets: [u8; 2],
    /// Whether a reset binds this turn.
    pub imposed: bool,
}

/// The effect of a move on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MoveView {
    /// The stones taken, row by row; empty for a pass.
    pub takes: Vec<RowTake>,
    /// Whether the move imposes a reset.
    pub reset: bool,
}

/// The stones that a move takes from one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RowTake {
    /// The row, counted from 1; `null` in Expanding Nim, which has no rows.
    #[schema(required)]
    pub row: Option<usize>,
    /// The stones taken.
    pub stones: u32,
}

/// A plane of a table: two numbers vary, the others stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    /// The number that varies along a row.
    pub x: Axis,
    /// The number that varies from row to row; `None` if the game has only one number.
    pub y: Option<Axis>,
}

/// An axis: the numbers that vary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Axis {
    /// What the axis counts, in words.
    pub name: String,
    /// The row that varies, counted from 1; `null` in Expanding Nim.
    #[schema(required)]
    pub row: Option<usize>,
    /// The first number.
    pub from: u64,
    /// The last number, included.
    pub to: u64,
    /// The number of the position asked for.
    pub at: u64,
    /// The greatest number of the table.
    pub most: u64,
}

impl Axis {
    /// Returns an axis of at most `width` of the numbers from 0 to `most`. It includes `near`, or `at` if `near` is `None`.
    /// Its first number is a multiple of half the width, unless it ends at `most`, so that small moves leave the map in
    /// place. Example: `at` 20 to 24 of 100 with width 10 give 15 to 24; `at` 25 gives 20 to 29.
    pub fn around(
        name: String,
        row: Option<usize>,
        at: u64,
        near: Option<u64>,
        most: u64,
        width: u64,
    ) -> Self {
        let half = width / 2;
        let near = near.unwrap_or(at).min(most);
        let from = (near / half).saturating_sub(1) * half;
        let from = from.min((most + 1).saturating_sub(width));
        Self { name, row, from, to: most.min(from + width - 1), at, most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_includes_the_position_and_is_as_wide_as_allowed() {
        for most in [0, 1, 5, 9, 10, 11, 19, 20, 21, 100] {
            for at in 0..=most {
                let around = |at, near| Axis::around(String::new(), None, at, near, most, 10);
                let Axis { from, to, .. } = around(at, None);
                assert!(from <= at && at <= to && to <= most, "{at} of {most}: {from} to {to}");
                assert_eq!(to - from + 1, 10.min(most + 1), "{at} of {most}");
                let other = around(0, Some(at));
                assert_eq!((other.at, other.from, other.to), (0, from, to), "near {at} of {most}");
            }
            assert_eq!(Axis::around(String::new(), None, 0, Some(u64::MAX), most, 10).to, most);
        }
    }
}
