//! Moves as a person types them.

use bouton_tables::{Game, PositionError};

/// Reads a move that a person typed, and checks that it is legal.
///
/// # Errors
/// A sentence for the person, with the legal moves if the move is illegal.
pub(crate) fn read_move<G: Game>(game: &G, position: &G::Position, typed: &str) -> Result<G::Move, String> {
    game.read_move(position, typed).map_err(|error| match error {
        PositionError::Illegal { why } => format!("That is not legal: {why}."),
        error => format!("That is not a move: {error}."),
    })
}
