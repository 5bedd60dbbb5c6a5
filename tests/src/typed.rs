//! What people type for positions and moves, and what each text means: `tests/data/typed.json`. All that read such texts are tested
//! with it, also the Python package.

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
    /// Texts that are refused, with words of the error for each.
    pub not_positions: BTreeMap<String, String>,
    /// Texts for moves, with the notation of each.
    pub moves: BTreeMap<String, String>,
    /// Texts that are refused, with words of the error for each.
    pub not_moves: BTreeMap<String, String>,
}

impl TypedGame {
    /// All games of the file.
    ///
    /// # Panics
    /// If the file is missing or malformed.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/typed.json");
        let text = std::fs::read_to_string(file).expect("the file is there");
        serde_json::from_str(&text).expect("it lists games")
    }

    /// The settings as `--set` takes them.
    #[must_use]
    pub fn settings(&self) -> Vec<String> {
        self.settings.iter().map(|(key, value)| format!("{key}={value}")).collect()
    }
}
