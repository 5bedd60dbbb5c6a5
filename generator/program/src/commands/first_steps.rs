//! First steps with a new table: who wins from the start, and how to look a position up.

use std::error::Error;
use std::path::Path;

use bouton_study::words::InWords;
use bouton_tables::printable::printable_path;
use bouton_tables::{AskError, Game, Outcome, PositionOf, Solved, Table, with_table};

/// Returns an empty line and the first steps.
pub(crate) fn first_steps(table: &Table, file: &Path) -> Result<String, Box<dyn Error>> {
    let (verdict, parts, position) = with_table!(table.family(), |table| {
        let rules = table.game();
        let start = Game::start(rules);
        // If positions name the player to move, show one with player 1 to move.
        let moves = if rules.player(&start).is_some() { 2 } else { 1 };
        let next = after_best_moves(table, &start, moves)?;
        let verdict = verdict(table, &start, &rules.start_in_words())?;
        (verdict, rules.parts_of_position(), rules.show_position(&next))
    });
    // A program started by cargo recommends cargo for the lookup program, which may not be built yet.
    let program = if std::env::var_os("CARGO").is_some() {
        "cargo run --release --bin bouton-lookup --"
    } else {
        "bouton-lookup"
    };
    let file = printable_path(file);
    let needs_no_quotes = file.chars().all(|c| c.is_alphanumeric() || "/._-+".contains(c));
    let file = if needs_no_quotes { file } else { format!("'{}'", file.replace('\'', r"'\''")) };
    Ok(format!("\n{verdict}\nTo look a position up ({parts}):\n  {program} {file} {position}\n"))
}

/// Returns a line that names the winner from a start.
fn verdict<S: Solved>(table: &S, start: &PositionOf<S>, shown: &str) -> Result<String, AskError> {
    let answer = table.answer(start)?;
    Ok(match (answer.verdict.outcome, answer.best) {
        (Outcome::Win, Some(best)) => format!("Player 1 wins from {shown}. The best first move: {best}"),
        (Outcome::Loss, Some(best)) => {
            format!("Player 2 wins from {shown}, whatever player 1 does. The best try: {best}")
        }
        (outcome, None) => format!("There is no move from {shown}: a {outcome} for player 1."),
    })
}

/// Returns the position after `moves` best moves, or fewer if the game ends.
fn after_best_moves<S: Solved>(
    table: &S,
    start: &PositionOf<S>,
    moves: u32,
) -> Result<PositionOf<S>, AskError> {
    let game = table.game();
    let mut position = start.clone();
    for _ in 0..moves {
        let Some(best) = table.answer(&position)?.best else { break };
        let next = game.after(&position, best);
        if game.moves(&next).next().is_none() {
            break;
        }
        position = next;
    }
    Ok(position)
}
