//! The course of a game, as a table sees it.

use bouton_tables::{AskError, Game, MoveSet, Outcome, Solved};

use super::Transcript;

/// What becomes of a position of the game under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stand {
    /// Which side wins: 0 for who moved first in the game, 1 for the other.
    pub(super) winner: usize,
    pub(super) depth: u32,
}

/// A move that gave a win away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    /// Which ply, counted from 1.
    pub(super) ply: usize,
    /// The position before it.
    pub(super) position: String,
    /// The moves that would have kept the win: the first few, and how many more there are.
    pub(super) winning: (Vec<String>, usize),
}

/// A game: how each of its positions stands, the first one first, and the mistakes.
pub(super) struct Course {
    pub(super) stands: Vec<Stand>,
    pub(super) mistakes: Vec<Mistake>,
}

/// So many moves that would have won are named.
const NAMED: usize = 4;

impl Course {
    pub(super) fn of<S: Solved>(
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
        for ply in 1..=transcript.moves().len() {
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
