//! The texts of the advisor.

use bouton_lookup::{Explain, LookUpError, LookUpOptions, Policy, RankedMove, look_up};
use bouton_tables::{AskError, Game, Outcome, PositionOf, Solved, Verdict};
use clap::builder::styling::Style;

use super::advised_game::{Advice, AdvisedGame};
use crate::players::in_words::{in_plies, last_move_rule};
use crate::{Illustrated, Numbered};

const MAX_LISTED: usize = 60;

pub(super) fn game_in_words<G: Numbered>(game: &AdvisedGame<G>) -> String {
    let rules = game.referee().game();
    let start = rules.show_position(game.referee().start());
    format!(
        "{} from {start}; lost positions are played by {}.\n{}\n",
        capital(G::TITLE),
        game.policy(),
        last_move_rule(rules)
    )
}

pub(super) fn invitation<G: Numbered>(game: &AdvisedGame<G>) -> String {
    let rules = game.referee().game();
    let examples = rules.moves(game.referee().start()).take(2).map(|chosen| chosen.to_string());
    let examples = examples.collect::<Vec<_>>().join(" or ");
    format!("Type the opponent's moves, such as {examples}; `help` lists all commands.\n")
}

pub(super) fn advice_in_words<G: Numbered + Illustrated>(
    game: &AdvisedGame<G>,
    advice: &Advice<G::Move>,
    bold: bool,
) -> String {
    let (rules, chosen) = (game.referee().game(), advice.chosen);
    let before = game.before_ours().map(|before| rules.brief(before, true)).unwrap_or_default();
    let style = if bold { Style::new().bold() } else { Style::new() };
    let capitals = rules.move_in_words(chosen).to_uppercase();
    let plies = in_plies(advice.verdict.depth);
    let hope = match (advice.verdict.outcome, advice.erred) {
        (Outcome::Win, false) => format!("You win{plies}."),
        (Outcome::Win, true) => format!("They erred: you win{plies}."),
        (Outcome::Loss, _) => {
            let policy = game.policy().to_string();
            let policy = policy.split(':').next().unwrap_or_default();
            format!("You lose{plies} if they never err; chosen by {policy}.")
        }
    };
    format!("  {before}\n  {style}>>>  {capitals}{style:#}  ({chosen})\n  {hope}\n")
}

pub(super) fn theirs_in_words<G: Numbered + Illustrated>(game: &AdvisedGame<G>) -> String {
    format!("  {}\n", game.referee().game().brief(game.referee().position(), false))
}

/// Returns our prospects when the opponent is to move.
pub(super) fn hope<G: Numbered>(game: &AdvisedGame<G>) -> Result<String, AskError> {
    let Verdict { outcome, depth } = game.verdict(game.referee().position())?;
    let plies = in_plies(depth);
    Ok(match outcome {
        Outcome::Loss => format!("you win{plies}"),
        Outcome::Win => format!("you lose{plies} if they never err"),
    })
}

/// Lists the effect of each move that we had, and of each move that the opponent has.
pub(super) fn all_moves<G: Numbered>(game: &AdvisedGame<G>) -> Result<String, LookUpError> {
    let (table, referee) = (game.table(), game.referee());
    let mut text = String::new();
    if let Some(before) = game.before_ours() {
        text += &list("Your moves", referee.game(), table, before)?;
    }
    if referee.ending().is_none() {
        text += &list("Their moves", referee.game(), table, referee.position())?;
    }
    Ok(text)
}

fn list<S: Solved>(
    whose: &str,
    rules: &S::Game,
    table: &S,
    position: &PositionOf<S>,
) -> Result<String, LookUpError> {
    let options = LookUpOptions { policy: Policy::default(), list_moves: true };
    let moves = look_up(table, position, options)?.moves.unwrap_or_default();
    let after = if table.has_depths() { ", with the plies left after each" } else { "" };
    let mut text = format!("{whose} at {}, best first{after}:\n", rules.show_position(position));
    for (what, outcome) in [("winning:", Outcome::Win), ("losing:", Outcome::Loss)] {
        let matching: Vec<_> = moves.iter().filter(|reply| reply.outcome == outcome).collect();
        let mut words: Vec<String> =
            matching.iter().take(MAX_LISTED).map(|reply| move_with_depth(reply)).collect();
        match matching.len() {
            0 => words.push("none".to_owned()),
            count if count > MAX_LISTED => words.push(format!("and {} more", count - MAX_LISTED)),
            _ => {}
        }
        let last = words.len() - 1;
        let comma = |number| if number < last { "," } else { "" };
        let words = words.iter().enumerate().map(|(number, word)| format!("{word}{}", comma(number)));
        text += &format!("  {what:<8} {}\n", words.collect::<Vec<_>>().join(" "));
    }
    Ok(text)
}

fn move_with_depth<M: ToString>(RankedMove { candidate, depth, .. }: &RankedMove<M>) -> String {
    let depth = depth.map_or(String::new(), |depth| format!(" ({depth})"));
    format!("{}{depth}", candidate.to_string())
}

pub(super) fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {}\n", line.trim())).collect()
}

pub(super) fn why<G: Numbered>(game: &AdvisedGame<G>) -> Result<String, AskError> {
    let (rules, current) = (game.referee().game(), game.referee().position());
    let (position, whose) = match game.before_ours() {
        Some(before) => (before, "you were"),
        None => (current, "they are"),
    };
    Ok(format!(
        "{}, where {whose} to move:\n{}",
        rules.show_position(position),
        game.table().explain(position)?
    ))
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
