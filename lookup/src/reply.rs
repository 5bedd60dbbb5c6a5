//! Looks up a position by a policy, and writes the reply as JSON.

use std::fmt::{self, Write};

use bouton_tables::genus::Genus;
use bouton_tables::{Answer, AskError, Game, MoveOf, MoveSet, Outcome, PositionOf, Solved, Verdict};
use thiserror::Error;

use crate::policy::{Policy, RankedMove, best_move, legal_moves};

/// Options of a lookup.
#[derive(Clone, Copy, Debug, Default)]
pub struct LookUpOptions {
    /// The policy in a lost position.
    pub policy: Policy,
    /// Whether to list every legal move.
    pub list_moves: bool,
}

/// A table's answer for a position, with the additions that the options request.
#[derive(Debug)]
pub struct Reply<'a, S: Solved> {
    /// The game of the table.
    pub game: &'a S::Game,
    /// The position.
    pub position: &'a PositionOf<S>,
    /// The table's answer; its best move is the policy's.
    pub answer: Answer<MoveOf<S>, S::WinningMoves>,
    /// All legal moves, best first, if requested.
    pub moves: Option<Vec<RankedMove<MoveOf<S>>>>,
    /// Grundy value or genus; [`look_up`] leaves it empty, and the caller may fill it in.
    pub value: Option<GameValue>,
}

/// The value that a position adds to a sum of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameValue {
    /// Grundy value, in normal play.
    Grundy(u32),
    /// Genus, in misère play.
    Genus(Genus),
}

impl fmt::Display for GameValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grundy(value) => write!(f, "Grundy value is {value}"),
            Self::Genus(genus) => write!(f, "genus is {genus}"),
        }
    }
}

/// Maximum number of moves listed. A longer list is useless, and may not fit into memory.
const MAX_LISTED_MOVES: usize = 1_000_000;
/// Maximum number of moves that [`Policy::Trap`] compares: some seconds of work.
const MAX_COMPARED_MOVES: usize = 100_000;

/// Error of a lookup.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum LookUpError {
    /// The table does not cover the position, or is damaged.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// The position has too many moves to list or to compare.
    #[error(
        "{position} has more than {limit} moves, too many to {what}; ask without the list of moves and \
        without the policy trap"
    )]
    TooManyMoves {
        /// The position.
        position: String,
        /// Maximum number of moves.
        limit: usize,
        /// The refused work, such as "list".
        what: &'static str,
    },
}

/// Answers one position.
///
/// # Errors
/// If the table does not cover the position or is damaged, or there are too many moves to list or compare.
pub fn look_up<'a, S: Solved>(
    table: &'a S,
    position: &'a PositionOf<S>,
    options: LookUpOptions,
) -> Result<Reply<'a, S>, LookUpError> {
    let LookUpOptions { policy, list_moves } = options;
    let mut answer = table.answer(position)?;
    let check_moves = |limit: usize, what| match table.game().moves(position).nth(limit) {
        None => Ok(()),
        Some(_) => {
            let position = table.game().show_position(position);
            Err(LookUpError::TooManyMoves { position, limit, what })
        }
    };
    if policy == Policy::Trap && (list_moves || answer.verdict.outcome == Outcome::Loss) {
        check_moves(MAX_COMPARED_MOVES, "count the replies to each")?;
    }
    if !list_moves {
        answer.best = best_move(table, position, &answer, policy)?;
        return Ok(Reply { game: table.game(), position, answer, moves: None, value: None });
    }
    check_moves(MAX_LISTED_MOVES, "list")?;
    let mut moves = legal_moves(table, position, policy)?;
    moves.sort_by(RankedMove::compare);
    answer.best = moves.first().map(|best| best.chosen);
    Ok(Reply { game: table.game(), position, answer, moves: Some(moves), value: None })
}

impl<S: Solved> Reply<'_, S> {
    /// Returns one line of JSON, without a line end.
    pub fn to_json(&self) -> String {
        let mut json = String::with_capacity(256);
        self.write_json(&mut json);
        json
    }

    /// Appends the JSON of [`to_json`](Self::to_json).
    ///
    /// Uses no serializer, for programs that look up millions of positions. No text needs an escape: notation consists
    /// of digits, letters and `/ , : + -`.
    pub fn write_json(&self, json: &mut String) {
        json.push_str("{\"position\":\"");
        self.game.write_position(self.position, json).expect("writing to a string");
        json.push_str("\",");
        let Answer { verdict: Verdict { outcome, depth }, best, winning } = &self.answer;
        write_verdict(json, *outcome, "depth", *depth);
        match best {
            Some(best) => {
                json.push_str(",\"best\":\"");
                self.write_move(*best, json);
                json.push_str("\",\"winning\":[");
            }
            None => json.push_str(",\"best\":null,\"winning\":["),
        }
        for (number, chosen) in winning.iter().enumerate() {
            json.push_str(if number == 0 { "\"" } else { ",\"" });
            self.write_move(chosen, json);
            json.push('"');
        }
        json.push(']');
        match &self.value {
            None => Ok(()),
            Some(GameValue::Grundy(value)) => write!(json, ",\"grundy\":{value}"),
            Some(GameValue::Genus(genus)) => write!(json, ",\"genus\":\"{genus}\""),
        }
        .expect("writing to a string");
        if let Some(moves) = &self.moves {
            json.push_str(",\"moves\":[");
            for (number, RankedMove { chosen, outcome, depth, .. }) in moves.iter().enumerate() {
                json.push_str(if number == 0 { "{\"move\":\"" } else { ",{\"move\":\"" });
                self.write_move(*chosen, json);
                json.push_str("\",");
                write_verdict(json, *outcome, "depth_after", *depth);
                json.push('}');
            }
            json.push(']');
        }
        json.push('}');
    }

    fn write_move(&self, chosen: MoveOf<S>, json: &mut String) {
        self.game.write_move(chosen, json).expect("writing to a string");
    }
}

fn write_verdict(json: &mut String, outcome: Outcome, depth_key: &str, depth: Option<u32>) {
    json.push_str("\"outcome\":\"");
    json.push_str(outcome.as_str());
    json.push('"');
    if let Some(depth) = depth {
        write!(json, ",\"{depth_key}\":{depth}").expect("writing to a string");
    }
}
