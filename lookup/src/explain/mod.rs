//! Why a position is won or lost, for a person.

mod columns;
mod heaps;
mod refute;

pub use heaps::explain_heaps;
pub use refute::{Refutation, Refuted, explain_by_refutation, refute};

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
