//! An answer in words.

use bouton_tables::genus::Genus;
use bouton_tables::{Game, MoveSet, Outcome, Solved};

use crate::{GameValue, RankedMove, Reply};

/// Maximum number of moves that a sentence names.
const MAX_NAMED_MOVES: usize = 12;

/// Returns the answer in a few lines, and a line for each move if they were requested; each line with its end.
pub fn in_words<S: Solved>(reply: &Reply<S>) -> String {
    let mut text = headline(reply);
    text.push('\n');
    let best_in_words = reply.answer.best.map(|best| reply.game.move_in_words(best)).unwrap_or_default();
    match (reply.answer.verdict.outcome, reply.answer.best) {
        (_, None) => {}
        (Outcome::Win, Some(best)) => {
            let mut others = reply.answer.winning.iter().filter(|&chosen| chosen != best);
            let named: Vec<String> =
                others.by_ref().take(MAX_NAMED_MOVES).map(|chosen| chosen.to_string()).collect();
            let others = match (&named[..], others.count()) {
                ([], _) => "no other move wins".to_owned(),
                ([only], _) => format!("the only other winning move: {only}"),
                (named, 0) => format!("other winning moves: {}", named.join(", ")),
                (named, more) => format!("other winning moves: {} and {more} more", named.join(", ")),
            };
            text += &format!("Best move: {best} ({best_in_words}); {others}.\n");
        }
        (Outcome::Loss, Some(best)) => {
            text += &format!("Every move loses against best play; the best try: {best} ({best_in_words}).\n");
        }
    }
    match &reply.value {
        None => {}
        Some(GameValue::Grundy(value)) => {
            text += &format!("Grundy value {value}: {}.\n", grundy_in_words(*value));
        }
        Some(GameValue::Genus(genus)) => text += &format!("Genus {genus}: {}.\n", genus_in_words(genus)),
    }
    let widths = reply.moves.iter().flatten().map(|ranked| ranked.chosen.to_string().len());
    let width = widths.max().unwrap_or(0).max(6);
    for RankedMove { chosen, outcome, depth, .. } in reply.moves.iter().flatten() {
        let chosen = chosen.to_string();
        let outcome = if *outcome == Outcome::Win { "wins" } else { "loses" };
        let depth = depth.map_or(String::new(), |depth| format!("  {} left", plies(depth)));
        text += &format!("  {chosen:>width$}  {outcome:<5}{depth}\n");
    }
    text
}

fn grundy_in_words(grundy: u32) -> String {
    match grundy {
        0 => "in any sum of games, the position changes nothing".to_owned(),
        1 => "in any sum of games, the position is equivalent to a Nim heap of 1 stone".to_owned(),
        stones => format!("in any sum of games, the position is equivalent to a Nim heap of {stones} stones"),
    }
}

fn genus_in_words(genus: &Genus) -> String {
    let lost = match genus.misere_value() {
        0 => "lost by itself, and won next to a Nim heap of any size".to_owned(),
        1 => "lost next to a Nim heap of 1 stone, and won next to any other".to_owned(),
        stones => format!("lost next to a Nim heap of {stones} stones, and won next to any other"),
    };
    format!(
        "the position is {lost}, as the first number after ^ says; the next ones say the same with 1, 2, ... heaps of two stones \
         added; before ^ is the Grundy value in normal play"
    )
}

fn headline<S: Solved>(reply: &Reply<S>) -> String {
    let player = reply.game.player(reply.position);
    let player = player.map_or_else(|| "the player to move".to_owned(), |player| format!("player {player}"));
    let verdict = match (reply.answer.verdict.outcome, reply.answer.best) {
        (Outcome::Win, None) => "has won: the game is over",
        (Outcome::Loss, None) => "has lost: the game is over",
        (Outcome::Win, Some(_)) => "wins",
        (Outcome::Loss, Some(_)) => "loses",
    };
    let depth = match (reply.answer.verdict.depth, reply.answer.best) {
        (Some(depth), Some(_)) => format!(" in {}", plies(depth)),
        _ => String::new(),
    };
    format!("{}: {player} {verdict}{depth}.", reply.game.show_position(reply.position))
}

fn plies(n: u32) -> String {
    if n == 1 { "1 ply".to_owned() } else { format!("{n} plies") }
}
