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
    /// What they tell.
    pub(super) measure: &'static str,
}

/// Positions, and for each pair of which a move leads from one to the other their places.
pub(super) struct Reached<G: Game> {
    pub(super) positions: Vec<G::Position>,
    moves: Vec<(usize, usize)>,
}

impl<G: Mapped> Reached<G> {
    /// All that can be reached from a position, which comes first.
    pub(super) fn collect(game: &G, start: &G::Position) -> Result<Self, DrawError> {
        let mut known: HashMap<G::Position, usize> = HashMap::from([(G::key(start), 0)]);
        let mut positions = vec![start.clone()];
        let mut moves: Vec<(usize, usize)> = Vec::new();
        let mut next = VecDeque::from([0]);
        while let Some(from) = next.pop_front() {
            let position = positions[from].clone();
            let first = moves.len();
            for chosen in game.moves(&position) {
                let after = game.after(&position, chosen);
                let to = *known.entry(G::key(&after)).or_insert_with(|| {
                    positions.push(after);
                    next.push_back(positions.len() - 1);
                    positions.len() - 1
                });
                if !moves[first..].contains(&(from, to)) {
                    moves.push((from, to));
                }
                too_large(positions.len(), moves.len())?;
            }
        }
        Ok(Self { positions, moves })
    }
}

impl Graph {
    /// Positions as a table knows them.
    pub(super) fn of<S: Solved<Game: Mapped>>(
        table: &S,
        reached: &Reached<S::Game>,
    ) -> Result<Self, AskError> {
        let (game, positions) = (table.game(), &reached.positions);
        let won = positions.iter().map(|position| Ok(table.verdict(position)?.outcome == Outcome::Win));
        let won = won.collect::<Result<Vec<bool>, AskError>>()?;
        let edges = reached.moves.iter().map(|&(from, to)| Edge { from, to, winning: !won[to] }).collect();
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
        let node = |(position, won): (&<S::Game as Game>::Position, bool)| Node {
            label: game.label(position),
            won,
            level: heights[&S::Game::level(position)],
        };
        let nodes = positions.iter().zip(won).map(node).collect();
        let measure = if several_passes { "stones left/passes left" } else { "stones left" };
        Ok(Self { nodes, edges, levels, measure })
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
