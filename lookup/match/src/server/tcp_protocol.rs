//! What a duel needs of a protocol over TCP.

use super::hosted_game::{Attempt, HostedGame};
use super::match_settings::MatchSettings;
use crate::Side;

/// Who a client says he is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hello {
    pub(super) name: String,
    /// Whether he asks to move first.
    pub(super) first: bool,
}

/// A protocol over TCP.
pub(super) trait TcpProtocol: Copy + Send + 'static {
    /// What makes messages of the bytes that come.
    type Inbox: Inbox;

    /// Whether clients introduce themselves.
    const HAS_HELLO: bool;

    /// What both are told when the game begins, by sides.
    fn opening(self, settings: &MatchSettings, game: &HostedGame) -> [Option<Vec<u8>>; 2];

    /// What both are told after a move and at the end, by sides.
    fn state(self, game: &HostedGame) -> [Option<Vec<u8>>; 2];

    /// The names by which the first to connect and the second are known.
    fn names(self, said: [String; 2]) -> [String; 2];
}

/// Makes messages of bytes, which come in pieces or several messages at once.
pub(super) trait Inbox: Default + Send {
    /// Takes more bytes.
    fn push(&mut self, bytes: &[u8]);

    /// Whether nothing waits but white space.
    fn is_empty(&self) -> bool;

    /// A whole hello, if there is one; else an error says what was found and what belongs there.
    fn next_hello(&mut self) -> Result<Option<Hello>, String>;

    /// A whole move, if there is one; else an error says what was found and what belongs there.
    fn next_move(&mut self) -> Result<Option<Attempt>, String>;
}

/// The same for both sides.
pub(super) fn to_both(message: Vec<u8>) -> [Option<Vec<u8>>; 2] {
    [Some(message.clone()), Some(message)]
}

/// Something for one side, and nothing for the other.
pub(super) fn to_one(side: Side, message: Vec<u8>) -> [Option<Vec<u8>>; 2] {
    match side {
        Side::First => [Some(message), None],
        Side::Second => [None, Some(message)],
    }
}
