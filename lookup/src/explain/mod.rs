//! Why a position is won or lost, in words.

mod refute;

use bouton_tables::{AskError, PositionOf, Solved};

pub(crate) use refute::explain_by_refutation;
pub use refute::{Refutation, Refuted, refute};

/// A table that can say in words why a position is won or lost.
pub trait Explain: Solved + Sized {
    /// The argument: that of the theorem which decides the game, if one is known, else the table's own, a
    /// [`Refutation`].
    ///
    /// # Errors
    /// If the table does not cover the position, or is damaged.
    fn explain(&self, position: &PositionOf<Self>) -> Result<String, AskError> {
        explain_by_refutation(self, position)
    }
}

/// The widest line of a text.
const WIDTH: usize = 110;

/// A text broken into lines, the last one ended.
pub(crate) fn paragraph(text: &str) -> String {
    let (mut lines, mut column) = (String::new(), 0);
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > WIDTH {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += width;
    }
    lines.push('\n');
    lines
}
