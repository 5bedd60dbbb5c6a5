//! The servers of 2017, 2018, 2020 and 2025: JSON over TCP.

use bouton_tables::printable::shorten;
use serde_json::Value;

use super::hosted_game::{Attempt, HostedGame};
use super::match_settings::MatchSettings;
use super::name::{clean, tell_apart};
use super::tcp_protocol::{Greeting, Inbox, TcpProtocol, to_both};
use crate::Side;
use crate::protocol::JsonStream;
use crate::protocol::tcp::{Dialect, Init, PlayerState, State, to_bytes};

/// What is expected.
const A_GREETING: &str = r#"{"name": "Team", "order": 0}, with order 0 or 1"#;
const A_MOVE: &str = r#"{"order": 0, "num_stones": 3, "reset": false}"#;

/// A protocol with JSON over TCP.
#[derive(Clone, Copy, Debug)]
pub(super) struct JsonProtocol(pub(super) Dialect);

impl TcpProtocol for JsonProtocol {
    type Inbox = JsonStream;

    const HAS_GREETING: bool = true;

    fn opening(self, settings: &MatchSettings, game: &HostedGame) -> [Option<Vec<u8>>; 2] {
        let more = self.0 == Dialect::Y2025;
        to_both(to_bytes(&Init {
            init_stones: game.position().stones,
            init_resets: game.resets_left(Side::First),
            game_time: more.then_some(settings.clock),
            init_max: more.then_some(game.rules().base_limit()),
        }))
    }

    fn state(self, game: &HostedGame) -> [Option<Vec<u8>>; 2] {
        let player = |side| PlayerState {
            resets_left: game.resets_left(side),
            time_taken: game.time_taken(side),
            name: game.name(side).to_owned(),
        };
        let (position, last) = (game.position(), game.last());
        let mut shown = position.clone();
        if position.stones == 0 {
            // The servers count a move that took more stones than there were in full.
            shown.currentmax = position.currentmax.max(last.stones);
        }
        to_both(to_bytes(&State {
            finished: game.winner().is_some(),
            winner: game.winner().map(|winner| game.name(winner).to_owned()),
            reason: game.reason(),
            current_max: self.0.current_max(game.rules(), &shown),
            stones_left: position.stones,
            stones_removed: last.stones,
            reset_used: last.reset,
            init_max: (self.0 == Dialect::Y2018).then_some(game.rules().base_limit()),
            player_0: player(Side::First),
            player_1: player(Side::Second),
        }))
    }

    fn names(self, said: [String; 2]) -> [String; 2] {
        tell_apart(said)
    }
}

impl Inbox for JsonStream {
    fn push(&mut self, bytes: &[u8]) {
        self.push(bytes);
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }

    fn next_greeting(&mut self) -> Result<Option<Greeting>, String> {
        let Some(object) = next(self, A_GREETING)? else { return Ok(None) };
        let order = object.get("order").and_then(Value::as_u64);
        match (object.get("name").and_then(Value::as_str), order) {
            (Some(name), Some(order @ 0..=1)) => Ok(Some(Greeting { name: clean(name), first: order == 0 })),
            _ => Err(misplaced(&object, A_GREETING)),
        }
    }

    fn next_move(&mut self) -> Result<Option<Attempt>, String> {
        let Some(object) = next(self, A_MOVE)? else { return Ok(None) };
        // The connection shows who moves; the order that a client sends is ignored.
        match (object.get("num_stones").and_then(stones), object.get("reset").and_then(flag)) {
            (Some(stones), Some(reset)) => Ok(Some(Attempt { stones, reset })),
            _ => Err(misplaced(&object, A_MOVE)),
        }
    }
}

fn next(stream: &mut JsonStream, expected: &str) -> Result<Option<Value>, String> {
    stream.next_object().map_err(|error| format!("{error}, expected {expected}"))
}

/// Reads a whole number, however illegal it is.
fn stones(value: &Value) -> Option<u32> {
    match (value.as_u64(), value.as_i64()) {
        (Some(stones), _) => Some(u32::try_from(stones).unwrap_or(u32::MAX)),
        (None, Some(_negative)) => Some(0),
        (None, None) => None,
    }
}

/// Reads true or false, which some clients write as 1 and 0.
fn flag(value: &Value) -> Option<bool> {
    match value.as_u64() {
        Some(0) => Some(false),
        Some(1) => Some(true),
        _ => value.as_bool(),
    }
}

fn misplaced(object: &Value, expected: &str) -> String {
    const SHOWN: usize = 40;
    let shown = shorten(&object.to_string(), SHOWN);
    format!("found {shown}, expected {expected}")
}
