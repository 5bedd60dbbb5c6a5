//! What every family of games has: positions, moves, notation; and what every table of one can be asked.

use std::fmt::{self, Debug, Display};
use std::ops::Range;

use crate::error::shorten;
use crate::notation::{unexpected, without_blanks};
use crate::{Answer, AskError, Outcome, PositionError, Ruleset, TooManyPositions, Verdict};

/// The plain rules of a game. Nothing here knows of tables or solvers.
pub trait Game: Clone + Into<Ruleset> {
    /// The family's name, as in `game = "..."`.
    const FAMILY: &'static str;

    /// What people call a game of the family.
    const TITLE: &'static str;

    /// All that decides the rest of the game, whose turn it is included.
    type Position: Clone + PartialEq + Debug + Send + Sync;
    /// A move. The order is the natural one, in which moves are listed.
    type Move: Copy + Ord + Debug + Display;
    /// The positions that a table covers.
    type Region: Region<Game = Self>;

    /// The rules of a ruleset, if it is of this family.
    fn of(ruleset: &Ruleset) -> Option<&Self>;

    /// Whether other rules are those of the same game, whatever their bounds.
    fn plays_like(&self, other: &Self) -> bool;

    /// The greatest start within the bounds: all stones or all heaps full, with all resets or passes.
    fn start(&self) -> Self::Position;

    /// Whether a table of these rules covers a position.
    ///
    /// # Errors
    /// Names the part that lies outside, or says why the position cannot arise.
    fn check(&self, position: &Self::Position) -> Result<(), PositionError>;

    /// All positions that a table of these rules covers, numbered.
    ///
    /// # Errors
    /// If there are too many to number them.
    fn region(&self) -> Result<Self::Region, TooManyPositions>;

    /// Reads the notation of a position.
    ///
    /// # Errors
    /// If `text` does not parse, or names a position that a table of this ruleset does not cover.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError>;

    /// Returns the notation of a position that a person typed; `None` if the text is not understood.
    fn notation_of_position(typed: &str) -> Option<String>;

    /// Reads a position as a person types it: in notation, or as [`notation_of_position`](Self::notation_of_position) understands it.
    ///
    /// # Errors
    /// Those of [`parse_position`](Self::parse_position). If the text is not understood, the error shows a position of this
    /// game; otherwise how the text was read.
    fn read_position(&self, typed: &str) -> Result<Self::Position, PositionError> {
        let typed = typed.trim();
        let is_syntax = |error: &PositionError| matches!(error, PositionError::Syntax { .. });
        let read = self.parse_position(typed);
        if !read.as_ref().is_err_and(is_syntax) {
            return read;
        }
        // Blanks around separators are not what is wrong.
        let plain = without_blanks(typed, &[',', '/'], &[',', '/'], " ");
        let notation = Self::notation_of_position(typed).unwrap_or(plain);
        self.parse_position(&notation).map_err(|reason| match reason {
            PositionError::Syntax { field, found, expected } => {
                let found = as_typed(typed, &found).map_or(found, shorten);
                let example = self.show_position(&self.start());
                let expected =
                    format!("{expected}; this is {}: a position looks like {example}", Self::TITLE);
                PositionError::Syntax { field, found, expected }
            }
            reason => PositionError::ReadAs {
                typed: shorten(typed),
                notation: shorten(&notation),
                reason: Box::new(reason),
            },
        })
    }

    /// Appends the canonical text of a position: [`parse_position`](Self::parse_position) reads it back.
    ///
    /// # Errors
    /// Those of `text`; a string has none.
    fn write_position(&self, position: &Self::Position, text: &mut impl fmt::Write) -> fmt::Result;

    /// The canonical text of a position.
    fn show_position(&self, position: &Self::Position) -> String {
        let mut text = String::new();
        self.write_position(position, &mut text).expect("writing to a string");
        text
    }

    /// Appends the text of a move, as its `Display` gives it.
    ///
    /// # Errors
    /// Those of `text`; a string has none.
    fn write_move(&self, chosen: Self::Move, text: &mut impl fmt::Write) -> fmt::Result;

    /// Reads the notation of a move. Whether it is legal in some position is another question.
    ///
    /// # Errors
    /// If `text` does not parse.
    fn parse_move(&self, text: &str) -> Result<Self::Move, PositionError>;

    /// Returns the notation of a move that a person typed; `None` if the text is not understood.
    fn notation_of_move(&self, typed: &str) -> Option<String>;

    /// The notation of moves in a few words, with an example of this game.
    fn moves_look_like(&self) -> String;

