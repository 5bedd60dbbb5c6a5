//! The expected report on the lines of an Expanding Nim game.

use serde_json::{Value, json};

use super::line;
use crate::oracle::expanding::{Position, Rules, least};

/// Returns every line in natural order, each as its position without stones.
#[must_use]
pub fn all_lines(rules: &Rules) -> Vec<Position> {
    let mut all = Vec::new();
    for currentmax in (0..=rules.stones).filter(|&m| most(rules, m).is_some()) {
        for turn in [1, 2] {
            for first in 0..=rules.resets[0] {
                for second in 0..=rules.resets[1] {
                    for imposed in [false, true] {
                        all.push(Position { stones: 0, currentmax, turn, resets: [first, second], imposed });
                    }
                }
            }
        }
    }
    all
}

/// Returns the lines that contain a start of the game.
#[must_use]
pub fn start_lines(rules: &Rules) -> Vec<Position> {
    let mut all = all_lines(rules);
    all.retain(|line| (line.currentmax, line.turn, line.imposed) == (0, 1, false));
    all
}

/// Returns the most stones that can remain; `None` if this currentmax cannot arise.
fn most(rules: &Rules, currentmax: u32) -> Option<u32> {
    least(rules, currentmax).and_then(|gone| rules.stones.checked_sub(gone))
}

/// Returns the reports on some lines, given the outcomes of the positions.
///
/// # Panics
/// If a line does not belong to these rules.
pub fn reports(rules: &Rules, lines: &[Position], is_lost: &dyn Fn(&Position) -> bool) -> Value {
    let report = |at: &Position| {
        let most = most(rules, at.currentmax).expect("there is such a line");
        let lost: Vec<bool> = (0..=most).map(|stones| is_lost(&Position { stones, ..*at })).collect();
        let mut line = line(&lost);
        line["currentmax"] = at.currentmax.into();
        line["turn"] = at.turn.into();
        line["resets"] = json!(at.resets);
        line["imposed"] = at.imposed.into();
        line
    };
    lines.iter().map(report).collect()
}
