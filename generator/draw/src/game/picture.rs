//! What a game looks like: its course, with marks of the mistakes above it, and what they were, below.

use super::{Course, Mistake, Stand};
use crate::axes::{self, Axis};
use crate::font::{cut, width};
use crate::palette::{AXIS, HAIR, INK, MISTAKE, PALE_INK, PAPER, PLAYERS};
use crate::scene::{Anchor, Item, Panel, Point, Scene, Step, Style};
use crate::sheet::{Entry, Legend, SMALL, centred, sheet_with_legend_below, short_name};
use bouton_record::{Ending, GameRecord, Reason, RecordedEnd};
use bouton_study::spread;
use bouton_study::words::{self, count};

const HEIGHT: f64 = 340.0;
/// How wide it is at most, unless a ply would have less than [`LEAST`].
const WIDTH: f64 = 960.0;
/// How wide it is at least.
const NARROW: f64 = 480.0;
const LEAST: f64 = 3.0;
/// Letters of moves.
const LETTERS: f64 = 10.0;
/// The height of a row of moves.
const ROW: f64 = 16.0;

pub(super) fn picture(record: &GameRecord, course: &Course) -> Scene {
    let plies = record.moves.len();
    let names = record.players.each_ref().map(|name| short_name(name));
    let names @ [first, second] = names.each_ref().map(String::as_str);
    let subtitle = format!(
        "{first} against {second} from {}, {}: {}",
        record.start,
        count(plies as u64, "ply", "plies"),
        ending(&record.end, names)
    );
    let deepest = course.stands.iter().map(|stand| stand.depth).max().unwrap_or(0);
    let x = Axis { name: "plies played".to_owned(), from: 0, to: plies as u32 };
    let y = Axis { name: "depth: plies to the end under best play".to_owned(), from: 0, to: deepest };
    let each = (WIDTH / (plies + 1) as f64).clamp(LEAST, (NARROW / (plies + 1) as f64).max(44.0));
    let across = each * (plies + 1) as f64;
    let form = Form { each, depth: HEIGHT / (f64::from(deepest) + 1.0) };

    let top = if course.mistakes.is_empty() { 6.0 } else { ABOVE };
    let mut panel = Panel::default();
    let vertical = axes::left(&y, HEIGHT);
    let begins = vertical.width.max(width("moves", SMALL) + 24.0);
    panel.put(Panel { height: HEIGHT, ..vertical.clone() }, (begins - vertical.width, top));
    panel.put(form.plot(course, across), (begins, top));
    panel.put(form.moves(record, course), (begins, panel.height));
    panel.put(axes::below(&x, across), (begins, panel.height));
    panel.put(listed(record, course, panel.width), (0.0, panel.height + 14.0));
    let title = words::ruleset(&record.ruleset);
    sheet_with_legend_below(&title, &subtitle, panel, &legend(names, course))
}

/// How the game ended, in a few words.
fn ending(end: &RecordedEnd, names: [&str; 2]) -> String {
    let RecordedEnd::Over(Ending { winner, reason }) = end else {
        return "it was broken off".to_owned();
    };
    let (winner, loser) = (names[winner.index()], names[winner.other().index()]);
    let why = match reason {
        Reason::Played => return format!("{winner} wins"),
        Reason::Decided => return format!("{winner} wins, says the table"),
        Reason::Time => "'s time ran out",
        Reason::Resigned => " gave up",
        Reason::IllegalMove(_) => " made an illegal move",
        Reason::Failed(_) => " failed",
    };
    format!("{winner} wins: {loser}{why}")
}

/// A position: a circle if who moved first wins under best play, a square if the other.
fn shape(side: usize, (x, y): Point, radius: f64) -> Item {
    let style = Style::filled(PLAYERS[side]).edged(PAPER, if radius > 3.0 { 1.0 } else { 0.0 });
    if side == 0 {
        return Item::Circle((x, y), radius, style);
    }
    // Of the same area as the circle, about.
    let half = radius * 0.9;
    Item::Rect((x - half, y - half), (2.0 * half, 2.0 * half), 0.0, style)
}

/// How the game is laid out.
struct Form {
    /// Units of a ply.
    each: f64,
    /// Units of a ply of depth.
    depth: f64,
}

impl Form {
    /// Where the position after so many plies stands.
    fn at(&self, plies: usize, depth: u32) -> Point {
        ((plies as f64 + 0.5) * self.each, HEIGHT - (f64::from(depth) + 0.5) * self.depth)
    }

