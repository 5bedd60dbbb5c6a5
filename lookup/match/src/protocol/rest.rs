//! Messages of the web server of 2020: requests are form fields, answers JSON. In addition to the fields below, an answer
//! has the `status` `success`. A refusal has only the `status` `failed` and a `reason`.

use serde::{Deserialize, Serialize};

/// The resets of each player, fixed on this server.
pub const RESETS: u8 = 4;
/// Maximum number of stones of a session.
pub const MAX_STONES: u64 = 1000;

/// The state of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameStatus {
    /// Nobody has joined.
    WaitForAJoin,
    /// Player A has joined.
    WaitForBJoin,
    /// It is the turn of player A, who moves first.
    WaitForAMove,
    /// It is the turn of player B.
    WaitForBMove,
    /// The game is over.
    End,
}

/// The answer to creating or joining a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JoinReply {
    /// The state of the session.
    pub game_status: GameStatus,
    /// The number of the session.
    pub session_id: u64,
    /// The player's secret, if a player joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Stones at the start, if a player joined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub init_stones: Option<u64>,
}

/// The answer to a request for the status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The state of the session.
    pub game_status: GameStatus,
    /// True if it is this player's turn.
    pub your_turn: bool,
    /// The state in words; at the end it names the winner.
    pub message: String,
    /// The position, if it is this player's turn.
    #[serde(flatten)]
    pub turn: Option<TurnStatus>,
}

/// The position, for the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnStatus {
    /// Stones left.
    pub stones_left: u64,
    /// True if a reset binds this move.
    pub reset: bool,
    /// The most stones taken in one move so far, even under a reset.
    pub current_max: u32,
    /// The greatest number of stones that may be taken now.
    pub accept_max_value: u32,
    /// This player's resets left.
    pub reset_left: u8,
    /// Start of the player's clock. Our client does not read it, since an unexpected form must not cost a turn.
    #[serde(skip_deserializing)]
    pub start_time: String,
    /// The player's seconds left, rounded down. Our client does not read them.
    #[serde(skip_deserializing)]
    pub time_left: u64,
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
    pub stones_left: u64,
    /// True if the move imposed a reset.
    pub reset: bool,
}

/// The answer to a request for the moves of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveList {
    /// The state of the session.
    pub game_status: GameStatus,
    /// The moves, in order.
    pub moves: Vec<SessionMove>,
}
