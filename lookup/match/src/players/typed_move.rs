//! Moves as a person types them.

use bouton_tables::why_illegal;

use crate::Illustrated;

/// Reads a move that a person typed, which is to be legal in a position.
///
/// # Errors
/// A sentence for the person: that it is not a move, or which moves are legal.
pub(crate) fn read_move<G: Illustrated>(
    game: &G,
    position: &G::Position,
    typed: &str,
) -> Result<G::Move, String> {
    match game.parse_move(&game.notation_of_move(typed)) {
        Ok(chosen) if game.is_legal(position, chosen) => Ok(chosen),
        Ok(chosen) => Err(format!("That is not legal: {}.", why_illegal(game, position, chosen))),
        Err(error) => Err(format!("That is not a move: {error}.")),
    }
}
