//! `bouton-lookup`: answers positions from a table.

mod args;

use std::error::Error;
use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use args::{Command, HELP, OutputForm};
use bouton_lookup::{Explain, GameValue, LookUpOptions, batch, in_words, look_up};
use bouton_tables::genus::Genus;
use bouton_tables::grundy::{GrundyError, GrundyGame, GrundyValues};
use bouton_tables::program::{FAILURE, Output, SUCCESS, end, print_failure, width, wrapped};
use bouton_tables::{FORMAT_VERSION, Game, Outcome, Table, with_table};

const PROGRAM: &str = "bouton-lookup";

/// Width of the help in a file or pipe, in columns: the default of clap, which the other programs use.
const HELP_WIDTH: usize = 100;

fn main() -> ExitCode {
    match args::parse(std::env::args_os().skip(1)) {
        Ok(command) => end(PROGRAM, run(command)),
        Err(error) => print_failure(PROGRAM, &format!("{error}\nbouton-lookup --help shows the usage")),
    }
}

fn run(command: Command) -> Result<u8, Box<dyn Error>> {
    let (mut out, text) = match command {
        // The help is wrapped here, because it has a default width of its own; `Output::data` does not wrap it again.
        Command::Help => (Output::data(), wrapped(HELP, Some(width().unwrap_or(HELP_WIDTH)))),
        Command::Version => {
            let version = env!("CARGO_PKG_VERSION");
            (Output::words(), format!("bouton-lookup {version} (table format {FORMAT_VERSION})\n"))
        }
        Command::Ask { file, position, form, options, grundy } => {
            let table = Table::named(&file)?;
            let text = with_table!(table.family(), |table| ask(table, &position, form, options, grundy)?);
            (Output::of(form == OutputForm::Json), text)
        }
        Command::Batch { file, options, check_every_read } => {
            let mut table = Table::named(&file)?;
            if check_every_read {
                table.check_every_read();
            }
            let lines = BufReader::with_capacity(1 << 16, io::stdin());
            let invalid = with_table!(table.family(), |table| batch(table, options, lines, Output::data())?);
            return Ok(if invalid == 0 { SUCCESS } else { FAILURE });
        }
    };
    out.write_all(text.as_bytes())?;
    Ok(SUCCESS)
}

fn ask<S: Explain<Game: GrundyGame>>(
    table: &S,
    position: &str,
    form: OutputForm,
    options: LookUpOptions,
    grundy: bool,
) -> Result<String, Box<dyn Error>> {
    let position = table.game().read_position(position)?;
    let mut reply = look_up(table, &position, options)?;
    if grundy {
        let (value, lost) = game_value(table.game(), &position)?;
        if lost != (reply.answer.verdict.outcome == Outcome::Loss) {
            return Err(format!(
                "the table is wrong at {}: it says {}, but the {value}; `bouton verify` checks every position",
                table.game().show_position(&position),
                reply.answer.verdict.outcome
            )
            .into());
        }
        reply.value = Some(value);
    }
    Ok(match form {
        OutputForm::Json => reply.to_json() + "\n",
        OutputForm::Words => in_words(&reply),
        OutputForm::Explained => format!("{}\n{}", in_words(&reply), table.explain(&position)?),
    })
}

/// Returns the Grundy value (normal play) or genus (misère play) of a position, and true if the position is lost
/// according to that value.
fn game_value<G: GrundyGame>(game: &G, position: &G::Position) -> Result<(GameValue, bool), GrundyError> {
    Ok(match game.outcome_without_moves() {
        Outcome::Loss => {
            let value = GrundyValues::up_to(game, position, &mut |_| true)?.of(position);
            (GameValue::Grundy(value), value == 0)
        }
        Outcome::Win => {
            let genus = Genus::of(game, position, &mut |_| true)?;
            let lost = genus.misere_value() == 0;
            (GameValue::Genus(genus), lost)
        }
    })
}
