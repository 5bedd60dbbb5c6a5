//! Why a position is won or lost: by the theorem that decides its game, or by the table's own argument.
//!
//! An [`Argument`] is a list of parts that a program can show in its own way; [`Argument::text`] joins them in words.

mod columns;
mod refute;
mod sentence;
mod theorem;

use bouton_tables::{AskError, Game, PositionOf, Solved};

pub use columns::{BinaryRow, Columns};
pub use refute::{Refutation, RefutedMove, refute};
pub(crate) use sentence::MoveEffect;
pub use sentence::{HeapChange, Sentence};
pub use theorem::Theorem;

/// Maximum number of replies in a text.
const MAX_TEXT_REPLIES: usize = 40;

/// Why a position is won or lost.
#[derive(Clone, Debug)]
pub struct Argument<G: Game>(pub Vec<ArgumentPart<G>>);

/// A part of an argument.
#[derive(Clone, Debug)]
pub enum ArgumentPart<G: Game> {
    /// The theorem that decides the game.
    Theorem(Theorem),
    /// A position, and its heaps in binary, on which the theorem is based.
    Columns(G::Position, Columns),
    /// A conclusion from the theorem, or the reason why no theorem is used, in words.
    Sentence(Sentence),
    /// The table's own argument: in a won position a winning move; then an answer to each move that does not end the game.
    Replies(Refutation<G>),
}

/// A table that can say why a position is won or lost.
pub trait Explain: Solved + Sized {
    /// Returns the argument of the theorem that decides the game, if one is known; otherwise the table's, with at
    /// most `most` replies.
    ///
    /// # Errors
    /// If the table does not cover the position, or is damaged.
    fn argue(&self, position: &PositionOf<Self>, most: usize) -> Result<Argument<Self::Game>, AskError> {
        Ok(Argument(vec![ArgumentPart::Replies(refute(self, position, most)?)]))
    }

    /// Returns the argument in words, with at most 40 replies.
    ///
    /// # Errors
    /// As [`argue`](Self::argue).
    fn explain(&self, position: &PositionOf<Self>) -> Result<String, AskError> {
        Ok(self.argue(position, MAX_TEXT_REPLIES)?.text(self.game()))
    }
}

impl<G: Game> Argument<G> {
    /// Returns all parts in words, each paragraph on one line.
    pub fn text(&self, game: &G) -> String {
        let parts = self.0.iter().map(|part| match part {
            ArgumentPart::Theorem(theorem) => format!("{theorem}\n"),
            ArgumentPart::Columns(_, columns) => columns.to_string(),
            ArgumentPart::Sentence(sentence) => format!("{}\n", sentence.text),
            ArgumentPart::Replies(refutation) => refutation.text(game),
        });
        parts.collect::<Vec<_>>().join("\n")
    }
}
