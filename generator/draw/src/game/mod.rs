//! A recorded game: the winner under best play, and how soon, ply by ply.

mod course;
mod mistakes;
mod picture;
mod transcript;

use bouton_study::words;
use bouton_tables::{Game, Ruleset, Solved, Table, with_table};

use self::course::Course;
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
        return Err(DrawError::NoDepths { what: "the picture of a game", instead: "" });
    }
    let course = with_table!(table.family(), |table| course(transcript, ruleset, table))?;
    let title = words::ruleset(ruleset);
    match course {
        Some(course) => Ok(picture::picture(transcript, &course, &title)),
        None => Err(DrawError::OtherGame { table: words::ruleset(&table.header().ruleset), game: title }),
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
    let place = "the start of the game, in the table";
    let covered = table.game().check(&positions[0]);
    covered.map_err(|reason| DrawError::Position { place: place.to_owned(), reason })?;
    Ok(Some(Course::of(table, &positions, transcript)?))
}
