//! The record of a game: a line of JSON in a transcript.

use bouton_tables::printable::{printable, printable_json};
use bouton_tables::{Game, Ruleset, why_illegal};
use serde::{Deserialize, Serialize};

use crate::{Ending, Lenient, Ply, Reason, Referee, Side};

/// The record of a game, finished or not. JSON has the fields in this order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The rules.
    #[serde(flatten)]
    pub ruleset: Ruleset,
    /// The players' names, in the order of their first moves.
    pub players: [String; 2],
    /// The position in which the game began.
    pub start: String,
    /// The moves, as the players claimed them: a server may have accepted illegal moves.
    pub moves: Vec<String>,
    /// The winner and the reason, or the reason why the game broke off.
    #[serde(flatten)]
    pub end: RecordedEnd,
    /// Seconds that each player took in all.
    pub seconds: [f64; 2],
    /// Seconds that each move took; empty if unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<f64>,
}

/// The end of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RecordedEnd {
    /// The game was over.
    Over(Ending),
    /// The game broke off before its end.
    BrokenOff {
        /// The reason.
        #[serde(rename = "broken-off")]
        why: String,
    },
}

impl RecordedEnd {
    /// Describes the end with the players' names, the first side's first.
    pub fn in_words(&self, names: [&str; 2]) -> String {
        match self {
            Self::Over(ending) => ending.in_words(names),
            Self::BrokenOff { why } => format!("interrupted: {why}"),
        }
    }
}

/// The text after the moves in the record of a game that broke off.
const BROKEN_OFF: &str = "],\"broken-off\":";

impl GameRecord {
    /// Returns the record of a finished game; `None` if the game is not over.
    pub fn of<G: Game>(referee: &Referee<G>, names: [&str; 2]) -> Option<Self> {
        Some(Self::with_end(referee, names, RecordedEnd::Over(referee.ending()?.clone())))
    }

    /// Returns the record of an unfinished game. `why` says why it ends here.
    pub fn unfinished<G: Game>(referee: &Referee<G>, names: [&str; 2], why: &str) -> Self {
        Self::with_end(referee, names, RecordedEnd::BrokenOff { why: why.to_owned() })
    }

    fn with_end<G: Game>(referee: &Referee<G>, names: [&str; 2], end: RecordedEnd) -> Self {
        let mut record = Self {
            ruleset: referee.game().clone().into(),
            players: names.map(str::to_owned),
            start: referee.game().show_position(referee.start()),
            moves: Vec::new(),
            end,
            seconds: [0.0; 2],
            times: Vec::new(),
        };
        record.add(referee.plies());
        record
    }

    /// Appends moves made after those of the record.
    pub fn add<G: Game>(&mut self, plies: &[Ply<G>]) {
        let rounded = |seconds: f64| (seconds * 1e6).round() / 1e6;
        for ply in plies {
            let (side, took) = (Side::of_ply(self.moves.len()).index(), rounded(ply.took.as_secs_f64()));
            self.seconds[side] = rounded(self.seconds[side] + took);
            self.times.push(took);
            self.moves.push(ply.as_claimed().to_string());
        }
    }

    /// Reads a line of a transcript. A truncated line keeps its result if that is complete, or else its moves.
    pub fn from_line(line: &str) -> Result<Self, String> {
        serde_json::from_str(line).or_else(|error| {
            Self::from_cut_line(line).filter(|_| error.is_eof()).ok_or_else(|| {
                let what = if line.trim().is_empty() { "it is blank".to_owned() } else { error.to_string() };
                format!(
                    "this is not a line of a transcript: {what}; `bouton-match play --record FILE` writes \
                    transcripts"
                )
            })
        })
    }

    /// Reads a line that is cut after the start of its moves: its result if that is complete, or else its moves.
    fn from_cut_line(line: &str) -> Option<Self> {
        let read =
            |end: usize, rest: &str| serde_json::from_str::<Self>(&(line[..end].to_owned() + rest)).ok();
        // If the line is cut in `seconds` or `times`, end it before the last field, which is cut, or before the second
        // last field. Missing seconds count as 0.
        let fields = line.rmatch_indices(",\"").map(|(at, _)| at).take(2);
        let endings = |at| ["}", ",\"seconds\":[0.0,0.0]}"].map(|rest| read(at, rest));
        let mut results = fields.flat_map(endings).flatten();
        let result = results.find(|record| matches!(record.end, RecordedEnd::Over(_)));
        // Otherwise try each place where the complete moves may end: the last closing bracket, or the second last if the
        // last is part of a reason; the end of the line; after the last quotation mark, or after the second last if the
        // last begins an incomplete move; the last comma; and the start of the list.
        let brackets = line.rmatch_indices(']').map(|(at, _)| at).take(2);
        let quotation_marks = line.rmatch_indices('"').map(|(at, _)| at + 1).take(2);
        let start = line.rfind('[').map(|at| at + 1);
        let mut ends =
            brackets.chain([line.len()]).chain(quotation_marks).chain(line.rfind(',')).chain(start);
        let rest = format!("{BROKEN_OFF}\"its line is incomplete\",\"seconds\":[0.0,0.0]}}");
        result.or_else(|| ends.find_map(|end| read(end, &rest)))
    }

