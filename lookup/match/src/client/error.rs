//! Why a match on a server can fail.

use std::io;
use std::time::Duration;

use thiserror::Error;

use crate::TooLarge;
use crate::models::ChancesError;

/// Why a match could not be played to its end.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The address is not valid, or the options contradict each other.
    #[error("{0}")]
    Usage(String),
    /// No server answers there.
    #[error("cannot connect to {address}: {source}; is the server running there, and is the address right?")]
    Connect {
        /// Where.
        address: String,
        /// Why not.
        source: io::Error,
    },
    /// The server announced a game that cannot be played.
    #[error("the server announced a game that cannot be played here: {0}")]
    Game(String),
    /// The game is too large to be solved on the spot.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The policy cannot be prepared.
    #[error(transparent)]
    Policy(#[from] ChancesError),
    /// The server fell silent, closed the connection, refused a request, or sent something that is not a message.
    #[error("{0}")]
    BrokenOff(String),
}

impl ClientError {
    pub(super) fn address(found: &str, reason: &str) -> Self {
        Self::Usage(format!(
            "'{found}' is not the address of a server: {reason}; give HOST:PORT, or http://HOST:PORT"
        ))
    }

    /// The server sent nothing. `standing` says how the game stood, here and below.
    pub(super) fn silent(patience: Duration, standing: &str) -> Self {
        let seconds = patience.as_secs();
        Self::BrokenOff(format!(
            "the server has sent nothing for {seconds} s, {standing}; to wait longer, give --patience SECONDS"
        ))
    }

    /// The server closed the connection before it said how the game ended; `why` is the error of the system.
    pub(super) fn closed(why: Option<&io::Error>, standing: &str) -> Self {
        let why = why.map_or_else(String::new, |why| format!(" ({why})"));
        Self::BrokenOff(format!(
            "the server closed the connection {standing}, without saying who won{why}; ask the person who runs it"
        ))
    }

    /// The server sent something that is not a message of the protocol; `hint` says what to try.
    pub(super) fn garbage(protocol: &str, found: &str, standing: &str, hint: &str) -> Self {
        Self::BrokenOff(format!("this is not the protocol {protocol}: {found}, {standing}; {hint}"))
    }

    /// A request to a web server failed: what went wrong, and what to do.
    pub(super) fn request(request: &str, what: &str, standing: &str) -> Self {
        Self::BrokenOff(format!("{request}: {what}, {standing}"))
    }
}