    /// Reads a move as a person types it: in notation, or as [`notation_of_move`](Self::notation_of_move) understands it.
    /// The move may be illegal.
    ///
    /// # Errors
    /// If the text is not a move.
    fn read_any_move(&self, typed: &str) -> Result<Self::Move, PositionError> {
        let typed = typed.trim();
        self.parse_move(typed).or_else(|_| match self.notation_of_move(typed) {
            Some(notation) => self.parse_move(&notation).map_err(|reason| match reason {
                PositionError::Syntax { field, found, expected } => {
                    let found = shorten(as_typed(typed, &found).unwrap_or(typed));
                    PositionError::Syntax { field, found, expected }
                }
                reason => reason,
            }),
            None => Err(unexpected("move", typed, &self.moves_look_like())),
        })
    }

    /// Reads a legal move of a position as a person types it.
    ///
    /// # Errors
    /// If the text is not a move, or the move is not legal.
    fn read_move(&self, position: &Self::Position, typed: &str) -> Result<Self::Move, PositionError> {
        let typed = typed.trim();
        let chosen = self.read_any_move(typed)?;
        if self.is_legal(position, chosen) {
            return Ok(chosen);
        }
        let notation = chosen.to_string();
        let shown = if typed == notation { notation } else { format!("{notation} ('{}')", shorten(typed)) };
        Err(PositionError::Illegal { why: illegal(self, position, &shown) })
    }

    /// Every legal move, in the natural order.
    fn moves(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move>;

    /// Whether a move is legal.
    fn is_legal(&self, position: &Self::Position, chosen: Self::Move) -> bool;

    /// The position after a move, which must be a legal one.
    #[must_use]
    fn after(&self, position: &Self::Position, chosen: Self::Move) -> Self::Position;

    /// A move in words, as "take 5".
    fn move_in_words(&self, chosen: Self::Move) -> String;

    /// Which player is to move, 1 or 2, where the position says so.
    fn player(&self, position: &Self::Position) -> Option<u8>;

    /// How many stones a move takes. Of moves that are equally good the one that takes fewest is best.
    fn stones_taken(&self, chosen: Self::Move) -> u64;

    /// The outcome for a player to move who has no move.
    fn outcome_without_moves(&self) -> Outcome;
}

/// Returns the part of a typed text that differs from `found` in blanks and the case of letters only.
fn as_typed<'a>(typed: &'a str, found: &str) -> Option<&'a str> {
    let wanted: Vec<char> = found.chars().filter(|letter| !letter.is_whitespace()).collect();
    let (&first, rest) = wanted.split_first()?;
    typed.match_indices(|letter: char| letter.eq_ignore_ascii_case(&first)).find_map(|(from, letter)| {
        let mut end = from + letter.len();
        for &wanted in rest {
            let left = typed[end..].trim_start();
            end = typed.len() - left.strip_prefix(|letter: char| letter.eq_ignore_ascii_case(&wanted))?.len();
        }
        Some(&typed[from..end])
    })
}

/// The most legal moves that an explanation lists.
const SOME_MOVES: usize = 8;

/// An explanation names the greatest of fewer moves than this. A position may have billions.
const FEW_ENOUGH: usize = 10_000;

/// Explains why a move is illegal in a position: which moves are legal there, or some of them.
pub fn why_illegal<G: Game>(game: &G, position: &G::Position, chosen: G::Move) -> String {
    illegal(game, position, &chosen.to_string())
}

fn illegal<G: Game>(game: &G, position: &G::Position, chosen: &str) -> String {
    let mut legal = game.moves(position);
    let some: Vec<String> = legal.by_ref().take(SOME_MOVES).map(|chosen| chosen.to_string()).collect();
    let more = match legal.by_ref().take(FEW_ENOUGH).count() {
        0 => String::new(),
        FEW_ENOUGH => " and many more".to_owned(),
        _ => {
            let greatest = game.moves(position).max_by_key(|&chosen| (game.stones_taken(chosen), chosen));
            greatest.map_or(String::new(), |greatest| format!(", and more up to {greatest}"))
        }
    };
    let position = game.show_position(position);
    match some.is_empty() {
        true => format!("{chosen} at {position}, where no move is left"),
        false => format!("{chosen} at {position}, where the legal moves are {}{more}", some.join(", ")),
    }
}

/// A set of positions with numbers from 0 up, in the natural order: Expanding Nim by stones, then currentmax, turn, both
/// players' resets, and whether a reset is imposed; heap games by their heaps, the greatest first, then by
/// passes.
pub trait Region: Sync {
    /// The game.
    type Game: Game;