    /// Returns the line of an unfinished game up to the last move, so that more moves can be appended.
    ///
    /// # Panics
    /// If `end` is not [`RecordedEnd::BrokenOff`].
    pub fn to_line_so_far(&self) -> String {
        let mut line = self.to_line();
        line.truncate(line.rfind(BROKEN_OFF).expect("the game broke off"));
        line
    }

    /// Returns the line of the transcript, without a newline.
    pub fn to_line(&self) -> String {
        printable_json(&serde_json::to_string(self).expect("texts and numbers are JSON")).into_owned()
    }

    /// Replays the game and compares the result. Accepts illegal moves as a server may have (see [`Lenient`]).
    ///
    /// # Errors
    /// If the start or a move cannot be read, the game cannot continue after a move, there are moves after its end, or
    /// the result differs from the recorded one.
    pub fn replay<G: Lenient>(&self, rules: &G) -> Result<Referee<G>, String> {
        let start = rules.parse_position(&self.start);
        let start = start.map_err(|error| format!("start: {error}"))?;
        let mut referee = Referee::new(rules.clone(), start, None);
        // If the record contradicts itself, an illegal move is the likely cause.
        let mut illegal = None;
        for (number, text) in (1..).zip(&self.moves) {
            let chosen = rules.parse_move(text);
            let chosen = chosen.map_err(|error| format!("move {number}: {error}"))?;
            if referee.ending().is_some() {
                let (plies, moves) = (number - 1, self.moves.len());
                let what = format!("the game is over after {plies} moves, but the transcript has {moves}");
                return Err(contradiction(illegal, &what));
            }
            if illegal.is_none() && !rules.is_legal(referee.position(), chosen) {
                let why = why_illegal(rules, referee.position(), chosen);
                illegal = Some(format!("move {number} is illegal: {why}"));
            }
            referee.accept(chosen, std::time::Duration::ZERO);
            if referee.plies().len() < number {
                let why = "the game cannot continue after it".to_owned();
                return Err(illegal.unwrap_or(why));
            }
        }
        let names = [self.players[0].as_str(), self.players[1].as_str()];
        let by_rules = referee.ending().cloned();
        let agrees = match (&by_rules, &self.end) {
            // The player who won by the rules may have failed after the last move; then the other one won.
            (Some(ending), RecordedEnd::Over(recorded)) => {
                let failed = matches!(recorded.reason, Reason::Failed(_));
                ending == recorded || (failed && recorded.winner == ending.winner.other())
            }
            // The game may have ended otherwise: by time, resignation, failure, an illegal move, or the table's verdict.
            (None, RecordedEnd::Over(recorded)) => recorded.reason != Reason::Played,
            // The record may lack the result of a game that is over by the rules.
            (_, RecordedEnd::BrokenOff { .. }) => true,
        };
        if !agrees {
            let found =
                by_rules.map_or_else(|| "the game is not over".to_owned(), |ending| ending.in_words(names));
            let written = self.end.in_words(names);
            let what = format!(
                "the result differs: the rules give \"{}\", the transcript says \"{}\"",
                printable(&found),
                printable(&written)
            );
            return Err(contradiction(illegal, &what));
        }
        if let RecordedEnd::Over(ending) = &self.end {
            referee.ending = Some(ending.clone());
        }
        Ok(referee)
    }
}

