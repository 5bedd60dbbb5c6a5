//! The cells of planes, read back from the files, agree with the table.

use std::collections::BTreeMap;

use bouton_draw::{Measure, Scene, diff, heatmap, png, starts, svg};
use bouton_study::words::grouped;
use bouton_tables::expanding::{Expanding, ExpandingTable, Position, Turn};
use bouton_tables::grundy::{self, GrundyValues};
use bouton_tables::heaps::{HeapTable, Position as Heaps};
use bouton_tables::{FamilyTable, Game, MoveSet, Outcome, Solved, Table};
use roxmltree::Document;

use super::pictures::table;
use super::sheets::decoded;

/// A cell: its class, its colour, and its centre in the picture.
#[derive(Clone, Debug)]
struct Cell {
    class: String,
    colour: String,
    middle: (f64, f64),
}

/// The grids of a picture from top to bottom, each with its cells by column and row.
type Grids = Vec<BTreeMap<(u32, u32), Cell>>;

/// Splits a path into commands with their numbers.
fn path(text: &str) -> Vec<(char, Vec<i64>)> {
    let mut steps: Vec<(char, Vec<i64>)> = Vec::new();
    let mut digits = String::new();
    let finish = |digits: &mut String, steps: &mut Vec<(char, Vec<i64>)>| {
        if !digits.is_empty() {
            steps.last_mut().unwrap().1.push(digits.parse().unwrap());
            digits.clear();
        }
    };
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        finish(&mut digits, &mut steps);
        match letter {
            '-' => digits.push('-'),
            ' ' => {}
            letter => steps.push((letter, Vec::new())),
        }
    }
    finish(&mut digits, &mut steps);
    steps
}

fn grids(scene: &Scene) -> Grids {
    let text = svg(scene);
    let document = Document::parse(&text).unwrap();
    let mut grids: BTreeMap<i64, BTreeMap<(u32, u32), Cell>> = BTreeMap::new();
    for node in document.descendants().filter(|node| node.attribute("shape-rendering") == Some("crispEdges"))
    {
        let matrix = node.attribute("transform").unwrap();
        let matrix = matrix.strip_prefix("matrix(").unwrap().strip_suffix(')').unwrap();
        let [width, 0.0, 0.0, height, left, top] =
            matrix.split(' ').map(|n| n.parse::<f64>().unwrap()).collect::<Vec<_>>()[..]
        else {
            panic!("{matrix}")
        };
        let class = node.children().find(|node| node.has_tag_name("title")).unwrap().text().unwrap();
        let steps = path(node.attribute("d").unwrap());
        let down = steps.iter().any(|step| step.0 == 'v');
        // The path runs along the middle of its cells.
        let top = if down { top } else { top - height / 2.0 };
        let left = if down { left - width / 2.0 } else { left };
        let grid = grids.entry((top * 100.0).round() as i64).or_default();
        let mut at = (0, 0);
        for (letter, numbers) in steps {
            match (letter, &numbers[..]) {
                ('M', &[x, y]) => at = (x, y),
                ('m', &[x, y]) => at = (at.0 + x, at.1 + y),
                ('h' | 'v', &[length]) => {
                    for _ in 0..length {
                        let place = (at.0 as u32, at.1 as u32);
                        let middle = (
                            left + (f64::from(place.0) + 0.5) * width,
                            top + (f64::from(place.1) + 0.5) * height,
                        );
                        let colour = node.attribute("stroke").unwrap().to_owned();
                        let cell = Cell { class: class.to_owned(), colour, middle };
                        assert!(grid.insert(place, cell).is_none(), "two cells at {place:?}");
                        let step = if letter == 'h' { (1, 0) } else { (0, 1) };
                        at = (at.0 + step.0, at.1 + step.1);
                    }
                }
                other => panic!("{other:?}"),
            }
        }
    }
    grids.into_values().collect()
}

/// Returns the grid of a picture that has only one.
fn grid(scene: Option<Scene>) -> BTreeMap<(u32, u32), Cell> {
    let grids = grids(&scene.unwrap());
    let [grid] = &grids[..] else { panic!("{} grids", grids.len()) };
    grid.clone()
}

fn of_expanding(table: &Table) -> &ExpandingTable {
    let FamilyTable::Expanding(table) = table.family() else { panic!("it is another game") };
    table
}

fn of_heaps(table: &Table) -> &HeapTable {
    let FamilyTable::Heaps(table) = table.family() else { panic!("it is another game") };
    table
}

/// Returns whether a class, as the legend names it, contains a value.
fn is_of(class: &str, value: u64) -> bool {
    let class = class.split(':').next().unwrap();
    let (from, to) = class.split_once('–').unwrap_or((class, class));
    (from.parse().unwrap()..=to.parse().unwrap()).contains(&value)
}

