//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use bouton_match::models::{MODELS_HELP, Model};
use bouton_match::players::{LosingPolicy, PLAYERS_HELP, PlayerSpec};
use bouton_match::tournament::Sprt;
use bouton_match::{client, server};
use bouton_shell::whole;
use bouton_tables::expanding::{MAX_RESETS, MAX_STONES};
use clap::{Args as Arguments, Parser, Subcommand, ValueEnum};

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (table format 1)");

/// Plays from tables: games between players of many kinds, tournaments, and matches on real servers.
#[derive(Debug, Parser)]
#[command(name = "bouton-match", version = VERSION, propagate_version = true)]
#[command(
    after_help = "Exit status: 0 if everything was played, whoever won; 2 for an error (wrong usage, an unreadable or \
                        damaged file, an invalid transcript, a server that disconnects); standard error says how to fix it; 130, 143 or 129 if it was interrupted (Ctrl-C), asked to end (SIGTERM), or its terminal is gone (SIGHUP)."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play games between two players.
    #[command(after_help = players_and_models())]
    Play(PlayArgs),
    /// Annotate recorded games: the outcome of each move, and the moves that threw away a win.
    Replay(ReplayArgs),
    /// Let every player meet every other player, from every start, on both sides.
    #[command(after_help = automatic_players_and_models())]
    Tournament(TournamentArgs),
    /// Show the standings of a saved tournament.
    Standings(StandingsArgs),
    /// Compute the best response to a model of the opponent and store it in a file next to the table.
    #[command(after_help = MODELS_HELP)]
    Chances(ChancesArgs),
    /// Play a match on a server of the Expanding Nim tournaments.
    Connect(ConnectArgs),
    /// Advise in a game on another board: type the opponent's moves, and get the replies.
    Advise(AdviseArgs),
    /// Host matches for other people's clients, as the servers of the tournaments do.
    Serve(ServeArgs),
    /// Print completions for a shell.
    Completions(bouton_shell::Completions),
    /// Print a page for `man`, or write all pages to a folder.
    Man(bouton_shell::Pages),
}

fn players_and_models() -> String {
    format!("{PLAYERS_HELP}\n{MODELS_HELP}")
}

fn automatic_players_and_models() -> String {
    players_and_models().split_inclusive('\n').filter(|line| !line.starts_with("  human ")).collect()
}

/// The rules of the game.
#[derive(Clone, Debug, Default, Arguments)]
pub(crate) struct RulesArgs {
    /// The rules: a preset's name (`bouton rules --list` lists them) or the path of a TOML file [default:
    /// `expanding`; with play and tournament, the rules of the first table file that a player has]
    #[arg(long, value_name = "RULESET")]
    pub(crate) rules: Option<PathBuf>,
    /// Override a key of the rules, for example --set stones=50; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
    /// Play from this table, made by `bouton generate`, and by its rules. With --set, the table may cover more
    /// stones, heaps or resets than the game.
    #[arg(long, value_name = "FILE", conflicts_with = "rules")]
    pub(crate) table: Option<PathBuf>,
}

/// The size of a match.
#[derive(Clone, Copy, Debug, Default, Arguments)]
pub(crate) struct SizeArgs {
    /// Number of stones at the start; short for --set stones=N.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1..=MAX_STONES.into()))]
    pub(crate) stones: Option<u64>,
    /// Number of resets of each player at the start, 0 to 15; short for --set resets=R,R.
    #[arg(long, value_name = "R", value_parser = whole::<u8>(0..=MAX_RESETS.into()))]
    pub(crate) resets: Option<u8>,
}

/// The game to play, and its conditions.
#[derive(Debug, Arguments)]
pub(crate) struct GameArgs {
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Seconds that each player has for all moves of a game, above 0 and up to 1000000, or `none` [default: 120, or none if a human plays]
    #[arg(long, value_name = "SECONDS", value_parser = clock, allow_negative_numbers = true)]
    pub(crate) clock: Option<Clock>,
    /// Seed for every random choice: the same seed gives the same games.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX.into()))]
    pub(crate) seed: u64,
    /// Append the games to this file, one line of JSON per game; - writes them to standard output, and everything else to
    /// standard error.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

/// Each player's time for a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Clock {
    None,
    Of(Duration),
}

fn clock(text: &str) -> Result<Clock, String> {
    if text == "none" {
        return Ok(Clock::None);
    }
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    match text.parse() {
        Ok(seconds) if is_plain && seconds > 0.0 && seconds <= 1e6 => {
            Ok(Clock::Of(Duration::from_secs_f64(seconds)))
        }
        _ => Err("expected a number of seconds above 0 and up to 1000000, or none".to_owned()),
    }
}