/// Returns the error for a contradiction. An earlier illegal move is its likely cause.
fn contradiction(illegal: Option<String>, what: &str) -> String {
    illegal.map_or_else(|| what.to_owned(), |illegal| format!("{illegal}; {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_tables::expanding::{Expanding, ExpandingKeys};
    use bouton_tables::heaps::HeapKeys;
    use bouton_tables::{rulesets, with_rules};
    use std::time::Duration;

    const NAMES: [&str; 2] = ["a", "b \"quoted\""];

    /// Plays a whole game, with a varied choice of moves.
    fn played<G: Lenient>(rules: &G) -> Referee<G> {
        let mut referee = Referee::new(rules.clone(), rules.start(), None);
        for number in 1.. {
            let moves: Vec<_> = rules.moves(referee.position()).collect();
            let Some(&chosen) = moves.get(number * 7 % moves.len().max(1)) else { break };
            referee.play(chosen, Duration::from_nanos(1_234_567 * number as u64));
        }
        referee
    }

    fn record<G: Lenient>(rules: &G) -> GameRecord {
        GameRecord::of(&played(rules), NAMES).unwrap()
    }

    fn small() -> Expanding {
        ExpandingKeys { stones: 50, resets: [1, 1], ..Default::default() }.rules().unwrap()
    }

    #[test]
    fn records_of_every_preset_read_back_and_replay_to_the_same_end() {
        for preset in rulesets::PRESETS {
            let ruleset = rulesets::from_toml(preset.text).unwrap();
            let written = with_rules!(&ruleset, |rules| record(rules));
            let read = GameRecord::from_line(&written.to_line()).unwrap();
            assert_eq!(read, written, "{}", preset.name);
            let ending = with_rules!(&read.ruleset, |rules| read.replay(rules).unwrap().ending().cloned());
            assert_eq!(ending.map(RecordedEnd::Over), Some(written.end));
        }
    }

    #[test]
    fn a_line_that_is_cut_keeps_its_complete_moves_and_a_complete_result() {
        let rules = small();
        let whole = record(&rules);
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
        // After the result the line has only seconds and times. If it is cut before them, the game counts as broken
        // off, since the result may be incomplete.
        let seconds = at(",\"seconds\"");
        for cut in end..line.len() {
            let read = GameRecord::from_line(&line[..cut]).unwrap_or_else(|error| panic!("{cut}: {error}"));
            assert_eq!(read.moves, whole.moves);
            assert_eq!(matches!(read.end, RecordedEnd::Over(_)), cut > seconds + 1, "{}", &line[..cut]);
            assert!(read.replay(&rules).is_ok());
        }
    }

    #[test]
    fn adding_all_moves_gives_the_record_of_the_whole_game() {
        let whole = played(&small());
        let mut record =
            GameRecord::unfinished(&Referee::new(small(), whole.start().clone(), None), NAMES, "");
        let (begun, rest) = whole.plies().split_at(3);
        record.add(begun);
        record.add(rest);
        let end = RecordedEnd::Over(whole.ending().unwrap().clone());
        assert_eq!(GameRecord { end, ..record }, GameRecord::of(&whole, NAMES).unwrap());
    }

    #[test]
    fn a_player_who_failed_after_the_last_move_has_lost() {
        let mut referee = played(&small());
        let winner = referee.ending().unwrap().winner;
        referee.overrule(winner, Reason::Failed("it said '1' twice".to_owned()));
        let record = GameRecord::of(&referee, NAMES).unwrap();
        let replayed = record.replay(&small()).unwrap();
        assert_eq!(replayed.ending(), referee.ending());
        assert_eq!(replayed.ending().unwrap().winner, winner.other());
    }

    #[test]
    fn an_illegal_move_that_a_server_accepted_is_recorded_as_claimed_and_replayed_as_it_counted() {
        let rules = ExpandingKeys { stones: 10, resets: [1, 1], ..Default::default() }.rules().unwrap();
        let mut game = Referee::new(rules.clone(), rules.start(10), None);
        for text in ["3", "4", "2", "4"] {
            game.accept(rules.parse_move(text).unwrap(), Duration::ZERO);
        }
        let record = GameRecord::of(&game, NAMES).unwrap();
        assert!(record.to_line().contains(r#""moves":["3","4","2","4"]"#));
        let read = GameRecord::from_line(&record.to_line()).unwrap().replay(&rules).unwrap();
        let last = read.plies().last().unwrap();
        assert_eq!((last.chosen.to_string(), last.as_claimed().to_string()), ("1".into(), "4".into()));
        assert_eq!(read.ending(), game.ending());
    }

    #[test]
    fn an_invalid_record_is_refused_with_the_reason() {
        let rules = small();
        let good = record(&rules);
        let error = |change: &dyn Fn(&mut GameRecord)| {
            let mut changed = good.clone();
            change(&mut changed);
            changed.replay(&rules).unwrap_err().to_string()
        };
        let over = error(&|r| r.moves[2] = "40".into());
        assert!(
            over.starts_with("move 3 is illegal: 40 at") && over.contains("; the game is over after 5 moves"),
            "{over}"
        );
        let heaps = HeapKeys { bounds: vec![3, 3], ..Default::default() }.rules().unwrap();
        let mut of_heaps = GameRecord::unfinished(&played(&heaps), NAMES, "");
        of_heaps.moves[0] = "1:4".into();
        let refused = of_heaps.replay(&heaps).unwrap_err().to_string();
        assert!(refused.starts_with("move 1 is illegal: 1:4 at 3,3, where"), "{refused}");
        assert!(error(&|r| r.moves[2] = "x".into()).starts_with("move 3: move: found 'x'"));
        assert!(error(&|r| r.start = "51".into()).starts_with("start: stones: found 51, but"));
        assert!(error(&|r| r.moves.push("1".into())).starts_with("the game is over after"));
        assert!(error(&|r| drop(r.moves.pop())).starts_with(
            "the result differs: the rules give \"the game is not over\", the transcript says \""
        ));
        let with_other_winner = |r: &mut GameRecord| {
            let RecordedEnd::Over(ending) = &mut r.end else { panic!("it is over") };
            ending.winner = ending.winner.other();
        };
        assert!(error(&with_other_winner).starts_with("the result differs"));
    }
}
