//! A recorded game: who would win under best play, and how soon, ply by ply.

mod course;
mod mistakes;
mod picture;
mod transcript;

use bouton_tables::expanding::Expanding;
use bouton_tables::heaps::HeapRules;
use bouton_tables::{Family, PositionError, Ruleset, Solved, Table};

use self::course::Course;
pub use self::transcript::Transcript;
use super::error::DrawError;
use super::scene::Scene;
use bouton_study::words;

/// Draws a recorded game along a table of its rules, which may be of greater bounds.
///
/// # Errors
/// If the table is of another game or holds no depths, the transcript does not hold, the game is too long, or
/// the table is damaged.
pub fn game<D: AsRef<[u8]>>(transcript: &Transcript, table: &Table<D>) -> Result<Scene, DrawError> {
    let ruleset = transcript.ruleset();
    if !table.header().depths {
        return Err(DrawError::NoDepths { what: "the picture of a game", instead: "" });
    }
    let course = match (ruleset, table.family()) {
        (Ruleset::Expanding(rules), Family::Expanding(table)) if rules.plays_like(table.game()) => {
            of_table(transcript, rules, table)?
        }
        (Ruleset::Heaps(rules), Family::Heaps(table)) if rules.plays_like(table.game()) => {
            of_table(transcript, rules, table)?
        }
        _ => {
            return Err(DrawError::OtherGame {
                table: words::ruleset(&table.header().ruleset),
                game: words::ruleset(ruleset),
            });
        }
    };
    Ok(picture::picture(transcript, &course, &words::ruleset(ruleset)))
}

fn of_table<S: Solved>(transcript: &Transcript, rules: &S::Game, table: &S) -> Result<Course, DrawError>
where
    S::Game: Played,
{
    let positions = transcript.replay(rules)?;
    table.game().covers(&positions[0]).map_err(|reason| DrawError::Position {
        place: "the start of the game, in the table".to_owned(),
        reason,
    })?;
    Ok(Course::of(table, &positions, transcript)?)
}

/// A game that can have been played under other bounds than a table's.
trait Played: bouton_tables::Game {
    /// Whether another ruleset is the same game, but for the bounds.
    fn plays_like(&self, other: &Self) -> bool;

    /// Whether a table of these rules has a position.
    fn covers(&self, position: &Self::Position) -> Result<(), PositionError>;
}

impl Played for Expanding {
    fn plays_like(&self, other: &Self) -> bool {
        let keys = |rules: &Self| (rules.base_limit(), rules.growth(), rules.reset_limit(), rules.play());
        keys(self) == keys(other)
    }

    fn covers(&self, position: &Self::Position) -> Result<(), PositionError> {
        self.check(position)
    }
}

impl Played for HeapRules {
    fn plays_like(&self, other: &Self) -> bool {
        let keys =
            |rules: &Self| (rules.take().clone(), rules.heaps_per_move(), rules.equal_take(), rules.play());
        keys(self) == keys(other)
    }

    fn covers(&self, position: &Self::Position) -> Result<(), PositionError> {
        self.check(position)
    }
}
