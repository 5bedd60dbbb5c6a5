//! Opens a table: from its file, or by solving a ruleset.

use std::error::Error;
use std::io::{Cursor, Read};
use std::path::Path;

use bouton_generator::{GenerateError, GenerateOptions, generate};
use bouton_tables::format::in_memory;
use bouton_tables::input::{self, display_name, is_dash, is_stream};
use bouton_tables::printable::shorten;
use bouton_tables::rulesets::{self, COMMON_MAGIC, find, names_a_table};
use bouton_tables::{OpenError, Ruleset, RulesetError, Table};

use crate::args::{OneInput, TwoInputs};
use crate::commands::grouped;
use crate::memory;
use crate::progress::WorkProgressBar;

/// A user's input, before anything is solved.
pub(crate) struct Input {
    /// The name of the table, or of the ruleset and its settings.
    pub(crate) name: String,
    /// The ruleset, with settings applied.
    pub(crate) ruleset: Ruleset,
    /// The table; `None` if the ruleset is yet to be solved.
    table: Option<Table>,
}

/// Reads the input that a command line names.
pub(crate) fn read_input(one: &OneInput) -> Result<Input, Box<dyn Error>> {
    read_named(&one.table, &one.settings)
}

/// Reads the two inputs that a command line names.
pub(crate) fn read_inputs(two: &TwoInputs) -> Result<(Input, Input), Box<dyn Error>> {
    if is_dash(&two.a) && is_dash(&two.b) {
        return Err("standard input can be read only once; name a file for one of the two".into());
    }
    Ok((read_named(&two.a, &two.set_a)?, read_named(&two.b, &two.set_b)?))
}

/// Reads an input: the path of a table's file, or a ruleset and settings.
pub(crate) fn read_named(which: &Path, settings: &[String]) -> Result<Input, Box<dyn Error>> {
    if is_stream(which) {
        let stream =
            input::open(which).map_err(|error| format!("cannot read {}: {error}", display_name(which)))?;
        return read_stream(which, settings, stream);
    }
    if names_a_table(which) {
        return table_input(which, settings, Table::map(which));
    }
    ruleset_input(which, settings, find(which, settings))
}

/// Reads an input from a stream, which can be read only once.
fn read_stream(which: &Path, settings: &[String], mut stream: impl Read) -> Result<Input, Box<dyn Error>> {
    let mut start = Vec::new();
    let read = stream.by_ref().take(COMMON_MAGIC.len() as u64).read_to_end(&mut start);
    read.map_err(|error| format!("cannot read {}: {error}", display_name(which)))?;
    let is_table = start == COMMON_MAGIC;
    let whole = Cursor::new(start).chain(stream);
    if is_table {
        return table_input(which, settings, Table::from_stream(which, whole));
    }
    ruleset_input(which, settings, rulesets::read(which, whole, settings))
}

fn table_input(
    which: &Path,
    settings: &[String],
    table: Result<Table, OpenError>,
) -> Result<Input, Box<dyn Error>> {
    let name = display_name(which);
    if let Some(setting) = settings.first() {
        return Err(format!(
            "{name} is a table, and the rules of a table are fixed: '{setting}' cannot be set; give a ruleset instead \
             (`bouton info` prints that of the table)"
        )
        .into());
    }
    let table = table?;
    Ok(Input { name, ruleset: table.header().ruleset.clone(), table: Some(table) })
}

/// Maximum number of characters of a setting in the name of a ruleset, as a list of amounts may be long.
const MAX_SETTING_CHARS: usize = 60;

fn ruleset_input(
    which: &Path,
    settings: &[String],
    found: Result<rulesets::NamedRuleset, RulesetError>,
) -> Result<Input, Box<dyn Error>> {
    let shown = display_name(which);
    let ruleset = match found {
        Ok(named) => named.ruleset,
        // The user may have meant a file that is not text as a table.
        Err(RulesetError::InFile { reason, .. }) if matches!(*reason, RulesetError::IllFormed { .. }) => {
            return Err(format!("{shown} is neither a table nor a ruleset: {reason}").into());
        }
        Err(error) => return Err(error.into()),
    };
    let name = settings.iter().fold(shown, |name, setting| name + " " + &shorten(setting, MAX_SETTING_CHARS));
    Ok(Input { name, ruleset, table: None })
}

/// Checks that `--no-depth` applies: at least one input must be a ruleset.
pub(crate) fn check_no_depth(no_depth: bool, inputs: &[&Input]) -> Result<(), String> {
    if !no_depth || inputs.iter().any(|input| input.table.is_none()) {
        return Ok(());
    }
    Err(format!(
        "{} is a table, whose depths are fixed; --no-depth is for a ruleset, which is solved first: omit it",
        inputs[0].name
    ))
}

impl Input {
    /// Returns whether the table has depths. If a ruleset is to be solved, this depends on `depths`.
    pub(crate) fn has_depths(&self, depths: bool) -> bool {
        self.table.as_ref().map_or(depths, |table| table.header().has_depths)
    }

    /// Takes the table out of the input. Solves the ruleset if the input is one.
    pub(crate) fn take_table(&mut self, depths: bool, quiet: bool) -> Result<Table, Box<dyn Error>> {
        self.table.take().map_or_else(|| solve(&self.ruleset, depths, quiet), Ok)
    }
}

/// Solves a ruleset in memory.
pub(crate) fn solve(ruleset: &Ruleset, depths: bool, quiet: bool) -> Result<Table, Box<dyn Error>> {
    if depths {
        ruleset.check_depths().map_err(GenerateError::Depths)?;
    }
    let options = GenerateOptions { depths };
    let too_large = |takes: &str| {
        let no_depths = if memory::fits_without_depths(ruleset, options, memory::available()) {
            ", or omit depths"
        } else {
            ""
        };
        format!(
            "making a table of {} positions takes {takes}; give a ruleset with fewer, or a table's file{no_depths}",
            grouped(ruleset.positions()),
        )
    };
    if let Some(shortage) = memory::shortage_for(ruleset, options) {
        return Err(too_large(&shortage).into());
    }
    match in_memory(|sink| generate(ruleset, options, sink, &WorkProgressBar::new("bouton", quiet))) {
        Ok(made) => Ok(Table::open(made)?),
        Err(GenerateError::Memory) => Err(too_large("more memory than there is").into()),
        Err(error) => Err(error.into()),
    }
}
