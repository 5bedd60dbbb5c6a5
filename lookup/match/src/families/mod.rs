//! The families of games, for players. Each family has a module that implements [`Playable`]: what players need beyond
//! the rules, such as a number for every position, and texts for people. Players, tournaments and advice are generic
//! over [`Playable`]; match servers and clients play Expanding Nim only.

mod expanding;
mod heaps;

use std::fmt::Debug;

use bouton_lookup::Explain;
use bouton_record::Lenient;
use bouton_tables::{AskError, FamilyTable, Game, TooManyPositions};

/// A game that players with and without a table can play, and people can watch.
pub trait Playable: Game<Move: Send + Sync> + Lenient + Send + Sync + 'static {
    /// The family's tables.
    type Table: Explain<Game = Self> + Debug + Sync;

    /// The numbering of the positions.
    type Numbering: PositionNumbering<Self>;

    /// True if players can impose resets.
    const HAS_RESETS: bool = false;

    /// True if the numbering has [lines](PositionNumbering::position_lines).
    const HAS_LINES: bool;

    /// Returns the table as one of this family; `None` if it belongs to another family.
    fn of_table(table: &FamilyTable) -> Option<&Self::Table>;

    /// Returns the notation of the start with this many stones; `None` if the stones do not determine a start.
    fn start_of(_stones: u64) -> Option<String> {
        None
    }

    /// Returns the move with a reset imposed; `None` if the family has no resets.
    fn with_reset(_chosen: Self::Move) -> Option<Self::Move> {
        None
    }

    /// Returns the position as misread under a reset: with currentmax lowered to at most base-limit - growth, as if the
    /// low limit were not due to the reset. Returns the position itself if there is nothing to misread.
    fn misread(&self, position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// Returns the position with its heaps sorted, the largest first; `None` if they are sorted already.
    fn sorted_position(_position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// Returns the move of `position` that corresponds to the move `chosen` of the sorted position.
    fn unsorted_move(_position: &Self::Position, chosen: Self::Move) -> Self::Move {
        chosen
    }

    /// Returns the numbering of the positions that a table of these rules covers.
    fn numbering(&self) -> Result<Self::Numbering, TooManyPositions>;

    /// Returns the possible starts under these rules: positions with a move. If there may be more than `max`, the error
    /// is an upper bound on their number.
    fn starts(&self, max: u64) -> Result<Vec<Self::Position>, u64>;

    /// Returns the position as rows of sticks.
    fn picture(&self, position: &Self::Position) -> String;

    /// Returns the position in one line of text, addressed to the player to move (`ours`) or to the opponent.
    fn brief(&self, position: &Self::Position, ours: bool) -> String;

    /// Returns the help on the notation of moves and positions.
    fn help(&self) -> String;
}

/// A numbering of positions, from 0 up. Positions that share a number have the same future.
pub trait PositionNumbering<G: Playable>: Debug + Send + Sync {
    /// Returns one more than the greatest number.
    fn count(&self) -> u64;

    /// Returns the number of a position, which the table must cover.
    fn of(&self, position: &G::Position) -> u64;

    /// Returns a position for every number, in layers of equally many stones (and passes). Every move leads to an
    /// earlier layer.
    fn layers(&self) -> impl Iterator<Item = Vec<G::Position>>;

    /// Returns the positions in lines; `None` if the family's moves do not lead along lines.
    fn position_lines(&self) -> Option<&dyn PositionLines<G>> {
        None
    }
}

/// Positions in lines. Positions of the same line differ only in their number of stones. Nearly all moves of a position
/// lead to consecutive positions of another line: the one with one stone less, with two less, and so on.
pub trait PositionLines<G: Playable>: Sync {
    /// Returns all lines in the order of the position numbers. A line has consecutive numbers, from 0 stones up.
    fn lines(&self) -> Vec<PositionLine>;

    /// Returns the indices (into [`lines`](Self::lines)) of the lines in an order in which they can be computed: in
    /// waves of groups. Moves lead from a group to positions with fewer stones of the same group, or to groups of
    /// earlier waves. The lines of a group are equally long.
    fn waves(&self) -> Vec<Vec<Vec<usize>>>;

    /// Returns the position with this line and number of stones.
    fn position(&self, line: usize, stones: u32) -> G::Position;

    /// Returns the line and the number of stones of a position.
    fn line_and_stones(&self, position: &G::Position) -> (usize, u32);

    /// Returns the lost positions of a line as bits: bit `s % 64` of word `s / 64` stands for s stones.
    fn lost(&self, table: &G::Table, line: usize) -> Result<Vec<u64>, AskError>;
}

/// A line of positions, and where moves lead from it.
#[derive(Clone, Debug)]
pub struct PositionLine {
    /// The number of the position with 0 stones.
    pub first: u64,
    /// Number of positions: those with 0 to `length - 1` stones.
    pub length: u32,
    /// The greatest number of stones that a move takes.
    pub limit: u32,
    /// The greatest number of stones that a move takes without leaving the lines in `next`.
    pub stay: u32,
    /// Lines to which moves without and with a reset lead, in the same group or an earlier wave; `None` without such
    /// moves.
    pub next: [Option<usize>; 2],
    /// A move that takes `stay` + n stones leads to line `next[i] + n * rise`, which is in an earlier wave; i is 1 with
    /// a reset, 0 without.
    pub rise: usize,
    /// The line of the [misread](Playable::misread) position. It has the same limit.
    pub misread: usize,
}

/// Maximum number of sticks that a picture shows.
const MAX_STICKS: u64 = 1000;

fn sticks(count: u64) -> String {
    if count > MAX_STICKS {
        return format!("{count} sticks");
    }
    (0..count).map(|n| if n > 0 && n % 5 == 0 { " |" } else { "|" }).collect()
}
