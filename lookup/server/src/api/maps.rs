//! Maps: the part of a table around a position, and a whole small game.

use axum::response::Response;
use bouton_answers::{GameMap, Map, PartOfTable, WholeGame};

use super::extract::{Asked, At, Name};
use crate::problem::{Problem, Refusal};

/// The part of the table around a position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/map",
    params(Name, At),
    responses((status = 200, description = "outcomes and depths around the position", body = PartOfTable), Refusal)
)]
pub(super) async fn map(asked: Asked<At>) -> Result<Response, Problem> {
    asked.answer_kept("map", |At { position }| Map { position }).await
}

/// The whole game from a position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/game-map",
    params(Name, At),
    responses((status = 200, description = "all positions and moves from there on", body = GameMap), Refusal)
)]
pub(super) async fn game_map(asked: Asked<At>) -> Result<Response, Problem> {
    asked.answer_kept("game-map", |At { position }| WholeGame { position }).await
}
