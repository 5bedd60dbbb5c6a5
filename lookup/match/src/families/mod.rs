//! What playing needs of each family of games beyond its rules: a file for each family, and three traits.
//!
//! [`Playable`] is what players ask, [`Numbered`] stores a value for every position, and [`Illustrated`] is for a person at
//! the keyboard. Everything else in this crate is generic over them.

mod expanding;
mod heaps;

use std::fmt::Debug;

use bouton_lookup::Explain;
use bouton_record::Lenient;
use bouton_tables::{Answer, AskError, FamilyTable, Game, Solved};

/// A game that players with and without a table can play.
pub trait Playable: Game<Move: Send + Sync> + Lenient + Send + Sync + 'static {
    /// Its tables.
    type Table: Explain<Game = Self> + Debug + Sync;

    /// Whether players can impose resets.
    const HAS_RESETS: bool = false;

    /// The table as one of this family; `None` if it is of another.
    fn of_table(table: &FamilyTable) -> Option<&Self::Table>;

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

    /// Whether the numbers have [lines](Numbers::lines).
    const HAS_LINES: bool;

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

    /// The positions in lines; `None` if moves of this family do not lead along lines.
    fn lines(&self) -> Option<&dyn Lines<G>> {
        None
    }
}

/// Positions in lines. Those of a line differ only in how many stones they have.
///
/// Nearly all moves of a position lead to neighbours on another line: to the position with one stone less, with two less, and
/// so on. From one position of a line to the next only one of these neighbours is new. So whatever is asked of all of them,
/// such as the greatest chance, can be carried along the line and need not be looked up anew at each position.
pub trait Lines<G: Playable>: Sync {
    /// All lines, in the order of the numbers of their positions. The positions of a line have consecutive numbers, from
    /// the one with 0 stones up.
    fn all(&self) -> Vec<Line>;

    /// The lines, by their places in [`all`](Self::all), in an order in which they can be computed: in waves, each of which
    /// is in groups. Moves lead from a group to positions with fewer stones of the same group, or to groups of earlier waves.
    /// The lines of a group are equally long.
    fn waves(&self) -> Vec<Vec<Vec<usize>>>;

    /// A position by its line and its stones.
    fn position(&self, line: usize, stones: u32) -> G::Position;

    /// The line of a position, and its stones.
    fn place(&self, position: &G::Position) -> (usize, u32);

    /// Which positions of a line are lost: bit `s % 64` of word `s / 64` stands for s stones.
    ///
    /// # Errors
    /// If the table is damaged.
    fn lost(&self, table: &G::Table, line: usize) -> Result<Vec<u64>, AskError>;
}

/// A line of positions, and where moves lead from it.
#[derive(Clone, Debug)]
pub struct Line {
    /// The number of positions. They have from 0 stones to one less than this.
    pub length: u32,
    /// The most stones that a move takes.
    pub limit: u32,
    /// The most stones that a move takes that leads to one of the lines in `next`.
    pub stay: u32,
    /// The lines to which moves without and with a reset lead; `None` if there are no such moves. The first is of the same
    /// group or an earlier wave, the second of an earlier wave.
    pub next: [Option<usize>; 2],
    /// A move that takes more stones than `stay` leads beyond `next`, to a line of an earlier wave: it is this many lines on
    /// for each stone more.
    pub rise: usize,
    /// The line on which a player who misreads a reset takes the position to be, with as many stones. The most stones that a
    /// move takes are the same there.
    pub believed: usize,
}

/// A game that a person can play.
pub trait Illustrated: Game {
    /// The position as sticks, in lines.
    fn picture(&self, position: &Self::Position) -> String;

    /// The position in one line, for a player who is to move (`ours`) or whose opponent is.
    fn brief(&self, position: &Self::Position, ours: bool) -> String;

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
