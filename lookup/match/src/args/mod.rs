//! What the user types.

mod live;

use std::path::PathBuf;
use std::time::Duration;

use bouton_match::models::{MODELS_HELP, Model};
use bouton_match::players::{PLAYERS_HELP, Spec};
use clap::{Args as Arguments, Parser, Subcommand};

pub(crate) use live::{Connect, Serve};

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (table format 1)");

/// Plays what the tables know: games between players of any kind, tournaments, and matches on real servers.
#[derive(Debug, Parser)]
#[command(name = "bouton-match", version = VERSION, propagate_version = true)]
#[command(
    after_help = "Exit status: 0 fine, whoever wins; 2 trouble (bad usage, unreadable or damaged file, a \
                        transcript that does not hold, a server that breaks off)."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play games between two players.
    #[command(after_help = players_and_models())]
    Play(Play),
    /// Annotate recorded games: each move with its outcome, and those that threw the win away.
    Replay(Replay),
    /// Let every player meet every other one, from every start, on both sides.
    #[command(after_help = players_and_models())]
    Tournament(Tournament),
    /// Compute the best response to a model of the opponent, and keep it in a file beside the table.
    #[command(after_help = MODELS_HELP)]
    Chances(ChancesArgs),
    /// Play a match on a server of the Expanding Nim tournaments.
    Connect(Connect),
    /// Host matches for other people's clients, as the tournaments' servers do.
    Serve(Serve),
}

fn players_and_models() -> String {
    format!("{PLAYERS_HELP}\n{MODELS_HELP}")
}

/// Which game is played, and how.
#[derive(Debug, Arguments)]
pub(crate) struct GameArgs {
    /// The rules: a preset's name (`bouton rules --list` tells them) or the path of a TOML file. If left out,
    /// those of the first player's table that has a file, or else `expanding`.
    #[arg(long, value_name = "RULESET")]
    pub(crate) rules: Option<String>,
    /// Override one key of the ruleset, for example --set stones=50; may be given again.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
    /// Seconds that each player has for all moves of a game, or `none` [default: 120; none if a human plays]
    #[arg(long, value_name = "SECONDS", value_parser = clock)]
    pub(crate) clock: Option<Clock>,
    /// What decides all that players leave to chance: the same seed, the same games.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Add the games to this file, a line of JSON each.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

/// What time each player has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Clock {
    None,
    Of(Duration),
}

fn clock(text: &str) -> Result<Clock, String> {
    if text == "none" {
        return Ok(Clock::None);
    }
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    match text.parse() {
        Ok(seconds) if plain && seconds > 0.0 && seconds <= 1e6 => {
            Ok(Clock::Of(Duration::from_secs_f64(seconds)))
        }
        _ => Err("allowed is a number of seconds above 0, at most 1000000, or none".to_owned()),
    }
}

#[derive(Debug, Arguments)]
pub(crate) struct Play {
    /// Who moves first in the first game.
    pub(crate) first: Spec,
    /// Who moves second in it.
    pub(crate) second: Spec,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Where games begin, in notation; the rules' own start if left out.
    #[arg(long, value_name = "POSITION")]
    pub(crate) start: Option<String>,
    /// How many games; the players change sides after each.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) games: u32,
    /// Print every move, also of several games.
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) show: bool,
    /// Print the final score alone.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct Replay {
    /// A transcript, made with --record.
    pub(crate) file: PathBuf,
    /// The table that tells outcomes; solved on the spot if left out.
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// Print one JSON object a game.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct Tournament {
    /// The players, two or more.
    #[arg(required = true, num_args = 2..)]
    pub(crate) players: Vec<Spec>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// With how many stones games begin: numbers and ranges, as 20,100,990-1000 (Expanding Nim only).
    #[arg(long, value_name = "LIST")]
    pub(crate) stones: Option<String>,
    /// A position with which games begin, in notation; may be given again.
    #[arg(long = "start", value_name = "POSITION")]
    pub(crate) starts: Vec<String>,
    /// How many games each pair plays from each start on each side.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) games: u32,
    /// Games played at the same time; as many as there are processors if left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress bar.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct ChancesArgs {
    /// The table.
    pub(crate) table: PathBuf,
    /// The model of the opponent.
    #[arg(long)]
    pub(crate) model: Model,
    /// Where to write; TABLE.chances, in place of TABLE.bouton, if left out.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace a file that is there already.
    #[arg(long)]
    pub(crate) force: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent_and_tells_the_format_that_is_read() {
        super::Args::command().debug_assert();
        assert!(super::VERSION.ends_with(&format!("(table format {})", bouton_tables::FORMAT_VERSION)));
    }
}
