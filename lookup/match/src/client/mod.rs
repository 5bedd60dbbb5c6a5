//! The client: plays one match on a server of the tournaments.
//!
//! Servers make mistakes, so every protocol keeps our own account of the game, from the moves and the rules alone
//! (`game_account`). A [`Report`] shows the user what happens; the match ends with [`MatchResult`] or a
//! [`ClientError`].

mod client_game;
mod clock;
mod current_max;
mod error;
mod game_account;
mod json_match;
mod kit;
mod match_rules;
mod report;
mod rest_client;
mod rest_match;
mod text_match;
mod transport;

use std::net::TcpStream;
use std::time::{Duration, Instant};

use bouton_shell::whole_of;
use bouton_tables::expanding::Expanding;
use bouton_tables::printable::printable;

use crate::Side;
use crate::protocol::{MAX_NAME, usual_rules};
use crate::settings::default_options;

pub use error::{ClientError, ClientResult};
pub use json_match::play as play_tcp;
pub use kit::MatchKit;
pub use report::Report;
pub use text_match::play as play_text;
pub use transport::Transport;

use transport::Feed;

const PORT_OF_2016: &str = ":50008";
/// Time to wait for the server to speak first; only the server of 2016 does.
const FIRST_MESSAGE_WAIT: Duration = Duration::from_millis(400);

/// The protocol to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ProtocolChoice {
    /// Detected from the address and from who speaks first.
    Auto,
    /// JSON over TCP: the servers of 2017, 2018, 2020 and 2025.
    #[value(alias = "tcp-2017", alias = "tcp-2018", alias = "tcp-2020", alias = "tcp-2025")]
    Tcp,
    /// Numbers over TCP: the server of 2016.
    #[value(name = "text-2016")]
    Text2016,
    /// JSON over HTTP: the web server of 2020.
    Rest,
}

/// The options of a match, as on the command line.
#[derive(Clone, Debug, clap::Args)]
pub struct MatchOptions {
    /// The server's protocol. With `auto`, http:// means `rest`, port 50008 means `text-2016`, and any other protocol is
    /// detected. For the server of 2016 on another port, give `text-2016`: that server may send nothing until the
    /// opponent has connected, and the detection then fails.
    #[arg(long, value_enum, default_value_t = ProtocolChoice::Auto)]
    pub protocol: ProtocolChoice,
    /// Your name [default: Bouton and a random number]
    #[arg(long, default_value_t = random_name(), hide_default_value = true)]
    pub name: String,
    /// The side that we ask for; the server decides.
    #[arg(skip = Side::First)]
    pub side: Side,
    /// The table and the policy to play with.
    #[arg(skip)]
    pub kit: MatchKit,
    /// With `rest`: the number of the session to join.
    #[arg(long, value_name = "ID", value_parser = parse_session)]
    pub session: Option<u64>,
    /// The expected rules. The server's announcements replace their stones, resets and limits.
    #[arg(skip = usual_rules())]
    pub rules: Expanding,
    /// True if the user names these rules by a ruleset or by settings, and not by a table.
    #[arg(skip)]
    pub are_rules_given: bool,
    /// The stones at the start of the game, if the user knows them.
    #[arg(skip)]
    pub stones: Option<u32>,
    /// The resets of the first player and the second, if the user knows them.
    #[arg(skip)]
    pub resets: Option<[u8; 2]>,
    /// Seconds to keep trying to connect if the server is not running yet, 0 to 1000000.
    #[arg(long, value_name = "SECONDS", default_value = "0",
          value_parser = |text: &str| whole_of("seconds", 0..=1_000_000)(text).map(Duration::from_secs))]
    pub wait: Duration,
    /// Seconds that we have for all our moves, 1 to 1000000. If they could run short, our moves wait less than --pause says.
    #[arg(long, value_name = "SECONDS", default_value = "120",
          allow_negative_numbers = true,
          value_parser = |text: &str| whole_of("seconds", 1..=1_000_000)(text).map(Duration::from_secs))]
    pub clock: Duration,
    /// Maximum seconds to wait for each message from the server, 1 to 1000000.
    #[arg(long, value_name = "SECONDS", default_value = "300",
          allow_negative_numbers = true,
          value_parser = |text: &str| whole_of("seconds", 1..=1_000_000)(text).map(Duration::from_secs))]
    pub patience: Duration,
    /// Milliseconds to wait before sending each move over TCP, 0 to 60000; 0 answers at once. Many clients crash when two
    /// messages arrive together, as they do after an instant answer. The wait counts on your clock; it is shortened so
    /// that the waits of the longest possible game take at most half of the time left.
    // Many clients treat the bytes of one read as one message. If our answer is instant, the server's echo of the
    // opponent's move and its message about ours reach the opponent joined; the client crashes, and the server with it.
    #[arg(long, value_name = "MS", default_value = "120",
          value_parser = |text: &str| whole_of("milliseconds", 0..=60_000)(text).map(Duration::from_millis))]
    pub pause: Duration,
}

impl Default for MatchOptions {
    /// The options of an empty command line.
    fn default() -> Self {
        default_options()
    }
}

