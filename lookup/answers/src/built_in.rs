//! The games that are there without any file.

use bouton_tables::{Ruleset, rulesets};

/// Variants of presets, to compare with them, and a classic that is none: name, preset, and what is set.
const VARIANTS: &[(&str, &str, &[&str])] = &[
    ("expanding-growth-2", "expanding", &["growth=2"]),
    ("expanding-misere", "expanding", &["play=misere"]),
    ("expanding-resets-1", "expanding", &["resets=1,1"]),
    ("sticks-normal", "sticks", &["play=normal"]),
    ("twenty-one", "sticks", &["bounds=[21]", "take=3"]),
];

/// The presets and their variants, with the names of their tables.
pub fn built_in() -> Vec<(String, Ruleset)> {
    let presets = rulesets::PRESETS.iter().map(|preset| (preset.name, preset.name, &[][..]));
    let all = presets.chain(VARIANTS.iter().copied());
    let find = |(name, preset, settings): (&str, &str, &[&str])| {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        let found = rulesets::find(preset, &settings).expect("presets and their variants are sound");
        (name.to_owned(), found.ruleset)
    };
    all.map(find).collect()
}
