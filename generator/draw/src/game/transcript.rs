//! A line of a transcript.

use bouton_tables::{Game, Outcome, Ruleset, with_rules};
use serde::Deserialize;

use crate::error::DrawError;

/// The most plies of a game that is drawn.
const MAX_PLIES: usize = 2000;

/// A game as `bouton-match` records it, a line of JSON. Further fields are ignored.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Transcript {
    #[serde(flatten)]
    ruleset: Ruleset,
    /// The names of the players, the first player's first.
    pub(super) players: [String; 2],
    /// The position in which it began.
    pub(super) start: String,
    pub(super) moves: Vec<String>,
    winner: Winner,
    reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Winner {
    First,
    Second,
}

impl Transcript {
    /// Reads a line.
    ///
    /// # Errors
    /// If it is not a line of a transcript, contradicts the rules, or has too many plies.
    pub fn from_line(line: &str) -> Result<Self, DrawError> {
        let transcript: Self = serde_json::from_str(line).map_err(|error| {
            DrawError::Invalid(format!(
                "this is not a line of a transcript: {error}; `bouton-match play --record FILE` writes one"
            ))
        })?;
        with_rules!(&transcript.ruleset, |rules| transcript.replay(rules).map(drop))?;
        Ok(transcript)
    }

    /// The rules of the game.
    #[must_use]
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// The winner, and why.
    pub(super) fn ending(&self, names: [&str; 2]) -> String {
        let [winner, loser] = match self.winner {
            Winner::First => names,
            Winner::Second => [names[1], names[0]],
        };
        let why = match self.reason.as_str() {
            "played" => return format!("{winner} wins"),
            "time" => format!("{loser}'s time ran out"),
            "resigned" => format!("{loser} gave up"),
            "illegal-move" => format!("{loser} made an illegal move"),
            _ => format!("{loser} broke off"),
        };
        format!("{winner} wins: {why}")
    }

    /// All positions of the game, the start first.
    pub(super) fn replay<G: Game>(&self, rules: &G) -> Result<Vec<G::Position>, DrawError> {
        let wrong =
            |what: String| DrawError::Invalid(format!("the transcript contradicts the rules: {what}"));
        if self.moves.len() > MAX_PLIES {
            return Err(DrawError::TooLarge {
                what: "plies",
                found: self.moves.len() as u64,
                limit: MAX_PLIES as u64,
                narrow: "draw a shorter game",
            });
        }
        let start = rules.parse_position(&self.start);
        let mut positions = vec![start.map_err(|error| wrong(format!("its start: {error}")))?];
        for (number, text) in (1..).zip(&self.moves) {
            let position = &positions[number - 1];
            let chosen = rules.parse_move(text).map_err(|error| wrong(format!("move {number}: {error}")))?;
            if !rules.is_legal(position, chosen) {
                let at = rules.show_position(position);
                return Err(wrong(format!("move {number}: {chosen} is not legal at {at}")));
            }
            positions.push(rules.after(position, chosen));
        }
        let last = &positions[positions.len() - 1];
        let over = rules.moves(last).next().is_none();
        let to_move_wins = rules.outcome_without_moves() == Outcome::Win;
        let first_wins = self.moves.len().is_multiple_of(2) == to_move_wins;
        if over && (first_wins != (self.winner == Winner::First) || self.reason != "played") {
            return Err(wrong("by the rules the other player wins".to_owned()));
        }
        if !over && self.reason == "played" {
            return Err(wrong("it ends before the game is over".to_owned()));
        }
        Ok(positions)
    }
}
