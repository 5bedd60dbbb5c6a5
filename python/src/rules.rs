//! Reads rulesets from presets, files or texts.

use std::path::Path;

use bouton_tables::Ruleset;
use bouton_tables::rulesets::{PRESETS, find, read};
use pyo3::prelude::*;

use crate::errors::RulesError;

/// Returns the names of the presets.
#[pyfunction]
pub(crate) fn presets() -> Vec<&'static str> {
    PRESETS.iter().map(|preset| preset.name).collect()
}

/// Returns the ruleset of a preset or a file, changed by settings `KEY=VALUE`, in TOML.
#[pyfunction]
pub(crate) fn read_rules(rules: &str, settings: Vec<String>) -> PyResult<String> {
    Ok(bouton_tables::rulesets::to_toml(&ruleset(rules, &settings)?))
}

/// Reads the ruleset of a preset, a file, or the text of a file (which has several lines), and applies settings.
pub(crate) fn ruleset(rules: &str, settings: &[String]) -> PyResult<Ruleset> {
    let found = if rules.contains('\n') {
        read(Path::new("the text of rules"), rules.as_bytes(), settings)
    } else {
        find(rules, settings)
    };
    found.map(|found| found.ruleset).map_err(|error| RulesError::new_err(error.to_string()))
}
