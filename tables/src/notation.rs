//! Parsing and printing helpers shared by the notations of all families.

use std::fmt;

use crate::PositionError;
use crate::error::shorten;

/// Parses a number of digits only, without sign, spaces or leading zeros, so that each number has exactly one notation.
pub(crate) fn number<T: std::str::FromStr>(
    field: &'static str,
    text: &str,
    expected: impl FnOnce() -> String,
) -> Result<T, PositionError> {
    let plain = !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    plain.then(|| text.parse().ok()).flatten().ok_or_else(|| PositionError::Syntax {
        field,
        found: shorten(text),
        expected: expected(),
    })
}

/// Appends a number. (`write!` takes several times as long, and answers are mostly numbers.)
pub(crate) fn write_number(number: u32, text: &mut impl fmt::Write) -> fmt::Result {
    text.write_str(itoa::Buffer::new().format(number))
}

/// Removes the blanks of a typed text, and replaces a blank between two words by `blank`, unless a character of
/// `behind` precedes it or a character of `before` follows it.
pub(crate) fn without_blanks(typed: &str, behind: &[char], before: &[char], blank: &str) -> String {
    let mut plain = String::with_capacity(typed.len());
    for word in typed.split_whitespace() {
        let separated = plain.is_empty() || plain.ends_with(behind) || word.starts_with(before);
        plain += if separated { "" } else { blank };
        plain += word;
    }
    plain
}

/// Returns the error for a field with an unexpected text.
pub(crate) fn unexpected(field: &'static str, found: &str, expected: &str) -> PositionError {
    PositionError::Syntax { field, found: shorten(found), expected: expected.to_owned() }
}
