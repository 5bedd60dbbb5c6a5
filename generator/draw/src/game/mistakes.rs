//! Draws the mistakes of a recorded game: marks above the plot, and a list.

use super::game_line::{GameLine, Mistake};
use crate::font::{cut, wrap};
use crate::palette::{INK, MISTAKE, PALE_INK, PAPER};
use crate::scene::{Anchor, Item, Panel, PathStep, Point, Style};
use crate::sheet::{SMALL, centred, paragraph, short_name};
use bouton_record::GameRecord;
use bouton_study::spread;
use bouton_study::words::count;

/// Radius of a mark with a number.
const RADIUS: f64 = 8.0;
/// Least distance between the centres of marks with numbers.
const DISTANCE: f64 = 2.0 * RADIUS + 2.0;
/// Height of marks with numbers above a plot, with the lines that lead to them.
const MARK_HEIGHT: f64 = 2.0 * RADIUS + 22.0;
/// Height of marks without numbers above a plot.
const TICK_HEIGHT: f64 = 14.0;
/// Maximum number of mistakes described in words.
const MAX_LISTED: usize = 12;
/// Height of a listed mistake.
const LISTED_HEIGHT: f64 = 20.0;

/// Returns whether marks with numbers fit above a plot that is `across` units wide. Otherwise marks are short lines.
pub(super) fn are_numbered(mistakes: usize, across: f64) -> bool {
    mistakes as f64 * DISTANCE <= across
}

/// Returns the height of the marks above a plot.
pub(super) fn height_of_marks(mistakes: usize, across: f64) -> f64 {
    match mistakes {
        0 => 6.0,
        _ if are_numbered(mistakes, across) => MARK_HEIGHT,
        _ => TICK_HEIGHT + 2.0,
    }
}

/// Draws the mark of a mistake: its number in a circle, or a short line.
pub(super) fn mark(at: Point, number: Option<usize>) -> Vec<Item> {
    let Some(number) = number else {
        return vec![Item::line((at.0, at.1 - 5.0), (at.0, at.1 + 5.0), MISTAKE, 2.0)];
    };
    let text = number.to_string();
    let size = if text.len() > 2 { 7.5 } else { 10.0 };
    vec![Item::Circle(at, RADIUS, Style::filled(MISTAKE)), centred(at, Anchor::Middle, size, PAPER, text)]
}

/// Draws marks of mistakes above a plot that is `across` units wide, and lines down to `points`, the positions after the mistakes.
pub(super) fn lines_and_marks(points: &[Point], across: f64) -> (Vec<Item>, Vec<Item>) {
    if !are_numbered(points.len(), across) {
        let tick = |&(x, _): &Point| Item::line((x, -TICK_HEIGHT), (x, -4.0), MISTAKE, 1.5);
        return (Vec::new(), points.iter().map(tick).collect());
    }
    let wishes: Vec<f64> = points.iter().map(|point| point.0 / DISTANCE).collect();
    let centres = spread(&wishes, 0.5, across / DISTANCE - 0.5);
    let (mut lines, mut marks) = (Vec::new(), Vec::new());
    for (number, (&(x, y), centre)) in (1..).zip(points.iter().zip(centres)) {
        let centre = (centre * DISTANCE, RADIUS - MARK_HEIGHT);
        // Let the line bend below the marks.
        let bend = PathStep::Line((centre.0, 2.0 * RADIUS - MARK_HEIGHT + 4.0));
        let line = vec![PathStep::Move((x, y)), PathStep::Line((x, -2.0)), bend, PathStep::Line(centre)];
        lines.push(Item::Path(line, Style::line(MISTAKE, 1.0)));
        marks.extend(mark(centre, Some(number)));
    }
    (lines, marks)
}

/// Lists the mistakes in lines of at most `most` units: the first ones in words, the plies of the others. The plot is `across` units wide.
pub(super) fn list(record: &GameRecord, game: &GameLine, across: f64, most: f64) -> Panel {
    let mut panel = Panel::default();
    let are_numbered = are_numbered(game.mistakes.len(), across);
    let left = 2.0 * RADIUS + 8.0;
    for (number, mistake) in (1..).zip(game.mistakes.iter().take(MAX_LISTED)) {
        let y = panel.height + LISTED_HEIGHT / 2.0;
        panel.items.extend(mark((RADIUS, y), are_numbered.then_some(number)));
        let words = cut(&in_words(record, mistake), SMALL, most - left);
        panel.items.push(centred((left, y), Anchor::Start, SMALL, INK, words));
        panel.height += LISTED_HEIGHT;
    }
    let others = game.mistakes.get(MAX_LISTED..).unwrap_or_default();
    if !others.is_empty() {
        let more = count(others.len() as u64, "more mistake", "more mistakes");
        let plies: Vec<String> = others.iter().map(|mistake| mistake.ply.to_string()).collect();
        let at = if plies.len() == 1 { "ply" } else { "plies" };
        let words = wrap(&format!("And {more}, at {at} {}", plies.join(", ")), SMALL, most - left);
        panel.put(paragraph(&words, SMALL, PALE_INK), (left, panel.height + 4.0));
    }
    panel.width = if panel.height > 0.0 { most } else { 0.0 };
    panel
}

fn in_words(record: &GameRecord, mistake: &Mistake) -> String {
    let Mistake { ply, position, winning } = mistake;
    let name = short_name(&record.players[(ply - 1) % 2]);
    let chosen = &record.moves[ply - 1];
    format!("Ply {ply}: {name} plays {chosen} at {position}; {winning}")
}
