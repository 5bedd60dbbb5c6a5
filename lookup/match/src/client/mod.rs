//! Plays one match on a server of the tournaments.
//!
//! Every protocol keeps the same account of the game, our own. A [`Report`] shows the user what happens, and the match
//! ends with [`Ended`] or a [`ClientError`].

mod account;
mod clock;
mod current_max;
mod error;
mod json_match;
mod kit;
mod match_rules;
mod notes;
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
use clap::{Args, FromArgMatches};

use crate::Side;
use crate::protocol::{LONGEST_NAME, usual_rules};

pub use error::ClientError;
pub use json_match::play as play_tcp;
pub use kit::Kit;
pub use match_rules::RulesSource;
pub use report::Report;
pub use text_match::play as play_text;
pub use transport::Transport;

use transport::Feed;

/// The port of the server of 2016.
const PORT_OF_2016: &str = ":50008";
/// How long to wait for the server to speak first; only the server of 2016 does.
const TO_SPEAK_FIRST: Duration = Duration::from_millis(400);

/// Which protocol to use.
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

/// The match to play, and how to play it, as the command line has it.
#[derive(Clone, Debug, clap::Args)]
pub struct MatchOptions {
    /// The server's protocol. With `auto`, http:// means `rest` and port 50008 means `text-2016`; otherwise it is
    /// detected. For the server of 2016 on another port, give `text-2016`: that server may send nothing until the
    /// opponent has connected, and is then mistaken for another.
    #[arg(long, value_enum, default_value_t = ProtocolChoice::Auto)]
    pub protocol: ProtocolChoice,
    /// Your name [default: Bouton and a random number]
    #[arg(long, default_value_t = some_name(), hide_default_value = true)]
    pub name: String,
    /// The side that we ask for; the server decides.
    #[arg(skip = Side::First)]
    pub side: Side,
    /// The table and the policy to play with.
    #[arg(skip)]
    pub kit: Kit,
    /// With `rest`: the number of the session to join.
    #[arg(long, value_name = "ID", value_parser = session)]
    pub session: Option<u64>,
    /// The rules that we expect. The server's announcements replace its stones, resets and limits; where it announces
    /// nothing, these rules hold.
    #[arg(skip = usual_rules())]
    pub rules: Expanding,
    /// Where these rules come from.
    #[arg(skip)]
    pub source: RulesSource,
    /// The stones at the start of the game, if the user knows them.
    #[arg(skip)]
    pub stones: Option<u32>,
    /// The resets of the first player and the second, if the user knows them.
    #[arg(skip)]
    pub resets: Option<[u8; 2]>,
    /// How long to keep trying to connect, if the server is not there yet.
    #[arg(long, value_name = "SECONDS", default_value = "0",
          value_parser = |text: &str| whole_of("seconds", 0..=1_000_000)(text).map(Duration::from_secs))]
    pub wait: Duration,
    /// The seconds that we have for all our moves. If they could run short, our moves wait less than --pause says.
    #[arg(long, value_name = "SECONDS", default_value = "120",
          allow_negative_numbers = true,
          value_parser = |text: &str| whole_of("seconds", 1..=1_000_000)(text).map(Duration::from_secs))]
    pub clock: Duration,
    /// How long to wait for the server each time.
    #[arg(long, value_name = "SECONDS", default_value = "300",
          allow_negative_numbers = true,
          value_parser = |text: &str| whole_of("seconds", 1..=1_000_000)(text).map(Duration::from_secs))]
    pub patience: Duration,
    /// Over TCP, wait this many milliseconds before sending each move; 0 answers at once. Many clients crash when two
    /// messages arrive together, as they do after an instant answer. The wait counts on your clock; it is shortened so that
    /// the waits of the longest game possible take at most half of the time left.
    #[arg(long, value_name = "MS", default_value = USUAL_PAUSE_MS,
          value_parser = |text: &str| whole_of("milliseconds", 0..=60_000)(text).map(Duration::from_millis))]
    pub pause: Duration,
}

impl Default for MatchOptions {
    /// What the command line gives without any option.
    fn default() -> Self {
        let command = Self::augment_args(clap::Command::new("match"));
        let nothing = command.try_get_matches_from(["match"]);
        let options = nothing.and_then(|matches| Self::from_arg_matches(&matches));
        options.expect("no option has to be given")
    }
}

fn session(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        "expected the number of a session; the player who makes the session is told it".to_owned()
    })
}

fn some_name() -> String {
    format!("Bouton-{:04}", fastrand::u32(..10_000))
}

/// The wait before each move over TCP that real servers and clients need.
///
/// Many clients take what one read gives them for one message. If our answer is instant, the server's echo of the
/// opponent's move and its message about ours reach the opponent joined; the client crashes, and the server with it.
pub const USUAL_PAUSE: Duration = Duration::from_millis(120);
const USUAL_PAUSE_MS: &str = "120";

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// We won.
    Won,
    /// The opponent won.
    Lost,
    /// The server does not say who won, and the moves do not show it.
    Unknown,
}

