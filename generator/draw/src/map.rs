//! Draws the map of a small game: its positions by stones left, and all moves.

use bouton_study::StudyError;
use bouton_study::game_map::{Graph, GraphEdge, MapLayout, Mappable, POSITION_WIDTH, Reachable};
use bouton_study::words::{self, InWords};
use bouton_tables::{Game, Outcome, Ruleset, Solved, Table, with_rules, with_table};

use crate::drawable::Drawable;
use crate::error::{Result, no_map};
use crate::font::width;
use crate::palette::{HAIRLINE, INK, LOST, MOVE, PALE_INK, PAPER, WINNING, WON};
use crate::scene::{Anchor, Item, Panel, PathStep, Point, Scene, Style};
use crate::sheet::{Legend, LegendEntry, MIDDLE, SMALL, centred, sheet_with_legend_below, upwards};

/// Draws the map of a game: all positions that can be reached from a position, by default from the start of the ruleset.
///
/// Positions that differ only in the order of heaps or in the player to move are drawn once.
///
/// # Errors
/// If the position is not in the table, there are too many positions or moves, or the table is damaged.
pub fn game_map(table: &Table, from: Option<&str>) -> Result<Scene> {
    with_table!(table.family(), |table| draw(table, from))
}

/// Checks without a table that [`game_map`] can draw a ruleset's map.
///
/// # Errors
/// If the position is not in the ruleset, or there are too many positions or moves.
pub fn game_map_fits(ruleset: &Ruleset, from: Option<&str>) -> Result<()> {
    with_rules!(ruleset, |rules| Reachable::collect(rules, &start(rules, from)?).map(drop).map_err(no_map))
}

/// Returns the first position of a map.
fn start<G: Game>(game: &G, from: Option<&str>) -> Result<G::Position> {
    let Some(text) = from else { return Ok(game.start()) };
    game.read_position(text).map_err(StudyError::MapStart)
}

fn draw<S: Solved<Game: Drawable>>(table: &S, from: Option<&str>) -> Result<Scene> {
    let game = table.game();
    let start = start(game, from)?;
    let graph = Graph::of(table, &start).map_err(no_map)?;
    let subtitle = format!(
        "{} and {} from {}{}{}",
        words::count(graph.nodes.len() as u64, "position", "positions"),
        words::count(graph.edges.len() as u64, "move", "moves"),
        game.show_position(&start),
        game.notation(),
        if graph.edges.is_empty() { "" } else { ". Moves to the same position merge" }
    );
    Ok(picture(&graph, &game.in_words(), &subtitle))
}

/// Size of the letters of labels.
const LETTERS: f64 = 10.0;
/// Height of a line of a label.
const LINE: f64 = 12.0;
/// Space between levels for the moves, in a map with 30 moves a level.
const FALL: f64 = 38.0;
/// Distance of a curve's control points from its ends, as a part of its height.
const BEND: f64 = 0.45;
/// Moves that go to the side by less than this are drawn as straight lines.
const STRAIGHT: f64 = 0.05;
/// Maximum distance of the centres of neighbouring positions, unless labels are wider.
const MAX_DISTANCE: f64 = 64.0;
/// Length of an arrow's head.
const HEAD: f64 = 6.5;

/// Converts levels and places to points of the picture.
struct MapGeometry<'a> {
    graph: &'a Graph,
    layout: &'a MapLayout,
    /// Width and height of a drawn position.
    size: (f64, f64),
    /// Horizontal coordinate of place 0.
    middle: f64,
    /// Distance of two places that differ by 1.
    across: f64,
    /// Distance of two levels.
    fall: f64,
}

fn picture(graph: &Graph, title: &str, subtitle: &str) -> Scene {
    let lines = graph.nodes.iter().map(|node| node.label.len()).max().unwrap_or(1);
    let labels = graph.nodes.iter().flat_map(|node| &node.label);
    let widest = labels.map(|label| width(label, LETTERS)).fold(0.0, f64::max);
    let size = ((widest + 12.0).ceil(), lines as f64 * LINE + 6.0);
    let layout = MapLayout::of(graph);
    let places = || layout.places.iter().chain(layout.waypoints.iter().flatten()).copied();
    let (least, most) = (places().fold(f64::MAX, f64::min), places().fold(f64::MIN, f64::max));
    // Limit the distance so that the map fits a sheet of usual width.
    let across = (size.0 / POSITION_WIDTH).max(MAX_DISTANCE.min(680.0 / (most - least + 1.0)));
    // Many moves need more room between levels.
    let density = (graph.edges.len() as f64 / graph.levels.len() as f64 / 30.0).clamp(0.6, 2.2);
    let fall = size.1 + (FALL * density).round();
    let widest_level = graph.levels.iter().map(|name| width(name, SMALL)).fold(0.0, f64::max);
    let left = MIDDLE + 8.0 + widest_level + 14.0;
    let right = left + (most - least) * across + size.0;
    let middle = left + size.0 / 2.0 - least * across;
    let geometry = MapGeometry { graph, layout: &layout, size, middle, across, fall };
    let height = size.1 + (graph.levels.len() - 1) as f64 * fall;

    let mut items = Vec::new();
    for (level, name) in graph.levels.iter().enumerate() {
        let y = size.1 / 2.0 + level as f64 * fall;
        items.push(Item::line((left - 8.0, y), (right, y), HAIRLINE, 0.5));
        items.push(centred((left - 14.0, y), Anchor::End, SMALL, PALE_INK, name));
    }
    let height = height.max(width(graph.measure, MIDDLE));
    items.push(upwards((MIDDLE, height / 2.0), graph.measure));
    // Draw the most important items last, on top.
    let edges = |winning| graph.edges.iter().filter(move |edge| edge.winning == winning);
    let others: Vec<PathStep> = edges(false).flat_map(|edge| geometry.route(*edge, 0.0).0).collect();
    if !others.is_empty() {
        items.push(Item::Path(others, Style::line(MOVE, 0.7)));
    }
    for edge in edges(true) {
        // End the line within the head, so that the tip is sharp.
        let (line, [from, tip]) = geometry.route(*edge, HEAD * 0.6);
        items.extend([Item::Path(line, Style::line(WINNING, 1.5)), head(tip, from)]);
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        let (x, y) = geometry.centre(index);
        let won = node.verdict.outcome == Outcome::Win;
        items.push(shape(won, (x, y), size));
        let first_y = y - (node.label.len() - 1) as f64 * LINE / 2.0;
        for (number, line) in node.label.iter().enumerate() {
            let at = (x, first_y + number as f64 * LINE);
            items.push(centred(at, Anchor::Middle, LETTERS, if won { INK } else { PAPER }, line));
        }
    }
    let panel = Panel { width: right, height, items };
    sheet_with_legend_below(title, subtitle, panel, &legend())
}

