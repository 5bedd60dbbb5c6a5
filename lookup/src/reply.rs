//! The answer to a question, as programs read it.

use bouton_tables::{AskError, Game, Outcome, Solved, Told};
use serde::Serialize;

use crate::policy::{Policy, best_move, candidates};

/// What to answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How to choose in a lost position.
    pub policy: Policy,
    /// Whether to list every legal move.
    pub moves: bool,
}

/// What is known of a position. The fields stand in this order in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// The position's canonical text.
    pub position: String,
    /// The answer, with the best move by the policy.
    #[serde(flatten)]
    pub told: Told,
    /// Every legal move, best first, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveReply>>,
    /// The player to move, for texts.
    #[serde(skip)]
    pub player: Option<u8>,
    /// The best move in words, for texts.
    #[serde(skip)]
    pub best_in_words: Option<String>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveReply {
    /// The move.
    #[serde(rename = "move")]
    pub chosen: String,
    /// For the player who makes it.
    pub outcome: Outcome,
    /// Depth of the position that it leads to, if the table holds depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

impl Reply {
    /// One line of JSON, without the line's end.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers are JSON")
    }
}

/// Answers one position.
///
/// # Errors
/// If the table does not cover it, or is damaged.
pub fn look_up<S: Solved>(
    table: &S,
    position: &<S::Game as Game>::Position,
    options: Options,
) -> Result<Reply, AskError> {
    let answer = table.answer(position)?;
    let ranked = if options.moves { Some(candidates(table, position, options.policy)?) } else { None };
    let best = match &ranked {
        Some(ranked) => ranked.first().map(|candidate| candidate.chosen),
        None => best_move(table, position, &answer, options.policy)?,
    };
    let moves = ranked.map(|ranked| {
        let reply = ranked.iter().map(|candidate| MoveReply {
            chosen: candidate.chosen.to_string(),
            outcome: candidate.after.outcome.reversed(),
            depth: candidate.after.depth,
        });
        reply.collect()
    });
    Ok(Reply {
        position: table.game().show_position(position),
        told: Told { best: best.map(|best| best.to_string()), ..Told::from(&answer) },
        moves,
        player: table.game().player(position),
        best_in_words: best.map(|best| table.game().move_in_words(best)),
    })
}
