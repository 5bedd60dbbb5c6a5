//! A recorded game: the winner under best play, and how soon, ply by ply.

mod picture;
mod transcript;

use bouton_study::words;
use bouton_tables::{AskError, Game, MoveSet, Outcome, Ruleset, Solved, Table, with_table};

pub use self::transcript::Transcript;
use crate::drawn::Drawn;
use crate::error::DrawError;
use crate::scene::Scene;

/// Draws a recorded game along a table of its rules, which may be of greater bounds.
///
/// # Errors
/// If the table is of another game or holds no depths, the transcript contradicts the rules, the game is too long, or
/// the table is damaged.
pub fn game<D: AsRef<[u8]>>(transcript: &Transcript, table: &Table<D>) -> Result<Scene, DrawError> {
    let ruleset = transcript.ruleset();
    if !table.header().depths {
        return Err(DrawError::Invalid(
            "the picture of a game needs depths, and the table holds none; generate it again without --no-depth".to_owned(),
        ));
    }
    let course = with_table!(table.family(), |table| course(transcript, ruleset, table))?;
    let title = words::ruleset(ruleset);
    match course {
        Some(course) => Ok(picture::picture(transcript, &course, &title)),
        None => Err(DrawError::Invalid(format!(
            "the table is of another game ({}) than the transcript ({title}); give a table of its rules, or leave --table \
             out",
            words::ruleset(&table.header().ruleset)
        ))),
    }
}

/// The course of a game as a table sees it; `None` if the table is of another game.
fn course<S: Solved<Game: Drawn>>(
    transcript: &Transcript,
    ruleset: &Ruleset,
    table: &S,
) -> Result<Option<Course>, DrawError> {
    let rules = S::Game::of(ruleset).filter(|rules| rules.plays_like(table.game()));
    let Some(rules) = rules else { return Ok(None) };
    let positions = transcript.replay(rules)?;
    let covered = table.game().check(&positions[0]);
    covered.map_err(|why| DrawError::Invalid(format!("the start of the game, in the table: {why}")))?;
    Ok(Some(Course::of(table, &positions, transcript)?))
}

/// What becomes of a position of the game under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stand {
    /// Which side wins: 0 for who moved first in the game, 1 for the other.
    winner: usize,
    depth: u32,
}

/// A move that gave a win away.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    fn of<S: Solved>(
        table: &S,
        positions: &[<S::Game as Game>::Position],
        transcript: &Transcript,
    ) -> Result<Self, AskError> {
        let mut course = Self { stands: Vec::new(), mistakes: Vec::new() };
        for (ply, position) in positions.iter().enumerate() {
            let verdict = table.verdict(position)?;
            let to_move = ply % 2;
            let winner = if verdict.outcome == Outcome::Win { to_move } else { 1 - to_move };
            course.stands.push(Stand { winner, depth: verdict.depth.unwrap_or(0) });
        }
        for ply in 1..=transcript.moves.len() {
            let mover = (ply - 1) % 2;
            if course.stands[ply - 1].winner == mover && course.stands[ply].winner != mover {
                let position = &positions[ply - 1];
                let winning = table.answer(position)?.winning;
                let named: Vec<String> =
                    winning.iter().take(NAMED).map(|chosen| chosen.to_string()).collect();
                let more = winning.len() - named.len();
                let position = table.game().show_position(position);
                course.mistakes.push(Mistake { ply, position, winning: (named, more) });
            }
        }
        Ok(course)
    }
}
