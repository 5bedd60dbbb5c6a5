//! Messages of the servers that speak JSON over TCP.
//!
//! A client sends [`Hello`]. When both clients are there, each gets an [`Init`]. Then the player to move sends a
//! [`MoveMessage`] and both get a [`GameState`], in turns, until a state is finished.

use bouton_tables::expanding::{Expanding, Position};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::ser::Formatter;

/// The dialects of the servers. They differ in the meaning of `current_max`, and in some fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// 2017 and 2020: `current_max` is the most that may be taken on the next turn.
    Y2017,
    /// 2018: `current_max` is the most taken so far, but the reset limit less 1 (usually 2) while a reset is in force.
    Y2018,
    /// 2025: like 2017, and the first message also has the time and the first limit.
    Y2025,
}

impl Dialect {
    /// Returns the value of `current_max` at a position.
    pub fn current_max(self, rules: &Expanding, position: &Position) -> u32 {
        match self {
            Self::Y2017 | Self::Y2025 => rules.limit(position.currentmax, position.imposed),
            Self::Y2018 if position.imposed => rules.reset_limit() - 1,
            Self::Y2018 => position.currentmax,
        }
    }
}

/// A client's first message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The client's name.
    pub name: String,
    /// 0 to ask for the first move, 1 for the second.
    pub order: u8,
}

/// A server's first message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Init {
    /// Stones at the start.
    pub init_stones: u64,
    /// Resets of each player at the start.
    pub init_resets: u8,
    /// Each player's seconds for all moves (2025).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_time: Option<u32>,
    /// The limit of the first move (2025).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub init_max: Option<u32>,
}

/// A move, as a client sends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveMessage {
    /// The client's own idea of its side; servers ignore it.
    #[serde(default)]
    pub order: u8,
    /// Stones to take.
    pub num_stones: u32,
    /// True to impose a reset.
    pub reset: bool,
}

/// The part of a state about one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerState {
    /// Resets left. A negative number, which a server may show after a reset too many, is read as 0.
    #[serde(deserialize_with = "count_u8")]
    pub resets_left: u8,
    /// Seconds used.
    pub time_taken: f64,
    /// Name.
    #[serde(deserialize_with = "text")]
    pub name: String,
}

/// A server's message after every move. The fields have the servers' order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameState {
    /// True if the game is over.
    pub finished: bool,
    /// The winner's name, if the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "optional_text")]
    pub winner: Option<String>,
    /// The reason for the end, if the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A limit or a currentmax, depending on the [`Dialect`]; never rely on it.
    #[serde(deserialize_with = "count")]
    pub current_max: u32,
    /// Stones left. A negative number is read as 0: a move may take more stones than remain.
    #[serde(deserialize_with = "count_u64")]
    pub stones_left: u64,
    /// Stones that the move took, or tried to take if it was illegal. A negative number is read as 0.
    #[serde(deserialize_with = "count")]
    pub stones_removed: u32,
    /// True if the move imposed a reset. Servers repeat what the mover sent, of any type; we read it as Python does.
    #[serde(deserialize_with = "truth")]
    pub reset_used: bool,
    /// The limit of the first move (2018).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub init_max: Option<u32>,
    /// The player who moved first.
    pub player_0: PlayerState,
    /// The player who moved second.
    pub player_1: PlayerState,
}

/// Reads a whole number as the nearest valid count.
fn count_u64<'de, D: Deserializer<'de>>(read: D) -> Result<u64, D::Error> {
    let number = f64::deserialize(read)?;
    if number.fract() != 0.0 {
        return Err(D::Error::custom(format!("found {number}, expected a whole number")));
    }
    // The cast clamps a number out of range.
    Ok(number as u64)
}

fn count<'de, D: Deserializer<'de>>(read: D) -> Result<u32, D::Error> {
    Ok(u32::try_from(count_u64(read)?).unwrap_or(u32::MAX))
}

fn count_u8<'de, D: Deserializer<'de>>(read: D) -> Result<u8, D::Error> {
    Ok(u8::try_from(count_u64(read)?).unwrap_or(u8::MAX))
}

