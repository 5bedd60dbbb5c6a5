//! Phrases about a game, and moves as people type them, for the human player and the advisor.

use bouton_tables::{Game, Outcome, PositionError};

/// Returns how soon a game ends, to append to a verb: ` in 5 plies`, with its leading space; empty if unknown.
pub(crate) fn in_plies(depth: Option<u32>) -> String {
    match depth {
        None => String::new(),
        Some(1) => " in 1 ply".to_owned(),
        Some(depth) => format!(" in {depth} plies"),
    }
}

/// Returns the sentence on who wins when no move is left.
pub(crate) fn last_move_rule<G: Game>(game: &G) -> &'static str {
    match game.outcome_without_moves() {
        Outcome::Loss => "A player who cannot move has lost: the player who makes the last move wins.",
        Outcome::Win => "A player who cannot move has won: the player who makes the last move loses.",
    }
}

/// Reads a move that a person typed, and checks that it is legal. The error is a sentence for the person.
pub(crate) fn read_move<G: Game>(game: &G, position: &G::Position, typed: &str) -> Result<G::Move, String> {
    game.read_move(position, typed).map_err(|error| match error {
        PositionError::Illegal { why } => format!("That is not legal: {why}."),
        error => format!("That is not a move: {error}."),
    })
}
