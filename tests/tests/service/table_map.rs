//! `/map` answers with the outcomes on a plane of positions around one: stones and currentmax, or the sizes of the two
//! greatest heaps.

use bouton_tests::positions::Dice;
use bouton_tests::service::{Client, Folder, Server, ordered};
use serde_json::{Value, json};

use super::{list, look_up_batches, names, number, random_positions, small, text};

/// Asks for the map of the positions around a position.
fn map(client: &mut Client, name: &str, position: &str) -> Value {
    client.get(&format!("/api/tables/{name}/map?position={position}")).json()
}

/// Returns the numbers of an axis: its two ends, and the position's.
fn axis(reply: &Value, name: &str, most: u64) -> [u64; 3] {
    let [from, to, at] = ["from", "to", "at"].map(|key| number(&reply[name], key));
    assert!(from <= at && at <= to && to - from < most, "{name}: {reply}");
    assert!(!text(&reply[name], "name").is_empty());
    [from, to, at]
}

/// A function from the numbers of a cell to its position.
type Cell = Box<dyn Fn(u64, u64) -> String>;

/// Checks the plane of Expanding Nim, where only stones and currentmax vary, and returns its axes and cells.
fn pile_plane(reply: &Value) -> ([[u64; 3]; 2], Cell) {
    let fields: Vec<String> = text(reply, "position").split('/').map(str::to_owned).collect();
    let axes = [axis(reply, "x", 240), axis(reply, "y", 60)];
    assert_eq!(axes.map(|axis| axis[2].to_string())[..], fields[..2], "{reply}");
    assert_eq!((&reply["x"]["row"], &reply["y"]["row"]), (&Value::Null, &Value::Null));
    (axes, Box::new(move |x, y| format!("{x}/{y}/{}/{}/{}", fields[2], fields[3], fields[4])))
}

/// Checks the plane of a heap game, where the two greatest heaps vary, the upper ones if some are equal; returns its
/// axes and cells.
fn heap_plane(reply: &Value) -> ([[u64; 3]; 2], Cell) {
    let position = text(reply, "position").to_owned();
    let (rows, passes) = position.split_once('/').unwrap_or((&position, ""));
    let rows: Vec<u64> = rows.split(',').map(|heap| heap.parse().expect("a number")).collect();
    let passes = if passes.is_empty() { String::new() } else { format!("/{passes}") };
    let mut greatest: Vec<usize> = (0..rows.len()).collect();
    greatest.sort_by_key(|&row| std::cmp::Reverse(rows[row]));
    let x = axis(reply, "x", 120);
    let row = |name: &str| usize::try_from(number(&reply[name], "row")).expect("small") - 1;
    let (y, varied_rows) = if rows.len() == 1 {
        assert_eq!(reply["y"], Value::Null);
        ([0, 0, 0], vec![row("x")])
    } else {
        (axis(reply, "y", 120), vec![row("x"), row("y")])
    };
    let mut expected = greatest[..varied_rows.len()].to_vec();
    expected.sort_unstable();
    let mut sorted = varied_rows.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, expected, "{reply}");
    assert_eq!(rows[varied_rows[0]], x[2], "{reply}");
    assert!(varied_rows.get(1).is_none_or(|&row| rows[row] == y[2]), "{reply}");
    let cell = move |x, y| {
        let mut rows = rows.clone();
        rows[varied_rows[0]] = x;
        if let Some(&row) = varied_rows.get(1) {
            rows[row] = y;
        }
        let rows: Vec<String> = rows.iter().map(ToString::to_string).collect();
        rows.join(",") + &passes
    };
    ([x, y], Box::new(cell))
}

/// Checks every cell of a map against the answer at its position. Returns the number of cells with a position.
fn check(client: &mut Client, name: &str, position: &str) -> usize {
    let reply = map(client, name, position);
    let here = super::look(client, name, position);
    assert_eq!(reply["position"], here["position"]);
    let is_pile = ["pile", "flat", "large"].contains(&name);
    let ([x, y], cell) = if is_pile { pile_plane(&reply) } else { heap_plane(&reply) };
    let cells: Vec<String> =
        (y[0]..=y[1]).flat_map(|y| (x[0]..=x[1]).map(move |x| (x, y))).map(|(x, y)| cell(x, y)).collect();
    let mut answers = look_up_batches(client, name, &cells).into_iter();
    let outcomes = list(&reply, "outcomes");
    assert_eq!(outcomes.len() as u64, y[1] - y[0] + 1, "{name} {position}");
    let mut positions = 0;
    for (number, row) in outcomes.iter().enumerate() {
        let row = row.as_str().expect("a text");
        assert_eq!(row.len() as u64, x[1] - x[0] + 1, "{name} {position}");
        for (column, letter) in row.chars().enumerate() {
            let answer = answers.next().expect("an answer for each");
            let expected = match answer["outcome"].as_str() {
                Some("win") => 'W',
                Some("loss") => 'L',
                _ => '.',
            };
            positions += usize::from(expected != '.');
            assert_eq!(letter, expected, "{name} {position}: {answer}");
            if name != "flat" {
                assert_eq!(reply["depths"][number][column], answer["depth"], "{name} {position}: {answer}");
            }
        }
    }
    if name == "flat" {
        assert!(reply.get("depths").is_none());
    } else {
        assert_eq!(list(&reply, "depths").len(), outcomes.len());
        assert!(
            list(&reply, "depths").iter().all(|row| row.as_array().unwrap().len() as u64 == x[1] - x[0] + 1)
        );
    }
    positions
}

