//! Draws the mistakes of a recorded game: marks above the plot, and a list.

use super::{GameLine, Mistake};
use crate::font::{cut, wrap};
use crate::palette::{INK, MISTAKE, PALE_INK, PAPER};
use crate::scene::{Anchor, Item, Panel, PathStep, Point, Style};
use crate::sheet::{SMALL, centred, paragraph, short_name};
use bouton_record::GameRecord;
use bouton_study::spread;
use bouton_study::words::count;

/// Radius of a mark.
const RADIUS: f64 = 8.0;
/// Least distance of neighbouring marks' centres.
const EACH: f64 = 2.0 * RADIUS + 2.0;
/// Height of the marks above a plot, with the lines that lead to them.
const ABOVE: f64 = 2.0 * RADIUS + 22.0;
/// Height of marks without numbers.
const TICKS: f64 = 14.0;
/// Most mistakes described in words.
const LISTED: usize = 12;
/// Height of a listed mistake.
const LINE: f64 = 20.0;

/// Returns whether all marks fit side by side above a plot of this width. Otherwise marks have no numbers, and stand
/// close together.
pub(super) fn numbered(game: &GameLine, across: f64) -> bool {
    game.mistakes.len() as f64 * EACH <= across
}

/// Returns the height of the marks above a plot.
pub(super) fn above(game: &GameLine, across: f64) -> f64 {
    match game.mistakes.len() {
        0 => 6.0,
        _ if numbered(game, across) => ABOVE,
        _ => TICKS + 2.0,
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

/// Draws the marks above a picture of this width, and lines from them down to the positions after the mistakes.
pub(super) fn marks(points: &[Point], across: f64) -> (Vec<Item>, Vec<Item>) {
    if points.len() as f64 * EACH > across {
        let tick = |&(x, _): &Point| Item::line((x, -TICKS), (x, -4.0), MISTAKE, 1.5);
        return (Vec::new(), points.iter().map(tick).collect());
    }
    let wishes: Vec<f64> = points.iter().map(|point| point.0 / EACH).collect();
    let places = spread(&wishes, 0.5, across / EACH - 0.5);
    let (mut lines, mut marks) = (Vec::new(), Vec::new());
    for (number, (&(x, y), place)) in (1..).zip(points.iter().zip(places)) {
        let centre = (place * EACH, RADIUS - ABOVE);
        // Lead the line below the other marks.
        let bend = PathStep::Line((centre.0, 2.0 * RADIUS - ABOVE + 4.0));
        let line = vec![PathStep::Move((x, y)), PathStep::Line((x, -2.0)), bend, PathStep::Line(centre)];
        lines.push(Item::Path(line, Style::line(MISTAKE, 1.0)));
        marks.extend(mark(centre, Some(number)));
    }
    (lines, marks)
}

/// Lists the mistakes in at most `most` units of width, for a plot of width `across`: the first ones in words, and the
/// plies of the others.
pub(super) fn list(record: &GameRecord, game: &GameLine, across: f64, most: f64) -> Panel {
    let mut panel = Panel::default();
    let numbered = numbered(game, across);
    let left = 2.0 * RADIUS + 8.0;
    for (number, mistake) in (1..).zip(game.mistakes.iter().take(LISTED)) {
        let y = panel.height + LINE / 2.0;
        panel.items.extend(mark((RADIUS, y), numbered.then_some(number)));
        let words = cut(&in_words(record, mistake), SMALL, most - left);
        panel.items.push(centred((left, y), Anchor::Start, SMALL, INK, words));
        panel.height += LINE;
    }
    let others = game.mistakes.get(LISTED..).unwrap_or_default();
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
    let Mistake { ply, position, winning: (named, more) } = mistake;
    let name = short_name(&record.players[(ply - 1) % 2]);
    let more = if *more > 0 { format!(" and {more} more") } else { String::new() };
    let winning = if named.len() == 1 { "the winning move was" } else { "winning moves were" };
    format!(
        "Ply {ply}: {name} plays {} at {position}; {winning} {}{more}",
        record.moves[ply - 1],
        named.join(", ")
    )
}
