//! Hosts matches as the servers of the Expanding Nim tournaments of 2016 to 2025 do, for practice with any client:
//! [`serve`].
//!
//! Sends the messages of those servers ([`protocol`](crate::protocol)), to the byte where that matters to a client,
//! without their faults. A player whose clock runs out loses the game at once; over TCP, so does one who disconnects,
//! moves out of turn or sends nonsense. The opponent gets the result, and the server continues.

mod connection;
mod duel;
mod hosted_game;
mod journal;
mod lobby;
mod match_settings;
mod rest;
mod tcp_protocol;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

pub use journal::Journal;
pub use match_settings::{MAX_STONES, MatchSettings, Protocol, listen};

/// Hosts matches until the number in the settings is finished. Clients cannot cause an error.
pub fn serve(listener: TcpListener, settings: &MatchSettings, journal: Arc<Journal>) -> io::Result<()> {
    settings.check().map_err(io::Error::other)?;
    listener.set_nonblocking(true)?;
    // One thread is enough, since the server mostly waits.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        match settings.protocol {
            Protocol::Tcp(_) | Protocol::Text => lobby::host(listener, settings, journal).await,
            Protocol::Rest => rest::host(listener, settings, journal).await,
        }
        Ok(())
    });
    // Open connections do not keep the server running.
    runtime.shutdown_background();
    served
}
