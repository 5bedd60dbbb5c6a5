//! The map of a small game: its positions by stones left, and all moves.

mod graph;
mod order;
mod picture;

use bouton_tables::expanding::{self, Expanding, Turn};
use bouton_tables::heaps::{self, HeapRules};
use bouton_tables::{Family, Game, Ruleset, Solved, Table};

use self::graph::Reached;
pub use self::graph::{Edge, Graph, Node};
use super::error::DrawError;
use super::scene::Scene;
use super::words;

/// Draws the map of a game: all positions that can be reached from one, or from the start of the ruleset.
///
/// Positions that are the same but for the order of heaps, or for which player is to move, are one.
///
/// # Errors
/// If the position is none of the table, there are too many positions or moves, or the table is damaged.
pub fn game_map<D: AsRef<[u8]>>(table: &Table<D>, from: Option<&str>) -> Result<Scene, DrawError> {
    let title = words::ruleset(&table.header().ruleset);
    match table.family() {
        Family::Expanding(table) => draw(table, from, &title),
        Family::Heaps(table) => draw(table, from, &title),
    }
}

/// What [`game_map`] draws, for whoever draws it otherwise.
///
/// # Errors
/// As for [`game_map`].
pub fn graph<S: Solved<Game: Mapped>>(
    table: &S,
    from: &<S::Game as Game>::Position,
) -> Result<Graph, DrawError> {
    Ok(Graph::of(table, &Reached::collect(table.game(), from)?)?)
}

/// Whether [`game_map`] could draw the map of a ruleset's table, before there is one.
///
/// # Errors
/// If the position is none of the ruleset, or there are too many positions or moves.
pub fn game_map_fits(ruleset: &Ruleset, from: Option<&str>) -> Result<(), DrawError> {
    match ruleset {
        Ruleset::Expanding(rules) => reached(rules, from).map(drop),
        Ruleset::Heaps(rules) => reached(rules, from).map(drop),
    }
}

/// All that can be reached from a position.
fn reached<G: Mapped>(game: &G, from: Option<&str>) -> Result<Reached<G>, DrawError> {
    let start = match from {
        None => game.opening(),
        Some(text) => game
            .parse_position(text)
            .map_err(|reason| DrawError::Position { place: "--from".to_owned(), reason })?,
    };
    Reached::collect(game, &start)
}

fn draw<S: Solved<Game: Mapped>>(table: &S, from: Option<&str>, title: &str) -> Result<Scene, DrawError> {
    let game = table.game();
    let reached = reached(game, from)?;
    let graph = Graph::of(table, &reached)?;
    let subtitle = format!(
        "{} and {} from {}{}",
        words::count(graph.nodes.len() as u64, "position", "positions"),
        words::count(graph.edges.len() as u64, "move", "moves"),
        game.show_position(&reached.positions[0]),
        game.notation()
    );
    Ok(picture::picture(&graph, title, &subtitle))
}

/// A game of which maps can be drawn.
pub trait Mapped: Game<Position: Eq + std::hash::Hash> {
    /// How labels are to be read.
    fn notation(&self) -> &'static str {
        ""
    }

    /// The start of the ruleset.
    fn opening(&self) -> Self::Position;

    /// The same for all positions that are the same.
    fn key(position: &Self::Position) -> Self::Position;

    /// Its label, in lines.
    fn label(&self, position: &Self::Position) -> Vec<String>;

    /// Its level: stones left, and passes left.
    fn level(position: &Self::Position) -> (u64, u8);
}

impl Mapped for Expanding {
    fn notation(&self) -> &'static str {
        match self.resets() {
            [0, 0] => ". In each: stones/currentmax",
            _ => {
                ". In each: stones/currentmax; resets of the player to move and of the other; r where a reset binds the turn"
            }
        }
    }

    fn opening(&self) -> Self::Position {
        self.start(self.stones())
    }

    fn key(position: &Self::Position) -> Self::Position {
        let mut resets = position.resets;
        if position.turn == Turn::Second {
            resets.reverse();
        }
        expanding::Position { turn: Turn::First, resets, ..position.clone() }
    }

    fn label(&self, position: &Self::Position) -> Vec<String> {
        let expanding::Position { stones, currentmax, resets: [ours, theirs], imposed, .. } =
            Self::key(position);
        let mut second = if self.resets() == [0, 0] { String::new() } else { format!("{ours},{theirs}") };
        second.push_str(if imposed { " r" } else { "" });
        let first = format!("{stones}/{currentmax}");
        if second.is_empty() { vec![first] } else { vec![first, second] }
    }

    fn level(position: &Self::Position) -> (u64, u8) {
        (position.stones.into(), 0)
    }
}

impl Mapped for HeapRules {
    fn opening(&self) -> Self::Position {
        self.start()
    }

    fn key(position: &Self::Position) -> Self::Position {
        let mut heaps = position.heaps;
        heaps.sort_unstable();
        heaps::Position { heaps, ..*position }
    }

    fn label(&self, position: &Self::Position) -> Vec<String> {
        vec![self.show_position(&Self::key(position))]
    }

    fn level(position: &Self::Position) -> (u64, u8) {
        (position.heaps.iter().map(|&heap| u64::from(heap)).sum(), position.passes)
    }
}
