//! The texts of the advisor.

use bouton_lookup::{Explain, LookUpError, LookUpOptions, Policy, RankedMove, look_up};
use bouton_tables::{AskError, Outcome, Solved, Verdict};
use clap::builder::styling::Style;

use super::advised_game::{Advice, AdvisedGame};
use crate::Playable;
use crate::players::in_words::{in_plies, last_move_rule};

const MAX_LISTED: usize = 60;

/// Help on all commands except `help`.
pub(super) const COMMANDS: &str = "\
undo: takes back the opponent's last move, and your reply to it.
me MOVE: corrects your last move, if you played another one.
moves: shows what each move does. why: says why you win or lose. position: prints the position.
quit: ends the program, also before the game is over.";

impl<G: Playable> AdvisedGame<G> {
    pub(super) fn in_words(&self) -> String {
        let start = self.rules().show_position(self.referee.start());
        format!(
            "{} from {start}; lost positions are played by {}.\n{}\n",
            capital(G::TITLE),
            self.player.policy,
            last_move_rule(self.rules())
        )
    }

    pub(super) fn invitation(&self) -> String {
        let examples = self.rules().moves(self.referee.start()).take(2).map(|chosen| chosen.to_string());
        let examples = examples.collect::<Vec<_>>().join(" or ");
        format!("Type the opponent's moves, such as {examples}; `help` lists all commands.\n")
    }

    pub(super) fn advice_in_words(&self, advice: &Advice<G::Move>, bold: bool) -> String {
        let (rules, chosen) = (self.rules(), advice.chosen);
        let before = self.before_ours().map(|before| rules.brief(before, true)).unwrap_or_default();
        let style = if bold { Style::new().bold() } else { Style::new() };
        let capitals = rules.move_in_words(chosen).to_uppercase();
        let plies = in_plies(advice.verdict.depth);
        let prospects = match (advice.verdict.outcome, advice.erred) {
            (Outcome::Win, false) => format!("You win{plies}."),
            (Outcome::Win, true) => format!("They erred: you win{plies}."),
            (Outcome::Loss, _) => {
                let policy = self.player.policy.to_string();
                let policy = policy.split(':').next().unwrap_or_default();
                format!("You lose{plies} if they never err; {policy} chose this move.")
            }
        };
        format!("  {before}\n  {style}>>>  {capitals}{style:#}  ({chosen})\n  {prospects}\n")
    }

    /// Describes the position with the opponent to move.
    pub(super) fn theirs_in_words(&self) -> String {
        format!("  {}\n", self.rules().brief(self.referee.position(), false))
    }

    /// Returns our prospects when the opponent is to move.
    pub(super) fn prospects(&self) -> Result<String, AskError> {
        let Verdict { outcome, depth } = self.table().verdict(self.referee.position())?;
        let plies = in_plies(depth);
        Ok(match outcome {
            Outcome::Loss => format!("you win{plies}"),
            Outcome::Win => format!("you lose{plies} if they never err"),
        })
    }

    /// Lists our moves at our last turn, if we made the last move, and the moves that the opponent has now. Each list has
    /// the winning and the losing moves, at most [`MAX_LISTED`] of each.
    pub(super) fn all_moves(&self) -> Result<String, LookUpError> {
        let mut text = String::new();
        if let Some(before) = self.before_ours() {
            text += &self.moves_at(before, "Your moves")?;
        }
        if self.referee.ending().is_none() {
            text += &self.moves_at(self.referee.position(), "Their moves")?;
        }
        Ok(text)
    }

    fn moves_at(&self, position: &G::Position, whose: &str) -> Result<String, LookUpError> {
        let table = self.table();
        let options = LookUpOptions { policy: Policy::default(), list_moves: true };
        let moves = look_up(table, position, options)?.moves.unwrap_or_default();
        let after = if table.has_depths() { ", with the plies left after each" } else { "" };
        let mut text = format!("{whose} at {}, best first{after}:\n", self.rules().show_position(position));
        for (what, outcome) in [("winning:", Outcome::Win), ("losing:", Outcome::Loss)] {
            let mut matching = moves.iter().filter(|ranked| ranked.outcome == outcome);
            let word = |RankedMove { chosen, depth, .. }: &RankedMove<G::Move>| match depth {
                Some(depth) => format!("{chosen} ({depth})"),
                None => chosen.to_string(),
            };
            let mut words: Vec<String> = matching.by_ref().take(MAX_LISTED).map(word).collect();
            match matching.count() {
                0 if words.is_empty() => words.push("none".to_owned()),
                0 => {}
                more => words.push(format!("and {more} more")),
            }
            text += &format!("  {what:<8} {}\n", words.join(", "));
        }
        Ok(text)
    }

    pub(super) fn why(&self) -> Result<String, AskError> {
        let (position, whose) = match self.before_ours() {
            Some(before) => (before, "you were"),
            None => (self.referee.position(), "they are"),
        };
        let shown = self.rules().show_position(position);
        Ok(format!("{shown}, where {whose} to move:\n{}", self.table().explain(position)?))
    }
}

pub(super) fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {}\n", line.trim())).collect()
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
