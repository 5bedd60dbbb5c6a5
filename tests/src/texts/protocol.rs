//! Checks the parsers of messages between match servers and clients with any bytes, cut into pieces of any length.

use std::fmt::Debug;

use bouton_match::protocol::MessageStream;
use bouton_match::protocol::rest::{JoinReply, MoveList, Status};
use bouton_match::protocol::tcp::{GameState, Hello, Init, MoveMessage, to_bytes};
use bouton_match::protocol::text_2016::{TextState, move_text};
use bouton_tables::expanding::Move;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Parses bytes with every protocol. The first byte is the length of the pieces that the rest arrives in; the
/// messages must not depend on it.
///
/// # Panics
/// If the messages depend on it, or one does not parse as the same value after printing.
pub fn check(bytes: &[u8]) {
    let Some((&size, bytes)) = bytes.split_first() else { return };
    let pieces = || bytes.chunks(usize::from(size).max(1));

    let whole = objects([bytes]);
    assert_eq!(whole, objects(pieces()), "in pieces of {size} bytes");
    whole.0.iter().for_each(check_object);

    let (states, moves) = (numbers([bytes], next_state), numbers([bytes], next_move));
    assert_eq!(states, numbers(pieces(), next_state), "in pieces of {size} bytes");
    assert_eq!(moves, numbers(pieces(), next_move), "in pieces of {size} bytes");
    let text: String = states.0.iter().map(|state| state.to_text()).collect();
    assert_eq!(numbers([text.as_bytes()], next_state).0, states.0, "written as {text}");
    let text: String = moves.0.iter().map(|&made| move_text(made)).collect();
    assert_eq!(numbers([text.as_bytes()], next_move).0, moves.0, "written as {text}");
}

/// The rest of a stream after its last message.
#[derive(Debug, PartialEq)]
enum Rest {
    Nothing,
    Beginning,
    Refused,
}

impl Rest {
    /// Returns what remains of a stream without an error.
    fn of(is_empty: bool) -> Self {
        if is_empty { Self::Nothing } else { Self::Beginning }
    }
}

/// Returns the JSON objects in a stream that arrives in pieces, and what remains.
fn objects<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Value>, Rest) {
    let (mut stream, mut found) = (MessageStream::new(), Vec::new());
    for piece in pieces {
        stream.push(piece);
        loop {
            match stream.next_object() {
                Ok(Some(object)) => found.push(object),
                Ok(None) => break,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    return (found, Rest::Refused);
                }
            }
        }
    }
    let rest = Rest::of(stream.is_empty());
    (found, rest)
}

/// Parses an object as each type of message.
fn check_object(object: &Value) {
    assert!(object.is_object(), "{object}");
    check_printing::<Hello>(object);
    check_printing::<Init>(object);
    check_printing::<MoveMessage>(object);
    check_printing::<GameState>(object);
    check_printing::<JoinReply>(object);
    check_printing::<Status>(object);
    check_printing::<MoveList>(object);
}

/// Checks that a message parses as the same value after printing.
fn check_printing<M: Serialize + DeserializeOwned + PartialEq + Debug>(object: &Value) {
    let Ok(message) = M::deserialize(object) else { return };
    let written = to_bytes(&message);
    let again: M = serde_json::from_slice(&written).expect("a printed message");
    assert_eq!(again, message, "written as {}", written.escape_ascii());
}

type Next<T> = fn(&mut MessageStream) -> Option<Option<T>>;

/// Returns the next state of a stream in the text protocol: `None` if it is refused, `Some(None)` if it is incomplete.
fn next_state(stream: &mut MessageStream) -> Option<Option<TextState>> {
    stream.next_state().ok()
}

/// Returns the next move of a stream in the text protocol, as [`next_state`].
fn next_move(stream: &mut MessageStream) -> Option<Option<Move>> {
    stream.next_move().ok()
}

/// Returns the messages in a stream of numbers that arrives in pieces, and what remains.
fn numbers<'a, T>(pieces: impl IntoIterator<Item = &'a [u8]>, next: Next<T>) -> (Vec<T>, Rest) {
    let (mut stream, mut found) = (MessageStream::new(), Vec::new());
    for piece in pieces {
        stream.push(piece);
        loop {
            match next(&mut stream) {
                Some(Some(message)) => found.push(message),
                Some(None) => break,
                None => return (found, Rest::Refused),
            }
        }
    }
    let rest = Rest::of(stream.is_empty());
    (found, rest)
}
