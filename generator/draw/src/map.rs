//! The map of a small game: its positions by stones left, and all moves.

use bouton_study::game_map::{Edge, Graph, Mapped, Node, Reached, places};
use bouton_study::words::{self, InWords};
use bouton_tables::{Game, Outcome, Ruleset, Solved, Table, with_rules, with_table};

use crate::drawn::Drawn;
use crate::error::DrawError;
use crate::font::width;
use crate::palette::{HAIR, INK, LOST, MOVE, PALE_INK, PAPER, WINNING, WON};
use crate::scene::{Anchor, Item, Panel, Point, Scene, Step, Style};
use crate::sheet::{Entry, Legend, MIDDLE, SMALL, centred, sheet_with_legend_below, upwards};

/// Draws the map of a game: all positions that can be reached from one, or from the start of the ruleset.
///
/// Positions that differ only in the order of heaps or in the player to move are one.
///
/// # Errors
/// If the position is not in the table, there are too many positions or moves, or the table is damaged.
pub fn game_map<D: AsRef<[u8]>>(table: &Table<D>, from: Option<&str>) -> Result<Scene, DrawError> {
    with_table!(table.family(), |table| draw(table, from))
}

/// Whether [`game_map`] could draw the map of a ruleset's table, before there is one.
///
/// # Errors
/// If the position is not in the ruleset, or there are too many positions or moves.
pub fn game_map_fits(ruleset: &Ruleset, from: Option<&str>) -> Result<(), DrawError> {
    with_rules!(ruleset, |rules| Ok(Reached::collect(rules, &start(rules, from)?).map(drop)?))
}

/// Where a map begins.
fn start<G: Game>(game: &G, from: Option<&str>) -> Result<G::Position, DrawError> {
    let Some(text) = from else { return Ok(game.start()) };
    game.read_position(text).map_err(|why| DrawError::Invalid(format!("--from: {why}")))
}

fn draw<S: Solved<Game: Drawn>>(table: &S, from: Option<&str>) -> Result<Scene, DrawError> {
    let game = table.game();
    let start = start(game, from)?;
    let graph = Graph::of(table, &start)?;
    let subtitle = format!(
        "{} and {} from {}{}",
        words::count(graph.nodes.len() as u64, "position", "positions"),
        words::count(graph.edges.len() as u64, "move", "moves"),
        game.show_position(&start),
        game.notation()
    );
    Ok(picture(&graph, &game.in_words(), &subtitle))
}

/// Letters of labels.
const LETTERS: f64 = 10.0;
/// Between lines of a label.
const LINE: f64 = 12.0;
/// Between levels, where moves are seen.
const FALL: f64 = 38.0;
/// How long an arrow's head is.
const HEAD: f64 = 6.5;

/// Where all stands.
struct Layout<'a> {
    graph: &'a Graph,
    centres: Vec<Point>,
    /// Width and height of each.
    size: (f64, f64),
    /// What is in the middle between the outermost ones.
    middle: f64,
}

fn picture(graph: &Graph, title: &str, subtitle: &str) -> Scene {
    let lines = graph.nodes.iter().map(|node| node.label.len()).max().unwrap_or(1);
    let labels = graph.nodes.iter().flat_map(|node| &node.label);
    let widest = labels.map(|label| width(label, LETTERS)).fold(0.0, f64::max);
    let size = ((widest + 12.0).ceil(), lines as f64 * LINE + 6.0);
    // A crowd of moves needs more room than a few.
    let crowd = (graph.edges.len() as f64 / graph.levels.len() as f64 / 30.0).clamp(0.6, 2.2);
    let fall = size.1 + (FALL * crowd).round();
    // Between positions of a level: what a sheet of usual width has, within reason.
    let most =
        (0..graph.levels.len()).map(|level| graph.nodes.iter().filter(|node| node.level == level).count());
    let room = (680.0 / most.max().unwrap_or(1) as f64 - size.0).clamp(12.0, 30.0).floor();
    let places = places(graph);
    let least = places.iter().copied().fold(f64::MAX, f64::min);
    let widest_level = graph.levels.iter().map(|name| width(name, SMALL)).fold(0.0, f64::max);
    let left = MIDDLE + 8.0 + widest_level + 14.0;
    let centre = |(node, place): (&Node, &f64)| {
        let x = left + size.0 / 2.0 + (place - least) * (size.0 + room);
        (x, size.1 / 2.0 + node.level as f64 * fall)
    };
    let centres: Vec<Point> = graph.nodes.iter().zip(&places).map(centre).collect();
    let outermost = centres.iter().map(|centre| centre.0).fold(0.0, f64::max);
    let right = outermost + size.0 / 2.0;
    let middle = (left + right) / 2.0;
    let layout = Layout { graph, centres, size, middle };
    let height = size.1 + (graph.levels.len() - 1) as f64 * fall;

    let mut items = Vec::new();
    for (level, name) in graph.levels.iter().enumerate() {
        let y = size.1 / 2.0 + level as f64 * fall;
        items.push(Item::line((left - 8.0, y), (right, y), HAIR, 0.5));
        items.push(centred((left - 14.0, y), Anchor::End, SMALL, PALE_INK, name));
    }
    let height = height.max(width(graph.measure, MIDDLE));
    items.push(upwards((MIDDLE, height / 2.0), graph.measure));
    // What matters most comes last, and so lies above the rest.
    let of = |winning| graph.edges.iter().filter(move |edge| edge.winning == winning);
    let others: Vec<Step> = of(false).flat_map(|edge| layout.curve(*edge, 0.0).0).collect();
    if !others.is_empty() {
        items.push(Item::Path(others, Style::line(MOVE, 0.7)));
    }
    for edge in of(true) {
        // The line ends within the head, so that the tip is sharp.
        let (line, [from, tip]) = layout.curve(*edge, HEAD * 0.6);
        items.extend([Item::Path(line.to_vec(), Style::line(WINNING, 1.5)), head(tip, from)]);
    }
    for (node, &centre) in graph.nodes.iter().zip(&layout.centres) {
        let won = node.verdict.outcome == Outcome::Win;
        items.extend(shape(won, centre, size));
        let first = centre.1 - (node.label.len() - 1) as f64 * LINE / 2.0;
        for (number, line) in node.label.iter().enumerate() {
            let at = (centre.0, first + number as f64 * LINE);
            items.push(centred(at, Anchor::Middle, LETTERS, if won { INK } else { PAPER }, line));
        }
    }
    // A bent move may go beyond the outermost positions.
    let panel = Panel { width: right + size.0 * 0.5, height, items };
    sheet_with_legend_below(title, subtitle, panel, &legend())
}