fn word(outcome: Outcome) -> &'static str {
    if outcome == Outcome::Win { "won" } else { "lost" }
}

/// Checks the class of an answer.
fn agrees<S: Solved>(
    table: &S,
    position: &<S::Game as bouton_tables::Game>::Position,
    measure: Measure,
    class: &str,
) {
    let answer = table.answer(position).unwrap();
    let right = match measure {
        Measure::Outcome => class == word(answer.verdict.outcome),
        Measure::Depth => is_of(class, answer.verdict.depth.unwrap().into()),
        Measure::Winning => is_of(class, answer.winning.len() as u64),
        Measure::Grundy => unreachable!("it is not an answer of the table"),
    };
    assert!(right, "{position:?}: {class}, {measure:?}");
}

const MEASURES: [Measure; 3] = [Measure::Outcome, Measure::Depth, Measure::Winning];

/// Returns all positions of the table in a plane, by column and row.
fn plane(rules: &Expanding, pattern: &Position, rows: u32) -> BTreeMap<(u32, u32), Position> {
    let mut plane = BTreeMap::new();
    for stones in 0..=1000 {
        for currentmax in 0..=rows {
            let position = Position { stones, currentmax, ..pattern.clone() };
            if rules.check(&position).is_ok() {
                plane.insert((stones, rows - currentmax), position);
            }
        }
    }
    plane
}

#[test]
fn the_cells_of_a_plane_of_stones_and_currentmax_are_those_of_the_table() {
    let made = table("expanding", &["stones=300", "resets=2,1"]);
    let table = of_expanding(&made);
    let start = table.game().start(0);
    let rows = table.game().greatest_currentmax();
    for (filter, pattern) in [
        ("", start.clone()),
        (
            "turn=2 resets=0,1 imposed=r",
            Position { turn: Turn::Second, resets: [0, 1], imposed: true, ..start.clone() },
        ),
    ] {
        let positions = plane(table.game(), &pattern, rows);
        for measure in MEASURES {
            let cells = grid(heatmap(&made, measure, filter).unwrap());
            assert!(cells.keys().eq(positions.keys()), "{measure:?}");
            for (place, cell) in &cells {
                agrees(table, &positions[place], measure, &cell.class);
            }
        }
    }
    // A part of the plane, restricted to positions with this outcome.
    let cells = grid(
        heatmap(&made, Measure::Depth, "stones=10..99 currentmax=3..7 outcome=loss resets=1,1").unwrap(),
    );
    let mut expected = 0;
    for stones in 10..=99 {
        for currentmax in 3..=7 {
            let position = Position { stones, currentmax, resets: [1, 1], ..start.clone() };
            let lost = table.outcome(&position).unwrap() == Outcome::Loss;
            let cell = cells.get(&(stones - 10, 7 - currentmax));
            assert_eq!(cell.is_some(), lost, "{position}");
            expected += u32::from(lost);
        }
    }
    assert_eq!(cells.len(), expected as usize);
}

#[test]
fn the_cells_of_a_plane_of_two_heaps_are_those_of_the_table() {
    for (preset, settings, filter, heaps, across, up) in [
        ("wythoff", &["size=40"][..], "", [None, None, Some(0)], 40, 40),
        ("sticks", &[], "heaps=3,*,*", [Some(3), None, None], 7, 5),
        ("sticks", &[], "heaps=*,6,*", [None, Some(6), None], 5, 3),
        ("nim-pass", &["size=9"], "heaps=*,*,2 passes=0", [None, None, Some(2)], 9, 9),
    ] {
        let made = table(preset, settings);
        let table = of_heaps(&made);
        for measure in MEASURES {
            let cells = grid(heatmap(&made, measure, filter).unwrap());
            assert_eq!(cells.len(), (across + 1) * (up + 1), "{preset} {filter}");
            for (&(column, row), cell) in &cells {
                let mut free = [column, up as u32 - row].into_iter();
                let sizes = heaps.map(|fixed| fixed.unwrap_or_else(|| free.next().unwrap()));
                let sizes = &sizes[..table.game().heaps()];
                let passes = if filter.contains("passes") { 0 } else { table.game().passes() };
                let position = Heaps { heaps: sizes.iter().copied().collect(), passes };
                agrees(table, &position, measure, &cell.class);
            }
        }
    }
}

