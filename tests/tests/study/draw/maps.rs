//! Maps of games, read back from the SVG text: each move is an arrow between two positions, and crosses no other
//! position.

use std::collections::{BTreeMap, BTreeSet};

use bouton_draw::{game_map, svg};
use bouton_study::game_map::{Graph, GraphEdge};
use bouton_tables::{FamilyTable, Game, Outcome, Solved, Table};
use roxmltree::{Document, Node};

use super::pictures::table;

/// A point: the distances from the left and from the top.
type Point = [f64; 2];

/// The rectangle of a position: left, top, right, bottom.
#[derive(Clone, Copy, Debug)]
struct NodeRect([f64; 4]);

impl NodeRect {
    /// Returns the rectangle that an element draws.
    fn of(rect: Node) -> Self {
        let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(rect, name));
        Self([x, y, x + width, y + height])
    }

    /// Returns whether a point is inside, at least 0.1 pixels from each edge.
    fn contains(&self, [x, y]: Point) -> bool {
        let [left, top, right, bottom] = self.0;
        left + 0.1 < x && x < right - 0.1 && top + 0.1 < y && y < bottom - 0.1
    }

    /// Returns whether a line may begin at a point: on the lower edge.
    fn can_begin_line(&self, [x, y]: Point) -> bool {
        self.0[0] <= x && x <= self.0[2] && (y - self.0[3]).abs() < 0.1
    }

    /// Returns whether a line with an arrowhead may end at a point: at the upper edge.
    fn can_end_line(&self, [x, y]: Point) -> bool {
        self.0[0] <= x && x <= self.0[2] && (0.0..8.0).contains(&(self.0[1] - y))
    }
}

/// Returns an attribute that is a number.
fn number(node: Node, name: &str) -> f64 {
    node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{name} of {node:?}"))
}

/// Returns the lines of a path, each as a dense sequence of points.
fn lines(path: &str) -> Vec<Vec<Point>> {
    let mut lines: Vec<Vec<Point>> = Vec::new();
    for step in path.split_inclusive(|letter: char| letter.is_ascii_alphabetic()) {
        // The letter of the next command is at the end of this step.
        let numbers = step.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let numbers: Vec<f64> = numbers.split_whitespace().map(|text| text.parse().unwrap()).collect();
        let points: Vec<Point> = numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        if let Some(line) = lines.last_mut() {
            match points[..] {
                [to] if line.is_empty() => line.push(to),
                [to] => append_curve(line, [line[line.len() - 1], to, to]),
                [control_1, control_2, to] => append_curve(line, [control_1, control_2, to]),
                _ => assert!(points.is_empty(), "{path}"),
            }
        }
        if step.ends_with('M') {
            lines.push(Vec::new());
        }
        assert!(!step.ends_with(|letter: char| letter.is_ascii_lowercase()), "{path}");
    }
    lines
}

/// Appends a cubic Bézier curve with two control points to a line, as 60 points.
fn append_curve(line: &mut Vec<Point>, [control_1, control_2, to]: [Point; 3]) {
    let from = line[line.len() - 1];
    for part in 1..=60 {
        let (t, u) = (f64::from(part) / 60.0, 1.0 - f64::from(part) / 60.0);
        line.push([0, 1].map(|axis| {
            u * u * u * from[axis]
                + 3.0 * u * u * t * control_1[axis]
                + 3.0 * u * t * t * control_2[axis]
                + t * t * t * to[axis]
        }));
    }
}

/// Returns the expected map: the label and outcome of each position, and the moves.
fn expected(table: &Table, from: Option<&str>) -> Graph {
    fn of<S: Solved<Game: bouton_study::game_map::Mappable>>(
        table: &S,
        start: <S::Game as Game>::Position,
        from: Option<&str>,
    ) -> Graph {
        let start = from.map_or(start, |text| table.game().read_position(text).unwrap());
        Graph::of(table, &start).unwrap()
    }
    match table.family() {
        FamilyTable::Expanding(table) => of(table, table.game().start(table.game().stones()), from),
        FamilyTable::Heaps(table) => of(table, table.game().start(), from),
    }
}

