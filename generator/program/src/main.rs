//! `bouton`: makes tables of solved games, verifies, compares, exports, analyzes and draws them.

mod args;
mod commands;
mod memory;
mod progress;
mod source;
mod stop;

use std::process::ExitCode;

use args::{Args, Command};
use bouton_tables::program::{FINE, NO, end, misused};
use clap::Parser;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return misused(&error).unwrap_or_else(|| error.exit()),
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
    end("bouton", done)
}
