//! Checks the parser of transcript lines with any text, and replays the games that it accepts.

use bouton_match::{GameRecord, Playable, RecordedEnd};
use bouton_tables::with_rules;

use super::check_message;

/// Parses a line of a transcript, and replays the game.
///
/// # Panics
/// If the line does not parse as the same record after printing, or the replayed game ends differently.
pub fn check(bytes: &[u8]) {
    let Ok(line) = std::str::from_utf8(bytes) else { return };
    let record = match GameRecord::from_line(line) {
        Ok(record) => record,
        Err(error) => return check_message(line, &error),
    };
    let written = record.to_line();
    assert_eq!(GameRecord::from_line(&written).as_ref(), Ok(&record), "written as {written}");
    with_rules!(&record.ruleset, |rules| replay(&record, rules));
}

/// Replays a record by the rules. If it is valid, the record of the replayed game must have as many moves, and the same
/// rules and end.
fn replay<G: Playable>(record: &GameRecord, rules: &G) {
    let referee = match record.replay(rules) {
        Ok(referee) => referee,
        Err(error) => return check_message(&record.to_line(), &error),
    };
    let names = [record.players[0].as_str(), record.players[1].as_str()];
    let again = match &record.end {
        RecordedEnd::Over(ending) => {
            assert_eq!(referee.ending(), Some(ending));
            GameRecord::of(&referee, names).expect("it is over")
        }
        RecordedEnd::BrokenOff { why } => GameRecord::unfinished(&referee, names, why),
    };
    assert_eq!(again.moves.len(), record.moves.len());
    assert_eq!((&again.ruleset, &again.end), (&record.ruleset, &record.end));
    again.replay(rules).expect("a replayed game replays again");
}
