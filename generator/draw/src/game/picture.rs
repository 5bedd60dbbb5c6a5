//! Composes the picture of a recorded game: a plot of depths, marks of mistakes above it, moves and mistakes in words below it.

use super::game_line::{GameLine, PositionMark};
use super::moves::shape;
use super::{mistakes, moves};
use crate::axes::{self, PictureAxis};
use crate::font::width;
use crate::palette::{AXIS, MISTAKE};
use crate::scene::{Item, Panel, PathStep, Point, Scene, Style};
use crate::sheet::{Legend, LegendEntry, SMALL, sheet_with_legend_below, short_name};
use bouton_record::{Ending, GameRecord, Reason, RecordedEnd};
use bouton_study::words::{self, count};

/// Height of the plot.
const HEIGHT: f64 = 340.0;
/// Maximum width of the plot, unless a ply would be narrower than [`MIN_PLY_WIDTH`].
const MAX_WIDTH: f64 = 960.0;
/// Minimum width of the plot.
const MIN_WIDTH: f64 = 480.0;
/// Minimum width of a ply.
const MIN_PLY_WIDTH: f64 = 3.0;

pub(super) fn picture(record: &GameRecord, game: &GameLine) -> Scene {
    let plies = record.moves.len();
    let names = record.players.each_ref().map(|name| short_name(name));
    let names @ [first, second] = names.each_ref().map(String::as_str);
    let subtitle = format!(
        "{first} against {second} from {}, {}: {}",
        record.start,
        count(plies as u64, "ply", "plies"),
        ending(&record.end, names)
    );
    let deepest = game.marks.iter().map(|mark| mark.depth).max().unwrap_or(0);
    let x = PictureAxis { name: "plies played".to_owned(), from: 0, to: plies as u64 };
    let y = PictureAxis {
        name: "depth: plies to the end under best play".to_owned(),
        from: 0,
        to: deepest.into(),
    };
    let positions = (plies + 1) as f64;
    let ply_width = (MAX_WIDTH / positions).clamp(MIN_PLY_WIDTH, (MIN_WIDTH / positions).max(44.0));
    let across = ply_width * positions;
    let top = mistakes::height_of_marks(game.mistakes.len(), across);
    let mut panel = Panel::default();
    let vertical = axes::left(&y, HEIGHT, y.step_left(HEIGHT));
    let left = vertical.width.max(width("moves", SMALL) + 24.0);
    panel.put(Panel { height: HEIGHT, ..vertical.clone() }, (left - vertical.width, top));
    panel.put(plot(game, ply_width, deepest), (left, top));
    // List the moves if they have no room below the plot.
    let rows = moves::rows(record, game, ply_width);
    let is_listed = rows.is_none();
    if let Some(rows) = rows {
        panel.put(rows, (left, panel.height));
    }
    panel.put(axes::below(&x, across, x.step_below(across)), (left, panel.height));
    if is_listed {
        panel.put(moves::list(record, game, panel.width), (0.0, panel.height + 14.0));
    }
    panel.put(mistakes::list(record, game, across, panel.width), (0.0, panel.height + 14.0));
    let title = words::ruleset(&record.ruleset);
    sheet_with_legend_below(&title, &subtitle, panel, &legend(names, game, across))
}

/// Writes how the game ended.
fn ending(end: &RecordedEnd, names: [&str; 2]) -> String {
    let RecordedEnd::Over(Ending { winner, reason }) = end else {
        return "it was interrupted".to_owned();
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

/// Draws the depths of all positions, and the marks of mistakes. A ply takes `ply_width` units.
fn plot(game: &GameLine, ply_width: f64, deepest: u32) -> Panel {
    let across = ply_width * game.marks.len() as f64;
    let depth_height = HEIGHT / (f64::from(deepest) + 1.0);
    let point = |(plies, mark): (usize, &PositionMark)| {
        ((plies as f64 + 0.5) * ply_width, HEIGHT - (f64::from(mark.depth) + 0.5) * depth_height)
    };
    let points: Vec<Point> = game.marks.iter().enumerate().map(point).collect();
    let mistakes: Vec<Point> = game.mistakes.iter().map(|mistake| points[mistake.ply]).collect();
    let (mut items, marks) = mistakes::lines_and_marks(&mistakes, across);
    let mut line: Vec<PathStep> = points.iter().map(|&point| PathStep::Line(point)).collect();
    line[0] = PathStep::Move(points[0]);
    if line.len() > 1 {
        items.push(Item::Path(line, Style::line(AXIS, 1.0)));
    }
    for mistake in &game.mistakes {
        items.push(Item::line(points[mistake.ply - 1], points[mistake.ply], MISTAKE, 2.0));
    }
    let radius = (ply_width * 0.4).clamp(1.8, 5.5);
    items.extend(game.marks.iter().zip(&points).map(|(mark, &point)| shape(mark.winner, point, radius)));
    items.extend(marks);
    Panel { width: across, height: HEIGHT, items }
}

fn legend(names: [&str; 2], game: &GameLine, across: f64) -> Legend {
    let mut entries = Vec::new();
    for (side, name) in names.into_iter().enumerate() {
        let mark = Panel { width: 12.0, height: 12.0, items: vec![shape(side, (6.0, 6.0), 5.5)] };
        let order = if side == 0 { "first" } else { "second" };
        entries.push(LegendEntry { mark, label: format!("{name}, who moved {order}") });
    }
    let mistakes = game.mistakes.len();
    if mistakes > 0 {
        let items = mistakes::mark((8.0, 8.0), mistakes::are_numbered(mistakes, across).then_some(1));
        let mark = Panel { width: 16.0, height: 16.0, items };
        let label = format!("gives the win away: {}", count(mistakes as u64, "move", "moves"));
        entries.push(LegendEntry { mark, label });
    }
    Legend { title: "Wins from here under best play".to_owned(), entries, ..Legend::default() }
}
