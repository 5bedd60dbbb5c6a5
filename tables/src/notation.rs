//! What the notations of all families share.

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

/// A field that is not what may stand there.
pub(crate) fn unexpected(field: &'static str, found: &str, expected: &str) -> PositionError {
    PositionError::Syntax { field, found: shorten(found), expected: expected.to_owned() }
}