#[test]
fn the_cells_of_grundy_values_are_the_computed_values() {
    for (settings, filter, third) in
        [(&["size=20"][..], "", None), (&["bounds=[2, 20, 20]"], "heaps=2,*,*", Some(2))]
    {
        let made = table("wythoff", settings);
        let table = of_heaps(&made);
        let values =
            GrundyValues::up_to(table.game(), &grundy::last(table.game()).unwrap(), &mut |_| true).unwrap();
        let cells = grid(heatmap(&made, Measure::Grundy, filter).unwrap());
        assert_eq!(cells.len(), 21 * 21);
        for (&(column, row), cell) in &cells {
            let position = Heaps { heaps: third.into_iter().chain([column, 20 - row]).collect(), passes: 0 };
            assert!(is_of(&cell.class, values.of(&position).into()), "{position:?}: {}", cell.class);
            assert_eq!(cell.class == "0: lost", table.outcome(&position).unwrap() == Outcome::Loss);
        }
    }
    let refused = heatmap(&table("sticks", &[]), Measure::Grundy, "heaps=3,*,*").unwrap_err().to_string();
    assert!(refused.contains("misère play"), "{refused}");
}

#[test]
fn the_cells_of_a_difference_are_those_of_both_tables() {
    let (made_a, made_b) = (
        table("expanding", &["stones=120", "resets=1,2"]),
        table("expanding", &["stones=100", "growth=3", "play=misere"]),
    );
    let (a, b) = (of_expanding(&made_a), of_expanding(&made_b));
    let rows = a.game().greatest_currentmax().max(b.game().greatest_currentmax());
    for (filter, resets) in [("", [[1, 2], [4, 4]]), ("resets=1,0", [[1, 0]; 2])] {
        let scene = diff(&made_a, &made_b, filter).unwrap().unwrap();
        let text = svg(&scene);
        let cells = grid(Some(scene));
        let of = |table: &ExpandingTable, resets| {
            plane(table.game(), &Position { resets, ..table.game().start(0) }, rows)
        };
        let (in_a, in_b) = (of(a, resets[0]), of(b, resets[1]));
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for place in in_a.keys().chain(in_b.keys()) {
            let outcome = |table: &ExpandingTable, positions: &BTreeMap<_, Position>| {
                positions.get(place).map(|position| word(table.outcome(position).unwrap()))
            };
            let expected = match (outcome(a, &in_a), outcome(b, &in_b)) {
                (Some(of_a), Some(of_b)) if of_a == of_b => format!("{of_a} in both"),
                (Some(of_a), Some(of_b)) => format!("{of_a} in A, {of_b} in B"),
                (Some(_), None) => "only in A".to_owned(),
                (None, Some(_)) => "only in B".to_owned(),
                (None, None) => unreachable!(),
            };
            assert_eq!(cells[place].class, expected, "{place:?}");
        }
        for cell in cells.values() {
            *counts.entry(cell.class.clone()).or_default() += 1;
        }
        for (class, count) in counts {
            assert!(text.contains(&format!(">{class}: {}<", grouped(count))), "{class}: {count}");
        }
    }
}

#[test]
fn the_strips_of_starts_are_those_of_the_table() {
    let made = table("expanding", &["stones=45", "resets=2,1"]);
    let table = of_expanding(&made);
    let scene = starts(&made, "").unwrap().unwrap();
    let text = svg(&scene);
    let grids = grids(&scene);
    assert_eq!(grids.len(), 6);
    for (grid, resets) in grids.iter().zip([[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]) {
        let mut losing = 0;
        assert_eq!(grid.len(), 45);
        for (&(column, row), cell) in grid {
            let position = Position { resets, ..table.game().start(column + 1) };
            let outcome = table.outcome(&position).unwrap();
            assert_eq!((row, &cell.class[..]), (0, &format!("{} start", word(outcome))[..]), "{position}");
            losing += u32::from(outcome == Outcome::Loss);
        }
        assert!(text.contains(&format!(">{losing} (")), "{losing} of {resets:?}");
        assert!(text.contains(&format!(">{},{}<", resets[0], resets[1])));
    }
}

#[test]
fn both_kinds_of_files_show_the_same_cells() {
    let expanding = table("expanding", &["stones=500"]);
    let wythoff = table("wythoff", &["size=50"]);
    for (name, scene) in [
        ("expanding", heatmap(&expanding, Measure::Winning, "").unwrap().unwrap()),
        ("expanding, large cells", heatmap(&expanding, Measure::Depth, "stones=..40").unwrap().unwrap()),
        ("wythoff", heatmap(&wythoff, Measure::Outcome, "").unwrap().unwrap()),
    ] {
        for scale in [1, 2] {
            let (width, _, pixels) = decoded(&png(&scene, scale).unwrap());
            for cell in grid(Some(scene.clone())).values() {
                let [x, y] = [cell.middle.0, cell.middle.1].map(|at| (at * f64::from(scale)).floor() as u32);
                let [red, green, blue] = pixels[(y * width + x) as usize];
                assert_eq!(
                    format!("#{red:02x}{green:02x}{blue:02x}"),
                    cell.colour,
                    "{name} at {:?}",
                    cell.middle
                );
            }
        }
    }
}
