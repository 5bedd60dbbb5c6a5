//! `bouton`: makes tables of solved games, verifies, compares, exports, analyzes and draws them.

mod args;
mod commands;
mod memory;
mod progress;
mod source;
mod stop;

use std::borrow::Cow;
use std::error::Error;
use std::io;
use std::process::ExitCode;

use args::{Args, Command};
use bouton_study::export::ExportError;
use bouton_tables::printable::printable_lines;
use clap::Parser;

/// Exit status: success; the answer is no; an error.
const FINE: u8 = 0;
const NO: u8 = 1;
const TROUBLE: u8 = 2;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return misused(&error),
    };
    let done = match &args.command {
        Command::Generate(args) => commands::generate::run(args),
        Command::Verify(args) => commands::verify::run(args),
        Command::Info(args) => commands::info::run(args),
        Command::Rules(args) => commands::rules::run(args),
        Command::Diff(args) => commands::diff::run(args),
        Command::Export(args) => commands::export::run(args),
        Command::Analyze(args) => commands::analyze::run(args),
        Command::Draw(args) => commands::draw::run(args),
    };
    match done {
        Ok(status) => status.into(),
        Err(error) if is_closed_pipe(&*error) => FINE.into(),
        Err(error) => {
            eprintln!("bouton: {}", printable_lines(&error.to_string()));
            TROUBLE.into()
        }
    }
}

/// Shows what is wrong with the command line. What was typed is in it as it is, so the terminal must not see it so.
fn misused(error: &clap::Error) -> ExitCode {
    match printable_lines(&error.to_string()) {
        Cow::Borrowed(_) => error.exit(),
        Cow::Owned(shown) => {
            eprint!("{shown}");
            TROUBLE.into()
        }
    }
}

/// Whether the reader of our output closed the pipe, which is not an error.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let of_export = error.downcast_ref::<ExportError>().and_then(|error| match error {
        ExportError::Io(error) => Some(error),
        _ => None,
    });
    error
        .downcast_ref()
        .or(of_export)
        .is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe)
}
