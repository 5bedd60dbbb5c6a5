//! Protocols over TCP, as a duel uses them.

use super::hosted_game::{Attempt, HostedGame};
use super::match_settings::MatchSettings;
use crate::Side;

/// A client's name and wish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Greeting {
    pub(super) name: String,
    /// Whether the client asks to move first.
    pub(super) first: bool,
}

/// A protocol over TCP.
pub(super) trait TcpProtocol: Copy + Send + 'static {
    /// Reads messages from the bytes that come.
    type Inbox: Inbox;

    /// Whether clients send their names first.
    const HAS_GREETING: bool;

    /// The messages to both sides when the game begins.
    fn opening(self, settings: &MatchSettings, game: &HostedGame) -> [Option<Vec<u8>>; 2];

    /// The messages to both sides after a move and at the end.
    fn state(self, game: &HostedGame) -> [Option<Vec<u8>>; 2];

    /// The names of the players, the first to connect first.
    fn names(self, said: [String; 2]) -> [String; 2];
}

/// Reads messages from bytes, which come in pieces or several messages at once.
pub(super) trait Inbox: Default + Send {
    /// Adds bytes.
    fn push(&mut self, bytes: &[u8]);

    /// Whether nothing but white space is left.
    fn is_empty(&self) -> bool;

    /// The next name, if it is complete. The error says what was found and what was expected.
    fn next_greeting(&mut self) -> Result<Option<Greeting>, String>;

    /// The next move, if it is complete. The error says what was found and what was expected.
    fn next_move(&mut self) -> Result<Option<Attempt>, String>;
}

/// The same message for both sides.
pub(super) fn to_both(message: Vec<u8>) -> [Option<Vec<u8>>; 2] {
    [Some(message.clone()), Some(message)]
}

/// A message for one side only.
pub(super) fn to_one(side: Side, message: Vec<u8>) -> [Option<Vec<u8>>; 2] {
    match side {
        Side::First => [Some(message), None],
        Side::Second => [None, Some(message)],
    }
}
