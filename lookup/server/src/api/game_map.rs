//! A whole small game.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use bouton_study::game_map::{MapError, graph, places};
use bouton_tables::{Game, Outcome};
use serde::Serialize;
use utoipa::ToSchema;

use super::Shared;
use super::answer::answer;
use super::extract::{At, Name, Params};
use crate::board::{Effort, Shown};
use crate::problem::{Problem, Refusal};
use crate::tables::Question;

/// A whole small game: all positions that can be reached from one, and the moves between them.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct GameMap {
    /// The position as canonical text.
    position: String,
    /// Names of the levels, the highest first: stones left.
    levels: Vec<String>,
    /// The positions, the one asked for first.
    nodes: Vec<Node>,
    /// The moves.
    edges: Vec<Edge>,
}

/// A position of the map.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Node {
    /// As in `state`.
    key: String,
    /// Its label, line by line.
    label: Vec<String>,
    /// For the player to move.
    #[schema(value_type = String)]
    outcome: Outcome,
    /// Plies to the end under best play; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    depth: Option<u32>,
    /// The index of its level.
    level: usize,
    /// Its place along the level: 0 is the middle, and neighbours are 1 apart.
    place: f64,
}

/// Moves from one position to another.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Edge {
    /// The index of the node where they start.
    from: usize,
    /// The index of the node where they lead.
    to: usize,
    /// Whether they win.
    winning: bool,
}

/// The whole game from a position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/game-map",
    params(Name, At),
    responses((status = 200, body = GameMap), Refusal)
)]
pub(super) async fn game_map(
    State(app): State<Shared>,
    name: Name,
    Params(at): Params<At>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let question = From(at.position);
    answer(&app, &name, &headers, question).await
}

struct From(String);

impl Question for From {
    type Answer = GameMap;

    fn ask<S: Shown>(self, table: &S, _: Effort) -> Result<GameMap, Problem> {
        let game = table.game();
        let position = game.parse_position(&self.0)?;
        let graph = graph(table, &position).map_err(|error| match error {
            MapError::Table(error) => error.into(),
            MapError::TooLarge { what, limit } => Problem::TooMuch(format!(
                "from here the game has more than {limit} {what}, which is too large for a map; ask from a later \
                 position, or for the map around this one"
            )),
        })?;
        let places = places(&graph);
        let edges =
            graph.edges.iter().map(|edge| Edge { from: edge.from, to: edge.to, winning: edge.winning });
        let edges = edges.collect();
        let nodes = graph.nodes.into_iter().zip(places).map(|(node, place)| Node {
            key: node.key,
            label: node.label,
            outcome: node.verdict.outcome,
            depth: node.verdict.depth,
            level: node.level,
            place,
        });
        let nodes = nodes.collect();
        Ok(GameMap { position: game.show_position(&position), levels: graph.levels, nodes, edges })
    }
}
