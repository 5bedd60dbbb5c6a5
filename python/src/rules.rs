//! Rulesets, by their presets or files.

use std::path::Path;

use bouton_tables::Ruleset;
use bouton_tables::rulesets::{PRESETS, find, read};
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

/// The ruleset of a preset or a file, or of the text of one, with settings.
pub(crate) fn ruleset(rules: &str, settings: &[String]) -> PyResult<Ruleset> {
    let found = if rules.contains('\n') {
        read(Path::new("the text of rules"), rules.as_bytes(), settings)
    } else {
        find(rules, settings)
    };
    found.map(|named| named.ruleset).map_err(Raised::raised)
}
