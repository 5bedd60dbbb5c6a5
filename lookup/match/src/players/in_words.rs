//! What people are told of a game, whoever plays it.

use bouton_tables::{Game, Outcome};

/// How soon a game ends, to follow a verb: ` in 5 plies`; nothing if that is not known.
pub(crate) fn in_plies(depth: Option<u32>) -> String {
    match depth {
        None => String::new(),
        Some(1) => " in 1 ply".to_owned(),
        Some(depth) => format!(" in {depth} plies"),
    }
}

/// What decides who has won.
pub(crate) fn who_wins<G: Game>(game: &G) -> &'static str {
    match game.outcome_without_moves() {
        Outcome::Loss => "A player who cannot move has lost: the player who takes the last stone wins.",
        Outcome::Win => "A player who cannot move has won: the player who takes the last stone loses.",
    }
}
