//! `bouton-match`: plays games, tournaments, and matches on real servers.

mod args;
mod commands;

use std::borrow::Cow;
use std::error::Error;
use std::io;
use std::process::ExitCode;

use args::{Args, Command};
use bouton_tables::printable::printable_lines;
use clap::Parser;

/// Exit status: success; an error.
const FINE: u8 = 0;
const TROUBLE: u8 = 2;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return misused(&error),
    };
    let done = match &args.command {
        Command::Play(args) => commands::play::run(args),
        Command::Replay(args) => commands::replay::run(args),
        Command::Tournament(args) => commands::tournament::run(args),
        Command::Chances(args) => commands::chances::run(args),
        Command::Connect(args) => commands::live::connect(args),
        Command::Serve(args) => commands::live::serve(args),
    };
    match done {
        Ok(status) => status.into(),
        Err(error) if is_closed_pipe(&*error) => FINE.into(),
        Err(error) => {
            eprintln!("bouton-match: {}", printable_lines(&error.to_string()));
            TROUBLE.into()
        }
    }
}

/// Shows what is wrong with the command line. clap repeats what was typed without escaping it.
fn misused(error: &clap::Error) -> ExitCode {
    match printable_lines(&error.to_string()) {
        Cow::Borrowed(_) => error.exit(),
        Cow::Owned(shown) => {
            eprint!("{shown}");
            TROUBLE.into()
        }
    }
}

/// Whether the reader of our output has closed the pipe, which is not an error.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
