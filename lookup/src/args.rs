//! The command line.

use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;

use bouton_lookup::LookUpOptions;
use bouton_tables::input::is_dash;
use lexopt::prelude::*;

/// The output of `--help`.
pub(crate) const HELP: &str = "\
Looks positions up in a table made by `bouton generate`.

Usage:
  bouton-lookup FILE POSITION [--json | --explain] [--moves] [--policy P] [--grundy]
  bouton-lookup FILE --batch [--moves] [--policy P] [--verify-reads]

Arguments:
  FILE         the table, for example expanding.bouton or sticks.bouton; - is standard input
  POSITION     Expanding Nim: STONES/CURRENTMAX/TURN/RESETS1,RESETS2/IMPOSED, such as 217/9/1/4,3/-
                 TURN is 1 or 2, the player to move; RESETS1,RESETS2 are the resets left to players 1 and 2; IMPOSED is r if a \
reset binds this turn, otherwise -. Fields omitted at the end mean the start of a game: 1000 is enough.
               heap games: the heaps in any order, such as 3,5,7 or 3 5 7 or 3-5-7; if the rules have passes, followed by /P for the \
passes left, such as 3,5,7/1
               Blanks and the case of letters do not matter; docs/rules.md lists all accepted forms.

Options:
  --json       answer with one line of JSON
  --explain    say why: by the theorem that decides the game, or move by move
  --moves      list every legal move too, best first
  --grundy     print the Grundy value too, computed from the rules: the Nim heap to which the position is equal in any sum of games; in \
misère play its genus
  --policy P   how to choose the best move in a lost position: longest (the default), or trap (leave the opponent the smallest \
fraction of winning replies). In a won position the best move is always the fastest; `fastest` is accepted, and means the default
  --batch      read positions from standard input, one per line, and answer each with a line of JSON
  --verify-reads
               with --batch: check each block of the file at every read, not only at the first, so that a file that changes while it is \
open gives errors and never wrong answers
  -h, --help      print this
  -V, --version   print the version, and the version of the table format

A move of Expanding Nim is the number of stones to take, followed by r to impose a reset: 5 or 5r. A move of a heap game is ROW:TAKE, \
rows counted from 1 as you gave them: 1:2, or 1:2+3:1 from several heaps, or pass.
Exit status: 0: answered; 2: an error, such as an invalid position, an invalid line in the batch, or a damaged table; standard error \
says how to fix it.
";

/// How to print the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputForm {
    Words,
    /// Words, followed by the argument why the position is won or lost.
    Explained,
    Json,
}

#[derive(Debug)]
pub(crate) enum Command {
    Help,
    Version,
    Ask { file: PathBuf, position: String, form: OutputForm, options: LookUpOptions, grundy: bool },
    Batch { file: PathBuf, options: LookUpOptions, check_every_read: bool },
}

pub(crate) fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Command, Box<dyn Error>> {
    let mut parser = lexopt::Parser::from_args(args);
    let (mut values, mut json, mut explain) = (Vec::new(), false, false);
    let (mut batch, mut check_every_read, mut grundy) = (false, false, false);
    let mut options = LookUpOptions::default();
    let refuse = |what: &str| Err(what.into());
    while let Some(arg) = parser.next()? {
        match arg {
            Short('h') | Long("help") => return Ok(Command::Help),
            Short('V') | Long("version") => return Ok(Command::Version),
            Long("json") => json = true,
            Long("explain") => explain = true,
            Long("moves") => options.list_moves = true,
            Long("batch") => batch = true,
            Long("verify-reads") => check_every_read = true,
            Long("grundy") => grundy = true,
            Long("policy") => options.policy = parser.value()?.string()?.parse()?,
            Value(value) => values.push(value),
            other => return Err(other.unexpected().into()),
        }
    }
    let [file, position @ ..] = &values[..] else {
        return refuse("no table is named; give the path of one, for example expanding.bouton");
    };
    let file = PathBuf::from(file);
    if batch && is_dash(&file) {
        return refuse(
            "with --batch standard input has the positions, and cannot be the table too; name its file",
        );
    }
    let form = match (json || batch, explain) {
        (true, true) => {
            return refuse("--explain answers in words: omit --json and --batch, or omit --explain");
        }
        (true, false) => OutputForm::Json,
        (false, true) => OutputForm::Explained,
        (false, false) => OutputForm::Words,
    };
    if check_every_read && !batch {
        return refuse("--verify-reads needs --batch: a single answer checks what it reads anyway");
    }
    if grundy && batch {
        return refuse(
            "--grundy needs a single position: omit --batch, or list the values of all positions with `bouton export --grundy`",
        );
    }
    match (position, batch) {
        ([], true) => Ok(Command::Batch { file, options, check_every_read }),
        (_, true) => refuse("with --batch, positions come from standard input and not from the command line"),
        ([], false) => {
            refuse("no position is given; write one, for example 217/9/1/4,3/- or 3,5,7, or --batch")
        }
        // Heaps may be separate arguments: 3 5 7.
        (words, false) => match words.join(" ".as_ref()).into_string() {
            Ok(position) => Ok(Command::Ask { file, position, form, options, grundy }),
            Err(_) => refuse("the position is not valid UTF-8; write it in ASCII"),
        },
    }
}
