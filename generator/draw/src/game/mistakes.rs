//! The mistakes of a game: marks above the picture, and what they were, below.

use super::Transcript;
use super::course::{Course, Mistake};
use crate::font::cut;
use crate::palette::{INK, MISTAKE, PALE_INK, PAPER};
use crate::scene::{Anchor, Item, Panel, Point, Step, Style};
use crate::sheet::{SMALL, centred, short_name};
use bouton_study::spread;
use bouton_study::words::count;

/// Half a mark.
const RADIUS: f64 = 8.0;
/// How many mistakes are listed.
const LISTED: usize = 12;
/// The height of a listed mistake.
const LINE: f64 = 20.0;

/// The mark of a mistake: its number in a circle.
pub(super) fn mark(at: Point, number: usize) -> Vec<Item> {
    let text = number.to_string();
    let size = if text.len() > 2 { 7.5 } else { 10.0 };
    vec![Item::Circle(at, RADIUS, Style::filled(MISTAKE)), centred(at, Anchor::Middle, size, PAPER, text)]
}

/// How high the marks above a picture are, with the lines that lead to them.
pub(super) const ABOVE: f64 = 2.0 * RADIUS + 22.0;

/// The marks of mistakes above a picture of this width, and lines from them down to the positions that the
/// mistakes led to. Where there are more than fit beside each other, the last ones have their lines alone.
pub(super) fn marks(points: &[Point], across: f64) -> (Vec<Item>, Vec<Item>) {
    let each = 2.0 * RADIUS + 2.0;
    let wishes: Vec<f64> = points.iter().take((across / each) as usize).map(|point| point.0 / each).collect();
    let places = spread(&wishes, 0.5, across / each - 0.5);
    let (mut lines, mut marks) = (Vec::new(), Vec::new());
    for (number, &(x, y)) in points.iter().enumerate() {
        let mut line = vec![Step::Move((x, y)), Step::Line((x, -2.0))];
        if let Some(place) = places.get(number) {
            let centre = (place * each, RADIUS - ABOVE);
            // Below the other marks, and not behind them.
            line.extend([Step::Line((centre.0, 2.0 * RADIUS - ABOVE + 4.0)), Step::Line(centre)]);
            marks.extend(mark(centre, number + 1));
        }
        lines.push(Item::Path(line, Style::line(MISTAKE, 1.0)));
    }
    (lines, marks)
}

/// The list of mistakes, at most `most` wide.
pub(super) fn listed(transcript: &Transcript, course: &Course, most: f64) -> Panel {
    let mut panel = Panel::default();
    let more = course.mistakes.len().saturating_sub(LISTED);
    for (number, mistake) in (1..).zip(course.mistakes.iter().take(LISTED)) {
        let y = panel.height + LINE / 2.0;
        panel.items.extend(mark((RADIUS, y), number));
        let words = cut(&in_words(transcript, mistake), SMALL, most - 2.0 * RADIUS - 8.0);
        panel.items.push(centred((2.0 * RADIUS + 8.0, y), Anchor::Start, SMALL, INK, words));
        panel.height += LINE;
    }
    if more > 0 {
        let words = format!("and {}", count(more as u64, "more mistake", "more mistakes"));
        let at = (2.0 * RADIUS + 8.0, panel.height + LINE / 2.0);
        panel.items.push(centred(at, Anchor::Start, SMALL, PALE_INK, words));
        panel.height += LINE;
    }
    panel.width = if panel.height > 0.0 { most } else { 0.0 };
    panel
}

fn in_words(transcript: &Transcript, mistake: &Mistake) -> String {
    let Mistake { ply, position, winning: (named, more) } = mistake;
    let name = short_name(transcript.players()[(ply - 1) % 2]);
    let more = if *more > 0 { format!(" and {more} more") } else { String::new() };
    let winning = if named.len() == 1 { "the winning move was" } else { "winning moves were" };
    format!(
        "Ply {ply}: {name} plays {} at {position}; {winning} {}{more}",
        transcript.moves()[ply - 1],
        named.join(", ")
    )
}
