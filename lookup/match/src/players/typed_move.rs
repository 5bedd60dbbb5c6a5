//! Moves as a person types them.

use bouton_tables::{Game, PositionError};

/// Reads a move that a person typed, which is to be legal in a position.
///
/// # Errors
/// A sentence for the person: that it is not a move, or which moves are legal.
pub(crate) fn read_move<G: Game>(game: &G, position: &G::Position, typed: &str) -> Result<G::Move, String> {
    game.read_move(position, typed).map_err(|error| match error {
        PositionError::Illegal { why } => format!("That is not legal: {why}."),
        error => format!("That is not a move: {error}."),
    })
}
