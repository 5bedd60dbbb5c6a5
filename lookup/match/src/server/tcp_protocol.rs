//! The server's side of the protocols over TCP: JSON, and the numbers of 2016.

use bouton_tables::expanding::Move;
use bouton_tables::printable::shorten;
use serde::Deserialize;
use serde_json::Value;

use super::hosted_game::{HostedGame, cleaned_name, make_distinct};
use super::match_settings::Protocol;
use crate::Side;
use crate::protocol::MessageStream;
use crate::protocol::tcp::{Dialect, GameState, Hello, Init, PlayerState, to_bytes};
use crate::protocol::text_2016::{OVER, TextState};

const EXPECTED_GREETING: &str = r#"{"name": "Team", "order": 0}, with order 0 or 1"#;
const EXPECTED_MOVE: &str = r#"{"order": 0, "num_stones": 3, "reset": false}"#;

/// The message for each side, if it gets one.
pub(super) type Messages = [Option<Vec<u8>>; 2];

impl Protocol {
    pub(super) fn has_greeting(self) -> bool {
        matches!(self, Self::Tcp(_))
    }

    /// Returns true if a move of more stones than remain takes all of them, instead of being illegal.
    pub(super) fn excess_takes_all(self) -> bool {
        matches!(self, Self::Tcp(_))
    }

    /// Returns the players' names, the first to connect first.
    pub(super) fn names(self, names: [String; 2]) -> [String; 2] {
        match self {
            Self::Text => ["player 0".to_owned(), "player 1".to_owned()],
            _ => make_distinct(names),
        }
    }

    /// Returns the messages to both sides at the beginning; `clock` is in seconds.
    pub(super) fn opening(self, clock: u32, game: &HostedGame) -> Messages {
        let Self::Tcp(dialect) = self else { return self.state(game) };
        let more = dialect == Dialect::Y2025;
        to_both(to_bytes(&Init {
            init_stones: game.position().stones,
            init_resets: game.position().resets[0],
            game_time: more.then_some(clock),
            init_max: more.then_some(game.referee.game().base_limit()),
        }))
    }

    /// Returns the messages to both sides after a move and at the end. Over HTTP there are none, because clients ask.
    pub(super) fn state(self, game: &HostedGame) -> Messages {
        let dialect = match self {
            Self::Tcp(dialect) => dialect,
            Self::Text if game.winner().is_some() => return to_both(OVER.to_text().into_bytes()),
            Self::Text => {
                let position = game.position();
                let state = TextState {
                    stones: position.stones,
                    // A client computes the limit as this number plus one.
                    currentmax: position.currentmax.max(game.referee.game().base_limit() - 1),
                    reset: position.imposed,
                    over: false,
                };
                let mut messages = [None, None];
                messages[game.referee.to_move().index()] = Some(state.to_text().into_bytes());
                return messages;
            }
            Self::Rest => return [None, None],
        };
        let player = |side: Side| PlayerState {
            resets_left: game.position().resets[side.index()],
            time_taken: game.time_taken(side),
            name: game.name(side).to_owned(),
        };
        let (rules, position, last_move) = (game.referee.game(), game.position(), game.last);
        let mut shown = position.clone();
        if position.stones == 0 {
            // If the last move took more stones than remained, the old servers count all that it claimed.
            shown.currentmax = position.currentmax.max(last_move.take);
        }
        to_both(to_bytes(&GameState {
            finished: game.winner().is_some(),
            winner: game.winner().map(|winner| game.name(winner).to_owned()),
            reason: game.reason(),
            current_max: dialect.current_max(rules, &shown),
            stones_left: position.stones,
            stones_removed: last_move.take,
            reset_used: last_move.reset,
            init_max: (dialect == Dialect::Y2018).then_some(rules.base_limit()),
            player_0: player(Side::First),
            player_1: player(Side::Second),
        }))
    }

    /// Returns the next move, if it is complete. The error names what was found and what was expected.
    pub(super) fn next_move(self, stream: &mut MessageStream) -> Result<Option<Move>, String> {
        if self == Self::Text {
            return stream.next_move();
        }
        let Some(object) = next_object(stream, EXPECTED_MOVE)? else { return Ok(None) };
        // The connection identifies the player; the order in the message is ignored.
        match (object.get("num_stones").and_then(stones), object.get("reset").and_then(flag)) {
            (Some(take), Some(reset)) => Ok(Some(Move { take, reset })),
            _ => Err(invalid_object(&object, EXPECTED_MOVE)),
        }
    }
}

/// Returns the next greeting, if it is complete. The error names what was found and what was expected.
pub(super) fn next_greeting(stream: &mut MessageStream) -> Result<Option<Hello>, String> {
    let Some(object) = next_object(stream, EXPECTED_GREETING)? else { return Ok(None) };
    match Hello::deserialize(&object) {
        Ok(Hello { name, order: order @ 0..=1 }) => Ok(Some(Hello { name: cleaned_name(&name), order })),
        _ => Err(invalid_object(&object, EXPECTED_GREETING)),
    }
}

fn to_both(message: Vec<u8>) -> Messages {
    [Some(message.clone()), Some(message)]
}

fn next_object(stream: &mut MessageStream, expected: &str) -> Result<Option<Value>, String> {
    stream.next_object().map_err(|error| format!("{error}, expected {expected}"))
}

/// Reads any whole number, clamped to the range of `u32`.
fn stones(value: &Value) -> Option<u32> {
    match (value.as_u64(), value.as_i64()) {
        (Some(stones), _) => Some(u32::try_from(stones).unwrap_or(u32::MAX)),
        (None, Some(_negative)) => Some(0),
        (None, None) => None,
    }
}

/// Reads true or false; some clients write 1 and 0.
fn flag(value: &Value) -> Option<bool> {
    match value.as_u64() {
        Some(0) => Some(false),
        Some(1) => Some(true),
        _ => value.as_bool(),
    }
}

fn invalid_object(object: &Value, expected: &str) -> String {
    format!("found {}, expected {expected}", shorten(&object.to_string(), 40))
}
