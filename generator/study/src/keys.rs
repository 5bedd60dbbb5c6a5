//! The keys of a ruleset with their values, as JSON.

use bouton_tables::Ruleset;
use serde_json::Value;

/// The keys of a ruleset with their values.
pub(crate) fn keys(ruleset: &Ruleset) -> Value {
    match ruleset {
        Ruleset::Expanding(rules) => serde_json::to_value(rules),
        Ruleset::Heaps(rules) => serde_json::to_value(rules),
    }
    .expect("numbers and words are JSON")
}
