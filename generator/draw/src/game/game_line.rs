//! A recorded game, evaluated with a table.

use bouton_record::{GameRecord, Lenient};
use bouton_study::StudyError;
use bouton_study::words::{self, InWords, abridged};
use bouton_tables::{Game, MoveSet, Outcome, Solved};

use crate::drawable::Drawable;
use crate::error::{Result, check_count};

/// A position of the game.
pub(super) struct PositionMark {
    /// The winner under best play: 0 for the player who made the first move of the game, 1 for the other.
    pub(super) winner: usize,
    pub(super) depth: u32,
}

/// A move that gave a win away.
pub(super) struct Mistake {
    /// The ply, counted from 1.
    pub(super) ply: usize,
    /// The position before the move.
    pub(super) position: String,
    /// The moves that would have kept the win: "the winning move was 3".
    pub(super) winning: String,
}

/// A recorded game, evaluated with a table.
pub(super) struct GameLine {
    /// The positions, from the start on.
    pub(super) marks: Vec<PositionMark>,
    /// The mistakes, in the order of plies.
    pub(super) mistakes: Vec<Mistake>,
}

/// Maximum number of winning moves named for each mistake.
const MAX_NAMED: usize = 4;

impl GameLine {
    /// Evaluates a recorded game with a table.
    pub(super) fn of<S: Solved<Game: Drawable + Lenient>>(record: &GameRecord, table: &S) -> Result<Self> {
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
        table.game().check(&positions[0]).map_err(|why| {
            StudyError::Invalid(format!("the table does not have the start of the game: {why}"))
        })?;
        let mut game = Self { marks: Vec::new(), mistakes: Vec::new() };
        for (ply, position) in positions.iter().enumerate() {
            let verdict = table.verdict(position)?;
            let (to_move, has_moved) = (ply % 2, 1 - ply % 2);
            let winner = if verdict.outcome == Outcome::Win { to_move } else { has_moved };
            if winner == to_move && game.marks.last().is_some_and(|before| before.winner == has_moved) {
                let position = &positions[ply - 1];
                let moves = table.answer(position)?.winning;
                let verb = if moves.len() == 1 { "the winning move was" } else { "winning moves were" };
                let winning = format!("{verb} {}", abridged(moves.iter(), ", ", MAX_NAMED));
                let position = table.game().show_position(position);
                game.mistakes.push(Mistake { ply, position, winning });
            }
            game.marks.push(PositionMark { winner, depth: verdict.depth.unwrap_or(0) });
        }
        Ok(game)
    }
}

/// Maximum number of plies in a picture.
const MAX_PLIES: u64 = 2000;

/// Returns all positions of a recorded game, from the start on.
pub(super) fn replay<G: Lenient>(record: &GameRecord, rules: &G) -> Result<Vec<G::Position>> {
    check_count(MAX_PLIES, "plies", record.moves.len() as u64, "draw a shorter game")?;
    let game = record.replay(rules);
    let game =
        game.map_err(|error| StudyError::Invalid(format!("the transcript contradicts the rules: {error}")))?;
    let before = game.plies().iter().map(|ply| &ply.before);
    Ok(before.chain([game.position()]).cloned().collect())
}
