//! The command line.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use bouton_answers::USUAL_STEPS;
use bouton_shell::{whole, whole_of};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, ValueEnum};
use tracing::level_filters::LevelFilter;

use crate::public_address::parse_url;

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (table format 2)");

/// Answers from tables over HTTP, and serves a page to play on.
#[derive(Debug, Parser)]
#[command(name = "bouton-server", version = VERSION)]
#[command(
    after_help = "The first line on standard output says where it listens. SIGTERM, SIGHUP and Ctrl-C stop it, after \
                        the requests in progress; started with nohup, it outlives its terminal. Exit status: 0 it was \
                        stopped; 2 it could not start, or a second signal stopped it at once."
)]
#[allow(rustdoc::bare_urls, reason = "--help shows the comments as they stand")]
pub(crate) struct Args {
    /// Serve the files NAME.bouton of this folder, also those that are added or replaced while it runs. Without it, or if
    /// it has no table at startup, the presets are solved on the spot and served.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) tables: Option<PathBuf>,
    /// Read tables of any size into memory instead of mapping large ones, so that changes to a file cannot affect its
    /// table.
    #[arg(long)]
    pub(crate) in_memory: bool,
    /// Solve games of up to so many positions on request: clients spell their rules in the name of a table, as
    /// own:bounds=3,5,7;take=1,2. A game of a million positions takes about a second; 0 solves none.
    #[arg(long, value_name = "POSITIONS", default_value = "0", value_parser = whole::<u64>(0..=MAX_SOLVE_LIMIT))]
    pub(crate) solve_limit: u64,
    /// Where to listen: HOST:PORT, or PORT for this machine only. Port 0 takes any free port; host 0.0.0.0 lets other
    /// machines in.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = parse_address)]
    pub(crate) listen: SocketAddr,
    /// Where other machines find the page, for example https://school.example: the page shows it, and its QR code, to share. Empty for
    /// none [default: the address of this machine in its network, if --listen lets other machines in]
    #[arg(long, value_name = "URL", value_parser = parse_url, overrides_with = "address")]
    pub(crate) address: Option<String>,
    /// Serve /metrics at this address, and no longer at that of --listen
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// Let pages of this origin read answers, for example https://example.org, or '*' for all; may be repeated.
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) cors: Vec<String>,
    /// Let pages of this origin show the page in a frame, for example https://school.example, or '*' for all; may be
    /// repeated.
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) frame_ancestors: Vec<String>,
    /// The most connections at once; more must wait
    #[arg(long, value_name = "N", default_value = "4096", value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) connections: u32,
    /// The most connections at once from one address, or one network (/64) of IPv6; more are refused. Behind a reverse
    /// proxy, all clients have one address: the number of --connections lets it have all [default: half of --connections]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) connections_per_address: Option<u32>,
    /// Seconds for the request line and headers, from their first byte
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    pub(crate) head_time: Duration,
    /// Seconds for the body of a request
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    pub(crate) body_time: Duration,
    /// Seconds that a connection may be idle between requests
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds)]
    pub(crate) idle_time: Duration,
    /// Seconds that a client may pause while it reads a response
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds)]
    pub(crate) write_time: Duration,
    /// Seconds for the whole answer to many positions
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = parse_seconds)]
    pub(crate) answer_time: Duration,
    /// The most work for one answer, in ways to move examined; the default takes about a second
    #[arg(long, value_name = "N", default_value_t = USUAL_STEPS, value_parser = whole::<u64>(1..=1_000_000_000))]
    pub(crate) work: u64,
    /// Threads that answer requests [default: one for each core]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1024))]
    pub(crate) threads: Option<u32>,
    /// What to log on standard error; debug logs each request.
    #[arg(long, value_name = "LEVEL", default_value = "info", value_parser = levels())]
    pub(crate) log: LevelFilter,
    /// How to log [default: text on a terminal, otherwise json]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) log_format: Option<LogFormat>,
    #[command(flatten)]
    pub(crate) shell: bouton_shell::ShellOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    Text,
    Json,
}

/// Maximum value of --solve-limit; a game reaches the limits on time and memory long before.
const MAX_SOLVE_LIMIT: i128 = 1_000_000_000_000_000_000;

fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let advice =
        "give HOST:PORT, for example 0.0.0.0:8080 to accept other machines, or PORT for this machine only";
    let port = text.rsplit_once(':').map_or(text, |(_, port)| port);
    if !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit()) && port.parse::<u16>().is_err() {
        return Err(format!("a port is a number from 0 to 65535; {advice}"));
    }
    let local = text.parse().map(|port: u16| format!("127.0.0.1:{port}"));
    let mut found =
        local.as_deref().unwrap_or(text).to_socket_addrs().map_err(|error| format!("{error}; {advice}"))?;
    found.next().ok_or_else(|| format!("the host has no address; {advice}"))
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    whole_of("seconds", 1..=86_400)(text).map(Duration::from_secs)
}

fn levels() -> impl TypedValueParser<Value = LevelFilter> {
    PossibleValuesParser::new(["error", "warn", "info", "debug"])
        .try_map(|level| level.parse::<LevelFilter>())
}