/// Draws a position: with round corners if the player to move wins, with sharp ones if not.
fn shape(won: bool, (x, y): Point, (width, height): (f64, f64)) -> Item {
    let (colour, radius) = if won { (WON, height / 2.0) } else { (LOST, 0.0) };
    let corner = (x - width / 2.0, y - height / 2.0);
    // The white edge interrupts the lines of moves behind the position, so that none of them seems to end there.
    Item::Rect(corner, (width, height), radius.min(10.0), Style::filled(colour).edged(PAPER, 2.0))
}

/// Draws the head of an arrow to `tip`, in the direction from another point.
fn head(tip: Point, from: Point) -> Item {
    let (dx, dy) = (tip.0 - from.0, tip.1 - from.1);
    let length = dx.hypot(dy).max(1e-6);
    let (dx, dy) = (dx / length * HEAD, dy / length * HEAD);
    let half_width = 0.42;
    let steps = vec![
        PathStep::Move(tip),
        PathStep::Line((tip.0 - dx - dy * half_width, tip.1 - dy + dx * half_width)),
        PathStep::Line((tip.0 - dx + dy * half_width, tip.1 - dy - dx * half_width)),
        PathStep::Close,
    ];
    Item::Path(steps, Style::filled(WINNING))
}

impl MapGeometry<'_> {
    /// Returns the point of a place in a level.
    fn point(&self, level: usize, place: f64) -> Point {
        (self.middle + place * self.across, self.size.1 / 2.0 + level as f64 * self.fall)
    }

    /// Returns the centre of a position, given by its index.
    fn centre(&self, node: usize) -> Point {
        self.point(self.graph.nodes[node].level, self.layout.places[node])
    }

    /// Returns the path of the moves between two positions. It begins at the lower edge of one position, and ends `gap` units above the tip
    /// at the upper edge of the other one. Also returns the point from which the path approaches the tip, and the tip.
    ///
    /// The path goes straight down beside other positions, and bends only between levels.
    fn route(&self, edge: GraphEdge, gap: f64) -> (Vec<PathStep>, [Point; 2]) {
        let half = self.size.1 / 2.0;
        let [start, end] = [edge.from, edge.to].map(|node| self.centre(node));
        let passed = self.layout.passed_levels(self.graph, edge);
        let passed: Vec<Point> = passed.map(|(level, place)| self.point(level, place)).collect();
        // A path to the side begins and ends nearer that side.
        let lean = |to: Point, from: Point| {
            let most = self.size.0 * 0.36;
            ((to.0 - from.0) * 0.06).clamp(-most, most)
        };
        let first = passed.first().copied().unwrap_or(end);
        let last = passed.last().copied().unwrap_or(start);
        // The end of the path so far.
        let mut at = (start.0 + lean(first, start), start.1 + half);
        let tip = (end.0 + lean(last, end), end.1 - half - 1.0);
        let mut steps = vec![PathStep::Move(at)];
        for &(x, y) in &passed {
            let (to, bend) = ((x, y - half), (self.fall - self.size.1) * BEND);
            if (x - at.0).abs() < STRAIGHT {
                at.1 = y + half;
            } else {
                steps.push(PathStep::Curve((at.0, at.1 + bend), (to.0, to.1 - bend), to));
                at = (x, y + half);
            }
            match steps.last_mut() {
                Some(PathStep::Line(end)) => *end = at,
                _ => steps.push(PathStep::Line(at)),
            }
        }
        let bend = (tip.1 - at.1) * BEND;
        let (first, second) = ((at.0, at.1 + bend), (tip.0, tip.1 - bend));
        steps.push(PathStep::Curve(first, second, (tip.0, tip.1 - gap)));
        (steps, [second, tip])
    }
}

fn legend() -> Legend {
    let (width, height) = (28.0, 14.0);
    let (left, middle, right) = ((0.0, height / 2.0), (width / 2.0, height / 2.0), (width, height / 2.0));
    let position = |won| vec![shape(won, middle, (width, height))];
    let arrow = vec![Item::line(left, (width - HEAD * 0.6, right.1), WINNING, 1.5), head(right, left)];
    let entries = [
        (position(true), "won for the player to move"),
        (position(false), "lost for the player to move"),
        (arrow, "winning move"),
        (vec![Item::line(left, right, MOVE, 0.7)], "other move"),
    ];
    let entry = |(items, label): (Vec<Item>, &str)| LegendEntry {
        mark: Panel { width, height, items },
        label: label.to_owned(),
    };
    Legend { entries: entries.map(entry).into(), ..Legend::default() }
}
