//! The tables and rulesets that commands read.

use std::path::PathBuf;

use clap::Args as Arguments;

/// A preset or a ruleset file, and changes to it.
#[derive(Debug, Arguments)]
pub(crate) struct RulesetInput {
    /// A preset (`bouton rules --list` lists them), or the path of a TOML file; - is standard input.
    #[arg(default_value = "expanding")]
    pub(crate) ruleset: PathBuf,
    /// Override one key of the ruleset, for example --set growth=2 or --set resets=1,1; can be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
}

/// A table, or a ruleset and changes to it.
#[derive(Debug, Arguments)]
pub(crate) struct OneInput {
    /// A table, or a ruleset (a preset or a TOML file) to solve first; - is standard input.
    pub(crate) table: PathBuf,
    /// Override one key of the ruleset; can be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
}

/// Two tables or rulesets.
#[derive(Debug, Arguments)]
pub(crate) struct TwoInputs {
    /// The first table or ruleset; - is standard input.
    pub(crate) a: PathBuf,
    /// The second table or ruleset; - is standard input.
    pub(crate) b: PathBuf,
    /// Override one key of ruleset A; can be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set_a: Vec<String>,
    /// Override one key of ruleset B; can be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set_b: Vec<String>,
}
