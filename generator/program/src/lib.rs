//! The program `bouton`: makes tables of solved games, verifies, compares, exports, analyzes and draws them. Several processes
//! can make a table together; what connects them is not known here.

mod args;
mod commands;
mod company;
mod memory;
mod progress;
mod source;
mod stop;

use std::process::ExitCode;

use args::{Args, Command, CommandTogether, Together};
use bouton_generator::Peers;
use bouton_shell::{parse, refuse};
use bouton_tables::program::{FINE, NO, TROUBLE, end, trouble};
use company::Company;

/// Does what the command line says, by this process alone. Gives its exit status.
#[must_use]
pub fn alone() -> ExitCode {
    let args = match parse::<Args>() {
        Ok(args) => args,
        Err(error) => return refuse("bouton", &error),
    };
    let done = match &args.command {
        Command::Generate(args) => commands::generate::run(args, None),
        Command::Verify(args) => commands::verify::run(args, None),
        Command::Info(args) => commands::info::run(args),
        Command::Rules(args) => commands::rules::run(args),
        Command::Diff(args) => commands::diff::run(args),
        Command::Export(args) => commands::export::run(args),
        Command::Analyze(args) => commands::analyze::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Draw(args) => commands::draw::run(args),
        Command::Sheet(args) => commands::sheet::run(args),
        Command::Completions(args) => commands::shell::completions(args),
        Command::Man(args) => commands::shell::pages(args),
    };
    end("bouton", done)
}

/// Does what the command line of `bouton-mpi` says, together with other processes that do the same. `host` is the name of this
/// machine.
///
/// Gives the exit status, and whether the others may be waiting: they have to be ended then.
pub fn together(peers: &dyn Peers, host: &str) -> (ExitCode, bool) {
    let is_first = peers.own() == 0;
    let args = match parse::<Together>() {
        Ok(args) => args,
        // All have the same to say.
        Err(error) if is_first => return (refuse(PROGRAM, &error), false),
        Err(error) => return ((if error.use_stderr() { TROUBLE } else { FINE }).into(), false),
    };
    let run = |company| match &args.command {
        CommandTogether::Generate(args) => commands::generate::run(args, company),
        CommandTogether::Verify(args) => commands::verify::run(args, company),
    };
    if peers.count() == 1 {
        return (end(PROGRAM, run(None)), false);
    }
    let company = match Company::meet(peers, host, &args) {
        Ok(company) => company,
        Err(error) if is_first => return (trouble(PROGRAM, &error), false),
        Err(_) => return (TROUBLE.into(), false),
    };
    match run(Some(&company)) {
        Err(_) if !company.speaks() => (TROUBLE.into(), false),
        Err(error) => (end(PROGRAM, Err(company.signed(error))), company.has_begun()),
        done => (end(PROGRAM, done), false),
    }
}

const PROGRAM: &str = "bouton-mpi";
