//! The map of a small game: all positions that play can reach, in levels by stones left, and all moves between them.

mod layout;
mod network;
mod order;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::hash::Hash;

use bouton_tables::{AskError, Game, Outcome, PositionOf, Solved, Verdict};

pub use self::layout::{MapLayout, POSITION_WIDTH};

/// Maximum number of positions of a map.
const MAX_NODES: usize = 300;
/// Maximum number of moves of a map.
const MAX_EDGES: usize = 3000;

/// A family whose games can be mapped.
pub trait Mappable: Game<Position: Eq + Hash> {
    /// Explains the labels, as a text to append to a sentence.
    fn notation(&self) -> &'static str {
        ""
    }

    /// Returns the representative of all positions that are equivalent to this one: with sorted heaps, or with player 1 to move.
    fn key(position: &Self::Position) -> Self::Position;

    /// Returns the lines of a position's label.
    fn label(&self, position: &Self::Position) -> Vec<String>;

    /// Returns the stones left and the passes left, by which positions form levels.
    fn level(position: &Self::Position) -> (u64, u8);
}

/// Why a game cannot be mapped.
#[derive(Debug)]
pub enum MapError {
    /// The game has more positions or moves than a map shows.
    TooLarge {
        /// "positions" or "moves".
        what: &'static str,
        /// Maximum number that a map shows.
        limit: u64,
    },
    /// The table is damaged, or does not have the position.
    Table(AskError),
}

/// A position of a map.
#[derive(Clone, Debug)]
pub struct GraphNode {
    /// The notation of [`Mappable::key`].
    pub key: String,
    /// The lines of the label.
    pub label: Vec<String>,
    /// Outcome for the player to move, and depth.
    pub verdict: Verdict,
    /// The index of the level, from the top.
    pub level: usize,
}

/// The moves from one position of a map to another; there can be several.
#[derive(Clone, Copy, Debug)]
pub struct GraphEdge {
    /// The index of the position before.
    pub from: usize,
    /// The index of the position after.
    pub to: usize,
    /// Whether the moves win.
    pub winning: bool,
}

/// All positions and moves of a small game. The first position is the start of the map.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The positions.
    pub nodes: Vec<GraphNode>,
    /// The moves.
    pub edges: Vec<GraphEdge>,
    /// The names of the levels.
    pub levels: Vec<String>,
    /// The quantity after which the levels are named, such as "stones left".
    pub measure: &'static str,
}

/// The positions that play can reach from a start, and the moves between them.
#[derive(Debug)]
pub struct Reachable<G: Game> {
    /// The start, and the other positions in breadth-first order.
    positions: Vec<G::Position>,
    /// Indices of the positions before and after a move; each pair once.
    moves: Vec<(usize, usize)>,
}

impl<G: Mappable> Reachable<G> {
    /// Collects all positions that play can reach from `start`. Equivalent positions count as one.
    ///
    /// # Errors
    /// If there are too many positions or moves.
    pub fn collect(game: &G, start: &G::Position) -> Result<Self, MapError> {
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
                let counts = [("positions", positions.len(), MAX_NODES), ("moves", moves.len(), MAX_EDGES)];
                if let Some((what, _, limit)) = counts.into_iter().find(|(_, found, limit)| found > limit) {
                    return Err(MapError::TooLarge { what, limit: limit as u64 });
                }
            }
        }
        Ok(Self { positions, moves })
    }
}

impl Graph {
    /// Makes the map of all positions that play can reach from `start`. Positions with the same [`Mappable::key`] count as one.
    ///
    /// # Errors
    /// If there are too many positions or moves, or the table is damaged.
    pub fn of<S: Solved<Game: Mappable>>(table: &S, start: &PositionOf<S>) -> Result<Self, MapError> {
        let game = table.game();
        let Reachable { positions, moves } = Reachable::collect(game, start)?;
        let verdicts = positions.iter().map(|position| table.verdict(position));
        let verdicts = verdicts.collect::<Result<Vec<Verdict>, AskError>>().map_err(MapError::Table)?;
        let wins = |to: usize| verdicts[to].outcome == Outcome::Loss;
        let edges = moves.iter().map(|&(from, to)| GraphEdge { from, to, winning: wins(to) }).collect();
        // Descending by stones, then by passes.
        let heights: BTreeSet<_> =
            positions.iter().map(|position| Reverse(S::Game::level(position))).collect();
        let has_passes = heights.iter().any(|Reverse((_, passes))| *passes > 0);
        let name = |Reverse((stones, passes)): &Reverse<(u64, u8)>| match has_passes {
            true => format!("{stones}/{passes}"),
            false => stones.to_string(),
        };
        let levels = heights.iter().map(name).collect();
        let node = |(position, &verdict): (&PositionOf<S>, &Verdict)| GraphNode {
            key: game.show_position(&S::Game::key(position)),
            label: game.label(position),
            verdict,
            level: heights.range(..Reverse(S::Game::level(position))).count(),
        };
        let nodes = positions.iter().zip(&verdicts).map(node).collect();
        let measure = if has_passes { "stones left/passes left" } else { "stones left" };
        Ok(Self { nodes, edges, levels, measure })
    }
}
