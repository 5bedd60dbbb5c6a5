//! Opens a table: from its file, or by solving a ruleset.

use std::error::Error;
use std::io::{Cursor, Read};
use std::path::Path;

use bouton_generator::{GenerateError, GenerateOptions, generate};
use bouton_tables::format::in_memory;
use bouton_tables::input::{self, is_dash, is_stream, shown};
use bouton_tables::printable::shorten;
use bouton_tables::rulesets::{self, MAGIC, find, names_a_table};
use bouton_tables::{OpenError, Ruleset, RulesetError, Table};

use crate::args::{One, Two};
use crate::commands::grouped;
use crate::memory;
use crate::progress::WorkProgressBar;

/// A table and its name.
pub(crate) struct TableSource {
    pub(crate) name: String,
    pub(crate) table: Table,
}

/// A user's input, before anything is solved.
pub(crate) enum Input {
    /// The path of a table's file.
    Table(Box<TableSource>),
    /// A ruleset with settings applied, and the name of both.
    Ruleset(String, Ruleset),
}

/// Reads the input that a command line names.
pub(crate) fn read_input(one: &One) -> Result<Input, Box<dyn Error>> {
    read_named(&one.table, &one.settings)
}

/// Reads the two inputs that a command line names.
pub(crate) fn read_inputs(two: &Two) -> Result<(Input, Input), Box<dyn Error>> {
    if is_dash(&two.a) && is_dash(&two.b) {
        return Err("standard input can be read only once; name a file for one of the two".into());
    }
    Ok((read_named(&two.a, &two.set_a)?, read_named(&two.b, &two.set_b)?))
}

/// Reads an input: the path of a table's file, or a ruleset and settings.
pub(crate) fn read_named(which: &Path, settings: &[String]) -> Result<Input, Box<dyn Error>> {
    if is_stream(which) {
        let stream = input::open(which).map_err(|error| format!("cannot read {}: {error}", shown(which)))?;
        return read_stream(which, settings, stream);
    }
    if names_a_table(which) {
        return named_table(which, settings, Table::map(which));
    }
    named_ruleset(which, settings, find(which, settings))
}

/// Reads an input from a stream, which can be read only once.
fn read_stream(which: &Path, settings: &[String], mut stream: impl Read) -> Result<Input, Box<dyn Error>> {
    let mut start = Vec::new();
    let begun = stream.by_ref().take(MAGIC.len() as u64).read_to_end(&mut start);
    begun.map_err(|error| format!("cannot read {}: {error}", shown(which)))?;
    let is_table = start == MAGIC;
    let whole = Cursor::new(start).chain(stream);
    if is_table {
        return named_table(which, settings, Table::from_stream(which, whole));
    }
    named_ruleset(which, settings, rulesets::read(which, whole, settings))
}

fn named_table(
    which: &Path,
    settings: &[String],
    table: Result<Table, OpenError>,
) -> Result<Input, Box<dyn Error>> {
    let name = shown(which);
    if let Some(setting) = settings.first() {
        return Err(format!(
            "{name} is a table, and the rules of a table are fixed: '{setting}' cannot be set; give a ruleset instead \
             (`bouton info` prints that of the table)"
        )
        .into());
    }
    Ok(Input::Table(Box::new(TableSource { name, table: table? })))
}

/// Most characters of a setting in the name of a ruleset, as a list of amounts may be long.
const LONGEST_SETTING: usize = 60;

fn named_ruleset(
    which: &Path,
    settings: &[String],
    found: Result<rulesets::NamedRuleset, RulesetError>,
) -> Result<Input, Box<dyn Error>> {
    let shown = shown(which);
    let ruleset = match found {
        Ok(named) => named.ruleset,
        // The user may have meant a file that is not text as a table.
        Err(RulesetError::InFile { reason, .. }) if matches!(*reason, RulesetError::IllFormed { .. }) => {
            return Err(format!("{shown} is neither a table nor a ruleset: {reason}").into());
        }
        Err(error) => return Err(error.into()),
    };
    let name = settings.iter().fold(shown, |name, setting| name + " " + &shorten(setting, LONGEST_SETTING));
    Ok(Input::Ruleset(name, ruleset))
}

/// Checks that `--no-depth` applies: at least one input must be a ruleset.
pub(crate) fn check_no_depth(no_depth: bool, named: &[&Input]) -> Result<(), String> {
    let Some(Input::Table(source)) = named.first().filter(|_| no_depth) else { return Ok(()) };
    if named.iter().any(|named| matches!(named, Input::Ruleset(..))) {
        return Ok(());
    }
    Err(format!(
        "{} is a table, which holds depths or does not; --no-depth is for a ruleset that is solved: leave it out",
        source.name
    ))
}

impl Input {
    /// Returns the name.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Table(source) => &source.name,
            Self::Ruleset(name, _) => name,
        }
    }

    /// Returns the ruleset.
    pub(crate) fn ruleset(&self) -> &Ruleset {
        match self {
            Self::Table(source) => &source.table.header().ruleset,
            Self::Ruleset(_, ruleset) => ruleset,
        }
    }

    /// Returns whether the table has depths; `solved_with` says so for a ruleset.
    pub(crate) fn has_depths(&self, solved_with: bool) -> bool {
        match self {
            Self::Table(source) => source.table.header().depths,
            Self::Ruleset(..) => solved_with,
        }
    }

    /// Returns the table, and solves a ruleset for it.
    pub(crate) fn open(self, depths: bool, quiet: bool) -> Result<TableSource, Box<dyn Error>> {
        match self {
            Self::Table(source) => Ok(*source),
            Self::Ruleset(name, ruleset) => Ok(TableSource { name, table: solved(&ruleset, depths, quiet)? }),
        }
    }
}

/// Solves a ruleset in memory.
pub(crate) fn solved(ruleset: &Ruleset, depths: bool, quiet: bool) -> Result<Table, Box<dyn Error>> {
    let options = GenerateOptions { depths };
    let too_large = |takes: &str| {
        let no_depths = if memory::fits_without_depths(ruleset, options, memory::available()) {
            ", or leave depths out"
        } else {
            ""
        };
        format!(
            "making a table of {} positions takes {takes}; give a ruleset with fewer, or a table's file{no_depths}",
            grouped(ruleset.positions()),
        )
    };
    if let Some(shortage) = memory::shortage(ruleset, options) {
        return Err(too_large(&shortage).into());
    }
    match in_memory(|sink| generate(ruleset, options, sink, &WorkProgressBar::new("bouton", quiet))) {
        Ok(made) => Ok(Table::open(made)?),
        Err(GenerateError::Memory) => Err(too_large("more memory than there is").into()),
        Err(error) => Err(error.into()),
    }
}
