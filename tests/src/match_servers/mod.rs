//! Match servers with opponents, to test the client. They implement the rules themselves, and record every illegal move
//! of the client.

mod json;
mod pile;
mod text;
mod transports;
mod web;

use bouton_match::client::{ClientResult, MatchOptions, Report, Server};

pub use json::{JsonServer, Lie};
pub use pile::{Opponent, Pile, ServerRules};
pub use text::{TextLie, TextServer};
pub use transports::{Cut, MemoryTransport, serve};
pub use web::{FalseAnswer, Fault, Faults, WebScript, WebServer};

/// A server with an opponent, as one client sees it.
pub trait Script: Send + 'static {
    /// Returns the bytes that the server sends when the client connects.
    fn greeting(&mut self) -> Vec<u8>;
    /// Returns the server's reply to bytes from the client.
    fn reply_to(&mut self, bytes: &[u8]) -> Vec<u8>;
    /// Returns whether the server has closed the connection.
    fn is_over(&self) -> bool;
}

/// Finds the server at an address, and plays one match.
///
/// # Errors
/// Those of the client.
pub fn connect(address: &str, options: &MatchOptions, report: &mut Report) -> ClientResult {
    Server::find(address, options, report)?.play(options, report)
}

/// Returns the client's output about the moves and the end, without its first line, which describes the game.
///
/// # Panics
/// If the first line does not describe a game.
#[must_use]
pub fn after_the_opening(output: &str) -> &str {
    let (first, rest) = output.split_once('\n').expect("a line");
    assert!(first.starts_with("a game of ") && first.contains("lost positions are played by"), "{output}");
    rest
}
