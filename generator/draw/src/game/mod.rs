//! Draws a recorded game: for each of its positions, who wins under best play, and how soon.

mod game_line;
mod mistakes;
mod moves;
mod picture;

use bouton_record::GameRecord;
use bouton_study::StudyError;
use bouton_tables::{Table, with_rules, with_table};

use self::game_line::{GameLine, replay};
use crate::error::Result;
use crate::scene::Scene;

/// Draws a recorded game with the outcomes and depths from a table of its rules. The table's bounds may differ, if it
/// covers the start.
///
/// # Errors
/// If the table is of another game, does not cover the start, has no depths or is damaged, the record contradicts the
/// rules, or the game is too long.
pub fn game(record: &GameRecord, table: &Table) -> Result<Scene> {
    if !table.header().has_depths {
        return Err(StudyError::Invalid(
            "the picture of a game needs depths, and the table has none; generate it again without --no-depth".to_owned(),
        ));
    }
    let game = with_table!(table.family(), |table| GameLine::of(record, table))?;
    Ok(picture::picture(record, &game))
}

/// Checks as far as possible without a table that a recorded game can be drawn.
///
/// # Errors
/// If the record contradicts its rules, or the game is too long.
pub fn game_fits(record: &GameRecord) -> Result<()> {
    with_rules!(&record.ruleset, |rules| replay(record, rules).map(drop))
}
