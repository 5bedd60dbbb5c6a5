//! What a game looks like: its course, with marks of the mistakes above it, and below it the moves and what the mistakes were.

use super::{Course, Stand, mistakes, moves};
use crate::axes::{self, Axis};
use crate::font::width;
use crate::palette::{AXIS, MISTAKE, PAPER, PLAYERS};
use crate::scene::{Item, Panel, Point, Scene, Step, Style};
use crate::sheet::{Entry, Legend, SMALL, sheet_with_legend_below, short_name};
use bouton_record::{Ending, GameRecord, Reason, RecordedEnd};
use bouton_study::words::{self, count};

const HEIGHT: f64 = 340.0;
/// How wide it is at most, unless a ply would have less than [`LEAST`].
const WIDTH: f64 = 960.0;
/// How wide it is at least.
const NARROW: f64 = 480.0;
const LEAST: f64 = 3.0;

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

    let top = mistakes::above(course, across);
    let mut panel = Panel::default();
    let vertical = axes::left(&y, HEIGHT, y.step_left(HEIGHT));
    let begins = vertical.width.max(width("moves", SMALL) + 24.0);
    panel.put(Panel { height: HEIGHT, ..vertical.clone() }, (begins - vertical.width, top));
    panel.put(form.plot(course, across), (begins, top));
    // Moves that have no room below the plot are listed, so that each is shown.
    let rows = moves::rows(record, course, each);
    let is_listed = rows.is_none();
    if let Some(rows) = rows {
        panel.put(rows, (begins, panel.height));
    }
    panel.put(axes::below(&x, across, x.step_below(across)), (begins, panel.height));
    if is_listed {
        panel.put(moves::list(record, course, panel.width), (0.0, panel.height + 14.0));
    }
    panel.put(mistakes::list(record, course, across, panel.width), (0.0, panel.height + 14.0));
    let title = words::ruleset(&record.ruleset);
    sheet_with_legend_below(&title, &subtitle, panel, &legend(names, course, across))
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
pub(super) fn shape(side: usize, (x, y): Point, radius: f64) -> Item {
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
        let (mut items, marks) = mistakes::marks(&mistakes, across);
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
}

fn legend(names: [&str; 2], course: &Course, across: f64) -> Legend {
    let mut entries = Vec::new();
    for (side, name) in names.into_iter().enumerate() {
        let mark = Panel { width: 12.0, height: 12.0, items: vec![shape(side, (6.0, 6.0), 5.5)] };
        let order = if side == 0 { "first" } else { "second" };
        entries.push(Entry { mark, label: format!("{name}, who moved {order}") });
    }
    if !course.mistakes.is_empty() {
        let items = mistakes::mark((8.0, 8.0), mistakes::numbered(course, across).then_some(1));
        let mark = Panel { width: 16.0, height: 16.0, items };
        let number = count(course.mistakes.len() as u64, "move", "moves");
        entries.push(Entry { mark, label: format!("gives the win away: {number}") });
    }
    Legend { title: "Wins from here under best play".to_owned(), entries, ..Legend::default() }
}
