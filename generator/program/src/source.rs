//! Where a table comes from: a file, or a ruleset that is solved.

use std::error::Error;
use std::path::Path;

use bouton_generator::{GenerateError, Options, generate};
use bouton_tables::format::in_memory;
use bouton_tables::printable::printable;
use bouton_tables::rulesets::{find, names_a_table};
use bouton_tables::{Map, Ruleset, RulesetError, Table};

use crate::args::{One, Two};
use crate::commands::grouped;
use crate::memory;
use crate::progress::Making;

/// A table, and what it is called.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) table: Table<Map>,
}

/// What the user names, before anything is solved.
pub(crate) enum Named {
    /// The path of a table's file.
    Table(Box<Source>),
    /// A ruleset and settings, and what they are called together.
    Ruleset(String, Ruleset),
}

/// Finds out what the user names.
pub(crate) fn look_at(one: &One) -> Result<Named, Box<dyn Error>> {
    look(&one.table, &one.settings)
}

/// The same of two.
pub(crate) fn look_at_both(two: &Two) -> Result<(Named, Named), Box<dyn Error>> {
    Ok((look(&two.a, &two.set_a)?, look(&two.b, &two.set_b)?))
}

/// Finds out what the user names: the path of a table's file, or a ruleset and settings.
pub(crate) fn look(which: &str, settings: &[String]) -> Result<Named, Box<dyn Error>> {
    if names_a_table(Path::new(which)) {
        if let Some(setting) = settings.first() {
            return Err(format!(
                "{} is a table, and the rules of a table are fixed: '{setting}' cannot be set; give a ruleset instead \
                 (`bouton info` prints that of the table)",
                printable(which)
            )
            .into());
        }
        let (name, table) = (printable(which).into_owned(), Table::map(which.as_ref())?);
        return Ok(Named::Table(Box::new(Source { name, table })));
    }
    let ruleset = match find(which, settings) {
        Ok(named) => named.ruleset,
        // A file that is no text may have been meant as a table.
        Err(RulesetError::InFile { reason, .. }) if matches!(*reason, RulesetError::IllFormed { .. }) => {
            return Err(format!("{} is neither a table nor a ruleset: {reason}", printable(which)).into());
        }
        Err(error) => return Err(error.into()),
    };
    let name = settings.iter().fold(which.to_owned(), |name, setting| name + " " + setting);
    Ok(Named::Ruleset(printable(&name).into_owned(), ruleset))
}

/// Refuses to be asked for tables without depths where none is made.
pub(crate) fn check_no_depth(no_depth: bool, named: &[&Named]) -> Result<(), String> {
    let Some(Named::Table(source)) = named.first().filter(|_| no_depth) else { return Ok(()) };
    if named.iter().any(|named| matches!(named, Named::Ruleset(..))) {
        return Ok(());
    }
    Err(format!(
        "{} is a table, which holds depths or does not; --no-depth is for a ruleset that is solved: leave it out",
        source.name
    ))
}

impl Named {
    /// Its rules.
    pub(crate) fn ruleset(&self) -> &Ruleset {
        match self {
            Self::Table(source) => &source.table.header().ruleset,
            Self::Ruleset(_, ruleset) => ruleset,
        }
    }

    /// Whether its table holds depths, if a ruleset is solved with or without them.
    pub(crate) fn has_depths(&self, solved_with: bool) -> bool {
        match self {
            Self::Table(source) => source.table.header().depths,
            Self::Ruleset(..) => solved_with,
        }
    }

    /// The table; a ruleset is solved now.
    pub(crate) fn open(self, depths: bool, quiet: bool) -> Result<Source, Box<dyn Error>> {
        match self {
            Self::Table(source) => Ok(*source),
            Self::Ruleset(name, ruleset) => Ok(Source { name, table: solved(&ruleset, depths, quiet)? }),
        }
    }
}

/// Solves a ruleset in memory.
pub(crate) fn solved(ruleset: &Ruleset, depths: bool, quiet: bool) -> Result<Table<Map>, Box<dyn Error>> {
    let options = Options { depths };
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
    match in_memory(|sink| generate(ruleset, options, sink, &Making::new("bouton", quiet))) {
        Ok(made) => Ok(Table::open(Map::from(made))?),
        Err(GenerateError::Memory) => Err(too_large("more memory than there is").into()),
        Err(error) => Err(error.into()),
    }
}
