//! What playing needs of each family of games, beyond its rules.

mod expanding;
mod heaps;

use bouton_tables::{Answer, Game, Map, PositionError, Ruleset, Solved, Table};

/// A family of games that can be played here.
pub trait Family: Game<Position: Send + Sync, Move: Send + Sync> + Clone + Send + Sync + 'static {
    /// Its tables.
    type Table: Solved<Game = Self> + std::fmt::Debug + Sync;
    /// The numbers of its positions.
    type Numbers: Numbers<Self>;

    /// The ruleset that these rules are.
    fn ruleset(&self) -> Ruleset;

    /// The table as one of this family.
    fn of_table(table: &Table<Map>) -> Option<&Self::Table>;

    /// Whether the rules are the same but for the bounds within which a table covers them.
    fn plays_like(&self, other: &Self) -> bool;

    /// Whether a table of these rules covers a position.
    ///
    /// # Errors
    /// Says which part of it lies outside.
    fn check(&self, position: &Self::Position) -> Result<(), PositionError>;

    /// The position with which a game begins if nothing else is said.
    fn start(&self) -> Self::Position;

    /// What a player takes the position for who, after a reset, believes the limit shown to be what the most
    /// ever taken allows. The position itself where there is nothing to misread.
    fn misread(&self, position: &Self::Position) -> Self::Position;

    /// Whether there ever is anything to [`misread`](Self::misread).
    fn can_be_misread(&self) -> bool;

    /// The same position with its heaps in order, the greatest first; `None` if they are already.
    fn in_order(position: &Self::Position) -> Option<Self::Position>;

    /// A move of the position with its heaps in order, as a move of the position itself.
    fn out_of_order(position: &Self::Position, chosen: Self::Move) -> Self::Move;

    /// The move as it is with a reset imposed, if that may be done with a move of this family.
    fn with_reset(chosen: Self::Move) -> Option<Self::Move>;

    /// The numbers of the positions that a table of these rules covers.
    fn numbers(&self) -> Self::Numbers;

    /// The position as sticks, in lines, for people.
    fn picture(&self, position: &Self::Position) -> String;
}

/// The answer of a family's table.
pub type AnswerOf<F> = Answer<<F as Game>::Move, <<F as Family>::Table as Solved>::Winning>;

/// Numbers of positions, from 0 up. Positions of which the future is the same share a number.
pub trait Numbers<F: Family>: std::fmt::Debug + Send + Sync {
    /// One more than the greatest number.
    fn count(&self) -> u64;

    /// The number of a position, which must be one that is covered.
    fn of(&self, position: &F::Position) -> u64;

    /// A position of every number, layer by layer: every move from a position leads to one of an earlier
    /// layer.
    fn layers(&self) -> impl Iterator<Item = Vec<F::Position>>;
}

/// The most sticks that a picture shows.
const MOST_STICKS: u32 = 1000;

/// So many sticks, in groups of five.
fn sticks(count: u32) -> String {
    if count > MOST_STICKS {
        return format!("{count} sticks");
    }
    (0..count).map(|n| if n > 0 && n % 5 == 0 { " |" } else { "|" }).collect()
}
