//! A recorded game: the winner under best play, and how soon, ply by ply.

mod picture;

use bouton_study::words::{self, InWords};
use bouton_tables::{Game, MoveSet, Outcome, Ruleset, Solved, Table, with_rules, with_table};
use serde::Deserialize;

use crate::drawn::Drawn;
use crate::error::{DrawError, at_most};
use crate::scene::Scene;

/// Draws a recorded game along a table of its rules, which may be of greater bounds.
///
/// # Errors
/// If the table is of another game or holds no depths, the transcript contradicts the rules, the game is too long, or
/// the table is damaged.
pub fn game<D: AsRef<[u8]>>(transcript: &Transcript, table: &Table<D>) -> Result<Scene, DrawError> {
    if !table.header().depths {
        return Err(DrawError::Invalid(
            "the picture of a game needs depths, and the table holds none; generate it again without --no-depth".to_owned(),
        ));
    }
    let course = with_table!(table.family(), |table| Course::of(transcript, table))?;
    Ok(picture::picture(transcript, &course))
}

/// What becomes of a position of the game under best play.
struct Stand {
    /// Which side wins: 0 for who moved first in the game, 1 for the other.
    winner: usize,
    depth: u32,
}

/// A move that gave a win away.
struct Mistake {
    /// Which ply, counted from 1.
    ply: usize,
    /// The position before it.
    position: String,
    /// The moves that would have kept the win: the first few, and how many more there are.
    winning: (Vec<String>, usize),
}

/// A game: how each of its positions stands, the first one first, and the mistakes.
struct Course {
    stands: Vec<Stand>,
    mistakes: Vec<Mistake>,
}

/// So many moves that would have won are named.
const NAMED: usize = 4;

impl Course {
    /// The course of a recorded game as a table sees it.
    fn of<S: Solved<Game: Drawn>>(transcript: &Transcript, table: &S) -> Result<Self, DrawError> {
        let rules = S::Game::of(&transcript.ruleset).filter(|rules| rules.plays_like(table.game()));
        let rules = rules.ok_or_else(|| {
            DrawError::Invalid(format!(
                "the table is of another game ({}) than the transcript ({}); give a table of its rules, or leave --table \
                 out",
                table.game().in_words(),
                words::ruleset(&transcript.ruleset)
            ))
        })?;
        let positions = transcript.replay(rules)?;
        let covered = table.game().check(&positions[0]);
        covered.map_err(|why| DrawError::Invalid(format!("the start of the game, in the table: {why}")))?;
        let mut course = Self { stands: Vec::new(), mistakes: Vec::new() };
        for (ply, position) in positions.iter().enumerate() {
            let verdict = table.verdict(position)?;
            let (to_move, mover) = (ply % 2, 1 - ply % 2);
            let winner = if verdict.outcome == Outcome::Win { to_move } else { mover };
            if winner == to_move && course.stands.last().is_some_and(|before| before.winner == mover) {
                let position = &positions[ply - 1];
                let winning = table.answer(position)?.winning;
                let named: Vec<String> =
                    winning.iter().take(NAMED).map(|chosen| chosen.to_string()).collect();
                let more = winning.len() - named.len();
                let position = table.game().show_position(position);
                course.mistakes.push(Mistake { ply, position, winning: (named, more) });
            }
            course.stands.push(Stand { winner, depth: verdict.depth.unwrap_or(0) });
        }
        Ok(course)
    }
}

const MAX_PLIES: u64 = 2000;

/// A game as `bouton-match` records it, a line of JSON. Further fields are ignored.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Transcript {
    /// The rules of the game.
    #[serde(flatten)]
    pub ruleset: Ruleset,
    /// The names of the players, the first player's first.
    players: [String; 2],
    /// The position in which it began.
    start: String,
    moves: Vec<String>,
    winner: Winner,
    reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Winner {
    First,
    Second,
}

impl Transcript {
    /// Reads a line.
    ///
    /// # Errors
    /// If it is not a line of a transcript, contradicts the rules, or has too many plies.
    pub fn from_line(line: &str) -> Result<Self, DrawError> {
        let transcript: Self = serde_json::from_str(line).map_err(|error| {
            DrawError::Invalid(format!(
                "this is not a line of a transcript: {error}; `bouton-match play --record FILE` writes one"
            ))
        })?;
        with_rules!(&transcript.ruleset, |rules| transcript.replay(rules).map(drop))?;
        Ok(transcript)
    }

    /// The winner, and why.
    fn ending(&self, names: [&str; 2]) -> String {
        let [winner, loser] = match self.winner {
            Winner::First => names,
            Winner::Second => [names[1], names[0]],
        };
        let why = match self.reason.as_str() {
            "played" => return format!("{winner} wins"),
            "time" => format!("{loser}'s time ran out"),
            "resigned" => format!("{loser} gave up"),
            "illegal-move" => format!("{loser} made an illegal move"),
            _ => format!("{loser} broke off"),
        };
        format!("{winner} wins: {why}")
    }

    /// All positions of the game, the start first.
    fn replay<G: Game>(&self, rules: &G) -> Result<Vec<G::Position>, DrawError> {
        let wrong =
            |what: String| DrawError::Invalid(format!("the transcript contradicts the rules: {what}"));
        at_most(MAX_PLIES, "plies", self.moves.len() as u64, "draw a shorter game")?;
        let start = rules.parse_position(&self.start);
        let mut positions = vec![start.map_err(|error| wrong(format!("its start: {error}")))?];
        for (number, text) in (1..).zip(&self.moves) {
            let position = &positions[number - 1];
            let chosen = rules.parse_move(text).map_err(|error| wrong(format!("move {number}: {error}")))?;
            if !rules.is_legal(position, chosen) {
                let at = rules.show_position(position);
                return Err(wrong(format!("move {number}: {chosen} is not legal at {at}")));
            }
            positions.push(rules.after(position, chosen));
        }
        let last = &positions[positions.len() - 1];
        let over = rules.moves(last).next().is_none();
        let to_move_wins = rules.outcome_without_moves() == Outcome::Win;
        let first_wins = self.moves.len().is_multiple_of(2) == to_move_wins;
        if over && (first_wins != (self.winner == Winner::First) || self.reason != "played") {
            return Err(wrong("by the rules the other player wins".to_owned()));
        }
        if !over && self.reason == "played" {
            return Err(wrong("it ends before the game is over".to_owned()));
        }
        Ok(positions)
    }
}
