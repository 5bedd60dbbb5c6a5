//! Transcripts: one line of JSON per game.

use bouton_tables::Ruleset;
use bouton_tables::printable::printable_json;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::referee::why_illegal;
use crate::{Ending, Playable, Referee, Side};

/// A game as it was played. The fields have this order in JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The rules.
    #[serde(flatten)]
    pub ruleset: Ruleset,
    /// The players' names, the one who moved first first.
    pub players: [String; 2],
    /// The position in which the game began.
    pub start: String,
    /// The moves.
    pub moves: Vec<String>,
    /// Who won, and why.
    #[serde(flatten)]
    pub ending: Ending,
    /// Seconds that each player used.
    pub seconds: [f64; 2],
}

/// An invalid record: what is wrong, and where.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("{0}")]
pub struct RecordError(String);

impl GameRecord {
    /// The record of a game; `None` if it is not over.
    pub fn of<G: Playable>(referee: &Referee<G>, names: [&str; 2]) -> Option<Self> {
        let mut seconds = [0.0; 2];
        for (number, ply) in referee.plies().iter().enumerate() {
            seconds[Side::of_ply(number).index()] += ply.took.as_secs_f64();
        }
        Some(Self {
            ruleset: referee.game().clone().into(),
            players: names.map(str::to_owned),
            start: referee.game().show_position(referee.start()),
            moves: referee.plies().iter().map(|ply| ply.chosen.to_string()).collect(),
            ending: referee.ending()?.clone(),
            seconds: seconds.map(|seconds| (seconds * 1e6).round() / 1e6),
        })
    }

    /// Reads a line of a transcript.
    ///
    /// # Errors
    /// If it is not one.
    pub fn from_line(line: &str) -> Result<Self, RecordError> {
        serde_json::from_str(line).map_err(|error| {
            RecordError(format!(
                "this is not a line of a transcript: {error}; `bouton-match play --record FILE` writes them"
            ))
        })
    }

    /// The line of the transcript, without its newline.
    pub fn to_line(&self) -> String {
        printable_json(&serde_json::to_string(self).expect("texts and numbers are JSON")).into_owned()
    }

    /// Plays the game again and compares the result.
    ///
    /// # Errors
    /// If a move is illegal, or the result is not the recorded one.
    pub fn replay<G: Playable>(&self, rules: &G) -> Result<Referee<G>, RecordError> {
        let start = rules.parse_position(&self.start);
        let start = start.map_err(|error| RecordError(format!("start: {error}")))?;
        let mut referee = Referee::new(rules.clone(), start, None);
        for (number, text) in (1..).zip(&self.moves) {
            let chosen = rules.parse_move(text);
            let chosen = chosen.map_err(|error| RecordError(format!("move {number}: {error}")))?;
            if referee.ending().is_some() {
                let (plies, moves) = (number - 1, self.moves.len());
                let what = format!("the game is over after {plies} moves, but the transcript has {moves}");
                return Err(RecordError(what));
            }
            if !rules.is_legal(referee.position(), chosen) {
                let why = why_illegal(rules, referee.position(), chosen);
                return Err(RecordError(format!("move {number} is illegal: {why}")));
            }
            referee.play(chosen, std::time::Duration::ZERO);
        }
        let names = [self.players[0].as_str(), self.players[1].as_str()];
        let by_rules = referee.ending().cloned();
        let agrees = match &by_rules {
            Some(ending) => *ending == self.ending,
            // Either player may have given up, disconnected or run out of time.
            None => self.ending.reason != crate::Reason::Played,
        };
        if !agrees {
            let found =
                by_rules.map_or_else(|| "the game is not over".to_owned(), |ending| ending.in_words(names));
            let written = self.ending.in_words(names);
            return Err(RecordError(format!(
                "the result differs: the rules give \"{found}\", the transcript says \"{written}\""
            )));
        }
        if referee.ending().is_none() {
            referee.forfeit(self.ending.winner.other(), self.ending.reason.clone());
        }
        Ok(referee)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play_out;
    use crate::players::{GreedyPlayer, RandomPlayer};
    use bouton_tables::expanding::ExpandingKeys;
    use bouton_tables::{rulesets, with_rules};

    fn record<G: Playable>(rules: &G, seed: u64) -> GameRecord {
        let mut referee = Referee::new(rules.clone(), rules.start(), None);
        play_out(&mut referee, [&mut RandomPlayer::new(seed), &mut GreedyPlayer], &mut |_| {});
        GameRecord::of(&referee, ["a", "b \"quoted\""]).unwrap()
    }

    #[test]
    fn records_of_every_preset_read_back_and_replay_to_the_same_end() {
        for preset in rulesets::PRESETS {
            let ruleset = rulesets::from_toml(preset.text).unwrap();
            let written = with_rules!(&ruleset, |rules| record(rules, 7));
            let read = GameRecord::from_line(&written.to_line()).unwrap();
            assert_eq!(read, written, "{}", preset.name);
            let ending = with_rules!(&read.ruleset, |rules| read.replay(rules).unwrap().ending().cloned());
            assert_eq!(ending, Some(written.ending));
        }
    }

    #[test]
    fn an_invalid_record_is_refused_with_the_move() {
        let rules = ExpandingKeys { stones: 50, resets: [1, 1], ..Default::default() }.rules().unwrap();
        let good = record(&rules, 1);
        let error = |change: &dyn Fn(&mut GameRecord)| {
            let mut changed = good.clone();
            change(&mut changed);
            changed.replay(&rules).unwrap_err().to_string()
        };
        assert!(error(&|r| r.moves[2] = "40".into()).starts_with("move 3 is illegal: 40 at"));
        assert!(error(&|r| r.moves[2] = "x".into()).starts_with("move 3: move: found 'x'"));
        assert!(error(&|r| r.start = "51".into()).starts_with("start: stones: found 51, but"));
        assert!(error(&|r| r.moves.push("1".into())).starts_with("the game is over after"));
        assert!(error(&|r| drop(r.moves.pop())).starts_with(
            "the result differs: the rules give \"the game is not over\", the transcript says \""
        ));
        assert!(error(&|r| r.ending.winner = r.ending.winner.other()).starts_with("the result differs"));
    }
}
