//! The map of a small game: its positions by stones left, and all moves.

mod picture;

use bouton_study::game_map::{Graph, Mapped, Reached};
use bouton_study::words;
use bouton_tables::{Game, Ruleset, Solved, Table, with_rules, with_table};

use crate::error::DrawError;
use crate::scene::Scene;

/// Draws the map of a game: all positions that can be reached from one, or from the start of the ruleset.
///
/// Positions that differ only in the order of heaps or in the player to move are one.
///
/// # Errors
/// If the position is not in the table, there are too many positions or moves, or the table is damaged.
pub fn game_map<D: AsRef<[u8]>>(table: &Table<D>, from: Option<&str>) -> Result<Scene, DrawError> {
    let title = words::ruleset(&table.header().ruleset);
    with_table!(table.family(), |table| draw(table, from, &title))
}

/// Whether [`game_map`] could draw the map of a ruleset's table, before there is one.
///
/// # Errors
/// If the position is not in the ruleset, or there are too many positions or moves.
pub fn game_map_fits(ruleset: &Ruleset, from: Option<&str>) -> Result<(), DrawError> {
    with_rules!(ruleset, |rules| reached(rules, from).map(drop))
}

/// All that can be reached from a position.
fn reached<G: Mapped>(game: &G, from: Option<&str>) -> Result<Reached<G>, DrawError> {
    let start = match from {
        None => game.start(),
        Some(text) => game
            .parse_position(text)
            .map_err(|reason| DrawError::Position { place: "--from".to_owned(), reason })?,
    };
    Ok(Reached::collect(game, &start)?)
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
