//! Messages of the web server of 2020: requests with form fields, answers in JSON.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// Resets of each player, which the rules of this server fix.
pub const RESETS: u8 = 4;
/// The most stones that a session may begin with.
pub const MOST_STONES: u32 = 1000;

/// Where a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameStatus {
    /// Nobody has joined.
    WaitForAJoin,
    /// Player A has joined.
    WaitForBJoin,
    /// Player A, who moves first, is to move.
    WaitForAMove,
    /// Player B is to move.
    WaitForBMove,
    /// The game is over.
    End,
}

/// The answer to whoever made a session or joined one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// `success`.
    pub status: String,
    /// Where the session stands.
    pub game_status: GameStatus,
    /// Its number.
    pub session_id: u64,
    /// The player's secret, if a player joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Stones at the start, if a player joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub init_stones: Option<u32>,
}

/// The answer to a player who asks how the game stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// `success`.
    pub status: String,
    /// Where the session stands.
    pub game_status: GameStatus,
    /// Whether who asks is to move.
    pub your_turn: bool,
    /// The same in words; at the end it names the winner.
    pub message: String,
    /// How the game stands, if who asks is to move.
    #[serde(flatten)]
    pub turn: Option<TurnStatus>,
}

/// How the game stands, for the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnStatus {
    /// Stones left.
    pub stones_left: u32,
    /// Whether a reset binds this move.
    pub reset: bool,
    /// The most taken so far, also under a reset.
    pub current_max: u32,
    /// The most that may be taken now.
    pub accept_max_value: u32,
    /// Resets that this player has left.
    pub reset_left: u8,
    /// When his time began to run; nothing where it is no text.
    #[serde(default, deserialize_with = "text")]
    pub start_time: String,
    /// Seconds that he has left, a fraction dropped; 0 where it is no number.
    #[serde(default, deserialize_with = "seconds")]
    pub time_left: i64,
}

// That a clock is told in another way is no reason to lose a turn.
fn text<'de, D: Deserializer<'de>>(read: D) -> Result<String, D::Error> {
    Ok(Value::deserialize(read)?.as_str().unwrap_or_default().to_owned())
}

fn seconds<'de, D: Deserializer<'de>>(read: D) -> Result<i64, D::Error> {
    let told = Value::deserialize(read)?;
    let number = told.as_f64().or_else(|| told.as_str()?.parse().ok());
    Ok(number.unwrap_or(0.0) as i64)
}

/// One move of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionMove {
    /// The player's name.
    pub player: String,
    /// Seconds that the move took.
    pub time: f64,
    /// Stones taken.
    pub stones_removed: u32,
    /// Stones left after it.
    pub stones_left: u32,
    /// Whether it imposed a reset.
    pub reset: bool,
}

/// The answer to whoever asks for the moves of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moves {
    /// `success`.
    pub status: String,
    /// Where the session stands.
    pub game_status: GameStatus,
    /// What was played, in order.
    pub moves: Vec<SessionMove>,
}

/// An answer without more to say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plain {
    /// `success` or `failed`.
    pub status: String,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