    fn plot(&self, course: &Course, across: f64) -> Panel {
        let points: Vec<Point> =
            course.stands.iter().enumerate().map(|(ply, stand)| self.at(ply, stand.depth)).collect();
        let mistakes: Vec<Point> = course.mistakes.iter().map(|mistake| points[mistake.ply]).collect();
        let (mut items, marks) = marks(&mistakes, across);
        let mut line: Vec<Step> = points.iter().map(|&point| Step::Line(point)).collect();
        line[0] = Step::Move(points[0]);
        if line.len() > 1 {
            items.push(Item::Path(line, Style::line(AXIS, 1.0)));
        }
        for mistake in &course.mistakes {
            items.push(Item::line(points[mistake.ply - 1], points[mistake.ply], MISTAKE, 2.0));
        }
        let radius = (self.each * 0.4).clamp(1.8, 5.5);
        for (&Stand { winner, .. }, &point) in course.stands.iter().zip(&points) {
            items.push(shape(winner, point, radius));
        }
        items.extend(marks);
        Panel { width: across, height: HEIGHT, items }
    }

    /// The moves, between the positions that they lead from and to: a row for each player. Where they would
    /// overlap, mistakes go first.
    fn moves(&self, record: &GameRecord, course: &Course) -> Panel {
        let mut items = Vec::new();
        for side in 0..2 {
            let y = 14.0 + (side as f64 + 0.5) * ROW;
            items.push(shape(side, (-10.0, y), 4.5));
            let mut taken: Vec<(f64, f64)> = Vec::new();
            let is_mistake =
                |ply: usize| course.mistakes.binary_search_by_key(&ply, |mistake| mistake.ply).is_ok();
            for first in [true, false] {
                for (ply, chosen) in (1..).zip(&record.moves).skip(side).step_by(2) {
                    if is_mistake(ply) != first {
                        continue;
                    }
                    let (x, half) = (ply as f64 * self.each, width(chosen, LETTERS) / 2.0 + 2.0);
                    let free = taken.iter().all(|&(from, to)| x + half <= from || to <= x - half);
                    if free {
                        taken.push((x - half, x + half));
                        let colour = if first { MISTAKE } else { INK };
                        items.push(centred((x, y), Anchor::Middle, LETTERS, colour, chosen));
                    }
                }
            }
        }
        let across = self.each * (record.moves.len() + 1) as f64;
        items.push(Item::line((0.0, 12.0), (across, 12.0), HAIR, 0.5));
        items.push(centred((-20.0, 14.0 + ROW), Anchor::End, SMALL, PALE_INK, "moves"));
        Panel { width: across, height: 14.0 + 2.0 * ROW + 2.0, items }
    }
}

fn legend(names: [&str; 2], course: &Course) -> Legend {
    let mut entries = Vec::new();
    for (side, name) in names.into_iter().enumerate() {
        let mark = Panel { width: 12.0, height: 12.0, items: vec![shape(side, (6.0, 6.0), 5.5)] };
        let order = if side == 0 { "first" } else { "second" };
        entries.push(Entry { mark, label: format!("{name}, who moved {order}") });
    }
    if !course.mistakes.is_empty() {
        let mark = Panel { width: 16.0, height: 16.0, items: mark((8.0, 8.0), 1) };
        let number = count(course.mistakes.len() as u64, "move", "moves");
        entries.push(Entry { mark, label: format!("gives the win away: {number}") });
    }
    Legend { title: "Wins from here under best play".to_owned(), entries }
}

/// Half a mark.
const RADIUS: f64 = 8.0;
/// How many mistakes are listed.
const LISTED: usize = 12;
/// The height of a listed mistake.
const LINE: f64 = 20.0;

/// The mark of a mistake: its number in a circle.
fn mark(at: Point, number: usize) -> Vec<Item> {
    let text = number.to_string();
    let size = if text.len() > 2 { 7.5 } else { 10.0 };
    vec![Item::Circle(at, RADIUS, Style::filled(MISTAKE)), centred(at, Anchor::Middle, size, PAPER, text)]
}

/// How high the marks above a picture are, with the lines that lead to them.
const ABOVE: f64 = 2.0 * RADIUS + 22.0;

/// The marks of mistakes above a picture of this width, and lines from them down to the positions that the
/// mistakes led to. Where there are more than fit beside each other, the last ones have their lines alone.
fn marks(points: &[Point], across: f64) -> (Vec<Item>, Vec<Item>) {
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
fn listed(record: &GameRecord, course: &Course, most: f64) -> Panel {
    let mut panel = Panel::default();
    let more = course.mistakes.len().saturating_sub(LISTED);
    for (number, mistake) in (1..).zip(course.mistakes.iter().take(LISTED)) {
        let y = panel.height + LINE / 2.0;
        panel.items.extend(mark((RADIUS, y), number));
        let words = cut(&in_words(record, mistake), SMALL, most - 2.0 * RADIUS - 8.0);
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
