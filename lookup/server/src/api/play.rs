//! The endpoints for play on the page: the board, whole games, the main line, why a position is won or lost, and maps.

use axum::response::Response;
use bouton_answers::{
    BoardState, DEFAULT_PLIES, GameMap, GameMapQuestion, GameQuestion, GameStates, LineQuestion, MainLine,
    PartOfTable, PartOfTableQuestion, StateQuestion, WhyAnswer, WhyQuestion,
};
use bouton_lookup::Policy;
use serde::Deserialize;
use utoipa::IntoParams;

use super::extract::{PolicyName, PositionParams, QuestionRequest, TableName, plies, policy};
use crate::problem::{ErrorResponse, Problem};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct StateParams {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    position: String,
    /// How to choose a move in a lost position: longest (the default) or trap. `fastest`, which names the choice in
    /// a won position, means longest here.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    policy: Policy,
}

/// Everything that a board shows.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/state",
    params(TableName, StateParams),
    responses((status = 200, description = "what lies on the board, and where each move leads", body = BoardState), ErrorResponse)
)]
pub(super) async fn state(request: QuestionRequest<StateParams>) -> Result<Response, Problem> {
    request.answer(|StateParams { position, policy }| StateQuestion { position, policy }).await
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct GameParams {
    /// The start, in notation.
    #[param(example = "3,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    position: String,
    /// The moves in notation, separated by commas, at most 4,000; may be absent or empty. The + of a move is encoded as
    /// %2B.
    #[serde(default)]
    #[param(example = "1:1,3:2")]
    moves: String,
    /// How to choose a move in a lost position: longest (the default) or trap. `fastest`, which names the choice in
    /// a won position, means longest here.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    policy: Policy,
}

/// Everything that a board shows, at the start of a game and after each of its moves.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/game",
    params(TableName, GameParams),
    responses((status = 200, description = "the state at the start, and after each move", body = GameStates), ErrorResponse)
)]
pub(super) async fn game(request: QuestionRequest<GameParams>) -> Result<Response, Problem> {
    request.answer(|GameParams { position, moves, policy }| GameQuestion { position, moves, policy }).await
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct LineParams {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    position: String,
    /// How to choose a move in a lost position: longest (the default) or trap. `fastest`, which names the choice in
    /// a won position, means longest here.
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
    params(TableName, LineParams),
    responses((status = 200, description = "the moves if nobody makes a mistake", body = MainLine), ErrorResponse)
)]
pub(super) async fn line(request: QuestionRequest<LineParams>) -> Result<Response, Problem> {
    let plies = request.question.plies.unwrap_or(DEFAULT_PLIES);
    request.answer(|LineParams { position, policy, .. }| LineQuestion { position, policy, plies }).await
}

/// Why a position is won or lost.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/why",
    params(TableName, PositionParams),
    responses((status = 200, description = "the argument", body = WhyAnswer), ErrorResponse)
)]
pub(super) async fn why(request: QuestionRequest<PositionParams>) -> Result<Response, Problem> {
    request.answer(|PositionParams { position }| WhyQuestion { position }).await
}

/// The part of the table around a position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/map",
    params(TableName, PositionParams),
    responses((status = 200, description = "outcomes and depths around the position", body = PartOfTable), ErrorResponse)
)]
pub(super) async fn map(request: QuestionRequest<PositionParams>) -> Result<Response, Problem> {
    request.answer_cached("map", |params| PartOfTableQuestion(params.position)).await
}

/// The whole game from a position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/game-map",
    params(TableName, PositionParams),
    responses((status = 200, description = "all positions and moves from there on", body = GameMap), ErrorResponse)
)]
pub(super) async fn game_map(request: QuestionRequest<PositionParams>) -> Result<Response, Problem> {
    request.answer_cached("game-map", |params| GameMapQuestion(params.position)).await
}
