//! Checks of all parsers of texts from outside: typed by a person, read from a file, or sent by a server or client.
//!
//! The property tests and the fuzz targets share these checks. Each accepts any bytes, and checks two promises: no
//! parser panics, and each accepted value, if it can be printed, prints as a text that parses as the same value.

pub mod edit;
pub mod model;
pub mod notation;
pub mod protocol;
pub mod ruleset;
pub mod transcript;

use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Returns the texts that a fuzz target starts from, and that the property tests edit.
///
/// # Panics
/// If `tests/fuzz/seeds` has none for this target.
#[must_use]
pub fn samples(target: &str) -> Vec<Vec<u8>> {
    let folder = format!("{}/fuzz/seeds/{target}", env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.sort();
    let samples: Vec<_> = files.iter().map(|file| std::fs::read(file).expect("a readable file")).collect();
    assert!(!samples.is_empty(), "{folder} is empty");
    samples
}

/// Checks that a text either names a value, which prints as a text for the same value, or is refused with a reason.
fn check_printing<T>(text: &str)
where
    T: FromStr<Err: Display> + Display + PartialEq + Debug,
{
    match text.parse::<T>() {
        Ok(value) => {
            let printed = value.to_string();
            match printed.parse::<T>() {
                Ok(again) => assert_eq!(again, value, "{text:?} prints as {printed:?}"),
                Err(error) => panic!("{text:?} prints as {printed:?}, which is refused: {error}"),
            }
        }
        Err(error) => check_message(text, &error),
    }
}

/// Checks that an error has a message.
fn check_message(text: &str, error: &dyn Display) {
    assert!(!error.to_string().is_empty(), "{text:?} is refused without a reason");
}
