//! A small game whole: its positions by stones left, and all moves.

mod graph;
mod order;

use bouton_tables::expanding::{self, Expanding, Turn};
use bouton_tables::heaps::{self, HeapRules};
use bouton_tables::{AskError, Game, Solved};
use thiserror::Error;

pub use self::graph::{Edge, Graph, Node, Reached};
use crate::words::grouped;

/// Why a game has no map.
#[derive(Debug, Error)]
pub enum MapError {
    /// It has more positions or moves than a map shows.
    #[error("the map would have more than {} {what}; begin at a later position, or take a smaller game", grouped(*limit))]
    TooLarge {
        /// Positions or moves.
        what: &'static str,
        /// The most that a map has.
        limit: u64,
    },
    /// The table is damaged, or does not know the position.
    #[error(transparent)]
    Table(#[from] AskError),
}

/// The map of all that can be reached from a position.
///
/// Positions that are the same but for the order of heaps, or for which player is to move, are one.
///
/// # Errors
/// If there are too many positions or moves, or the table is damaged.
pub fn graph<S: Solved<Game: Mapped>>(
    table: &S,
    from: &<S::Game as Game>::Position,
) -> Result<Graph, MapError> {
    Ok(Graph::of(table, &Reached::collect(table.game(), from)?)?)
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
