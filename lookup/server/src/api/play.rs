//! The endpoints for play on the page: the board, whole games, the main line, why a position is won or lost, and maps.

use axum::response::Response;
use bouton_answers::{
    BoardState, GameMap, GameMapQuestion, GameQuestion, GameStates, LineQuestion, MainLine, PartOfTable,
    PartOfTableQuestion, StateQuestion, WhyAnswer, WhyQuestion,
};

use super::extract::{QuestionRequest, TableName};
use crate::problem::{ErrorResponse, Problem};

/// Everything that a board shows.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/state",
    params(TableName, StateQuestion),
    responses((status = 200, description = "what lies on the board, and where each move leads", body = BoardState), ErrorResponse)
)]
pub(super) async fn state(request: QuestionRequest<StateQuestion>) -> Result<Response, Problem> {
    request.answer().await
}

/// Everything that a board shows, at the start of a game and after each of its moves.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/game",
    params(TableName, GameQuestion),
    responses((status = 200, description = "the state at the start, and after each move", body = GameStates), ErrorResponse)
)]
pub(super) async fn game(request: QuestionRequest<GameQuestion>) -> Result<Response, Problem> {
    request.answer().await
}

/// The main line under best play.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/line",
    params(TableName, LineQuestion),
    responses((status = 200, description = "the moves if nobody makes a mistake", body = MainLine), ErrorResponse)
)]
pub(super) async fn line(request: QuestionRequest<LineQuestion>) -> Result<Response, Problem> {
    request.answer().await
}

/// Why a position is won or lost.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/why",
    params(TableName, WhyQuestion),
    responses((status = 200, description = "the argument", body = WhyAnswer), ErrorResponse)
)]
pub(super) async fn why(request: QuestionRequest<WhyQuestion>) -> Result<Response, Problem> {
    request.answer().await
}

/// The part of the table around a position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/map",
    params(TableName, PartOfTableQuestion),
    responses((status = 200, description = "outcomes and depths around the position", body = PartOfTable), ErrorResponse)
)]
pub(super) async fn map(request: QuestionRequest<PartOfTableQuestion>) -> Result<Response, Problem> {
    request.answer_cached().await
}

/// The whole game from a position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/game-map",
    params(TableName, GameMapQuestion),
    responses((status = 200, description = "all positions and moves from there on", body = GameMap), ErrorResponse)
)]
pub(super) async fn game_map(request: QuestionRequest<GameMapQuestion>) -> Result<Response, Problem> {
    request.answer_cached().await
}