/// A position: round if won for the player to move, with corners if lost.
fn shape(won: bool, (x, y): Point, (width, height): (f64, f64)) -> Vec<Item> {
    let (colour, round) = if won { (WON, height / 2.0) } else { (LOST, 0.0) };
    let corner = (x - width / 2.0, y - height / 2.0);
    // Around it a white line, so that what passes behind does not seem to lead there.
    vec![Item::Rect(corner, (width, height), round.min(10.0), Style::filled(colour).edged(PAPER, 2.0))]
}

/// The head of an arrow that comes from a direction.
fn head(tip: Point, from: Point) -> Item {
    let (dx, dy) = (tip.0 - from.0, tip.1 - from.1);
    let length = dx.hypot(dy).max(1e-6);
    let (dx, dy) = (dx / length * HEAD, dy / length * HEAD);
    let side = 0.42;
    let steps = vec![
        Step::Move(tip),
        Step::Line((tip.0 - dx - dy * side, tip.1 - dy + dx * side)),
        Step::Line((tip.0 - dx + dy * side, tip.1 - dy - dx * side)),
        Step::Close,
    ];
    Item::Path(steps, Style::filled(WINNING))
}

impl Layout<'_> {
    /// The moves from a position to another: from its lower edge to the upper edge of the other, or up to so
    /// far from it. Besides, from where it comes to where it ends.
    fn curve(&self, edge: Edge, before: f64) -> ([Step; 2], [Point; 2]) {
        let ((x0, y0), (x1, y1)) = (self.centres[edge.from], self.centres[edge.to]);
        let (across, half) = (self.size.0, self.size.1 / 2.0);
        let levels = self.graph.nodes[edge.to].level - self.graph.nodes[edge.from].level;
        // Those from one side begin and end at that side.
        let lean = ((x1 - x0) * 0.06).clamp(-across * 0.36, across * 0.36);
        let (from, to) = ((x0 + lean, y0 + half), (x1 - lean, y1 - half - 1.0));
        // One that would pass behind a position right below goes around it.
        let near = (x1 - x0).abs() < across * 0.9;
        let around = if levels > 1 && near { (across / 2.0 + 7.0) / 0.75 } else { 0.0 };
        let around = if x0 + x1 < self.middle * 2.0 { -around } else { around };
        let bend = (to.1 - from.1) * if levels > 1 { 0.3 } else { 0.45 };
        let (one, other) = ((from.0 + around, from.1 + bend), (to.0 + around, to.1 - bend));
        let length = (to.0 - other.0).hypot(to.1 - other.1).max(1e-6);
        let back = before / length;
        let end = (to.0 - (to.0 - other.0) * back, to.1 - (to.1 - other.1) * back);
        ([Step::Move(from), Step::Curve(one, other, end)], [other, to])
    }
}

fn legend() -> Legend {
    let size = (28.0, 14.0);
    let mark = |items| Panel { width: size.0, height: size.1, items };
    let middle = (size.0 / 2.0, size.1 / 2.0);
    let entry = |items, label: &str| Entry { mark: mark(items), label: label.to_owned() };
    Legend {
        title: String::new(),
        entries: vec![
            entry(shape(true, middle, size), "won for the player to move"),
            entry(shape(false, middle, size), "lost for the player to move"),
            entry(
                vec![
                    Item::line((0.0, middle.1), (size.0 - HEAD * 0.6, middle.1), WINNING, 1.5),
                    head((size.0, middle.1), (0.0, middle.1)),
                ],
                "winning move",
            ),
            entry(vec![Item::line((0.0, middle.1), (size.0, middle.1), MOVE, 0.7)], "other move"),
        ],
    }
}
