//! Tables that the service makes itself, so that one command shows everything.

use bouton_generator::{GenerateError, generate_in_memory};
use bouton_tables::{Map, Table, rulesets};
use rayon::prelude::*;

use super::served::{BUILT_IN, Served};

/// Variants of presets, to compare with them: name, preset, and what is set.
const VARIANTS: &[(&str, &str, &[&str])] = &[
    ("expanding-growth-2", "expanding", &["growth=2"]),
    ("expanding-misere", "expanding", &["play=misere"]),
    ("expanding-resets-1", "expanding", &["resets=1,1"]),
    ("sticks-normal", "sticks", &["play=normal"]),
];

/// The presets and their variants, solved on the spot.
pub(crate) fn make() -> Result<Vec<Served>, GenerateError> {
    let presets = rulesets::PRESETS.iter().map(|preset| (preset.name, preset.name, &[][..]));
    let all: Vec<(&str, &str, &[&str])> = presets.chain(VARIANTS.iter().copied()).collect();
    let made = all.into_par_iter().map(|(name, preset, settings)| {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        let ruleset =
            rulesets::find(preset, &settings).expect("presets and their variants are sound").ruleset;
        let table = Table::open(Map::from(generate_in_memory(&ruleset, true)?));
        Ok(Served::new(name.to_owned(), table.expect("a table just made opens"), BUILT_IN))
    });
    made.collect()
}
