//! Why a position is won or lost: by the theorem that decides its game, or by the table's own argument.
//!
//! An [`Argument`] is made of parts that programs can show as they like; [`Argument::text`] is all of them in words.

mod columns;
mod refute;
mod sentence;
mod theorem;

use bouton_tables::{AskError, Game, MoveOf, PositionOf, Solved};

pub use columns::{Columns, Row};
pub use refute::{Refutation, Refuted, refute};
pub use sentence::{Deed, Made, Sentence, Try};
pub use theorem::Theorem;

/// The most replies that are listed in a text.
const LISTED: usize = 40;

/// Why a position is won or lost. `P` and `M` are the game's positions and moves.
#[derive(Clone, Debug)]
pub struct Argument<P, M>(pub Vec<Part<P, M>>);

/// A part of an argument.
#[derive(Clone, Debug)]
pub enum Part<P, M> {
    /// The theorem that decides the game.
    Theorem(Theorem),
    /// A position as the theorem sees it: its heaps in binary.
    Columns(P, Columns),
    /// What follows, in words.
    Sentence(Sentence),
    /// The table's own argument: a move, and an answer to each reply.
    Replies(Refutation<P, M>),
}

/// A table that can say why a position is won or lost.
pub trait Explain: Solved + Sized {
    /// The argument: that of the theorem which decides the game, if one is known, else the table's own, with up to `most`
    /// replies.
    ///
    /// # Errors
    /// If the table does not cover the position, or is damaged.
    fn argue(
        &self,
        position: &PositionOf<Self>,
        most: usize,
    ) -> Result<Argument<PositionOf<Self>, MoveOf<Self>>, AskError> {
        Ok(Argument(vec![Part::Replies(refute(self, position, most)?)]))
    }

    /// The argument in words, with up to 40 replies.
    ///
    /// # Errors
    /// Those of [`argue`](Self::argue).
    fn explain(&self, position: &PositionOf<Self>) -> Result<String, AskError> {
        Ok(self.argue(position, LISTED)?.text(self.game()))
    }
}

impl<P, M: Copy + ToString> Argument<P, M> {
    /// Returns all parts in words, each paragraph on one line.
    pub fn text<G: Game<Position = P, Move = M>>(&self, game: &G) -> String {
        let parts = self.0.iter().map(|part| match part {
            Part::Theorem(theorem) => format!("{theorem}\n"),
            Part::Columns(_, columns) => columns.to_string(),
            Part::Sentence(sentence) => format!("{sentence}\n"),
            Part::Replies(refutation) => refutation.text(game),
        });
        parts.collect::<Vec<_>>().join("\n")
    }
}
