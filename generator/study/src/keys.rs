//! The keys of a ruleset with their values, as JSON.

use bouton_tables::Ruleset;
use serde_json::Value;

/// The keys of a ruleset with their values.
pub(crate) fn keys(ruleset: &Ruleset) -> Value {
    serde_json::to_value(ruleset.keys()).expect("numbers and words are JSON")
}
