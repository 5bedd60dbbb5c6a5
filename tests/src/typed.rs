//! The texts in `tests/data/typed.json`: positions and moves as people type them, with their meanings. All readers of
//! such texts are tested with them, including the Python package.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

/// Texts for the positions of a game, and for moves at its start.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TypedGame {
    /// The name of its ruleset.
    pub preset: String,
    /// Settings of the ruleset, by their keys.
    pub settings: BTreeMap<String, String>,
    /// Texts for positions, with the notation of each.
    pub positions: BTreeMap<String, String>,
    /// Texts that are not positions, with words of the expected errors.
    pub not_positions: BTreeMap<String, String>,
    /// Texts for moves, with the notation of each.
    pub moves: BTreeMap<String, String>,
    /// Texts that are not moves, with words of the expected errors.
    pub not_moves: BTreeMap<String, String>,
}

impl TypedGame {
    /// Reads all games of the file.
    ///
    /// # Panics
    /// If the file is missing or malformed.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/typed.json");
        let text = std::fs::read_to_string(file).expect("the file is there");
        serde_json::from_str(&text).expect("it lists games")
    }

    /// Returns the settings in the form that `--set` accepts.
    #[must_use]
    pub fn settings(&self) -> Vec<String> {
        self.settings.iter().map(|(key, value)| format!("{key}={value}")).collect()
    }
}
