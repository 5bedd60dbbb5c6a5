//! Rulesets, by their presets or files.

use bouton_tables::Ruleset;
use bouton_tables::rulesets::{PRESETS, find};
use pyo3::prelude::*;

use crate::errors::Raised;

/// The presets' names.
#[pyfunction]
pub(crate) fn presets() -> Vec<&'static str> {
    PRESETS.iter().map(|preset| preset.name).collect()
}

/// A ruleset in TOML: that of a preset or a file, with settings `KEY=VALUE`.
#[pyfunction]
pub(crate) fn read_rules(rules: &str, settings: Vec<String>) -> PyResult<String> {
    Ok(bouton_tables::rulesets::to_toml(&ruleset(rules, &settings)?))
}

/// The ruleset of a preset or a file, with settings.
pub(crate) fn ruleset(rules: &str, settings: &[String]) -> PyResult<Ruleset> {
    find(rules, settings).map(|named| named.ruleset).map_err(Raised::raised)
}
