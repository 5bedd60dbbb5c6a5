//! The servers of the tournaments, for other people's clients: [`serve`].
//!
//! They say what the old servers said, to the byte where it matters to a client, and have not their faults: a
//! player who is silent, breaks off, talks out of turn or talks nonsense loses his game at once, his opponent
//! is told, and the server goes on.

mod address;
mod connection;
mod duel;
mod hosted_game;
mod journal;
mod json_protocol;
mod lobby;
mod match_settings;
mod name;
mod rest;
mod tcp_protocol;
mod text_protocol;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

pub use address::{Address, AddressError};
pub use journal::Journal;
pub use match_settings::{MOST_STONES, MatchSettings, MatchSettingsError, Protocol};

/// Hosts matches until as many are finished as the settings ask for.
///
/// # Errors
/// If the listener fails. What clients do is no error.
pub fn serve(listener: TcpListener, settings: &MatchSettings, journal: Arc<Journal>) -> io::Result<()> {
    match settings.protocol {
        Protocol::Tcp(dialect) => {
            lobby::host(listener, settings, json_protocol::JsonProtocol(dialect), journal)
        }
        Protocol::Text => lobby::host(listener, settings, text_protocol::TextProtocol, journal),
        Protocol::Rest => rest::host(listener, settings, journal),
    }
}
