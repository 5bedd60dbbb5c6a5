//! What playing needs of each family of games beyond its rules: a file for each family, and three traits.
//!
//! [`Playable`] is what players ask, [`Numbered`] stores a value for every position, and [`Illustrated`] is for a person at
//! the keyboard. Everything else in this crate is generic over them.

mod expanding;
mod heaps;

use std::fmt::Debug;

use bouton_tables::{Answer, FamilyTable, Game, Map, Solved};

/// A game that players with and without a table can play.
pub trait Playable: Game<Position: Send + Sync, Move: Send + Sync> + Send + Sync + 'static {
    /// Its tables.
    type Table: Solved<Game = Self> + Debug + Sync;

    /// Whether players can impose resets.
    const HAS_RESETS: bool = false;

    /// The table as one of this family; `None` if it is of another.
    fn of_table(table: &FamilyTable<Map>) -> Option<&Self::Table>;

    /// The text of the start of a game with this many stones; `None` where that alone does not make a start.
    fn start_of(_stones: u32) -> Option<String> {
        None
    }

    /// The move with a reset imposed; `None` if moves of this family impose none.
    fn with_reset(_chosen: Self::Move) -> Option<Self::Move> {
        None
    }

    /// The position for which a player takes this one who, after a reset, believes that the limit shown follows from
    /// the most stones ever taken. The position itself where there is nothing to misread.
    fn misread(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// The same position with its heaps in order, the largest first; `None` if they are in order already.
    fn in_order(_position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// The move of `position` that is `chosen` in the same position with its heaps in order.
    fn out_of_order(_position: &Self::Position, chosen: Self::Move) -> Self::Move {
        chosen
    }
}

/// The answer of a game's table.
pub type AnswerOf<G> = Answer<<G as Game>::Move, <<G as Playable>::Table as Solved>::Winning>;

/// A game whose positions are numbered.
pub trait Numbered: Playable {
    /// The numbers of its positions.
    type Numbers: Numbers<Self>;

    /// The numbers of the positions that a table of these rules covers.
    fn numbers(&self) -> Self::Numbers;

    /// How many starts a game can have within these rules.
    fn count_of_starts(&self) -> u64;

    /// The starts that a game can have within these rules, each of which has a move.
    fn starts(&self) -> Vec<Self::Position>;
}

/// Numbers of positions, from 0 up. Positions with the same future share a number.
pub trait Numbers<G: Playable>: Debug + Send + Sync {
    /// One more than the greatest number.
    fn count(&self) -> u64;

    /// The number of a position, which must be covered.
    fn of(&self, position: &G::Position) -> u64;

    /// A position for every number, layer by layer: every move leads to an earlier layer.
    fn layers(&self) -> impl Iterator<Item = Vec<G::Position>>;
}

/// A game that a person can play.
pub trait Illustrated: Game {
    /// The position as sticks, in lines.
    fn picture(&self, position: &Self::Position) -> String;

    /// How moves and positions are written.
    fn help(&self) -> String;
}

/// The most sticks that a picture shows.
const MOST_STICKS: u32 = 1000;

/// This many sticks, in groups of five.
fn sticks(count: u32) -> String {
    if count > MOST_STICKS {
        return format!("{count} sticks");
    }
    (0..count).map(|n| if n > 0 && n % 5 == 0 { " |" } else { "|" }).collect()
}