    /// How many there are.
    fn count(&self) -> u64;

    /// The positions from a number on, in order. Heaps come in ascending order.
    fn walk(&self, from: u64) -> impl Iterator<Item = <Self::Game as Game>::Position>;

    /// The number of a position, which must be one of them; its heaps may be in any order.
    fn number(&self, position: &<Self::Game as Game>::Position) -> u64;
}

/// A set of moves that can be walked in the natural order.
pub trait MoveSet<M> {
    /// The moves, in the natural order.
    fn iter(&self) -> impl Iterator<Item = M>;
    /// The first of them.
    fn first(&self) -> Option<M> {
        self.iter().next()
    }
    /// How many there are.
    fn len(&self) -> usize {
        self.iter().count()
    }
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.first().is_none()
    }
}

/// A game of which every position has its answer.
pub trait Solved {
    /// The game.
    type Game: Game;
    /// Its set of winning moves.
    type Winning: MoveSet<<Self::Game as Game>::Move>;

    /// The rules.
    fn game(&self) -> &Self::Game;

    /// Whether depths are held.
    fn has_depths(&self) -> bool;

    /// The outcome of a position. It takes much less time than [`verdict`](Self::verdict) where the depth of a won position is found by
    /// trying its moves, and does not notice a depth that contradicts it.
    ///
    /// # Errors
    /// If the table does not cover the position, or is damaged where the answer lies.
    fn outcome(&self, position: &PositionOf<Self>) -> Result<Outcome, AskError>;

    /// Outcome and depth of a position.
    ///
    /// # Errors
    /// If the table does not cover the position, or is damaged where the answer lies.
    fn verdict(&self, position: &PositionOf<Self>) -> Result<Verdict, AskError>;

    /// All that is known of a position.
    ///
    /// # Errors
    /// If the table does not cover the position, or is damaged where the answer lies.
    fn answer(&self, position: &PositionOf<Self>) -> Result<AnswerOf<Self>, AskError>;

    /// Calls `tell` with each lost position of a region whose number lies in a range, in the order of numbers.
    ///
    /// # Errors
    /// If the table does not cover such a position, or is damaged where its outcome lies.
    fn each_lost(
        &self,
        region: &<Self::Game as Game>::Region,
        numbers: Range<u64>,
        tell: &mut dyn FnMut(u64, PositionOf<Self>),
    ) -> Result<(), AskError> {
        for (number, position) in numbers.clone().zip(region.walk(numbers.start)) {
            if self.outcome(&position)? == Outcome::Loss {
                tell(number, position);
            }
        }
        Ok(())
    }

    /// Tells all that is known of several positions, in their order: the place of each, counted from 0, and its answer. That takes less
    /// time than to ask for one after the other.
    ///
    /// # Errors
    /// The first position for which there is no answer, by its place, and why: if the table does not cover it, or is damaged where the
    /// answer lies. Those before have been told.
    fn answer_each(
        &self,
        positions: &[PositionOf<Self>],
        tell: impl FnMut(usize, Answer<MoveOf<Self>, &Self::Winning>),
    ) -> Result<(), (usize, AskError)>;
}

