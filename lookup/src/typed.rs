//! Positions as people type them.

use std::borrow::Cow;

use bouton_tables::{Game, PositionError};

/// A family whose positions people type.
pub trait Typed: Game {
    /// What a table of the family is called.
    const TITLE: &'static str;

    /// A position of the rules, as an example.
    fn example(&self) -> String;

    /// The notation in what was typed: blanks around it do not matter.
    fn notation(typed: &str) -> Cow<'_, str> {
        typed.trim().into()
    }

    /// Reads a position as it was typed.
    ///
    /// # Errors
    /// Those of [`Game::parse_position`]; where the text is not the notation of a position, with what one of this
    /// table looks like.
    fn read_position(&self, typed: &str) -> Result<Self::Position, PositionError> {
        self.parse_position(&Self::notation(typed)).map_err(|error| match error {
            PositionError::Syntax { field, found, expected } => {
                let example = self.example();
                let expected =
                    format!("{expected}; this table is {}: a position looks like {example}", Self::TITLE);
                PositionError::Syntax { field, found, expected }
            }
            error => error,
        })
    }
}
