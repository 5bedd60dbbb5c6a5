//! The client: plays one match on a server of the tournaments.
//!
//! Servers make mistakes, so with every protocol we keep our own account of the game, from the moves and the rules alone
//! (`game_account`). A [`Report`] shows the user what happens. The match ends with a [`MatchResult`] or an error for the
//! user.

mod client_game;
mod clock;
mod current_max;
mod error;
mod game_account;
mod json_match;
mod kit;
mod match_options;
mod match_rules;
mod report;
mod rest_client;
mod rest_match;
mod text_match;
mod transport;

use std::net::TcpStream;
use std::time::{Duration, Instant};

use bouton_tables::printable::printable;

use crate::protocol::MAX_NAME;

pub use error::{ClientResult, MatchResult};
pub use json_match::play as play_tcp;
pub use kit::MatchKit;
pub use match_options::{MatchOptions, ProtocolChoice};
pub use report::Report;
pub use text_match::play as play_text;
pub use transport::Transport;

use error::{NOT_BEGUN, wrong_address};
use transport::Feed;

const PORT_OF_2016: &str = ":50008";
/// Time to wait for the server to speak first; only the server of 2016 does.
const FIRST_MESSAGE_WAIT: Duration = Duration::from_millis(400);

/// Checks the options, as far as possible without the server. The error has advice.
pub fn check(address: &str, options: &MatchOptions) -> ClientResult<()> {
    if options.name.is_empty() || options.name.len() > MAX_NAME {
        let found = options.name.len();
        return Err(format!("the name has {found} bytes, expected 1 to {MAX_NAME}; give another --name"));
    }
    if options.name.chars().any(char::is_control) {
        let found = printable(&options.name);
        return Err(format!("the name '{found}' has a control character in it; give another --name"));
    }
    if address.starts_with("https://") {
        return Err(format!(
            "'{address}': HTTPS is not supported; give the server's http:// address, or that of a tunnel to it"
        ));
    }
    let reason = "--protocol asks for a protocol that is not spoken over HTTP";
    match protocol(address, options) {
        ProtocolChoice::Rest => rest_match::check(address, options),
        _ if address.starts_with("http://") => Err(wrong_address(address, reason)),
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
            report.record_interruption(error);
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
