//! The coloured cells of heat maps, maps of differences and pictures of starts, read back from the SVG text, agree with
//! the table.

use std::collections::BTreeMap;

use bouton_draw::{Measure, Scene, diff, heatmap, png, starts, svg};
use bouton_study::words::grouped;
use bouton_tables::expanding::{Expanding, ExpandingTable, Position, Turn};
use bouton_tables::grundy::{self, GrundyValues};
use bouton_tables::heaps::Position as Heaps;
use bouton_tables::{Game, MoveSet, Outcome, Solved};
use bouton_tests::compare;
use roxmltree::Document;

use super::picture_files::decoded;
use super::pictures::table;
use super::plane_options;

/// A coloured cell.
#[derive(Clone, Debug)]
struct Cell {
    /// The class of its value, as the legend names it, such as "lost" or "3–4".
    class: String,
    /// The colour, such as "#c03a0a".
    colour: String,
    /// The centre: pixels from the left and from the top of the picture.
    centre: (f64, f64),
}

/// The grids of a picture from top to bottom, each with its cells by column and row.
type Grids = Vec<BTreeMap<(u32, u32), Cell>>;

/// Splits the path of an SVG element into commands with their numbers: `M1 2h3` into `M` with 1 and 2, and `h` with 3.
fn path_steps(text: &str) -> Vec<(char, Vec<i64>)> {
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

/// Reads the cells of a picture. A class of cells is one path of horizontal or vertical strokes, each through the
/// centres of a run of cells, in units of cells; a matrix maps these units to pixels.
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
        let steps = path_steps(node.attribute("d").unwrap());
        let is_vertical = steps.iter().any(|step| step.0 == 'v');
        // The path runs through the centres of its cells.
        let top = if is_vertical { top } else { top - height / 2.0 };
        let left = if is_vertical { left - width / 2.0 } else { left };
        let grid = grids.entry((top * 100.0).round() as i64).or_default();
        let mut next = (0, 0);
        for (letter, numbers) in steps {
            match (letter, &numbers[..]) {
                ('M', &[x, y]) => next = (x, y),
                ('m', &[x, y]) => next = (next.0 + x, next.1 + y),
                ('h' | 'v', &[length]) => {
                    for _ in 0..length {
                        let column_and_row = (next.0 as u32, next.1 as u32);
                        let centre = (
                            left + (f64::from(column_and_row.0) + 0.5) * width,
                            top + (f64::from(column_and_row.1) + 0.5) * height,
                        );
                        let colour = node.attribute("stroke").unwrap().to_owned();
                        let cell = Cell { class: class.to_owned(), colour, centre };
                        assert!(
                            grid.insert(column_and_row, cell).is_none(),
                            "two cells at {column_and_row:?}"
                        );
                        let step = if letter == 'h' { (1, 0) } else { (0, 1) };
                        next = (next.0 + step.0, next.1 + step.1);
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

/// Returns whether a class, as the legend names it (`3–4`, `3` or `0: lost`), contains a value.
fn contains(class: &str, value: u64) -> bool {
    let class = class.split(':').next().unwrap();
    let (from, to) = class.split_once('–').unwrap_or((class, class));
    (from.parse().unwrap()..=to.parse().unwrap()).contains(&value)
}

/// Returns the name of an outcome in a legend.
fn word(outcome: Outcome) -> &'static str {
    if outcome == Outcome::Win { "won" } else { "lost" }
}

/// Checks that a position's answer is of this class.
fn check_class<S: Solved>(
    table: &S,
    position: &<S::Game as bouton_tables::Game>::Position,
    measure: Measure,
    class: &str,
) {
    let answer = table.answer(position).unwrap();
    let is_right = match measure {
        Measure::Outcome => class == word(answer.verdict.outcome),
        Measure::Depth => contains(class, answer.verdict.depth.unwrap().into()),
        Measure::Winning => contains(class, answer.winning.len() as u64),
        Measure::Grundy => unreachable!("it is not an answer of the table"),
    };
    assert!(is_right, "{position:?}: {class}, {measure:?}");
}

const MEASURES: [Measure; 3] = [Measure::Outcome, Measure::Depth, Measure::Winning];

/// Returns the allowed positions that differ from `pattern` only in stones and currentmax, by the column and row of
/// their cells.
fn plane(rules: &Expanding, pattern: &Position, rows: u32) -> BTreeMap<(u32, u32), Position> {
    let mut plane = BTreeMap::new();
    for stones in 0..=1000 {
        for currentmax in 0..=rows {
            let position = Position { stones, currentmax, ..pattern.clone() };
            if rules.check(&position).is_ok() {
                plane.insert((stones as u32, rows - currentmax), position);
            }
        }
    }
    plane
}

#[test]
fn the_cells_of_a_plane_of_stones_and_currentmax_agree_with_the_table() {
    let file = table("expanding", &["stones=300", "resets=2,1"]);
    let table = compare::expanding(&file);
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
            let cells = grid(heatmap(&file, measure, plane_options(filter)).unwrap());
            assert!(cells.keys().eq(positions.keys()), "{measure:?}");
            for (column_and_row, cell) in &cells {
                check_class(table, &positions[column_and_row], measure, &cell.class);
            }
        }
    }
    // A part of the plane, with its lost positions only.
    let cells = grid(
        heatmap(
            &file,
            Measure::Depth,
            plane_options("stones=10..99 currentmax=3..7 outcome=loss resets=1,1"),
        )
        .unwrap(),
    );
    let mut expected = 0;
    for stones in 10..=99 {
        for currentmax in 3..=7 {
            let position = Position { stones, currentmax, resets: [1, 1], ..start.clone() };
            let is_lost = table.outcome(&position).unwrap() == Outcome::Loss;
            let cell = cells.get(&(stones as u32 - 10, 7 - currentmax));
            assert_eq!(cell.is_some(), is_lost, "{position}");
            expected += u32::from(is_lost);
        }
    }
    assert_eq!(cells.len(), expected as usize);
}

#[test]
fn the_cells_of_a_plane_of_two_heaps_agree_with_the_table() {
    for (preset, settings, filter, heaps, across, up) in [
        ("wythoff", &["size=40"][..], "", [None, None, Some(0)], 40, 40),
        ("sticks", &[], "heaps=3,*,*", [Some(3), None, None], 7, 5),
        ("sticks", &[], "heaps=*,6,*", [None, Some(6), None], 5, 3),
        ("nim-pass", &["size=9"], "heaps=*,*,2 passes=0", [None, None, Some(2)], 9, 9),
    ] {
        let file = table(preset, settings);
        let table = compare::heaps(&file);
        for measure in MEASURES {
            let cells = grid(heatmap(&file, measure, plane_options(filter)).unwrap());
            assert_eq!(cells.len(), (across + 1) * (up + 1), "{preset} {filter}");
            for (&(column, row), cell) in &cells {
                let mut free = [column, up as u32 - row].into_iter();
                let sizes = heaps.map(|fixed| fixed.unwrap_or_else(|| free.next().unwrap()));
                let sizes = &sizes[..table.game().heaps()];
                let passes = if filter.contains("passes") { 0 } else { table.game().passes() };
                let position = Heaps { heaps: sizes.iter().copied().collect(), passes };
                check_class(table, &position, measure, &cell.class);
            }
        }
    }
}

#[test]
fn each_selected_position_of_two_heaps_has_a_cell() {
    let file = table("nim", &["bounds=[5, 7]"]);
    for (filter, span, least_x, greatest_y) in [
        ("", 0..=7, 0, 5),
        ("heaps=0..3,*", 0..=3, 0, 7),
        ("heaps=3..,*", 3..=7, 3, 5),
        ("heaps=3..7,*", 3..=7, 3, 5),
        ("heaps=1..6,*", 1..=6, 1, 7),
        ("heaps=*,0..3", 0..=3, 0, 3),
    ] {
        let cells = grid(heatmap(&file, Measure::Outcome, plane_options(filter)).unwrap());
        for (lesser, greater) in (0..=5).flat_map(|lesser| (lesser..=7).map(move |greater| (lesser, greater)))
        {
            let has_cell = |(x, y): (u32, u32)| {
                x >= least_x && y <= greatest_y && cells.contains_key(&(x - least_x, greatest_y - y))
            };
            let is_shown = has_cell((lesser, greater)) || has_cell((greater, lesser));
            let is_selected = span.contains(&lesser) || span.contains(&greater);
            assert_eq!(is_shown, is_selected, "{filter}: {lesser},{greater}");
        }
    }
}

#[test]
fn the_cells_of_grundy_values_agree_with_computed_values() {
    for (settings, filter, third) in
        [(&["size=20"][..], "", None), (&["bounds=[2, 20, 20]"], "heaps=2,*,*", Some(2))]
    {
        let file = table("wythoff", settings);
        let table = compare::heaps(&file);
        let values =
            GrundyValues::up_to(table.game(), &grundy::last_position(table.game()).unwrap(), &mut |_| true)
                .unwrap();
        let cells = grid(heatmap(&file, Measure::Grundy, plane_options(filter)).unwrap());
        assert_eq!(cells.len(), 21 * 21);
        for (&(column, row), cell) in &cells {
            let position = Heaps { heaps: third.into_iter().chain([column, 20 - row]).collect(), passes: 0 };
            assert!(contains(&cell.class, values.of(&position).into()), "{position:?}: {}", cell.class);
            assert_eq!(cell.class == "0: lost", table.outcome(&position).unwrap() == Outcome::Loss);
        }
    }
    let refused = heatmap(&table("sticks", &[]), Measure::Grundy, plane_options("heaps=3,*,*"))
        .unwrap_err()
        .to_string();
    assert!(refused.contains("misère play"), "{refused}");
}

#[test]
fn the_cells_of_a_difference_agree_with_both_tables() {
    let (file_a, file_b) = (
        table("expanding", &["stones=120", "resets=1,2"]),
        table("expanding", &["stones=100", "growth=3", "play=misere"]),
    );
    let (a, b) = (compare::expanding(&file_a), compare::expanding(&file_b));
    let rows = a.game().greatest_currentmax().max(b.game().greatest_currentmax());
    for (filter, resets) in [("", [[1, 2], [4, 4]]), ("resets=1,0", [[1, 0]; 2])] {
        let scene = diff(&file_a, &file_b, plane_options(filter)).unwrap().unwrap();
        let text = svg(&scene);
        let cells = grid(Some(scene));
        let plane_of = |table: &ExpandingTable, resets| {
            plane(table.game(), &Position { resets, ..table.game().start(0) }, rows)
        };
        let (in_a, in_b) = (plane_of(a, resets[0]), plane_of(b, resets[1]));
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for column_and_row in in_a.keys().chain(in_b.keys()) {
            let outcome = |table: &ExpandingTable, positions: &BTreeMap<_, Position>| {
                positions.get(column_and_row).map(|position| word(table.outcome(position).unwrap()))
            };
            let expected = match (outcome(a, &in_a), outcome(b, &in_b)) {
                (Some(of_a), Some(of_b)) if of_a == of_b => format!("{of_a} in both"),
                (Some(of_a), Some(of_b)) => format!("{of_a} in A, {of_b} in B"),
                (Some(_), None) => "only in A".to_owned(),
                (None, Some(_)) => "only in B".to_owned(),
                (None, None) => unreachable!(),
            };
            assert_eq!(cells[column_and_row].class, expected, "{column_and_row:?}");
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
fn the_strips_of_starts_agree_with_the_table() {
    let file = table("expanding", &["stones=45", "resets=2,1"]);
    let table = compare::expanding(&file);
    let scene = starts(&file, "").unwrap().unwrap();
    let text = svg(&scene);
    let grids = grids(&scene);
    assert_eq!(grids.len(), 6);
    for (grid, resets) in grids.iter().zip([[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]) {
        let mut losing = 0;
        assert_eq!(grid.len(), 45);
        for (&(column, row), cell) in grid {
            let position = Position { resets, ..table.game().start(u64::from(column) + 1) };
            let outcome = table.outcome(&position).unwrap();
            assert_eq!((row, &cell.class[..]), (0, &format!("{} start", word(outcome))[..]), "{position}");
            losing += u32::from(outcome == Outcome::Loss);
        }
        assert!(text.contains(&format!(">{losing} (")), "{losing} of {resets:?}");
        assert!(text.contains(&format!(">{},{}<", resets[0], resets[1])));
    }
}

#[test]
fn svg_and_png_show_the_same_cells() {
    let expanding = table("expanding", &["stones=500"]);
    let wythoff = table("wythoff", &["size=50"]);
    for (name, scene) in [
        ("expanding", heatmap(&expanding, Measure::Winning, plane_options("")).unwrap().unwrap()),
        (
            "expanding, large cells",
            heatmap(&expanding, Measure::Depth, plane_options("stones=..40")).unwrap().unwrap(),
        ),
        ("wythoff", heatmap(&wythoff, Measure::Outcome, plane_options("")).unwrap().unwrap()),
    ] {
        for scale in [1, 2] {
            let (width, _, pixels) = decoded(&png(&scene, scale).unwrap());
            for cell in grid(Some(scene.clone())).values() {
                let [x, y] =
                    [cell.centre.0, cell.centre.1].map(|side| (side * f64::from(scale)).floor() as u32);
                let [red, green, blue] = pixels[(y * width + x) as usize];
                assert_eq!(
                    format!("#{red:02x}{green:02x}{blue:02x}"),
                    cell.colour,
                    "{name} at {:?}",
                    cell.centre
                );
            }
        }
    }
}