/// Draws the map of a game, and checks that it shows each position, and each move once. Returns the numbers of
/// winning and of other moves.
fn check_map(name: &str, settings: &[&str], from: Option<&str>) -> [usize; 2] {
    let table = table(name, settings);
    let graph = expected(&table, from);
    let text = svg(&game_map(&table, from).unwrap());
    let document = Document::parse(&text).unwrap();
    let items: Vec<Node> = document.root_element().children().filter(Node::is_element).collect();
    // Each position is a rectangle followed by its label; rectangles of the legend have other texts.
    let mut rects: BTreeMap<Vec<String>, Vec<NodeRect>> = BTreeMap::new();
    let labels: BTreeSet<&Vec<String>> = graph.nodes.iter().map(|node| &node.label).collect();
    for (at, rect) in items.iter().enumerate().filter(|(_, node)| node.has_tag_name("rect")) {
        let texts = items[at + 1..].iter().take_while(|node| node.has_tag_name("text"));
        let lines = graph.nodes[0].label.len();
        let label: Vec<String> = texts.take(lines).map(|text| text.text().unwrap().to_owned()).collect();
        if labels.contains(&label) {
            rects.entry(label).or_default().push(NodeRect::of(*rect));
        }
    }
    assert_eq!(rects.len(), graph.nodes.len(), "{name} {settings:?}: each label is one position's");
    let rects: Vec<NodeRect> = graph.nodes.iter().map(|node| rects[&node.label][0]).collect();

    // The rectangles by their upper edges.
    let mut rows: BTreeMap<i64, Vec<NodeRect>> = BTreeMap::new();
    rects.iter().for_each(|shape| rows.entry(shape.0[1].floor() as i64).or_default().push(*shape));
    let mut undrawn: BTreeSet<(usize, usize)> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let mut counts = [0, 0];
    for path in
        items.iter().filter(|node| node.has_tag_name("path") && node.attribute("fill") == Some("none"))
    {
        let is_winning = path.attribute("stroke-width") == Some("1.5");
        for line in lines(path.attribute("d").unwrap()) {
            let ends = [line[0], line[line.len() - 1]];
            let Some(from) = rects.iter().position(|shape| shape.can_begin_line(ends[0])) else {
                continue;
            };
            let to = rects.iter().position(|shape| shape.can_end_line(ends[1]));
            let to = to.unwrap_or_else(|| panic!("{name}: a line ends nowhere: {ends:?}"));
            let titles = [from, to].map(|end| graph.nodes[end].label.join(" "));
            assert!(undrawn.remove(&(from, to)), "{name}: {titles:?} is no move, or is drawn twice");
            assert_eq!(is_winning, graph.nodes[to].verdict.outcome == Outcome::Loss, "{name}: {titles:?}");
            for &point in &line {
                let row = rows.range(..=point[1] as i64).next_back().map_or(&[][..], |(_, row)| row);
                let crossed = row.iter().find(|shape| shape.contains(point));
                assert!(crossed.is_none(), "{name} {settings:?}: {titles:?} crosses {crossed:?}");
            }
            counts[usize::from(!is_winning)] += 1;
        }
    }
    assert!(undrawn.is_empty(), "{name} {settings:?}: {} moves are not drawn", undrawn.len());
    assert_eq!(counts[0], graph.edges.iter().filter(|edge: &&GraphEdge| edge.winning).count());
    counts
}

#[test]
fn every_move_is_an_arrow_and_none_crosses_a_position() {
    assert_eq!(check_map("sticks", &[], None), [81, 585]);
    for (name, settings, from) in [
        ("sticks", &[][..], Some("0,2,2")),
        ("sticks", &[], Some("0,0,0")),
        ("wythoff", &["size=9"], None),
        ("moore", &["bounds=[2,3,3]"], None),
        ("nim-pass", &["heaps=2", "size=5"], None),
        ("subtraction", &["bounds=[6,5]", "take=[2,5]"], None),
        ("expanding", &["stones=9", "resets=0,0"], None),
        ("expanding", &["stones=8", "resets=1,1"], None),
        ("expanding", &[], Some("6/4/2/3,0/r")),
    ] {
        check_map(name, settings, from);
    }
}

#[test]
fn in_the_largest_maps_every_move_is_an_arrow_and_none_crosses_a_position() {
    // The largest number of moves, and moves past many rows of positions.
    for (name, settings) in [
        ("nim", &["bounds=[76]"][..]),
        ("subtraction", &["bounds=[299]", "take=[1,60,100,140,180,220]"]),
        ("subtraction", &["bounds=[16,16]", "take=10"]),
    ] {
        check_map(name, settings, None);
    }
}
