//! Functions that read and write numbers, for the notations of all families.

use std::fmt;

use crate::PositionError;
use crate::error::shorten;

/// Parses a number of digits only, without sign, spaces or leading zeros, so that each number has exactly one notation.
pub(crate) fn number<T: std::str::FromStr>(
    field: &'static str,
    text: &str,
    expected: impl FnOnce() -> String,
) -> Result<T, PositionError> {
    let is_canonical = !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    is_canonical.then(|| text.parse().ok()).flatten().ok_or_else(|| PositionError::Syntax {
        field,
        found: shorten(text),
        expected: expected(),
    })
}

/// Appends a number. (`write!` takes several times as long, and answers are mostly numbers.)
pub(crate) fn write_number(number: impl itoa::Integer, text: &mut impl fmt::Write) -> fmt::Result {
    text.write_str(itoa::Buffer::new().format(number))
}

/// Replaces the blanks between two words by `blank`, and removes all other blanks: at both ends, after a character of
/// `openers`, and before a character of `closers`.
pub(crate) fn normalized_blanks(typed: &str, openers: &[char], closers: &[char], blank: &str) -> String {
    let mut plain = String::with_capacity(typed.len());
    for word in typed.split_whitespace() {
        let is_separated = plain.is_empty() || plain.ends_with(openers) || word.starts_with(closers);
        plain += if is_separated { "" } else { blank };
        plain += word;
    }
    plain
}

/// Returns the error for a field with an unexpected text.
pub(crate) fn unexpected(field: &'static str, found: &str, expected: &str) -> PositionError {
    PositionError::Syntax { field, found: shorten(found), expected: expected.to_owned() }
}
