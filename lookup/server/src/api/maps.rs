//! Maps: the part of a table around a position, and a whole small game.

use axum::response::Response;
use bouton_answers::{GameMap, GameMapQuestion, MapQuestion, PartOfTable};

use super::extract::{PositionParams, QuestionRequest, TableName};
use crate::problem::{ErrorResponse, Problem};

/// The part of the table around a position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/map",
    params(TableName, PositionParams),
    responses((status = 200, description = "outcomes and depths around the position", body = PartOfTable), ErrorResponse)
)]
pub(super) async fn map(asked: QuestionRequest<PositionParams>) -> Result<Response, Problem> {
    asked.answer_cached("map", |PositionParams { position }| MapQuestion { position }).await
}

/// The whole game from a position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/game-map",
    params(TableName, PositionParams),
    responses((status = 200, description = "all positions and moves from there on", body = GameMap), ErrorResponse)
)]
pub(super) async fn game_map(asked: QuestionRequest<PositionParams>) -> Result<Response, Problem> {
    asked.answer_cached("game-map", |PositionParams { position }| GameMapQuestion { position }).await
}
