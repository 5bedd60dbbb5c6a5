//! The traits of all families: rules, moves and notation ([`Game`]), and questions to a table ([`Solved`]).

use std::fmt::{self, Debug, Display};
use std::ops::Range;

use crate::error::shorten;
use crate::notation::{normalized_blanks, unexpected};
use crate::{Answer, AskError, Outcome, PositionError, Ruleset, TooManyPositions, Verdict};

/// The rules of a game, and the notation of its positions and moves.
pub trait Game: Clone + Into<Ruleset> {
    /// The family's name, as in `game = "..."`.
    const FAMILY: &'static str;

    /// The family's name for people.
    const TITLE: &'static str;

    /// Everything that decides the rest of the game. This includes whose turn it is only if the players' moves differ.
    type Position: Clone + PartialEq + Debug + Send + Sync;
    /// A move. `Ord` is the natural order, in which moves are listed.
    type Move: Copy + Ord + Debug + Display;
    /// The positions that a table covers.
    type Region: Region<Game = Self>;

    /// Returns the rules of a ruleset, if it belongs to this family.
    fn of(ruleset: &Ruleset) -> Option<&Self>;

    /// Returns true if other rules differ from these at most in their bounds: stones and resets, or heaps and passes.
    fn plays_like(&self, other: &Self) -> bool;

    /// Returns the greatest position within the bounds: all stones or full heaps, with all resets or passes.
    fn start(&self) -> Self::Position;

    /// Checks that a table of these rules covers a position. The error names the part of the position that is out of
    /// bounds, or explains why the position cannot arise.
    fn check(&self, position: &Self::Position) -> Result<(), PositionError>;

    /// Returns the region of all positions that a table of these rules covers.
    fn region(&self) -> Result<Self::Region, TooManyPositions>;

    /// Reads the notation of a position. Refuses positions that a table of this ruleset does not cover.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError>;

    /// Returns the notation of a position that a person typed; `None` if the text is not understood.
    fn notation_of_position(typed: &str) -> Option<String>;