/// Whether a server may mean us by a name: it is ours, or ours with an addition in brackets that distinguishes two players
/// of the same name.
fn is_called(name: &str, called: &str) -> bool {
    let more = called.trim().strip_prefix(name.trim());
    more.is_some_and(|more| more.is_empty() || more.starts_with(" ("))
}

/// The state of the game before the server has announced it.
const NOT_BEGUN: &str = "before the game began";

/// Checks the options against each other and the address, as far as that is possible without the server.
///
/// # Errors
/// Says what is wrong, and what to do.
pub fn check(address: &str, options: &MatchOptions) -> Result<(), ClientError> {
    if options.name.is_empty() || options.name.len() > LONGEST_NAME {
        let found = options.name.len();
        return Err(ClientError::Unplayable(format!(
            "the name has {found} bytes, expected 1 to {LONGEST_NAME}; give another --name"
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

/// The protocol that is asked for, or that follows from the address.
fn protocol(address: &str, options: &MatchOptions) -> ProtocolChoice {
    match options.protocol {
        ProtocolChoice::Auto if address.starts_with("http://") => ProtocolChoice::Rest,
        ProtocolChoice::Auto if address.ends_with(PORT_OF_2016) => ProtocolChoice::Text2016,
        asked => asked,
    }
}

/// A server that is there.
///
/// Over TCP it is connected to, and knows nothing of us yet: a connection that is made only to look would be taken for a
/// player by the servers of the tournaments.
#[derive(Debug)]
pub struct Server {
    address: String,
    /// With the time at which it was made. None to a web server, which takes a connection for each request.
    stream: Option<(TcpStream, Instant)>,
}

impl Server {
    /// Finds the server at an address: HOST:PORT, or http://HOST:PORT for a web server. Tries for as long as the options
    /// say.
    ///
    /// # Errors
    /// If there is none, or it is not a server that the options fit.
    pub fn find(address: &str, options: &MatchOptions, report: &mut Report) -> Result<Self, ClientError> {
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

    /// Plays one match. If it breaks off, that is recorded.
    ///
    /// # Errors
    /// If the match could not be played to its end.
    pub fn play(self, options: &MatchOptions, report: &mut Report) -> Result<Ended, ClientError> {
        let Self { address, stream } = self;
        let played = match stream {
            None => rest_match::play(&address, options, report),
            Some((mut stream, connected)) => {
                let feed = Feed::since(connected, &mut stream, options);
                match protocol(&address, options) {
                    ProtocolChoice::Tcp => json_match::greet_and_play(feed, report),
                    ProtocolChoice::Text2016 => text_match::play_on(feed, report),
                    _ => match find_out(feed, report) {
                        Ok(Found::Played(ended)) => Ok(ended),
                        Ok(Found::WebServer) => {
                            drop(stream);
                            rest_match::tell_of_the_web_server(&address, options, report);
                            rest_match::play(&address, options, report)
                        }
                        Err(error) => Err(error),
                    },
                }
            }
        };
        if let Err(error) = &played {
            report.record_breaking_off(&error.to_string());
        }
        played
    }
}

/// Finds the server at an address and plays one match.
///
/// # Errors
/// If there is no such server, or the match could not be played to its end.
pub fn connect(address: &str, options: &MatchOptions, report: &mut Report) -> Result<Ended, ClientError> {
    Server::find(address, options, report)?.play(options, report)
}

/// What was found out about a server.
enum Found {
    /// It spoke a protocol over TCP, and the match was played.
    Played(Ended),
    /// It is a web server.
    WebServer,
}

/// Detects the protocol and plays, over a single connection: the server would take a second one for the opponent.
fn find_out<'a>(mut feed: Feed<'a>, report: &'a mut Report) -> Result<Found, ClientError> {
    const HTTP: &[u8] = b"HTTP/";
    let patience = feed.options.patience;
    feed.wait(TO_SPEAK_FIRST, NOT_BEGUN)?;
    if feed.stream.bytes.first().is_some_and(u8::is_ascii_digit) {
        return text_match::play_on(feed, report).map(Found::Played);
    }
    json_match::say_hello(&mut feed)?;
    feed.wait_for_the_game(report)?;
    while feed.stream.bytes.len() < HTTP.len() && HTTP.starts_with(&feed.stream.bytes) {
        feed.wait_or_fail(patience, NOT_BEGUN)?;
    }
    if feed.stream.bytes.starts_with(HTTP) {
        return Ok(Found::WebServer);
    }
    json_match::play_on(feed, report).map(Found::Played)
}
