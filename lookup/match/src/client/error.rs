//! Why a match on a server can fail.

use std::io;
use std::time::Duration;

use thiserror::Error;

use super::NOT_BEGUN;
use crate::TooLarge;
use crate::models::ChancesError;

/// Why a match could not be played to its end.
#[derive(Debug, Error)]
pub enum ClientError {
    /// What is wrong with the address, the options, the connection or the server, and what to do.
    #[error("{0}")]
    Unplayable(String),
    /// The game is too large to be solved on the spot.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The policy cannot be prepared.
    #[error(transparent)]
    Policy(#[from] ChancesError),
}

impl ClientError {
    pub(super) fn address(found: &str, reason: &str) -> Self {
        Self::Unplayable(format!(
            "'{found}' is not the address of a server: {reason}; give HOST:PORT, or http://HOST:PORT"
        ))
    }

    /// The server announced a game that cannot be played.
    pub(super) fn game(what: &str) -> Self {
        Self::Unplayable(format!("the server announced a game that cannot be played here: {what}"))
    }

    /// The user gave rules or a table of another family.
    pub(super) fn not_expanding(what: &str, family: &str) -> Self {
        Self::Unplayable(format!(
            "{what} is of the game \"{family}\", but the servers of the tournaments play Expanding Nim only; give rules or a \
             table of \"expanding\", or none; `bouton-match advise` plays every game"
        ))
    }

    /// The server sent nothing. `standing` says how the game stood, here and below.
    pub(super) fn silent(patience: Duration, standing: &str) -> Self {
        let seconds = patience.as_secs();
        Self::Unplayable(format!(
            "the server has sent nothing for {seconds} s, {standing}; to wait longer, give --patience SECONDS"
        ))
    }

    /// The server closed the connection before it said how the game ended; `why` is the error of the system.
    pub(super) fn closed(why: Option<&io::Error>, standing: &str) -> Self {
        let why = why.map_or_else(String::new, |why| format!(" ({why})"));
        Self::Unplayable(format!(
            "the server closed the connection {standing}, without saying who won{why}; ask the person who runs it"
        ))
    }

    /// The server closed the connection, and all that it ever got was our first message, in JSON.
    pub(super) fn closed_in_silence(why: Option<&io::Error>) -> Self {
        let why = why.map_or_else(String::new, |why| format!(" ({why})"));
        Self::Unplayable(format!(
            "the server closed the connection {NOT_BEGUN}, without a word{why}; it may be a server of 2016, which does not \
             understand our first message: give --protocol text-2016 next time; otherwise ask the person who runs it"
        ))
    }

    /// The server sent something that is not a message of the protocol; `hint` says what to try.
    pub(super) fn garbage(protocol: &str, found: &str, standing: &str, hint: &str) -> Self {
        Self::Unplayable(format!("this is not the protocol {protocol}: {found}, {standing}; {hint}"))
    }

    /// A request to a web server failed: what went wrong, and what to do.
    pub(super) fn request(request: &str, what: &str, standing: &str) -> Self {
        Self::Unplayable(format!("{request}: {what}, {standing}"))
    }
}