#[derive(Debug, Arguments)]
pub(crate) struct PlayArgs {
    /// The player who moves first in the first game.
    pub(crate) first: PlayerSpec,
    /// The player who moves second in the first game.
    pub(crate) second: PlayerSpec,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// The position in which games begin [default: the start of the rules]
    #[arg(long, value_name = "POSITION")]
    pub(crate) start: Option<String>,
    /// Number of games, 1 to 10000000; the players change sides after each.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u32>(1..=10_000_000))]
    pub(crate) games: u32,
    /// Print every move, even of several games.
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) show: bool,
    /// Print only the final score.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct ReplayArgs {
    /// A transcript made with --record; - is standard input.
    pub(crate) file: PathBuf,
    /// The table that gives the outcomes [default: solve the rules on the spot]
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// Print one JSON object per game.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The choice of starts by their outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StartChoice {
    /// Starts that are lost for the first player.
    Lost,
    /// Starts that are won for the first player.
    Won,
    /// All starts.
    All,
}

/// The content of comma-separated output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CsvContent {
    /// A line for each player.
    Standings,
    /// A line for each pair of players.
    Pairs,
    /// A line for each game.
    Games,
}

/// The format of a tournament's results.
#[derive(Debug, Arguments)]
pub(crate) struct FormatArgs {
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print comma-separated values: --csv=standings (the default), pairs or games.
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "standings",
          conflicts_with = "json", hide_possible_values = true)]
    pub(crate) csv: Option<CsvContent>,
}

impl FormatArgs {
    /// Returns true if the results are for programs: JSON and CSV are never wrapped to the terminal's width.
    pub(crate) fn is_data(&self) -> bool {
        self.json || self.csv.is_some()
    }
}

/// Where games begin.
#[derive(Debug, Arguments)]
pub(crate) struct StartArgs {
    /// Stones with which games begin: numbers and ranges, such as 20,100,990-1000 (Expanding Nim only).
    #[arg(long, value_name = "LIST")]
    pub(crate) stones: Option<String>,
    /// A position in which games begin; may be repeated.
    #[arg(long = "start", value_name = "POSITION")]
    pub(crate) positions: Vec<String>,
    /// A text file with a start on each line; - is standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) start_file: Option<PathBuf>,
    /// Choose starts by their outcome for the first player, as the table says: among the given starts; if none are given, among
    /// all starts of the game.
    #[arg(long = "starts", value_name = "WHICH")]
    pub(crate) choice: Option<StartChoice>,
}

