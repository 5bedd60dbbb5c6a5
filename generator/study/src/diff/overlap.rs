//! What two rulesets of a family have in common.

use bouton_tables::{Game, Region, TooManyPositions};

use super::breakdown::Axis;

/// A family whose rulesets can be compared.
pub(crate) trait Compared: Game {
    /// What two rulesets, A and B, have in common.
    ///
    /// # Errors
    /// If that is too many positions.
    fn overlap<'a>(a: &'a Self, b: &'a Self) -> Result<impl Overlap<Game = Self> + 'a, TooManyPositions>;
}

type Position<O> = <<O as Overlap>::Game as Game>::Position;
type Move<O> = <<O as Overlap>::Game as Game>::Move;

/// The positions and moves that two rulesets, A and B, have in common.
pub(crate) trait Overlap: Sync {
    /// The game.
    type Game: Game<Position: Send + Sync, Move: Send>;

    /// The compared positions.
    fn compared(&self) -> &impl Region<Game = Self::Game>;

    /// Further positions to look at, which are not counted.
    fn further(&self) -> Option<&impl Region<Game = Self::Game>>;

    /// All positions that a line of play can meet.
    fn reached(&self) -> &impl Region<Game = Self::Game>;

    /// A compared position as A and as B have it.
    fn sides(&self, position: &Position<Self>) -> [Position<Self>; 2];

    /// The text of a compared position.
    fn show(&self, position: &Position<Self>) -> String;

    /// The axes of the breakdown.
    fn axes(&self) -> Vec<Axis>;

    /// For each axis the number of the part in which a position lies.
    fn parts(&self, position: &Position<Self>, parts: &mut Vec<usize>);

    /// The stones of a position that is a start of both, if each start of one is one of the other.
    fn stones_of_start(&self, position: &Position<Self>) -> Option<u64>;

    /// The pairs of starts where they are not the same for both: how many.
    fn pairs_of_starts(&self) -> Option<u64>;

    /// The pairs of starts from a number on: their stones, and as A and as B have them.
    fn walk_starts(&self, from: u64) -> impl Iterator<Item = (u64, [Position<Self>; 2])>;

    /// The least and the greatest number of stones of a start.
    fn range_of_starts(&self) -> (u64, u64);

    /// Which starts are compared, and what their stones are, in words.
    fn starts_in_words(&self) -> [&'static str; 2];

    /// The positions at which a witness may begin, in natural order.
    fn openings(&self) -> impl Iterator<Item = Position<Self>>;

    /// The moves that both rulesets allow, in the natural order.
    fn moves(&self, position: &Position<Self>) -> impl Iterator<Item = Move<Self>>;

    /// The position after a move.
    fn after(&self, position: &Position<Self>, chosen: Move<Self>) -> Position<Self>;

    /// Whether [`distance`](Self::distance) is known.
    fn knows_distances(&self) -> bool {
        false
    }

    /// How many moves it takes from one position to another at the least; `None` if no moves lead there.
    fn distance(&self, _from: &Position<Self>, _to: &Position<Self>) -> Option<u32> {
        None
    }
}
