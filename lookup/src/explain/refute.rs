//! The table's own argument: a move, and an answer to each reply.

use std::fmt::Write;

use bouton_tables::{AskError, Game, MoveSet, Outcome, Solved};

use super::paragraph;

/// The most replies that are listed.
const LISTED: usize = 40;

type Position<S> = <<S as Solved>::Game as Game>::Position;

/// Why a position is won or lost, as its table knows it: for a won position the move to a lost one, and for
/// each reply there an answer that leads to a lost one again; for a lost position that for each of its moves.
///
/// # Errors
/// If the table does not cover the position, or is damaged.
pub fn explain_by_refutation<S: Solved>(table: &S, position: &Position<S>) -> Result<String, AskError> {
    let game = table.game();
    let answer = table.answer(position)?;
    let mut text = String::new();
    match (answer.verdict.outcome, answer.best) {
        (outcome, None) => {
            writeln!(text, "No move is left, which is a {outcome} by the rules.")
                .expect("writing to a string");
        }
        (Outcome::Loss, Some(_)) => {
            text.push_str("Every move has an answer that leads to a lost position again:\n");
            list(table, position, &mut text)?;
        }
        (Outcome::Win, Some(best)) => {
            let next = game.after(position, best);
            let over = game.moves(&next).next().is_none();
            let why = if over {
                "no move is left there."
            } else {
                "every reply has an answer that leads to a lost position again."
            };
            let next_shown = game.show_position(&next);
            text +=
                &paragraph(&format!("{best} leads to {next_shown}, which is lost for the opponent: {why}"));
            if !over {
                list(table, &next, &mut text)?;
            }
        }
    }
    Ok(text)
}

/// Lists the moves of a lost position, each with its refutation.
fn list<S: Solved>(table: &S, lost: &Position<S>, text: &mut String) -> Result<(), AskError> {
    let game = table.game();
    let mut rows = vec![["move", "to", "answer", "to"].map(str::to_owned)];
    let mut moves = game.moves(lost);
    for chosen in moves.by_ref().take(LISTED) {
        let next = game.after(lost, chosen);
        let answer = table.answer(&next)?;
        let row = match answer.best.filter(|_| !answer.winning.is_empty()) {
            Some(best) => [best.to_string(), game.show_position(&game.after(&next, best))],
            None => ["-".to_owned(), "no move is left: the opponent has won".to_owned()],
        };
        let [reply, to] = row;
        rows.push([chosen.to_string(), game.show_position(&next), reply, to]);
    }
    let widths: [usize; 4] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0));
    for row in rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("  {cell:<width$}"));
        text.push_str(cells.collect::<String>().trim_end());
        text.push('\n');
    }
    match moves.count() {
        0 => {}
        more => writeln!(text, "  and {more} more moves").expect("writing to a string"),
    }
    Ok(())
}
