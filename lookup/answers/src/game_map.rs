//! The map of a whole small game.

use bouton_study::game_map::{Graph, MapError, MapLayout};
use bouton_tables::Game;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::board::BoardTable;
use crate::budget::LookUpCost;
use crate::{Question, Refusal};

/// The question for the whole game from a position.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GameMapQuestion {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    pub position: String,
}

/// A whole small game: all positions that can be reached from one, and the moves between them.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameMap {
    /// The position as canonical text.
    pub position: String,
    /// Names of the levels, from top to bottom: stones left.
    pub levels: Vec<String>,
    /// The positions, the one asked for first.
    pub nodes: Vec<Node>,
    /// The moves.
    pub edges: Vec<Edge>,
}

/// A position of the map.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Node {
    /// The `key` of the position, as in `state`.
    pub key: String,
    /// The label, line by line.
    pub label: Vec<String>,
    /// Outcome for the player to move.
    #[schema(value_type = crate::board::Outcome)]
    pub outcome: &'static str,
    /// Plies to the end under best play; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub depth: Option<u32>,
    /// Index of the level.
    pub level: usize,
    /// Horizontal coordinate: 0 is the middle, and neighbours are at least 1 apart. A node may be drawn 0.8 wide.
    pub place: f64,
    /// Horizontal coordinates at which moves to this position cross the levels above, clear of all positions; the nearest
    /// level first. One for each level that the longest move to this position crosses.
    pub waypoints: Vec<f64>,
}

/// Moves from one position to another.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Edge {
    /// Index of the node before the move.
    pub from: usize,
    /// Index of the node after the move.
    pub to: usize,
    /// Whether the moves win.
    pub winning: bool,
}

impl Question for GameMapQuestion {
    type Answer = GameMap;

    fn answer<S: BoardTable>(self, table: &S, _: LookUpCost) -> Result<GameMap, Refusal> {
        let game = table.game();
        let position = game.read_position(&self.position)?;
        let graph = Graph::of(table, &position).map_err(|error| match error {
            MapError::Table(error) => error.into(),
            MapError::TooLarge { what, limit } => Refusal::TooMuch(format!(
                "from here the game has more than {limit} {what}, which is too large for a map; ask from a later \
                 position, or for the map around this one"
            )),
        })?;
        let MapLayout { places, waypoints } = MapLayout::of(&graph);
        let edges = graph.edges.iter().map(|e| Edge { from: e.from, to: e.to, winning: e.winning }).collect();
        let nodes =
            graph.nodes.into_iter().zip(places).zip(waypoints).map(|((node, place), waypoints)| Node {
                key: node.key,
                label: node.label,
                outcome: node.verdict.outcome.as_str(),
                depth: node.verdict.depth,
                level: node.level,
                place,
                waypoints,
            });
        let nodes = nodes.collect();
        Ok(GameMap { position: game.show_position(&position), levels: graph.levels, nodes, edges })
    }
}
