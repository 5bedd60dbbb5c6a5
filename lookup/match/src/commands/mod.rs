//! The subcommands, one file each.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use bouton_shell::{Bar, OutputTarget};
use bouton_tables::program::Output;

pub(crate) mod advise;
pub(crate) mod chances;
mod game_setup;
pub(crate) mod live;
pub(crate) mod play;
pub(crate) mod replay;
mod rules;
pub(crate) mod tournament;

/// A result, or an error for the user.
pub(crate) type CommandResult<T = ()> = Result<T, Box<dyn Error>>;

/// Returns the output for a command's report: standard output, unless the command records games there.
pub(crate) fn output(record: Option<&Path>) -> Box<dyn Write> {
    record.map_or_else(
        || Box::new(Output::words()) as Box<dyn Write>,
        |record| OutputTarget::named(record).report(false, false),
    )
}

/// Returns a bar for the preparations before the first move.
pub(crate) fn preparation_bar(quiet: bool) -> Bar {
    Bar::new("{msg} {wide_bar} {done} {left}", 0, quiet)
}
