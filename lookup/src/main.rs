//! `bouton-lookup`: the best move, from a table, in constant time.

mod args;

use std::error::Error;
use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use args::{Command, Form, HELP};
use bouton_lookup::{Explain, Options, Typed, batch, in_words, look_up};
use bouton_tables::printable::printable_lines;
use bouton_tables::{FORMAT_VERSION, Solved, Table, with_table};

/// Exit status: success; an error.
const FINE: u8 = 0;
const TROUBLE: u8 = 2;

fn main() -> ExitCode {
    let command = match args::parse(std::env::args_os().skip(1)) {
        Ok(command) => command,
        Err(wrong) => {
            let wrong = printable_lines(&wrong);
            eprintln!("bouton-lookup: {wrong}\nbouton-lookup --help shows the usage");
            return TROUBLE.into();
        }
    };
    match run(command) {
        Ok(status) => status.into(),
        Err(error) if is_closed_pipe(&*error) => FINE.into(),
        Err(error) => {
            eprintln!("bouton-lookup: {}", printable_lines(&error.to_string()));
            TROUBLE.into()
        }
    }
}

/// Whether the reader of our output closed the pipe, which is not an error.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn run(command: Command) -> Result<u8, Box<dyn Error>> {
    let text = match command {
        Command::Help => HELP.to_owned(),
        Command::Version => {
            format!("bouton-lookup {} (table format {FORMAT_VERSION})\n", env!("CARGO_PKG_VERSION"))
        }
        Command::Ask { file, position, form, options } => {
            let table = Table::map(&file)?;
            with_table!(table.family(), |table| ask(table, &position, form, options)?)
        }
        Command::Batch { file, options, verify_reads } => {
            let mut table = Table::map(&file)?;
            if verify_reads {
                table.check_every_read();
            }
            let bad = with_table!(table.family(), |table| answer_lines(table, options)?);
            return Ok(if bad == 0 { FINE } else { TROUBLE });
        }
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(FINE)
}

fn ask<S: Explain<Game: Typed>>(
    table: &S,
    position: &str,
    form: Form,
    options: Options,
) -> Result<String, Box<dyn Error>> {
    let position = table.game().read_position(position)?;
    let reply = look_up(table, &position, options)?;
    Ok(match form {
        Form::Json => reply.to_json() + "\n",
        Form::Words => in_words(&reply),
        Form::Explained => format!("{}\n{}", in_words(&reply), table.explain(&position)?),
    })
}

fn answer_lines<S: Solved<Game: Typed>>(table: &S, options: Options) -> io::Result<u64> {
    batch(table, options, BufReader::with_capacity(1 << 16, io::stdin()), io::stdout())
}
