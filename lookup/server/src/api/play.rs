//! What the page asks of a position while people play: all that a board shows, the main line, and the argument.

use axum::response::Response;
use bouton_answers::{BoardState, Line, MainLine, Played, State, States, USUAL_PLIES, Why, WhyAnswer};
use bouton_lookup::Policy;
use serde::Deserialize;
use utoipa::IntoParams;

use super::extract::{Asked, At, Name, PolicyName, plies, policy};
use crate::problem::{Problem, Refusal};

/// The query.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct StateParams {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    position: String,
    /// How to choose a move in a lost position: longest (the default; fastest means the same) or trap.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    policy: Policy,
}

/// Everything that a board shows.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/state",
    params(Name, StateParams),
    responses((status = 200, description = "what lies on the board, and where each move leads", body = BoardState), Refusal)
)]
pub(super) async fn state(asked: Asked<StateParams>) -> Result<Response, Problem> {
    asked.answer(|StateParams { position, policy }| State { position, policy }).await
}

/// The query.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct GameParams {
    /// The start, in notation.
    #[param(example = "3,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    position: String,
    /// The moves in notation, with commas between them, at most 4,000; none if it is absent or empty. The + of a move is encoded as %2B.
    #[serde(default)]
    #[param(example = "1:1,3:2")]
    moves: String,
    /// How to choose a move in a lost position: longest (the default; fastest means the same) or trap.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    policy: Policy,
}

/// Everything that a board shows, at the start of a game and after each of its moves.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/game",
    params(Name, GameParams),
    responses((status = 200, description = "the state at the start, and after each move", body = States), Refusal)
)]
pub(super) async fn game(asked: Asked<GameParams>) -> Result<Response, Problem> {
    asked.answer(|GameParams { position, moves, policy }| Played { position, moves, policy }).await
}

/// The query.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct LineParams {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    position: String,
    /// How to choose a move in a lost position: longest (the default; fastest means the same) or trap.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    policy: Policy,
    /// The most plies to return; the default is 1,000.
    #[serde(default, deserialize_with = "plies")]
    #[param(minimum = 1, maximum = 10_000)]
    plies: Option<usize>,
}

/// The main line under best play.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/line",
    params(Name, LineParams),
    responses((status = 200, description = "the moves if nobody makes a mistake", body = MainLine), Refusal)
)]
pub(super) async fn line(asked: Asked<LineParams>) -> Result<Response, Problem> {
    let question = |LineParams { position, policy, plies }| {
        let plies = plies.unwrap_or(USUAL_PLIES);
        Line { position, policy, plies }
    };
    asked.answer(question).await
}

/// Why a position is won or lost.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/why",
    params(Name, At),
    responses((status = 200, description = "the argument", body = WhyAnswer), Refusal)
)]
pub(super) async fn why(asked: Asked<At>) -> Result<Response, Problem> {
    asked.answer(|At { position }| Why { position }).await
}
