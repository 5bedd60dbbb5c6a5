//! The command line of `connect` and `serve`.

use std::path::PathBuf;

use bouton_match::players::LosingPolicy;
use bouton_match::{client, server};
use clap::Args as Arguments;

/// Play a match on a server of the Expanding Nim tournaments.
#[derive(Debug, Arguments)]
#[command(
    after_help = "The last line is `won: ...`, `lost: ...`, or `over: ...` if the server does not say who won. The exit \
                        status is 0 in each case."
)]
pub(crate) struct ConnectArgs {
    /// The server: HOST:PORT, or http://HOST:PORT for a web server.
    pub(crate) address: String,
    /// The server's protocol. With `auto`, http:// means `rest` and port 50008 means `text-2016`; otherwise it is
    /// detected. For the server of 2016 on another port, give `text-2016`: that server may send nothing until the
    /// opponent has connected, and is then mistaken for another.
    #[arg(long, value_enum, default_value_t = client::ProtocolChoice::Auto)]
    pub(crate) protocol: client::ProtocolChoice,
    /// Your name [default: Bouton and a random number]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Ask for the first move; the server decides. With `rest`: create a session. This is the default.
    #[arg(long, conflicts_with = "second")]
    pub(crate) first: bool,
    /// Ask for the second move. With `rest`: join a session.
    #[arg(long)]
    pub(crate) second: bool,
    /// The table to play from. Without one, or if it does not fit the game, the game is solved on the spot.
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// How to play lost positions; `bouton-match play --help` lists the policies [default: adapt, or longest in games of
    /// more than 2,000,000 positions]
    #[arg(long, value_name = "POLICY")]
    pub(crate) policy: Option<LosingPolicy>,
    /// With `rest`: the number of the session to join.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<u64>,
    /// With `rest`: the stones of the session to create [default: 1000]. With `text-2016`: the stones at the start of the
    /// game, which that server does not send to the player who moves second.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) stones: Option<u32>,
    /// Append the match to this file, as a line of JSON, if its result is known; `bouton-match replay` annotates it.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// How long to wait for the server each time.
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) patience: u64,
    /// Over TCP, wait this many milliseconds before sending each move; 0 answers at once. Many clients crash when two
    /// messages arrive together, as they do after an instant answer. The wait counts on your clock.
    #[arg(long, value_name = "MS", default_value_t = client::USUAL_PAUSE.as_millis() as u64, value_parser = clap::value_parser!(u64).range(..=60_000))]
    pub(crate) pause: u64,
    /// Do not print the moves.
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Host matches for other people's clients.
#[derive(Debug, Arguments)]
pub(crate) struct ServeArgs {
    /// Where to listen: HOST:PORT, or PORT for this machine only; port 0 means any free port, HOST 0.0.0.0 admits other
    /// machines [default: 127.0.0.1 with port 9000 for tcp, 50008 for text, 3000 for rest]
    #[arg(long, value_name = "ADDR")]
    pub(crate) listen: Option<String>,
    /// The protocol: tcp-2017 (also that of 2020), tcp-2018, tcp-2025, text-2016, or rest (the web server of 2020).
    #[arg(long, value_name = "PROTOCOL", default_value = "tcp-2017")]
    pub(crate) protocol: server::Protocol,
    /// Stones at the start, 1 to 1000000. For rest 1 to 1000; a session may ask for another number.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) stones: u32,
    /// Resets of each player, 0 to 15 [default: 4, or 1 for text-2016]
    #[arg(long, value_name = "R")]
    pub(crate) resets: Option<u8>,
    /// Seconds that each player has for all moves.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub(crate) clock: u32,
    /// End after this many matches; 0 means never. Matches run at the same time if clients come.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) matches: u64,
    /// Print only where the server listens, and nothing about matches and clients.
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Seconds within which a client must send its name.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, hide = true)]
    pub(crate) join_time: u32,
    /// Milliseconds between two messages to a client that has not answered the first.
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 20, hide = true)]
    pub(crate) pause: u32,
}
