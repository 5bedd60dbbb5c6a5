//! The program `bouton`, as a library: makes, verifies, compares, exports, analyzes and draws tables of solved games.
//! Several processes can make a table together, through any [`Communicator`].

mod args;
mod cluster;
mod commands;
mod memory;
mod progress;
mod source;
mod stop;

use std::process::ExitCode;

use args::{Args, ClusterArgs, ClusterCommand, Command};
use bouton_generator::Communicator;
use bouton_shell::{parse, print_help_or_error};
use bouton_tables::program::{ANSWER_NO, FAILURE, SUCCESS, end, print_failure};
use cluster::Cluster;

/// Runs the command line in this process only. Returns the exit status.
#[must_use]
pub fn run_alone() -> ExitCode {
    let args = match parse::<Args>() {
        Ok(args) => args,
        Err(error) => return print_help_or_error("bouton", &error),
    };
    let result = match &args.command {
        Command::Generate(args) => commands::generate::run(args, None),
        Command::Verify(args) => commands::verify::run(args),
        Command::Info(args) => commands::info::run(args),
        Command::Rules(args) => commands::rules::run(args),
        Command::Diff(args) => commands::diff::run(args),
        Command::Export(args) => commands::export::run(args),
        Command::Analyze(args) => commands::analyze::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Draw(picture) => commands::draw::run(picture),
        Command::Sheet(args) => commands::sheet::run(args),
        Command::Completions(args) => commands::shell::completions(args),
        Command::Man(args) => commands::shell::pages(args),
    };
    end("bouton", result)
}

/// Runs the command line of `bouton-mpi` as one of several processes with the same command line. `host` is the name of
/// this machine.
///
/// Returns the exit status, and whether the other processes may be waiting for this one; the caller must then abort
/// them.
pub fn run_as_rank(communicator: &dyn Communicator, host: &str) -> (ExitCode, bool) {
    let is_first = communicator.rank() == 0;
    let args = match parse::<ClusterArgs>() {
        Ok(args) => args,
        // All processes find the same error; only the first one prints it.
        Err(error) if is_first => return (print_help_or_error(PROGRAM, &error), false),
        Err(error) => return ((if error.use_stderr() { FAILURE } else { SUCCESS }).into(), false),
    };
    let run = |cluster| match &args.command {
        ClusterCommand::Generate(args) => commands::generate::run(args, cluster),
        // The first process proves a table alone.
        ClusterCommand::Verify(args) if is_first => commands::verify::run(args),
        ClusterCommand::Verify(_) => Ok(SUCCESS),
    };
    if communicator.size() == 1 {
        return (end(PROGRAM, run(None)), false);
    }
    let cluster = match Cluster::join(communicator, host, &args) {
        Ok(cluster) => cluster,
        Err(error) if is_first => return (print_failure(PROGRAM, &error), false),
        Err(_) => return (FAILURE.into(), false),
    };
    match run(Some(&cluster)) {
        Err(_) if !cluster.reports_errors() => (FAILURE.into(), false),
        Err(error) => (end(PROGRAM, Err(cluster.with_process_name(error))), cluster.has_begun()),
        result => (end(PROGRAM, result), false),
    }
}

/// Name of the program that runs as several processes.
const PROGRAM: &str = "bouton-mpi";
