//! `bouton completions` and `bouton man`: texts for shells and `man` on this program and `bouton-lookup`.
//!
//! `bouton-lookup` reads its command line without clap, to stay small. This file describes its options a second time,
//! and a test compares the description with its help.

use bouton_shell::Pages;
use clap::{Arg, ArgAction, Command, CommandFactory, ValueHint};

use super::ExitResult;
use crate::SUCCESS;
use crate::args::{Args, Completions, DescribedProgram};

pub(crate) fn completions(args: &Completions) -> ExitResult {
    args.shell.print(match args.program {
        DescribedProgram::Bouton => Args::command(),
        DescribedProgram::BoutonLookup => lookup(),
    })?;
    Ok(SUCCESS)
}

pub(crate) fn pages(args: &Pages) -> ExitResult {
    args.write(Args::command())?;
    if args.folder.is_some() {
        args.write(lookup())?;
    }
    Ok(SUCCESS)
}

/// The command line of `bouton-lookup`.
fn lookup() -> Command {
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
    };
    Command::new("bouton-lookup")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Looks positions up in a table made by `bouton generate`.")
        .arg(Arg::new("FILE").required(true).value_hint(ValueHint::FilePath).help("The table"))
        .arg(
            Arg::new("POSITION")
                .num_args(0..)
                .help("The position, in notation: 217/9/1/4,3/- in Expanding Nim, 3,5,7 or 3 5 7 in heap games"),
        )
        .arg(flag("json", "Answer with one line of JSON"))
        .arg(flag("explain", "Say why, by the theorem that decides the game or move by move"))
        .arg(flag("moves", "List every legal move too, best first"))
        .arg(flag("grundy", "Print the Grundy value too, in misère play the genus"))
        .arg(
            Arg::new("policy")
                .long("policy")
                .value_name("P")
                .value_parser(["fastest", "longest", "trap"])
                .help("How to choose the best move in a lost position"),
        )
        .arg(flag("batch", "Read positions from standard input, one per line, and answer each with a line of JSON"))
        .arg(flag("verify-reads", "With --batch: check each block of the file at every read"))
        .after_help(
            "Exit status: 0: answered; 2: an error, such as an invalid position, an invalid line in the batch, or a damaged \
             table; standard error says how to fix it.",
        )
}