    /// Reads a position in notation, or in words that [`notation_of_position`](Self::notation_of_position) understands.
    /// The error shows an example position of this game if the text is not understood, and otherwise the notation that was
    /// understood.
    fn read_position(&self, typed: &str) -> Result<Self::Position, PositionError> {
        let typed = typed.trim();
        let is_syntax = |error: &PositionError| matches!(error, PositionError::Syntax { .. });
        let read = self.parse_position(typed);
        if !read.as_ref().is_err_and(is_syntax) {
            return read;
        }
        // An error message should not blame blanks around separators.
        let plain = normalized_blanks(typed, &[',', '/'], &[',', '/'], " ");
        let notation = Self::notation_of_position(typed).unwrap_or(plain);
        self.parse_position(&notation).map_err(|reason| match quoting_typed(reason, typed, None) {
            PositionError::Syntax { field, found, expected } => {
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

    /// Appends the canonical text of a position, which [`parse_position`](Self::parse_position) reads back.
    fn write_position(&self, position: &Self::Position, text: &mut impl fmt::Write) -> fmt::Result;

    /// Returns the canonical text of a position.
    fn show_position(&self, position: &Self::Position) -> String {
        let mut text = String::new();
        self.write_position(position, &mut text).expect("writing to a string");
        text
    }

    /// Appends the text of a move, the same as its `Display`.
    fn write_move(&self, chosen: Self::Move, text: &mut impl fmt::Write) -> fmt::Result;

    /// Reads the notation of a move, without checking that the move is legal anywhere.
    fn parse_move(&self, text: &str) -> Result<Self::Move, PositionError>;

    /// Returns the notation of a move that a person typed; `None` if the text is not understood.
    fn notation_of_move(&self, typed: &str) -> Option<String>;

    /// Describes the notation of moves in a few words, with an example of this game.
    fn moves_look_like(&self) -> String;

    /// Reads a move, legal or not, in notation or as [`notation_of_move`](Self::notation_of_move) understands it.
    fn read_any_move(&self, typed: &str) -> Result<Self::Move, PositionError> {
        let typed = typed.trim();
        self.parse_move(typed).or_else(|_| match self.notation_of_move(typed) {
            Some(notation) => {
                self.parse_move(&notation).map_err(|error| quoting_typed(error, typed, Some(typed)))
            }
            None => Err(unexpected("move", typed, &self.moves_look_like())),
        })
    }

    /// Reads a legal move of a position, in notation or in words.
    fn read_move(&self, position: &Self::Position, typed: &str) -> Result<Self::Move, PositionError> {
        let typed = typed.trim();
        let chosen = self.read_any_move(typed)?;
        if self.is_legal(position, chosen) {
            return Ok(chosen);
        }
        let notation = chosen.to_string();
        let shown = if typed == notation { notation } else { format!("{notation} ('{}')", shorten(typed)) };
        Err(PositionError::Illegal { why: explain_illegal(self, position, &shown) })
    }

    /// Returns every legal move, in the natural order.
    fn moves(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move>;

    /// Returns true if a move is legal.
    fn is_legal(&self, position: &Self::Position, chosen: Self::Move) -> bool;

    /// Returns the position after a legal move.
    #[must_use]
    fn after(&self, position: &Self::Position, chosen: Self::Move) -> Self::Position;

    /// Returns a move in words, such as "take 5".
    fn move_in_words(&self, chosen: Self::Move) -> String;

    /// Returns the player to move, 1 or 2, if positions of this family record whose turn it is.
    fn player(&self, position: &Self::Position) -> Option<u8>;

    /// Returns the number of stones that a move takes. Among equally good moves, the one that takes fewest is best.
    fn stones_taken(&self, chosen: Self::Move) -> u64;

    /// Returns the outcome for a player without a move.
    fn outcome_without_moves(&self) -> Outcome;
}

/// Changes a syntax error that quotes part of a notation: it then quotes the part of the typed text with the same
/// characters. If there is no such part, the error quotes `default`, if given, or stays as it is.
fn quoting_typed(error: PositionError, typed: &str, default: Option<&str>) -> PositionError {
    match error {
        PositionError::Syntax { field, found, expected } => {
            let found = as_typed(typed, &found).or(default).map_or(found, shorten);
            PositionError::Syntax { field, found, expected }
        }
        error => error,
    }
}

/// Returns the part of a typed text that differs from `found` at most in blanks and the case of letters.
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

/// Maximum number of legal moves that an explanation lists.
const MAX_LISTED: usize = 8;

/// Maximum number of further moves that an explanation counts to name the greatest; some positions have billions.
const MAX_COUNTED: usize = 10_000;

/// Explains why a move is illegal in a position, by listing all or some of the legal moves.
pub fn why_illegal<G: Game>(game: &G, position: &G::Position, chosen: G::Move) -> String {
    explain_illegal(game, position, &chosen.to_string())
}

fn explain_illegal<G: Game>(game: &G, position: &G::Position, chosen: &str) -> String {
    let mut legal = game.moves(position);
    let listed: Vec<String> = legal.by_ref().take(MAX_LISTED).map(|chosen| chosen.to_string()).collect();
    let more = match legal.by_ref().take(MAX_COUNTED).count() {
        0 => String::new(),
        MAX_COUNTED => " and many more".to_owned(),
        _ => {
            let greatest = game.moves(position).max_by_key(|&chosen| (game.stones_taken(chosen), chosen));
            greatest.map_or(String::new(), |greatest| format!(", and more up to {greatest}"))
        }
    };
    let position = game.show_position(position);
    match listed.is_empty() {
        true => format!("{chosen} at {position}, where no move is left"),
        false => format!("{chosen} at {position}, where the legal moves are {}{more}", listed.join(", ")),
    }
}

/// A set of positions in the natural order, in which each has an *index* from 0. Expanding Nim sorts by stones, then
/// currentmax, turn, both players' resets, and the reset flag; heap games sort by heaps, the greatest first, then by
/// passes.
pub trait Region: Sync {
    /// The game of these positions.
    type Game: Game;

    /// Returns the number of positions.
    fn count(&self) -> u64;

    /// Returns the positions from an index on, in order. The heaps of each are in ascending order.
    fn walk(&self, from: u64) -> impl Iterator<Item = <Self::Game as Game>::Position>;

    /// Returns the index of a position of the region. Its heaps may be in any order.
    fn index_of(&self, position: &<Self::Game as Game>::Position) -> u64;
}

/// A set of moves, iterated in the natural order.
pub trait MoveSet<M> {
    /// Returns the moves, in the natural order.
    fn iter(&self) -> impl Iterator<Item = M>;
    /// Returns the first move.
    fn first(&self) -> Option<M> {
        self.iter().next()
    }
    /// Returns the number of moves.
    fn len(&self) -> usize {
        self.iter().count()
    }
    /// Returns true if there are no moves.
    fn is_empty(&self) -> bool {
        self.first().is_none()
    }
}

/// A solved game: every position has an answer. A question fails if the table does not cover the position, or is damaged
/// where the answer lies.
pub trait Solved: Sync {
    /// The game.
    type Game: Game;
    /// The set of winning moves of a position.
    type WinningMoves: MoveSet<<Self::Game as Game>::Move>;

    /// Returns the rules.
    fn game(&self) -> &Self::Game;

    /// Returns true if the table stores depths.
    fn has_depths(&self) -> bool;

    /// Returns the outcome of a position. In heap games with depths, this is much faster than
    /// [`verdict`](Self::verdict), which finds the depth of a won position from its moves; but a depth that contradicts
    /// the outcome is not detected.
    fn outcome(&self, position: &PositionOf<Self>) -> Result<Outcome, AskError>;

    /// Returns the outcome and depth of a position.
    fn verdict(&self, position: &PositionOf<Self>) -> Result<Verdict, AskError>;

    /// Returns the full answer for a position.
    fn answer(&self, position: &PositionOf<Self>) -> Result<AnswerOf<Self>, AskError>;

    /// Calls `visit` with each lost position of a region whose index lies in a range, in order.
    fn each_lost(
        &self,
        region: &<Self::Game as Game>::Region,
        indexes: Range<u64>,
        visit: &mut dyn FnMut(u64, PositionOf<Self>),
    ) -> Result<(), AskError> {
        for (index, position) in indexes.clone().zip(region.walk(indexes.start)) {
            if self.outcome(&position)? == Outcome::Loss {
                visit(index, position);
            }
        }
        Ok(())
    }

    /// Calls `visit` with each position's index and answer, in order. Faster than one question after the other. The error
    /// has the index of the first position without an answer; `visit` was called for those before.
    fn answer_each(
        &self,
        positions: &[PositionOf<Self>],
        visit: impl FnMut(usize, Answer<MoveOf<Self>, &Self::WinningMoves>),
    ) -> Result<(), (usize, AskError)>;
}

/// The position type of a table's game.
pub type PositionOf<S> = <<S as Solved>::Game as Game>::Position;
/// The move type of a table's game.
pub type MoveOf<S> = <<S as Solved>::Game as Game>::Move;
/// The answer type of a table.
pub type AnswerOf<S> = Answer<MoveOf<S>, <S as Solved>::WinningMoves>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expanding::ExpandingKeys;
    use crate::heaps::{HeapKeys, Take};

    /// A set of moves, as a list.
    struct ListedMoves(Vec<u32>);

    impl MoveSet<u32> for ListedMoves {
        fn iter(&self) -> impl Iterator<Item = u32> {
            self.0.iter().copied()
        }
    }

    #[test]
    fn a_set_of_moves_has_the_length_and_the_first_move_of_its_list() {
        for moves in [vec![], vec![7], vec![7, 9, 4]] {
            let (first, len) = (moves.first().copied(), moves.len());
            let set = ListedMoves(moves);
            assert_eq!((set.first(), set.len(), set.is_empty()), (first, len, len == 0));
        }
    }

    #[test]
    fn an_invalid_position_is_answered_with_an_example() {
        let pile = ExpandingKeys::default().rules().unwrap();
        let heaps = HeapKeys { bounds: vec![3, 5, 7], passes: 1, ..Default::default() }.rules().unwrap();
        let error = |error: PositionError| error.to_string();
        let of_pile = |typed| error(pile.read_position(typed).unwrap_err());
        assert_eq!(
            of_pile(" 3 5 7"),
            "stones: found '3 5 7', expected a whole number from 0 to 1000; this is Expanding Nim: a position looks like \
             1000/0/1/4,4/-"
        );
        // The error names the field that is invalid, without the blanks before it.
        assert!(
            of_pile("50 / 3 / x").starts_with("turn: found 'x', expected 1 or 2"),
            "{}",
            of_pile("50 / 3 / x")
        );
        // The message shows the text with its blanks.
        assert!(
            of_pile("3 , ,  5").starts_with("stones: found '3 , ,  5', expected"),
            "{}",
            of_pile("3 , ,  5")
        );
        let of_heaps = |typed| error(heaps.read_position(typed).unwrap_err());
        for (typed, found) in [("3,x", "x"), ("3 5 07", "07"), ("3 ,, 5", ""), ("1 or  2", "1 or  2")] {
            let message = of_heaps(typed);
            assert!(
                message.starts_with(&format!("heaps: found '{found}', expected a whole number from 0 to 7")),
                "{message}"
            );
            assert!(message.ends_with("this is a heap game: a position looks like 3,5,7/1"), "{message}");
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
    fn an_invalid_move_is_answered_with_an_example() {
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
        let several = HeapKeys {
            take: Take::exactly(vec![2, 3]),
            heaps_per_move: 2.into(),
            passes: 1,
            ..keys(&[3, 5])
        };
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
            "move: found '3 R r', expected the stones taken, such as 1, with r after it for a reset, such as \
            1r"
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
        // The position has too many moves to visit each.
        let heap = HeapKeys { bounds: vec![1_000_000_000], ..Default::default() }.rules().unwrap();
        let error = heap.read_move(&heap.start(), "pass").unwrap_err().to_string();
        let rest = "1:1, 1:2, 1:3, 1:4, 1:5, 1:6, 1:7, 1:8 and many more";
        assert_eq!(error, format!("found pass at 1000000000, where the legal moves are {rest}"));
    }
}