/// The positions of a table's game.
pub type PositionOf<S> = <<S as Solved>::Game as Game>::Position;
/// The moves of a table's game.
pub type MoveOf<S> = <<S as Solved>::Game as Game>::Move;
/// What a table knows of a position.
pub type AnswerOf<S> = Answer<MoveOf<S>, <S as Solved>::Winning>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expanding::ExpandingKeys;
    use crate::heaps::{HeapKeys, Take};

    /// Some moves.
    struct Listed(Vec<u32>);

    impl MoveSet<u32> for Listed {
        fn iter(&self) -> impl Iterator<Item = u32> {
            self.0.iter().copied()
        }
    }

    #[test]
    fn a_set_of_moves_counts_them() {
        for moves in [vec![], vec![7], vec![7, 9, 4]] {
            let (first, len) = (moves.first().copied(), moves.len());
            let set = Listed(moves);
            assert_eq!((set.first(), set.len(), set.is_empty()), (first, len, len == 0));
        }
    }

    #[test]
    fn a_position_that_is_not_understood_meets_an_example() {
        let pile = ExpandingKeys::default().rules().unwrap();
        let heaps = HeapKeys { bounds: vec![3, 5, 7], passes: 1, ..Default::default() }.rules().unwrap();
        let error = |error: PositionError| error.to_string();
        let of_pile = |typed| error(pile.read_position(typed).unwrap_err());
        assert_eq!(
            of_pile(" 3 5 7"),
            "stones: found '3 5 7', expected a whole number from 0 to 1000; this is Expanding Nim: a position looks like \
             1000/0/1/4,4/-"
        );
        // The field that is wrong is named, and not the blanks before it.
        assert!(
            of_pile("50 / 3 / x").starts_with("turn: found 'x', expected 1 or 2"),
            "{}",
            of_pile("50 / 3 / x")
        );
        // The text is shown with its blanks.
        assert!(
            of_pile("3 , ,  5").starts_with("stones: found '3 , ,  5', expected"),
            "{}",
            of_pile("3 , ,  5")
        );
        let of_heaps = |typed| error(heaps.read_position(typed).unwrap_err());
        for (typed, found) in [("3,x", "x"), ("3 5 07", "07"), ("3 ,, 5", ""), ("1 or  2", "1 or  2")] {
            let told = of_heaps(typed);
            assert!(
                told.starts_with(&format!("heaps: found '{found}', expected a whole number from 0 to 7")),
                "{told}"
            );
            assert!(told.ends_with("this is a heap game: a position looks like 3,5,7/1"), "{told}");
        }
    }

    #[test]
    fn a_position_outside_the_table_is_shown_as_it_was_typed_and_read() {
        let heaps = HeapKeys { bounds: vec![3, 5, 7], ..Default::default() }.rules().unwrap();
        let error = |typed| heaps.read_position(typed).unwrap_err().to_string();
        let outside = "heaps: found 8,0,0, but the table covers heaps of at most 3,5,7 stones, in any order";
        assert_eq!(error("8,0,0"), outside);
        assert_eq!(error("8 - 0 - 0"), format!("{outside}; '8 - 0 - 0' is read as 8,0,0"));
    }

    #[test]
    fn a_move_that_is_not_understood_meets_an_example_of_its_game() {
        let error = |typed: &str, keys: HeapKeys| {
            let heaps = keys.rules().unwrap();
            heaps.read_move(&heaps.start(), typed).unwrap_err().to_string()
        };
        let keys = |bounds: &[u32]| HeapKeys { bounds: bounds.to_vec(), ..Default::default() };
        assert_eq!(error("3 2", keys(&[3, 5])), "move: found '3 2', expected ROW:TAKE, such as 1:1");
        assert_eq!(
            error("x", keys(&[9])),
            "move: found 'x', expected ROW:TAKE, such as 1:1, or the stones alone, such as 1"
        );
        let several =
            HeapKeys { take: Take::exactly(vec![2, 3]), heaps_per_move: 2, passes: 1, ..keys(&[3, 5]) };
        assert_eq!(
            error("x", several),
            "move: found 'x', expected ROW:TAKE, such as 1:2, several with a plus, such as 1:2+2:2, or pass"
        );
        let pile = |resets| ExpandingKeys { stones: 20, resets, ..Default::default() }.rules().unwrap();
        let error = |resets, typed| {
            let pile = pile(resets);
            pile.read_move(&Game::start(&pile), typed).unwrap_err().to_string()
        };
        assert_eq!(
            error([1, 0], " 3 R r"),
            "move: found '3 R r', expected the stones taken, such as 1, with r behind for a reset, such as 1r"
        );
        assert_eq!(error([0, 0], "3 R r"), "move: found '3 R r', expected the stones taken, such as 1");
        assert_eq!(
            error([0, 0], "Take 0 and RESET"),
            "move: found 'Take 0 and RESET', expected the stones taken, such as 1"
        );
    }

    #[test]
    fn an_illegal_move_is_shown_as_it_was_typed_and_read() {
        let pile = ExpandingKeys { stones: 20, resets: [0, 0], ..Default::default() }.rules().unwrap();
        let error = |typed| pile.read_move(&Game::start(&pile), typed).unwrap_err().to_string();
        let rest = "at 20/0/1/0,0/-, where the legal moves are 1, 2, 3";
        assert_eq!(error("4"), format!("found 4 {rest}"));
        assert_eq!(error("Take 2 and reset"), format!("found 2r ('Take 2 and reset') {rest}"));
        // There are too many moves to look at each.
        let heap = HeapKeys { bounds: vec![1_000_000_000], ..Default::default() }.rules().unwrap();
        let error = heap.read_move(&heap.start(), "pass").unwrap_err().to_string();
        let rest = "1:1, 1:2, 1:3, 1:4, 1:5, 1:6, 1:7, 1:8 and many more";
        assert_eq!(error, format!("found pass at 1000000000, where the legal moves are {rest}"));
    }
}
