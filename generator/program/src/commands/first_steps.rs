//! What a newcomer wants to know of a fresh table: how the game begins, and how to ask.

use std::error::Error;
use std::path::Path;

use bouton_tables::{AskError, Family, Game, Outcome, Solved, Table};

use super::count;

/// A few lines, after an empty one.
pub(crate) fn first_steps(table: &Table<Vec<u8>>, file: &Path) -> Result<String, Box<dyn Error>> {
    let (verdict, form, position) = match table.family() {
        Family::Expanding(table) => {
            let rules = table.game();
            let start = rules.start(rules.stones());
            let stones = count(rules.stones().into(), "stone", "stones");
            let next = after_best(table, &start, 2)?;
            (
                verdict(table, &start, &stones)?,
                "stones/currentmax/turn/resets/imposed",
                rules.show_position(&next),
            )
        }
        Family::Heaps(table) => {
            let rules = table.game();
            let start = rules.start();
            let next = after_best(table, &start, 1)?;
            let form = if rules.passes() > 0 { "heaps/passes left" } else { "heaps in any order" };
            (verdict(table, &start, &rules.show_position(&start))?, form, rules.show_position(&next))
        }
    };
    // Started by cargo, the lookup program is started by cargo too: it may not be built yet.
    let program = if std::env::var_os("CARGO").is_some() {
        "cargo run --release --bin bouton-lookup --"
    } else {
        "bouton-lookup"
    };
    let file = file.display().to_string();
    let plain = file.chars().all(|c| c.is_alphanumeric() || "/._-+".contains(c));
    let file = if plain { file } else { format!("'{}'", file.replace('\'', r"'\''")) };
    Ok(format!("\n{verdict}\nTo look a position up ({form}):\n  {program} {file} {position}\n"))
}

/// Who wins from a start, in a line.
fn verdict<S: Solved>(
    table: &S,
    start: &<S::Game as Game>::Position,
    shown: &str,
) -> Result<String, AskError> {
    let answer = table.answer(start)?;
    Ok(match (answer.verdict.outcome, answer.best) {
        (Outcome::Win, Some(best)) => format!("Player 1 wins from {shown}. The best first move: {best}"),
        (Outcome::Loss, Some(best)) => {
            format!("Player 2 wins from {shown}, whatever player 1 does. The best try: {best}")
        }
        (outcome, None) => format!("There is no move from {shown}: a {outcome} for player 1."),
    })
}

/// The position after so many best moves, as long as the game goes on then.
fn after_best<S: Solved>(
    table: &S,
    start: &<S::Game as Game>::Position,
    moves: u32,
) -> Result<<S::Game as Game>::Position, AskError> {
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
