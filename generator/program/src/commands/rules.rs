//! `bouton rules`: prints rulesets to read and to start from.

use std::io::Write;

use bouton_tables::Ruleset;
use bouton_tables::program::Output;
use bouton_tables::rulesets::{PRESETS, find, from_toml, preset, to_toml};
use serde::Serialize;

use super::{ExitResult, print_json};
use crate::SUCCESS;
use crate::args::Rules;

/// A preset in the list that `--json` prints.
#[derive(Serialize)]
struct ListedPreset<'a> {
    name: &'a str,
    about: &'a str,
    #[serde(flatten)]
    ruleset: &'a Ruleset,
}

pub(crate) fn run(args: &Rules) -> ExitResult {
    // Print a ruleset unwrapped, as users may paste it into a file.
    let mut out = Output::of(args.json || !args.list);
    if args.list {
        for preset in PRESETS {
            let about = preset.text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
            let about = about.collect::<Vec<_>>().join(" ");
            if args.json {
                let ruleset = from_toml(preset.text)?;
                let listed = ListedPreset { name: preset.name, about: &about, ruleset: &ruleset };
                print_json(&mut out, &listed)?;
            } else {
                writeln!(out, "{:<12} {about}", preset.name)?;
            }
        }
        return Ok(SUCCESS);
    }
    let ruleset = find(&args.input.ruleset, &args.input.settings)?.ruleset;
    if args.json {
        return print_json(&mut out, &ruleset);
    }
    match args.input.ruleset.to_str().and_then(preset) {
        // Print an unchanged preset with its own comments.
        Some(preset) if args.input.settings.is_empty() => write!(out, "{}", preset.text)?,
        _ => write!(out, "{}", to_toml(&ruleset))?,
    }
    Ok(SUCCESS)
}
