//! Why a match on a server can fail.

use std::io;

use thiserror::Error;

use crate::TooLarge;
use crate::models::ChancesError;

/// Why a match could not be played to its end.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The address is not valid.
    #[error("'{found}' is not the address of a server: {reason}; give HOST:PORT, or http://HOST:PORT")]
    Address {
        /// What was given.
        found: String,
        /// Why it is not an address.
        reason: String,
    },
    /// HTTPS is not supported.
    #[error(
        "'{found}': HTTPS is not supported; give the server's http:// address, or that of a tunnel to it"
    )]
    Https {
        /// What was given.
        found: String,
    },
    /// The options contradict each other.
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
    /// The server sent nothing.
    #[error(
        "the server has sent nothing for {seconds} s, {standing}; to wait longer, give --patience SECONDS"
    )]
    Silent {
        /// For how long.
        seconds: u64,
        /// How the game stood.
        standing: String,
    },
    /// The server closed the connection before it said how the game ended.
    #[error(
        "the server closed the connection {standing}, without saying who won{why}; ask the person who runs it"
    )]
    Closed {
        /// How the game stood.
        standing: String,
        /// The error of the system, in brackets, or nothing.
        why: String,
    },
    /// The server sent something that is not a message of the protocol.
    #[error("this is not the protocol {protocol}: {found}, {standing}{hint}")]
    Garbage {
        /// Which protocol.
        protocol: &'static str,
        /// What was found and what was expected.
        found: String,
        /// How the game stood.
        standing: String,
        /// What to try, if there is something.
        hint: String,
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
    /// A request to a web server failed.
    #[error("{request}: {what}, {standing}")]
    Request {
        /// The request.
        request: String,
        /// What went wrong, and what to do.
        what: String,
        /// How the game stood.
        standing: String,
    },
}
