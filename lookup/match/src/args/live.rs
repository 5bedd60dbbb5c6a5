//! What the user types for a match over the network.

use std::path::PathBuf;

use bouton_match::players::LosingPolicy;
use bouton_match::{client, server};
use clap::Args as Arguments;

/// Play a match on a server of the Expanding Nim tournaments.
#[derive(Debug, Arguments)]
#[command(
    after_help = "Ends with a line `won: ...` or `lost: ...` (`over: ...` if the server does not say who won), \
                        and exit status 0 in each case."
)]
pub(crate) struct Connect {
    /// The server: HOST:PORT, or http://HOST:PORT for a web server.
    pub(crate) address: String,
    /// How the server talks. With `auto`, http:// means `rest`, port 50008 means `text-2016`, and otherwise
    /// it is found out. On an unusual port name the server of 2016: it may keep silent until the opponent is
    /// there, and is then taken for another.
    #[arg(long, value_enum, default_value_t = client::ProtocolChoice::Auto)]
    pub(crate) protocol: client::ProtocolChoice,
    /// Our name [default: Bouton and a number, so that two of us can be told apart].
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Ask for the first move; the server decides. With `rest`: make a session [default].
    #[arg(long, conflicts_with = "second")]
    pub(crate) first: bool,
    /// Ask for the second move. With `rest`: join a session.
    #[arg(long)]
    pub(crate) second: bool,
    /// A table to play from. Without one, or if it does not fit the game, the game is solved on the spot.
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,
    /// How to play lost positions; won ones are won. `bouton-match play --help` lists the policies [default:
    /// adapt, in a game of up to 2,000,000 positions]
    #[arg(long, value_name = "POLICY")]
    pub(crate) policy: Option<LosingPolicy>,
    /// With `rest`: the session to join.
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<u64>,
    /// With `rest`: the stones of the session that is made [default: 1000]. With `text-2016`: those at the
    /// start of the game, which that server does not tell who moves second.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) stones: Option<u32>,
    /// Add the match to this file, a line of JSON, if it ends in a way that is known; `bouton-match replay`
    /// annotates it.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// How long the server may be silent.
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) patience: u64,
    /// Over TCP, wait this long before sending each move; 0 answers at once. Many clients crash when two messages
    /// arrive together, as they do after an instant answer. The wait runs on our clock.
    #[arg(long, value_name = "MS", default_value_t = client::USUAL_PAUSE.as_millis() as u64, value_parser = clap::value_parser!(u64).range(..=60_000))]
    pub(crate) pause: u64,
    /// Do not print the moves.
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Host matches for other people's clients.
#[derive(Debug, Arguments)]
pub(crate) struct Serve {
    /// Where to listen: HOST:PORT, or PORT for this machine only; port 0 takes any free one. 127.0.0.1 if left out,
    /// with port 9000 for tcp, 50008 for text, 3000 for rest; HOST 0.0.0.0 lets other machines in.
    #[arg(long, value_name = "ADDR")]
    pub(crate) listen: Option<String>,
    /// How clients talk: tcp-2017 (also 2020's), tcp-2018, tcp-2025, text-2016, or rest (the web server of 2020).
    #[arg(long, value_name = "PROTOCOL", default_value = "tcp-2017")]
    pub(crate) protocol: server::Protocol,
    /// Stones at the start, 1 to 1000000; for rest 1 to 1000, where a session may ask for another number.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) stones: u32,
    /// How many resets each player may impose, 0 to 15; 4 if left out, for text-2016 1.
    #[arg(long, value_name = "R")]
    pub(crate) resets: Option<u8>,
    /// How many seconds each player has in all.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub(crate) clock: u32,
    /// End after so many finished matches; 0: never. Matches are played at the same time as clients come.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) matches: u64,
    /// Tell only where the server listens, and nothing of matches and clients.
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Seconds within which a client must say who it is.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, hide = true)]
    pub(crate) join_time: u32,
    /// Milliseconds between two messages of which the first is not answered.
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 20, hide = true)]
    pub(crate) pause: u32,
}
