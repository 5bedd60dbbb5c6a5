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

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (table format 1)");

/// Answers from tables over HTTP, and serves a page to play on.
#[derive(Debug, Parser)]
#[command(name = "bouton-server", version = VERSION)]
#[command(
    after_help = "The first line on standard output has the address. SIGTERM, SIGHUP and Ctrl-C stop the service after \
                        the requests in progress; started with nohup, it outlives its terminal. Exit status: 0: it was \
                        stopped; 2: it could not start, or a second signal stopped it at once."
)]
#[allow(rustdoc::bare_urls, reason = "--help shows the comments as they stand")]
pub(crate) struct Args {
    /// Serve the files NAME.bouton of this folder, including files added or replaced later. Without this option, or if the
    /// folder has no table at startup, the service solves and serves the presets.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) tables: Option<PathBuf>,
    /// Read tables of any size into memory instead of mapping large ones, so that changes to a file cannot affect its
    /// table.
    #[arg(long)]
    pub(crate) in_memory: bool,
    /// Maximum number of positions of games to solve on request: clients spell their rules in the name of a table, such as
    /// own:bounds=3,5,7;take=1,2. A game of a million positions takes about a second; 0 solves none.
    #[arg(long, value_name = "POSITIONS", default_value = "0", value_parser = whole::<u64>(0..=MAX_SOLVE_LIMIT))]
    pub(crate) solve_limit: u64,
    /// The address to listen on: HOST:PORT, or PORT for this machine only. Port 0 takes any free port; host 0.0.0.0 admits
    /// other machines.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = parse_address)]
    pub(crate) listen: SocketAddr,
    /// The page's address for other machines, for example https://school.example: the page shows the address and its QR code. Empty for
    /// none [default: the address of this machine in its network, if --listen admits other machines]
    #[arg(long, value_name = "URL", value_parser = parse_url, overrides_with = "address")]
    pub(crate) address: Option<String>,
    /// Serve /metrics at this address, and not at the address of --listen
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// Let pages of this origin read answers, for example https://example.org, or '*' for all; may be repeated.
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) cors: Vec<String>,
    /// Let pages of this origin show the page in a frame, for example https://school.example, or '*' for all; may be
    /// repeated.
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) frame_ancestors: Vec<String>,
    /// Maximum number of open connections, 1 to 1000000; further ones must wait
    #[arg(long, value_name = "N", default_value = "4096", value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) connections: u32,
    /// Maximum number of open connections from one address, or one network (/64) of IPv6; further ones are refused. Behind a
    /// reverse proxy, all clients have one address: give the number of --connections [default: half of --connections]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1_000_000))]
    pub(crate) connections_per_address: Option<u32>,
    /// Seconds for the request line and headers, from their first byte, 1 to 86400
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    pub(crate) head_time: Duration,
    /// Seconds for the body of a request, 1 to 86400
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    pub(crate) body_time: Duration,
    /// Seconds that a connection may be idle between requests, 1 to 86400
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds)]
    pub(crate) idle_time: Duration,
    /// Seconds that a client may pause while it reads a response, 1 to 86400
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds)]
    pub(crate) write_time: Duration,
    /// Seconds for the whole answer to many positions, 1 to 86400
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = parse_seconds)]
    pub(crate) answer_time: Duration,
    /// Maximum work for one answer, in moves examined, 1 to 1000000000; the default takes about a second
    #[arg(long, value_name = "N", default_value_t = USUAL_STEPS, value_parser = whole::<u64>(1..=1_000_000_000))]
    pub(crate) work: u64,
    /// Number of threads that answer requests, 1 to 1024 [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1024))]
    pub(crate) threads: Option<u32>,
    /// Least severity of messages to log on standard error; debug logs each request.
    #[arg(long, value_name = "LEVEL", default_value = "info", value_parser = levels())]
    pub(crate) log: LevelFilter,
    /// Format of the log [default: text on a terminal, otherwise json]
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
