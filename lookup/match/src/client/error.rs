//! The result of a match on a server, and its errors: texts with advice for the user.

use std::io;
use std::time::Duration;

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

/// The result of a match, or of a step of it; or the problem with the address, the options, the connection or the
/// server, with advice.
pub type ClientResult<T = MatchResult> = Result<T, String>;

/// The state of the game before the server's announcement, for errors.
pub(super) const NOT_BEGUN: &str = "before the game began";

pub(super) fn wrong_address(found: &str, reason: &str) -> String {
    format!("'{found}' is not the address of a server: {reason}; give HOST:PORT, or http://HOST:PORT")
}

pub(super) fn unplayable_game(what: &str) -> String {
    format!("the server announced a game that cannot be played here: {what}")
}

/// The server sent nothing. `standing` describes the game, here and below.
pub(super) fn silent(patience: Duration, standing: &str) -> String {
    let seconds = patience.as_secs();
    format!(
        "the server has sent nothing for {seconds} s, {standing}; to wait longer, give --patience SECONDS"
    )
}

/// The server closed the connection before it reported the result; `why` is the system's error. `in_silence`: the
/// server sent nothing after our first message, which is JSON.
pub(super) fn closed(why: Option<&io::Error>, standing: &str, in_silence: bool) -> String {
    let why = why.map_or_else(String::new, |why| format!(" ({why})"));
    let (without, advice) = if in_silence {
        let advice = "it may be a server of 2016, which does not understand our first message: give --protocol \
                      text-2016 next time; otherwise ";
        ("a word", advice)
    } else {
        ("saying who won", "")
    };
    format!(
        "the server closed the connection {standing}, without {without}{why}; {advice}ask the person who runs it"
    )
}

/// The server sent something other than a message of the protocol; `hint` advises what to try.
pub(super) fn garbage(protocol: &str, found: &str, standing: &str, hint: &str) -> String {
    format!("this is not the protocol {protocol}: {found}, {standing}; {hint}")
}

/// A request to a web server failed; `what` has the problem and advice.
pub(super) fn failed_request(request: &str, what: &str, standing: &str) -> String {
    format!("{request}: {what}, {standing}")
}