#[derive(Debug, Arguments)]
pub(crate) struct TournamentArgs {
    /// The players, two or more.
    #[arg(required_unless_present = "resume",
          value_parser = |text: &str| PlayerSpec::automatic(text).map(|_| text.to_owned()))]
    pub(crate) players: Vec<String>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) start: StartArgs,
    /// Number of games that each pair plays from each start on each side, 1 to 1000000.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) games: u32,
    /// Number of games played at the same time, 1 to 1024; the results do not depend on it [default: one per processor]
    #[arg(long, value_name = "N", alias = "threads", allow_negative_numbers = true, value_parser = whole::<u16>(1..=1024))]
    pub(crate) jobs: Option<u16>,
    /// End a game as soon as a player with a table has a won position.
    #[arg(long)]
    pub(crate) adjudicate: bool,
    /// Shuffle the starts, and end when it is clear whether the first player is ELO0 or ELO1 above the second, with an error
    /// probability of 5 % for each answer.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,
    /// Write each result to this file as soon as a game is over; `bouton-match standings FILE` shows the standings.
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Resume the tournament in this file, which --save created.
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "players", "rules", "settings", "table", "clock", "seed", "stones", "positions", "start_file", "choice", "games", "adjudicate",
        "sprt", "save",
    ])]
    pub(crate) resume: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// Show no progress bar.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct StandingsArgs {
    /// A file of results, which `bouton-match tournament --save` writes; - is standard input. The tournament may
    /// still be running.
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Debug, Arguments)]
pub(crate) struct ChancesArgs {
    /// The table.
    pub(crate) table: PathBuf,
    /// The model of the opponent.
    #[arg(long)]
    pub(crate) model: Model,
    /// The file to write; - is standard output [default: TABLE with the ending .chances]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing file.
    #[arg(long)]
    pub(crate) force: bool,
    /// Print nothing but errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Play a match on a server of the Expanding Nim tournaments.
#[derive(Debug, Arguments)]
#[command(
    after_help = "The server's announcements take precedence: the stones and, if the protocol has them, the resets and `init_max`, \
                        which sets base-limit and reset-limit. Options --rules, --set, --table, --stones and --resets set what the server does \
                        not announce. The game of these options (by default 1000 stones and 4 resets each) is prepared before the \
                        client connects; a table that does not fit the announced rules is refused, and the game is solved on \
                        the spot. With `rest`, --stones is the number of stones of a new session [default: 1000]. With \
                        `text-2016`, give --stones if we move second, since the server does not announce the stones then.\n\n\
                        The last line is `won: ...`, `lost: ...`, or `over: ...` if the server does not say who won. The exit \
                        status is 0 in each case."
)]
pub(crate) struct ConnectArgs {
    /// The server: HOST:PORT, or http://HOST:PORT for a web server.
    pub(crate) address: String,
    #[command(flatten)]
    pub(crate) options: client::MatchOptions,
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    #[command(flatten)]
    pub(crate) size: SizeArgs,
    /// Ask for the first move; the server decides. With `rest`: create a session. This is the default.
    #[arg(long, conflicts_with = "second")]
    pub(crate) first: bool,
    /// Ask for the second move. With `rest`: join a session.
    #[arg(long)]
    pub(crate) second: bool,
    /// How to play lost positions; `bouton-match play --help` lists the policies [default: adapt, or longest in games
    /// of more than 26,800,000 positions]
    #[arg(long, value_name = "POLICY")]
    pub(crate) policy: Option<LosingPolicy>,
    /// Append the match to this file as a line of JSON, move by move; `bouton-match replay`
    /// annotates it.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Do not print the moves.
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Advise in a game on another board: type the opponent's moves, and get the replies.
#[derive(Debug, Arguments)]
#[command(after_help = ADVISE_HELP)]
pub(crate) struct AdviseArgs {
    /// Short for --table TABLE, or for --rules RULESET, which is solved on the spot [default: `expanding`]
    #[arg(value_name = "TABLE|RULESET", conflicts_with_all = ["rules", "table"])]
    pub(crate) game: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// The position in which the game begins [default: the start of the rules]
    #[arg(long, value_name = "POSITION", conflicts_with = "stones")]
    pub(crate) start: Option<String>,
    /// Number of stones with which the game begins (Expanding Nim only).
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1..=MAX_STONES.into()))]
    pub(crate) stones: Option<u64>,
    /// We make the first move. This is the default with --quiet, and if standard input is not a terminal.
    #[arg(long, conflicts_with = "second")]
    pub(crate) first: bool,
    /// The opponent makes the first move.
    #[arg(long)]
    pub(crate) second: bool,
    /// How to play lost positions; `bouton-match play --help` lists the policies [default: adapt, or longest in games
    /// of more than 26,800,000 positions]
    #[arg(long, value_name = "POLICY")]
    pub(crate) policy: Option<LosingPolicy>,
    /// The opponent's name, for the prompt and the record.
    #[arg(long, value_name = "NAME", default_value = "opponent")]
    pub(crate) opponent: String,
    /// Append the game to this file when it ends, as a line of JSON; `bouton-match replay` annotates it.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Print only our moves, one per line, for programs.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

const ADVISE_HELP: &str = "\
Input, one line each:
  7, 7r, 1:2, pass  the opponent's move, also in words, as in `take 7`, `2 from row 1`
  undo              takes back the opponent's last move, and our reply to it
  me MOVE           corrects our last move, if we played another one
  moves             shows what each move does
  why               says why we win or lose
  position          prints the position
  help              says how moves are written
  quit              ends the program, like the end of the input

If standard input is not a terminal, the program asks nothing and ends with the game. With --quiet, the answer to each
line is one line: our move; after `me`, the move that we made instead; after `undo` and `position`, the position; or
`error: ` and the problem. The answers to `moves`, `why` and `help` do not change. If we move first, our move is printed
before any input is read. The last line is `won`, `lost`, or `over` if the game is not over. The exit status is 0 in
each case, but 2 if a line was invalid and standard input is not a terminal.";

/// Host matches for other people's clients.
#[derive(Debug, Arguments)]
#[command(
    after_help = "The rules may be any rules of Expanding Nim. The default is the game of the protocol's server: 1000 stones with 4 \
                        resets each, or 1 reset each for text-2016. A match has at most 1000000 stones, with rest at most 1000; \
                        a session of rest may ask for another number. The first line names the rules that the protocol does not \
                        announce to clients: tell the players. tcp-2018 and tcp-2025 announce one limit, so base-limit and \
                        reset-limit must be equal; all tcp protocols announce one number of resets for both players."
)]
pub(crate) struct ServeArgs {
    /// The address to listen on: HOST:PORT, or PORT for this machine only; port 0 means any free port, HOST 0.0.0.0 admits other
    /// machines [default: 127.0.0.1 with port 9000 for tcp, 50008 for text-2016, 3000 for rest]
    #[arg(long, value_name = "ADDR")]
    pub(crate) listen: Option<String>,
    #[command(flatten)]
    pub(crate) settings: server::MatchSettings,
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    #[command(flatten)]
    pub(crate) size: SizeArgs,
    /// Print only the address on which the server listens.
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent_and_names_the_table_format() {
        super::Args::command().debug_assert();
        assert!(super::VERSION.ends_with(&format!("(table format {})", bouton_tables::FORMAT_VERSION)));
    }
}
