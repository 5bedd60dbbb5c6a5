//! Checks the parsers of ruleset files, settings and spellings (rules in one line) with any text.

use bouton_generator::{GenerateOptions, memory_upper_bound};
use bouton_tables::{Ruleset, rulesets};

use super::check_message;

/// Parses a text as a ruleset file, and its first line as a setting of every preset and as the spelling of a ruleset.
///
/// # Panics
/// If a ruleset does not parse as the same value after printing.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match rulesets::from_toml(text) {
        Ok(ruleset) => check_ruleset(&ruleset),
        Err(error) => check_message(text, &error),
    }
    let setting = text.lines().next().unwrap_or_default().to_owned();
    match Ruleset::from_spelling(&setting) {
        Ok(ruleset) => check_ruleset(&ruleset),
        Err(error) => check_message(&setting, &error),
    }
    for preset in rulesets::PRESETS {
        match rulesets::find(preset.name, std::slice::from_ref(&setting)) {
            Ok(found) => check_ruleset(&found.ruleset),
            Err(error) => check_message(&setting, &error),
        }
    }
}

/// Checks that each written form of a ruleset parses as the same ruleset.
fn check_ruleset(ruleset: &Ruleset) {
    let file = rulesets::to_toml(ruleset);
    assert_eq!(rulesets::from_toml(&file).as_ref(), Ok(ruleset), "{file}");
    let json = serde_json::to_string(ruleset).expect("rules are JSON");
    let again: Ruleset = serde_json::from_str(&json).expect("printed rules");
    assert_eq!(&again, ruleset, "{json}");
    let spelling = ruleset.spelling();
    // Spellings with long lists of amounts cannot be parsed.
    if spelling.len() <= 500 {
        assert_eq!(Ruleset::from_spelling(&spelling).as_ref(), Ok(ruleset), "{spelling}");
    }
    for depths in [true, false] {
        assert!(memory_upper_bound(ruleset, GenerateOptions { depths }) > 0);
    }
}
