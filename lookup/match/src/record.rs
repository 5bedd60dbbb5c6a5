//! Transcripts: each game one line of JSON.

use bouton_tables::Ruleset;
use bouton_tables::printable::printable_json;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Ending, Playable, Referee, Side};

/// A game as it was played. The fields stand in this order in JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The rules.
    #[serde(flatten)]
    pub ruleset: Ruleset,
    /// The players' names, who moved first first.
    pub players: [String; 2],
    /// The position in which the game began.
    pub start: String,
    /// The moves.
    pub moves: Vec<String>,
    /// Who won, and why.
    #[serde(flatten)]
    pub ending: Ending,
    /// Seconds that each player took in all.
    pub seconds: [f64; 2],
}

/// A record that does not hold.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum RecordError {
    /// Not a line of a transcript.
    #[error("this is no line of a transcript: {0}; `bouton-match play --record FILE` writes one")]
    IllFormed(String),
    /// Its start or one of its moves does not parse.
    #[error("{place}: {reason}")]
    Notation {
        /// Start, or which move.
        place: String,
        /// Why not.
        reason: String,
    },
    /// One of its moves is not legal.
    #[error("move {number} is not legal: {why}")]
    Illegal {
        /// Which, counted from 1.
        number: usize,
        /// Which moves are.
        why: String,
    },
    /// There are moves behind the end.
    #[error("the game is over after {plies} moves, and the transcript has {moves}")]
    TooLong {
        /// Moves that were played.
        plies: usize,
        /// Moves there are.
        moves: usize,
    },
    /// It says that it ended otherwise than it did.
    #[error("it ended otherwise than the transcript has it: {found}, and there is written: {written}")]
    Ending {
        /// As the rules have it.
        found: String,
        /// As is written.
        written: String,
    },
}

impl Record {
    /// The record of a game that is over; `None` of one that is not.
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

    /// A line of a transcript.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_line(line: &str) -> Result<Self, RecordError> {
        serde_json::from_str(line).map_err(|error| RecordError::IllFormed(error.to_string()))
    }

    /// The line, without its end.
    #[must_use]
    pub fn to_line(&self) -> String {
        printable_json(&serde_json::to_string(self).expect("texts and numbers are JSON")).into_owned()
    }

    /// Plays the game again, and compares its end.
    ///
    /// # Errors
    /// If a move is not legal, or the end is not that of the record.
    pub fn replay<G: Playable>(&self, rules: &G) -> Result<Referee<G>, RecordError> {
        let notation = |place: String| {
            move |reason: bouton_tables::PositionError| RecordError::Notation {
                place,
                reason: reason.to_string(),
            }
        };
        let start = rules.parse_position(&self.start).map_err(notation("start".to_owned()))?;
        let mut referee = Referee::new(rules.clone(), start, None);
        for (number, text) in (1..).zip(&self.moves) {
            let chosen = rules.parse_move(text).map_err(notation(format!("move {number}")))?;
            if referee.ending().is_some() {
                return Err(RecordError::TooLong { plies: number - 1, moves: self.moves.len() });
            }
            if !rules.is_legal(referee.position(), chosen) {
                return Err(RecordError::Illegal { number, why: referee.why_illegal(chosen) });
            }
            referee.play(chosen, std::time::Duration::ZERO);
        }
        let names = [self.players[0].as_str(), self.players[1].as_str()];
        let by_rules = referee.ending().cloned();
        let agrees = match &by_rules {
            Some(ending) => *ending == self.ending,
            // Whoever was not to move cannot have broken the rules; both can have broken off.
            None => self.ending.reason != crate::Reason::Played,
        };
        if !agrees {
            let found = by_rules.map_or_else(|| "it is not over".to_owned(), |ending| ending.in_words(names));
            return Err(RecordError::Ending { found, written: self.ending.in_words(names) });
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

    fn record<G: Playable>(rules: &G, seed: u64) -> Record {
        let mut referee = Referee::new(rules.clone(), rules.start(), None);
        play_out(&mut referee, [&mut RandomPlayer::new(seed), &mut GreedyPlayer], &mut |_| {});
        Record::of(&referee, ["a", "b \"quoted\""]).unwrap()
    }

    #[test]
    fn records_of_every_preset_read_back_and_replay_to_the_same_end() {
        for preset in rulesets::PRESETS {
            let ruleset = rulesets::from_toml(preset.text).unwrap();
            let written = with_rules!(&ruleset, |rules| record(rules, 7));
            let read = Record::from_line(&written.to_line()).unwrap();
            assert_eq!(read, written, "{}", preset.name);
            let ending = with_rules!(&read.ruleset, |rules| read.replay(rules).unwrap().ending().cloned());
            assert_eq!(ending, Some(written.ending));
        }
    }

    #[test]
    fn a_record_that_does_not_hold_is_refused_with_the_move() {
        let rules = ExpandingKeys { stones: 50, resets: [1, 1], ..Default::default() }.rules().unwrap();
        let good = record(&rules, 1);
        let error = |change: &dyn Fn(&mut Record)| {
            let mut changed = good.clone();
            change(&mut changed);
            changed.replay(&rules).unwrap_err().to_string()
        };
        assert!(error(&|r| r.moves[2] = "40".into()).starts_with("move 3 is not legal: 40 at"));
        assert!(error(&|r| r.moves[2] = "x".into()).starts_with("move 3: move: found 'x'"));
        assert!(error(&|r| r.start = "51".into()).starts_with("start: stones 51 is outside"));
        assert!(error(&|r| r.moves.push("1".into())).starts_with("the game is over after"));
        assert!(error(&|r| drop(r.moves.pop())).contains("it is not over, and there is written: "));
        assert!(error(&|r| r.ending.winner = r.ending.winner.other()).starts_with("it ended otherwise"));
    }
}
