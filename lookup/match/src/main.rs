//! `bouton-match`: plays games and tournaments, takes part in matches as a client or as the server, advises in games
//! that are played elsewhere, and computes chances.

mod args;
mod commands;

use std::process::ExitCode;

use args::{Args, Command};
use bouton_match::stop::{handle_signals, signal_status};
use bouton_shell::{parse, print_help_or_error};
use bouton_tables::program::{SUCCESS, end, print_failure};
use clap::CommandFactory;

fn main() -> ExitCode {
    let args = match parse::<Args>() {
        Ok(args) => args,
        Err(error) => return print_help_or_error("bouton-match", &error),
    };
    if let Err(error) = handle_signals() {
        return print_failure("bouton-match", &error);
    }
    let done = match &args.command {
        Command::Advise(args) => commands::advise::run(args),
        Command::Play(args) => commands::play::run(args),
        Command::Replay(args) => commands::replay::run(args),
        Command::Tournament(args) => commands::tournament::run(args),
        Command::Standings(args) => commands::tournament::standings(args),
        Command::Chances(args) => commands::chances::run(args),
        Command::Connect(args) => commands::live::connect(args),
        Command::Serve(args) => commands::live::serve(args),
        Command::Completions(args) => args.print(Args::command()).map_err(Into::into),
        Command::Man(args) => args.write(Args::command()),
    };
    end("bouton-match", done.map(|()| signal_status().unwrap_or(SUCCESS)))
}