/// Reads a value as true or false as Python does, the servers' language.
fn truth<'de, D: Deserializer<'de>>(read: D) -> Result<bool, D::Error> {
    Ok(match Value::deserialize(read)? {
        Value::Null => false,
        Value::Bool(value) => value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(values) => !values.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    })
}

/// Reads any value as a name: some client may have sent a number.
fn text<'de, D: Deserializer<'de>>(read: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(read)? {
        Value::String(text) => text,
        other => other.to_string(),
    })
}

fn optional_text<'de, D: Deserializer<'de>>(read: D) -> Result<Option<String>, D::Error> {
    text(read).map(Some)
}

/// Encodes a message as the servers and their clients do: with a space after each comma and colon.
pub fn to_bytes(message: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
    message.serialize(&mut writer).expect("texts and numbers are JSON");
    bytes
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_object_key<W: ?Sized + std::io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + std::io::Write>(&mut self, out: &mut W) -> std::io::Result<()> {
        out.write_all(b": ")
    }

    fn write_f64<W: ?Sized + std::io::Write>(&mut self, out: &mut W, value: f64) -> std::io::Result<()> {
        // The servers write 0, not 0.0, for an unused clock.
        if value == 0.0 { out.write_all(b"0") } else { write!(out, "{value}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_formatted_as_by_the_servers() {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let hello = Hello { name: "Team".to_owned(), order: 0 };
        assert_eq!(text(to_bytes(&hello)), r#"{"name": "Team", "order": 0}"#);
        let init = Init { init_stones: 20, init_resets: 4, game_time: None, init_max: None };
        assert_eq!(text(to_bytes(&init)), r#"{"init_stones": 20, "init_resets": 4}"#);
        let init = Init { game_time: Some(120), init_max: Some(3), ..init };
        let expected = r#"{"init_stones": 20, "init_resets": 4, "game_time": 120, "init_max": 3}"#;
        assert_eq!(text(to_bytes(&init)), expected);
        let player =
            |name: &str, time_taken| PlayerState { resets_left: 4, time_taken, name: name.to_owned() };
        let state = GameState {
            finished: false,
            winner: None,
            reason: None,
            current_max: 4,
            stones_left: 17,
            stones_removed: 3,
            reset_used: false,
            init_max: None,
            player_0: player("A", 0.2),
            player_1: player("B", 0.0),
        };
        let expected = r#"{"finished": false, "current_max": 4, "stones_left": 17, "stones_removed": 3, "reset_used": false, "player_0": {"resets_left": 4, "time_taken": 0.2, "name": "A"}, "player_1": {"resets_left": 4, "time_taken": 0, "name": "B"}}"#;
        assert_eq!(text(to_bytes(&state)), expected);
        assert_eq!(serde_json::from_str::<GameState>(expected).unwrap(), state);
    }

    #[test]
    fn states_with_unusual_values_are_read() {
        let text = r#"{"finished": true, "winner": "A", "reason": "used too many", "current_max": 4,
            "stones_left": -1, "stones_removed": -5, "reset_used": true,
            "player_0": {"resets_left": -1, "time_taken": 0.2, "name": "A"},
            "player_1": {"resets_left": 4, "time_taken": 0, "name": "B"}}"#;
        let state: GameState = serde_json::from_str(text).unwrap();
        assert_eq!((state.stones_left, state.stones_removed, state.player_0.resets_left), (0, 0, 0));
        for (reset, expected) in
            [("false", false), ("0", false), ("1", true), ("null", false), ("\"no\"", true)]
        {
            let text = text.replace("\"reset_used\": true", &format!("\"reset_used\": {reset}"));
            assert_eq!(serde_json::from_str::<GameState>(&text).unwrap().reset_used, expected, "{reset}");
        }
        let named: GameState = serde_json::from_str(&text.replace("\"A\"", "7")).unwrap();
        assert_eq!((named.player_0.name.as_str(), named.winner.as_deref()), ("7", Some("7")));
        assert!(serde_json::from_str::<GameState>(&text.replace("-5", "2.5")).is_err());
        assert!(serde_json::from_str::<GameState>(&text.replace("-5", "\"2\"")).is_err());
    }
}
