//! Draws a recorded game: for each of its positions, who wins under best play, and how soon.

mod mistakes;
mod moves;
mod picture;

use bouton_record::{GameRecord, Lenient};
use bouton_study::StudyError;
use bouton_study::words::{self, InWords};
use bouton_tables::{Game, MoveSet, Outcome, Solved, Table, with_rules, with_table};

use crate::drawn::Drawable;
use crate::error::{Result, check_count};
use crate::scene::Scene;

/// Draws a recorded game with the outcomes and depths from a table of its rules; the bounds of the table may be greater.
///
/// # Errors
/// If the table is of another game or has no depths, the record contradicts the rules, the game is too long, or the table is damaged.
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

/// A position of the game.
struct PositionMark {
    /// The winner under best play: 0 is the player who moved first in the game.
    winner: usize,
    depth: u32,
}

/// A move that gave a win away.
struct Mistake {
    /// The ply, counted from 1.
    ply: usize,
    /// The position before the move.
    position: String,
    /// The first few moves that would have kept the win.
    winning: Vec<String>,
    /// Number of further winning moves.
    more: usize,
}

/// A recorded game, evaluated with a table.
struct GameLine {
    /// The positions, from the start on.
    marks: Vec<PositionMark>,
    /// The mistakes, in the order of plies.
    mistakes: Vec<Mistake>,
}

/// Maximum number of winning moves named for each mistake.
const MAX_NAMED: usize = 4;

impl GameLine {
    /// Evaluates a recorded game with a table.
    fn of<S: Solved<Game: Drawable + Lenient>>(record: &GameRecord, table: &S) -> Result<Self> {
        let rules = S::Game::of(&record.ruleset).filter(|rules| rules.plays_like(table.game()));
        let rules = rules.ok_or_else(|| {
            StudyError::Invalid(format!(
                "the table is of another game ({}) than the transcript ({}); give a table of its rules, or \
                 omit --table",
                table.game().in_words(),
                words::ruleset(&record.ruleset)
            ))
        })?;
        let positions = replay(record, rules)?;
        let covered = table.game().check(&positions[0]);
        covered.map_err(|why| StudyError::Invalid(format!("the start of the game, in the table: {why}")))?;
        let mut game = Self { marks: Vec::new(), mistakes: Vec::new() };
        for (ply, position) in positions.iter().enumerate() {
            let verdict = table.verdict(position)?;
            let (to_move, mover) = (ply % 2, 1 - ply % 2);
            let winner = if verdict.outcome == Outcome::Win { to_move } else { mover };
            if winner == to_move && game.marks.last().is_some_and(|before| before.winner == mover) {
                let position = &positions[ply - 1];
                let moves = table.answer(position)?.winning;
                let winning: Vec<String> =
                    moves.iter().take(MAX_NAMED).map(|chosen| chosen.to_string()).collect();
                let more = moves.len() - winning.len();
                let position = table.game().show_position(position);
                game.mistakes.push(Mistake { ply, position, winning, more });
            }
            game.marks.push(PositionMark { winner, depth: verdict.depth.unwrap_or(0) });
        }
        Ok(game)
    }
}

/// Maximum number of plies in a picture.
const MAX_PLIES: u64 = 2000;

/// Returns all positions of a recorded game, from the start on.
fn replay<G: Lenient>(record: &GameRecord, rules: &G) -> Result<Vec<G::Position>> {
    check_count(MAX_PLIES, "plies", record.moves.len() as u64, "draw a shorter game")?;
    let game = record.replay(rules);
    let game =
        game.map_err(|error| StudyError::Invalid(format!("the transcript contradicts the rules: {error}")))?;
    let before = game.plies().iter().map(|ply| &ply.before);
    Ok(before.chain([game.position()]).cloned().collect())
}
