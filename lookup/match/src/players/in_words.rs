//! Phrases about a game, shared by the human player and the advisor.

use bouton_tables::{Game, Outcome};

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
        Outcome::Loss => "A player who cannot move has lost: the player who takes the last stone wins.",
        Outcome::Win => "A player who cannot move has won: the player who takes the last stone loses.",
    }
}
