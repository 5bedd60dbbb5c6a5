//! What can go wrong on a server.

use std::io;

use thiserror::Error;

use crate::models::ChancesError;

/// Why a match could not be played to its end.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The address is none.
    #[error("'{found}' is no address of a server: {reason}; give HOST:PORT, or http://HOST:PORT")]
    Address {
        /// What was given.
        found: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Only plain HTTP is spoken.
    #[error(
        "'{found}': https is not built in; give the server's http:// address, or a plain-text tunnel to it"
    )]
    Https {
        /// What was given.
        found: String,
    },
    /// What was asked for does not go together.
    #[error("{0}")]
    Usage(String),
    /// Nobody answers there.
    #[error("cannot connect to {address}: {source}; is the server running there, and is the address right?")]
    Connect {
        /// Where.
        address: String,
        /// Why not.
        source: io::Error,
    },
    /// The server says nothing.
    #[error(
        "the server was silent for {seconds} s, {standing}; if there is more to wait for, give \
         --patience SECONDS"
    )]
    Silent {
        /// For how long.
        seconds: u64,
        /// How the game stood.
        standing: String,
    },
    /// The server closed the connection before it said how the game ended.
    #[error("the server closed the connection {standing}, and never said who won{why}; ask whoever runs it")]
    Closed {
        /// How the game stood.
        standing: String,
        /// What the system says of it, or nothing.
        why: String,
    },
    /// What came is no message of the protocol.
    #[error("the server does not speak the protocol {protocol}: {found}, {standing}{hint}")]
    Garbage {
        /// Which protocol.
        protocol: &'static str,
        /// What came, and what belongs there.
        found: String,
        /// How the game stood.
        standing: String,
        /// What to do, if it can be told.
        hint: String,
    },
    /// The game that the server wants to play cannot be played.
    #[error("the server announced a game that cannot be played here: {0}")]
    Game(String),
    /// What the policy needs cannot be computed.
    #[error(transparent)]
    Policy(#[from] ChancesError),
    /// A request to a web server went wrong.
    #[error("{request}: {what}, {standing}")]
    Request {
        /// What was asked for.
        request: String,
        /// What came of it, and what to do.
        what: String,
        /// How the game stood.
        standing: String,
    },
}
