//! The servers of the tournaments, for other people's clients: [`serve`].
//!
//! They say what the old servers said, to the byte where it matters to a client, and have not their faults: a
//! player who is silent, breaks off, talks out of turn or talks nonsense loses his game at once, his opponent
//! is told, and the server goes on.

mod address;
mod connection;
mod duel;
mod game;
mod journal;
mod json_wire;
mod lobby;
mod name;
mod rest;
mod settings;
mod text_wire;
mod wire;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

pub use address::{Address, AddressError};
pub use journal::Journal;
pub use settings::{MOST_STONES, Protocol, Settings, SettingsError};

/// Hosts matches until as many are finished as the settings ask for.
///
/// # Errors
/// If the listener fails. What clients do is no error.
pub fn serve(listener: TcpListener, settings: &Settings, journal: Arc<Journal>) -> io::Result<()> {
    match settings.protocol {
        Protocol::Tcp(dialect) => lobby::host(listener, settings, json_wire::JsonWire(dialect), journal),
        Protocol::Text => lobby::host(listener, settings, text_wire::TextWire, journal),
        Protocol::Rest => rest::host(listener, settings, journal),
    }
}