#[test]
fn every_cell_of_a_map_agrees_with_the_answer_there() {
    let folder = small();
    let server = Server::of(folder.path());
    let (mut client, mut dice) = (server.client(), Dice::new(29));
    for name in names() {
        for position in random_positions(name, 6, &mut dice) {
            assert!(check(&mut client, name, &position) > 1, "{name} {position}");
        }
    }
}

#[test]
fn a_map_of_a_large_table_is_a_part_of_the_plane_around_the_position() {
    let folder = Folder::of(&[
        ("large", "expanding", &["stones=3000", "resets=1,0"]),
        ("heaps", "nim", &["bounds=[500,2,500]"]),
        ("long", "subtraction", &["heaps=1", "size=900"]),
    ]);
    let server = Server::of(folder.path());
    let mut client = server.client();
    for (name, positions) in [
        ("large", &["3000", "0", "0/73", "1500/40/2/0,0/r", "7/70", "2990/3"][..]),
        ("heaps", &["0,0,0", "500,2,500", "250,500,1", "2,131,77", "1,1,1", "499,0,3"]),
        ("long", &["0", "900", "450", "1"]),
    ] {
        for position in positions {
            check(&mut client, name, position);
        }
    }
}

#[test]
fn keys_have_the_documented_order() {
    let folder = small();
    let server = Server::of(folder.path());
    for (name, position, depths) in
        [("sticks", "3,5,7", " depths"), ("pile", "9", " depths"), ("flat", "9", ""), ("one", "9", " depths")]
    {
        let reply =
            ordered(server.get(&format!("/api/tables/{name}/map?position={position}")).success_text());
        assert_eq!(reply.keys(), format!("position x y game_map outcomes{depths}"));
        assert_eq!(reply.at("x").keys(), "name row from to at most");
        if name != "one" {
            assert_eq!(reply.at("y").keys(), "name row from to at most");
        }
    }
}

#[test]
fn a_map_lies_around_the_numbers_asked_for() {
    let folder = Folder::of(&[("two", "nim", &["heaps=2", "size=300"])]);
    let server = Server::of(folder.path());
    let reply = server.json("/api/tables/two/map?position=5,7&x=250&y=130");
    let of = |axis: &str| ["from", "to", "at", "most"].map(|key| number(&reply[axis], key));
    let ([x, last_x, ..], [y, last_y, ..]) = (of("x"), of("y"));
    assert!(x <= 250 && 250 <= last_x && y <= 130 && 130 <= last_y, "{reply}");
    assert_eq!([of("x")[2..].to_vec(), of("y")[2..].to_vec()], [[5, 300], [7, 300]]);
    for (row, outcomes) in (y..=last_y).zip(reply["outcomes"].as_array().unwrap()) {
        // In Nim with two heaps, equal heaps are lost.
        let expected: String = (x..=last_x).map(|column| if column == row { 'L' } else { 'W' }).collect();
        assert_eq!(outcomes, &expected, "row {row}");
    }
}

#[test]
fn of_equal_heaps_the_upper_ones_vary() {
    let folder = Folder::of(&[("nim", "nim", &["heaps=4", "size=3"])]);
    let server = Server::of(folder.path());
    let mut client = server.client();
    for (position, rows) in
        [("2,2,2,2", [1, 2]), ("1,2,2,2", [2, 3]), ("2,0,1,1", [1, 3]), ("0,0,0,0", [1, 2])]
    {
        let reply = map(&mut client, "nim", position);
        let mut varied_rows = ["x", "y"].map(|name| number(&reply[name], "row"));
        varied_rows.sort_unstable();
        assert_eq!(varied_rows, rows, "{position}");
        check(&mut client, "nim", position);
    }
    let reply = map(&mut client, "nim", "0,0,0,0");
    assert_eq!((&reply["x"]["at"], &reply["y"]["at"]), (&json!(0), &json!(0)));
}

#[test]
fn a_map_says_if_the_game_is_small_enough_for_a_game_map() {
    let folder = Folder::of(&[
        ("nim", "nim", &[]),
        ("pile", "expanding", &["stones=100"]),
        ("long", "nim", &["bounds=[400]"]),
    ]);
    let server = Server::of(folder.path());
    for (name, position) in [
        ("nim", "3,5,7,0,0"),
        ("nim", "31,31,31,31,31"),
        ("pile", "9"),
        ("pile", "100"),
        ("long", "76"),
        ("long", "77"),
    ] {
        let announced =
            server.json(&format!("/api/tables/{name}/map?position={position}"))["game_map"].clone();
        let status = server.get(&format!("/api/tables/{name}/game-map?position={position}")).status;
        assert_eq!((announced, status), if status == 200 { (json!(true), 200) } else { (json!(false), 422) });
    }
}
