//! The positions of a map, and the moves between them.

use std::collections::{BTreeMap, HashMap, VecDeque};

use bouton_tables::{AskError, Game, Outcome, Solved};

use super::Mapped;
use crate::draw::error::DrawError;

/// The most positions of a map.
const MAX_NODES: usize = 300;
/// The most moves of a map.
const MAX_EDGES: usize = 3000;

/// A position.
pub(super) struct Node {
    pub(super) label: Vec<String>,
    /// Won for the player to move.
    pub(super) won: bool,
    /// Which of the levels, the first one the highest.
    pub(super) level: usize,
}

/// Moves from one position to another.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Whether they win.
    pub(super) winning: bool,
}

/// A map. The first position is where it begins.
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    /// The names of the levels.
    pub(super) levels: Vec<String>,
}

type Position<S> = <<S as Solved>::Game as Game>::Position;

impl Graph {
    /// All that can be reached from a position.
    pub(super) fn collect<S: Solved<Game: Mapped>>(
        table: &S,
        start: &Position<S>,
    ) -> Result<Self, DrawError> {
        let game = table.game();
        let mut known: HashMap<Position<S>, usize> = HashMap::new();
        let mut positions = vec![start.clone()];
        let mut edges: Vec<Edge> = Vec::new();
        known.insert(S::Game::key(start), 0);
        let mut next = VecDeque::from([0]);
        while let Some(from) = next.pop_front() {
            let position = positions[from].clone();
            let first = edges.len();
            for chosen in game.moves(&position) {
                let after = game.after(&position, chosen);
                let to = *known.entry(S::Game::key(&after)).or_insert_with(|| {
                    positions.push(after);
                    next.push_back(positions.len() - 1);
                    positions.len() - 1
                });
                too_large(positions.len(), edges.len())?;
                if edges[first..].iter().all(|edge| edge.to != to) {
                    edges.push(Edge { from, to, winning: false });
                }
            }
        }
        too_large(positions.len(), edges.len())?;
        let won = positions.iter().map(|position| Ok(table.verdict(position)?.outcome == Outcome::Win));
        let won = won.collect::<Result<Vec<bool>, AskError>>()?;
        for edge in &mut edges {
            edge.winning = !won[edge.to];
        }
        // From most stones to none, and of as many from most passes to none.
        let mut heights: BTreeMap<(u64, u8), usize> =
            positions.iter().map(|position| (S::Game::level(position), 0)).collect();
        let several_passes = positions.iter().any(|position| S::Game::level(position).1 > 0);
        for (number, level) in heights.values_mut().rev().enumerate() {
            *level = number;
        }
        let name = |&(stones, passes): &(u64, u8)| match several_passes {
            true => format!("{stones}/{passes}"),
            false => stones.to_string(),
        };
        let levels = heights.keys().rev().map(name).collect();
        let node = |(position, won): (&Position<S>, bool)| Node {
            label: game.label(position),
            won,
            level: heights[&S::Game::level(position)],
        };
        let nodes = positions.iter().zip(won).map(node).collect();
        Ok(Self { nodes, edges, levels })
    }
}

fn too_large(nodes: usize, edges: usize) -> Result<(), DrawError> {
    let narrow =
        "draw what can be reached from a later position with --from POSITION, or a smaller game with --set";
    for (what, found, limit) in [("positions", nodes, MAX_NODES), ("moves", edges, MAX_EDGES)] {
        if found > limit {
            // It is not known how many there are in all.
            return Err(DrawError::TooLarge { what, found: found as u64, limit: limit as u64, narrow });
        }
    }
    Ok(())
}
