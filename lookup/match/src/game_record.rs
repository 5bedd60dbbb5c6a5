//! Transcripts: one line of JSON per game.

use bouton_tables::Ruleset;
use bouton_tables::printable::{printable, printable_json};
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
    /// Who won, and why; or why it broke off.
    #[serde(flatten)]
    pub end: RecordedEnd,
    /// Seconds that each player used.
    pub seconds: [f64; 2],
    /// Seconds that each move took, or none if that is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<f64>,
}

/// How a recorded game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RecordedEnd {
    /// It was over.
    Over(Ending),
    /// It broke off before it was over.
    BrokenOff {
        /// Why.
        #[serde(rename = "broken-off")]
        why: String,
    },
}

impl RecordedEnd {
    /// The end in words, with the players' names, the first side's first.
    pub fn in_words(&self, names: [&str; 2]) -> String {
        match self {
            Self::Over(ending) => ending.in_words(names),
            Self::BrokenOff { why } => format!("broken off: {why}"),
        }
    }
}

/// What follows the moves of a game that broke off.
const BROKEN_OFF: &str = "],\"broken-off\":";

/// An invalid record: what is wrong, and where.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("{0}")]
pub struct RecordError(String);

impl GameRecord {
    /// The record of a game; `None` if it is not over.
    pub fn of<G: Playable>(referee: &Referee<G>, names: [&str; 2]) -> Option<Self> {
        Some(Self::with_end(referee, names, RecordedEnd::Over(referee.ending()?.clone())))
    }

    /// The record of a game that broke off, or goes on.
    pub fn broken_off<G: Playable>(referee: &Referee<G>, names: [&str; 2], why: &str) -> Self {
        Self::with_end(referee, names, RecordedEnd::BrokenOff { why: why.to_owned() })
    }

    fn with_end<G: Playable>(referee: &Referee<G>, names: [&str; 2], end: RecordedEnd) -> Self {
        let rounded = |seconds: f64| (seconds * 1e6).round() / 1e6;
        let mut seconds = [0.0; 2];
        for (number, ply) in referee.plies().iter().enumerate() {
            seconds[Side::of_ply(number).index()] += ply.took.as_secs_f64();
        }
        Self {
            ruleset: referee.game().clone().into(),
            players: names.map(str::to_owned),
            start: referee.game().show_position(referee.start()),
            moves: referee.plies().iter().map(|ply| ply.chosen.to_string()).collect(),
            end,
            seconds: seconds.map(rounded),
            times: referee.plies().iter().map(|ply| rounded(ply.took.as_secs_f64())).collect(),
        }
    }

    /// Reads a line of a transcript. A line that was never ended is that of a game that broke off.
    ///
    /// # Errors
    /// If it is not one.
    pub fn from_line(line: &str) -> Result<Self, RecordError> {
        serde_json::from_str(line).or_else(|error| {
            Self::from_begun_line(line).filter(|_| error.is_eof()).ok_or_else(|| {
                RecordError(format!(
                    "this is not a line of a transcript: {error}; `bouton-match play --record FILE` writes them"
                ))
            })
        })
    }

    /// Reads a line that breaks off, with the moves that are complete.
    fn from_begun_line(line: &str) -> Option<Self> {
        // The last quotation mark ends a move, or it begins one that is not complete.
        let ends = line.rmatch_indices('"').map(|(at, _)| at + 1).take(2);
        let comma = line.rfind(',');
        let no_move = line.rfind('[').map(|at| at + 1);
        std::iter::once(line.len()).chain(ends).chain(comma).chain(no_move).find_map(|end| {
            let rest = format!("{BROKEN_OFF}\"it was never ended\",\"seconds\":[0.0,0.0]}}");
            serde_json::from_str(&(line[..end].to_owned() + &rest)).ok()
        })
    }

    /// The beginning of the line of a game that goes on, up to the last move.
    pub(crate) fn to_begun_line(&self) -> String {
        let mut line = self.to_line();
        line.truncate(line.rfind(BROKEN_OFF).expect("the game goes on"));
        line
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
        let agrees = match (&by_rules, &self.end) {
            (Some(ending), RecordedEnd::Over(recorded)) => ending == recorded,
            // Either player may have given up, disconnected or run out of time.
            (None, RecordedEnd::Over(recorded)) => recorded.reason != crate::Reason::Played,
            // The server may have fallen silent after the last move.
            (_, RecordedEnd::BrokenOff { .. }) => true,
        };
        if !agrees {
            let found =
                by_rules.map_or_else(|| "the game is not over".to_owned(), |ending| ending.in_words(names));
            let written = self.end.in_words(names);
            return Err(RecordError(format!(
                "the result differs: the rules give \"{}\", the transcript says \"{}\"",
                printable(&found),
                printable(&written)
            )));
        }
        if let RecordedEnd::Over(ending) = &self.end {
            referee.forfeit(ending.winner.other(), ending.reason.clone());
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
            assert_eq!(ending.map(RecordedEnd::Over), Some(written.end));
        }
    }

    #[test]
    fn a_line_that_breaks_off_anywhere_in_its_moves_keeps_those_that_are_complete() {
        let rules = ExpandingKeys { stones: 50, resets: [1, 1], ..Default::default() }.rules().unwrap();
        let whole = record(&rules, 3);
        let line = whole.to_line();
        let at = |text| line.find(text).unwrap();
        let (begin, end) = (at("\"moves\":[") + "\"moves\":[".len(), at("],\"winner\""));
        let mut before = 0;
        for cut in begin..=end {
            let read = GameRecord::from_line(&line[..cut]).unwrap_or_else(|error| panic!("{cut}: {error}"));
            assert!(matches!(&read.end, RecordedEnd::BrokenOff { .. }));
            assert!(whole.moves.starts_with(&read.moves) && read.moves.len() >= before, "{cut}");
            before = read.moves.len();
            assert_eq!(read.replay(&rules).unwrap().plies().len(), before);
        }
        assert_eq!(before, whole.moves.len());
        assert!(GameRecord::from_line(&line[..begin - 1]).is_err());
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
        let other = |r: &mut GameRecord| {
            let RecordedEnd::Over(ending) = &mut r.end else { panic!("it is over") };
            ending.winner = ending.winner.other();
        };
        assert!(error(&other).starts_with("the result differs"));
    }
}
