//! Servers of matches, and opponents on them, that a test scripts: they know the rules by themselves, and
//! watch that a client never makes a move that they forbid.

mod json;
mod pile;
mod text;
mod transports;
mod web;

pub use json::{JsonServer, Lie};
pub use pile::{Opponent, Pile, ServerRules};
pub use text::{TextLie, TextServer};
pub use transports::{Cut, MemoryTransport, serve};
pub use web::{Fault, Faults, Instead, WebScript, WebServer};

/// A server, with an opponent on it, as seen by one client.
pub trait Script: Send + 'static {
    /// What it says when the client connects.
    fn opens(&mut self) -> Vec<u8>;
    /// What it says to what the client sends.
    fn hears(&mut self, bytes: &[u8]) -> Vec<u8>;
    /// Whether it has closed the connection.
    fn is_over(&self) -> bool;
}

/// What a client tells of the moves and the end: all but its first line, which tells of the game.
///
/// # Panics
/// If the first line does not.
#[must_use]
pub fn after_the_opening(told: &str) -> &str {
    let (first, rest) = told.split_once('\n').expect("a line");
    assert!(first.starts_with("a game of ") && first.contains("lost positions are played by"), "{told}");
    rest
}
