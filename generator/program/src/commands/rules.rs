//! `bouton rules`: rulesets to read and to start from.

use std::io::{self, Write};

use bouton_tables::rulesets::{PRESETS, find, preset, to_toml};

use super::Done;
use crate::FINE;
use crate::args::Rules;

pub(crate) fn run(args: &Rules) -> Done {
    let mut out = io::stdout().lock();
    if args.list {
        for preset in PRESETS {
            let about = preset.text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
            writeln!(out, "{:<12} {}", preset.name, about.collect::<Vec<_>>().join(" "))?;
        }
        return Ok(FINE);
    }
    let ruleset = find(&args.which.ruleset, &args.which.settings)?.ruleset;
    match preset(&args.which.ruleset) {
        // As it is shipped, with its own comments.
        Some(preset) if args.which.settings.is_empty() => write!(out, "{}", preset.text)?,
        _ => write!(out, "{}", to_toml(&ruleset))?,
    }
    Ok(FINE)
}
