//! The games available without a table file.

use bouton_tables::{Ruleset, rulesets};

/// Variants of the presets to compare them with, and the game twenty-one: name, preset, and settings.
const VARIANTS: &[(&str, &str, &[&str])] = &[
    ("expanding-growth-2", "expanding", &["growth=2"]),
    ("expanding-misere", "expanding", &["play=misere"]),
    ("expanding-resets-1", "expanding", &["resets=1,1"]),
    ("sticks-normal", "sticks", &["play=normal"]),
    ("twenty-one", "sticks", &["bounds=[21]", "take=3"]),
];

/// Returns the presets and their variants, with the names of their tables.
pub fn built_in() -> Vec<(String, Ruleset)> {
    let presets = rulesets::PRESETS.iter().map(|preset| (preset.name, preset.name, &[][..]));
    let all = presets.chain(VARIANTS.iter().copied());
    let find = |(name, preset, settings): (&str, &str, &[&str])| {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        let found = rulesets::find(preset, &settings).expect("presets and their variants are valid");
        (name.to_owned(), found.ruleset)
    };
    all.map(find).collect()
}
