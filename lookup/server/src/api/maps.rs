//! Maps: the part of a table around a position, and a whole small game.

use axum::response::Response;
use bouton_study::game_map::{Graph, MapError, places};
use bouton_tables::{Game, Outcome};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::extract::{Asked, At, Name};
use crate::board::{Axis, Board, Effort, Shown};
use crate::problem::{Problem, Refusal};
use crate::tables::Question;
use crate::work::Budget;

/// The part of a table around a position.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PartOfTable {
    /// The position as canonical text.
    position: String,
    /// The axis along a row.
    x: Axis,
    /// The axis from row to row; `null` if there is only one row.
    y: Option<Axis>,
    /// A string for each row, with a character for each column: W won or L lost for the player to move, a dot where there
    /// is no position.
    outcomes: Vec<String>,
    /// An array for each row, with a depth for each column; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    depths: Option<Vec<Vec<Option<u32>>>>,
}

/// The part of the table around a position.
#[utoipa::path(
    get,
    path = "/api/tables/{name}/map",
    params(Name, At),
    responses((status = 200, body = PartOfTable), Refusal)
)]
pub(super) async fn map(asked: Asked<Around>) -> Result<Response, Problem> {
    asked.answer().await
}

#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Around(At);

impl Question for Around {
    type Answer = PartOfTable;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<PartOfTable, Problem> {
        let game = table.game();
        let position = game.read_position(&self.0.position)?;
        let plane = game.plane(&position);
        let mut budget = Budget::default();
        let (mut outcomes, mut depths) = (Vec::new(), Vec::new());
        let rows = plane.y.as_ref().map_or(0..=0, |y| y.from..=y.to);
        for y in rows {
            budget.spend(u64::from(plane.x.to - plane.x.from + 1) * effort.verdict)?;
            let mut row = (String::new(), Vec::new());
            for x in plane.x.from..=plane.x.to {
                let verdict =
                    game.at(&position, &plane, x, y).map(|there| table.verdict(&there)).transpose()?;
                row.0.push(match verdict.map(|verdict| verdict.outcome) {
                    None => '.',
                    Some(Outcome::Win) => 'W',
                    Some(Outcome::Loss) => 'L',
                });
                row.1.push(verdict.and_then(|verdict| verdict.depth));
            }
            outcomes.push(row.0);
            depths.push(row.1);
        }
        Ok(PartOfTable {
            position: game.show_position(&position),
            x: plane.x,
            y: plane.y,
            outcomes,
            depths: table.has_depths().then_some(depths),
        })
    }
}

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
    outcome: &'static str,
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
pub(super) async fn game_map(asked: Asked<From>) -> Result<Response, Problem> {
    asked.answer().await
}

#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct From(At);

impl Question for From {
    type Answer = GameMap;

    fn ask<S: Shown>(self, table: &S, _: Effort) -> Result<GameMap, Problem> {
        let game = table.game();
        let position = game.read_position(&self.0.position)?;
        let graph = Graph::of(table, &position).map_err(|error| match error {
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
            outcome: node.verdict.outcome.as_str(),
            depth: node.verdict.depth,
            level: node.level,
            place,
        });
        let nodes = nodes.collect();
        Ok(GameMap { position: game.show_position(&position), levels: graph.levels, nodes, edges })
    }
}
