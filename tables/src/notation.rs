//! What the notations of all families share.

use std::fmt;

use crate::PositionError;
use crate::error::shorten;

/// A number written in digits only, without sign, spaces or needless zeros, so that a number has one
/// notation.
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

/// Appends a number. A formatter would take several times as long, and answers are mostly numbers.
pub(crate) fn write_number(number: u32, text: &mut impl fmt::Write) -> fmt::Result {
    text.write_str(itoa::Buffer::new().format(number))
}

/// What a person typed, without its blanks. Where they stand alone between two parts there is `blank` instead: neither behind one of
/// these characters nor before one of those.
pub(crate) fn without_blanks(typed: &str, behind: &[char], before: &[char], blank: &str) -> String {
    let mut plain = String::with_capacity(typed.len());
    for word in typed.split_whitespace() {
        let separated = plain.is_empty() || plain.ends_with(behind) || word.starts_with(before);
        plain += if separated { "" } else { blank };
        plain += word;
    }
    plain
}

/// A field that is not what may stand there.
pub(crate) fn unexpected(field: &'static str, found: &str, expected: &str) -> PositionError {
    PositionError::Syntax { field, found: shorten(found), expected: expected.to_owned() }
}