fn parse_session(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        "expected the number of a session; the player who creates the session sees it".to_owned()
    })
}

fn random_name() -> String {
    format!("Bouton-{:04}", fastrand::u32(..10_000))
}

/// The result of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchResult {
    /// We won.
    Won,
    /// The opponent won.
    Lost,
    /// Neither the server nor the moves show who won.
    Unknown,
}

/// Returns true if a server's name of a player may mean us: our name, or our name with an addition in brackets that
/// distinguishes two players of the same name.
fn is_called(name: &str, called: &str) -> bool {
    let addition = called.trim().strip_prefix(name.trim());
    addition.is_some_and(|addition| addition.is_empty() || addition.starts_with(" ("))
}

/// The state of the game before the server's announcement, for errors.
const NOT_BEGUN: &str = "before the game began";

/// Checks the options, as far as possible without the server. The error has advice.
pub fn check(address: &str, options: &MatchOptions) -> ClientResult<()> {
    if options.name.is_empty() || options.name.len() > MAX_NAME {
        let found = options.name.len();
        return Err(ClientError::Unplayable(format!(
            "the name has {found} bytes, expected 1 to {MAX_NAME}; give another --name"
        )));
    }
    if options.name.chars().any(char::is_control) {
        let found = printable(&options.name);
        return Err(ClientError::Unplayable(format!(
            "the name '{found}' has a control character in it; give another --name"
        )));
    }
    if address.starts_with("https://") {
        return Err(ClientError::Unplayable(format!(
            "'{address}': HTTPS is not supported; give the server's http:// address, or that of a tunnel to it"
        )));
    }
    let reason = "--protocol asks for a protocol that is not spoken over HTTP";
    match protocol(address, options) {
        ProtocolChoice::Rest => rest_match::check(address, options),
        _ if address.starts_with("http://") => Err(ClientError::address(address, reason)),
        _ => transport::check(address),
    }
}

fn protocol(address: &str, options: &MatchOptions) -> ProtocolChoice {
    match options.protocol {
        ProtocolChoice::Auto if address.starts_with("http://") => ProtocolChoice::Rest,
        ProtocolChoice::Auto if address.ends_with(PORT_OF_2016) => ProtocolChoice::Text2016,
        choice => choice,
    }
}

/// A reachable server.
///
/// Over TCP we are connected, but have sent nothing. The connection is kept for the match: the servers of the
/// tournaments treat each connection as a player's.
#[derive(Debug)]
pub struct Server {
    address: String,
    /// The connection and its time. `None` for a web server, which takes a connection for each request.
    stream: Option<(TcpStream, Instant)>,
}

impl Server {
    /// Finds the server at an address: HOST:PORT, or http://HOST:PORT for a web server. Keeps trying for
    /// `options.wait`. Fails if there is no server, or the options do not fit it.
    pub fn find(address: &str, options: &MatchOptions, report: &mut Report) -> ClientResult<Self> {
        check(address, options)?;
        let stream = match protocol(address, options) {
            ProtocolChoice::Rest => {
                rest_match::find(address, options, report)?;
                None
            }
            _ => Some((transport::open(address, options, report)?, Instant::now())),
        };
        Ok(Self { address: address.to_owned(), stream })
    }

    /// Plays one match. Records an interruption.
    pub fn play(self, options: &MatchOptions, report: &mut Report) -> ClientResult {
        let Self { address, stream } = self;
        let result = match stream {
            None => rest_match::play(&address, options, report),
            Some((mut stream, connected)) => {
                let feed = Feed::new(connected, &mut stream, options);
                match protocol(&address, options) {
                    ProtocolChoice::Tcp => json_match::greet_and_play(feed, report),
                    ProtocolChoice::Text2016 => text_match::play_on(feed, report),
                    _ => detect_and_play(feed, report).transpose().unwrap_or_else(|| {
                        drop(stream);
                        rest_match::note_web_server(&address, options, report);
                        rest_match::play(&address, options, report)
                    }),
                }
            }
        };
        if let Err(error) = &result {
            report.record_interruption(&error.to_string());
        }
        result
    }
}

/// Detects the protocol and plays, over a single connection: the server would treat a second one as the opponent's.
/// Returns `None` for a web server.
fn detect_and_play<'a>(mut feed: Feed<'a>, report: &'a mut Report) -> ClientResult<Option<MatchResult>> {
    const HTTP: &[u8] = b"HTTP/";
    let patience = feed.options.patience;
    feed.wait(FIRST_MESSAGE_WAIT, NOT_BEGUN)?;
    if feed.stream.bytes.first().is_some_and(u8::is_ascii_digit) {
        return text_match::play_on(feed, report).map(Some);
    }
    json_match::say_hello(&mut feed)?;
    feed.wait_for_the_game(report)?;
    while feed.stream.bytes.len() < HTTP.len() && HTTP.starts_with(&feed.stream.bytes) {
        feed.wait_or_fail(patience, NOT_BEGUN)?;
    }
    if feed.stream.bytes.starts_with(HTTP) {
        return Ok(None);
    }
    json_match::play_on(feed, report).map(Some)
}
