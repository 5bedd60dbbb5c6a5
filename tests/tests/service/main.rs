//! What `bouton-server` answers, held against its written interface (`docs/service.md`), the other programs,
//! and the naive solvers.

mod batch;
mod caching;
mod comes_and_goes;
mod diff;
mod ending;
mod errors;
mod game;
mod game_map;
mod headers;
mod limits;
mod line;
mod load;
mod lookup;
mod manners;
mod map;
mod operation;
mod oracle;
mod own;
mod page;
mod paths;
mod settings;
mod state;
mod tables;
mod trouble;
mod typed;
mod underneath;
mod why;

use bouton_tables::{Ruleset, rulesets};
use bouton_tests::positions::{Dice, Tested};
use bouton_tests::service::{Client, Folder};
use serde_json::Value;

/// Tables of small games of both families: with resets, passes, several heaps a move, and one without depths.
const SMALL: [(&str, &str, &[&str]); 6] = [
    ("pile", "expanding", &["stones=40", "resets=2,1"]),
    ("sticks", "sticks", &[]),
    ("passing", "nim-pass", &["size=7"]),
    ("wythoff", "wythoff", &["size=40"]),
    ("one", "subtraction", &["heaps=1", "size=50"]),
    ("moore", "moore", &["bounds=[2,4,6,6]", "play=misere"]),
];

/// A folder with them, and with `flat`, which is `pile` without depths.
fn small() -> Folder {
    let folder = Folder::of(&SMALL);
    folder.put("flat", &bouton_tests::service::table("expanding", SMALL[0].2, false));
    folder
}

/// The names of the tables of that folder.
fn names() -> impl Iterator<Item = &'static str> {
    SMALL.iter().map(|table| table.0).chain(["flat"])
}

/// Some positions of a table of that folder, in any order of heaps: often ones at an edge.
fn some(name: &str, count: usize, dice: &mut Dice) -> Vec<String> {
    let name = if name == "flat" { "pile" } else { name };
    let (_, preset, settings) = SMALL.iter().find(|table| table.0 == name).expect("there is such a table");
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    some_of(&rulesets::find(preset, &settings).expect("allowed rules").ruleset, count, dice)
}

/// Some positions of a ruleset.
fn some_of(ruleset: &Ruleset, count: usize, dice: &mut Dice) -> Vec<String> {
    fn of<G: Tested>(rules: &G, count: usize, dice: &mut Dice) -> Vec<String> {
        (0..count).map(|_| rules.show_position(&rules.any(dice))).collect()
    }
    match ruleset {
        Ruleset::Expanding(rules) => of(rules, count, dice),
        Ruleset::Heaps(rules) => of(rules, count, dice),
    }
}

/// What the service looks up.
fn look(client: &mut Client, table: &str, position: &str) -> Value {
    client.get(&format!("/api/tables/{table}/lookup?position={position}")).json()
}

/// What a board of it shows.
fn state(client: &mut Client, table: &str, position: &str) -> Value {
    client.get(&format!("/api/tables/{table}/state?position={position}")).json()
}

/// What the service answers to positions in batches as great as it takes.
fn look_up_all(client: &mut Client, table: &str, positions: &[String]) -> Vec<Value> {
    let ask = |some: &[String]| {
        let body = serde_json::to_string(some).expect("texts are JSON");
        let answers = client.post(&format!("/api/tables/{table}/lookup"), &body).json();
        answers.as_array().expect("a batch is an array").clone()
    };
    positions.chunks(10_000).flat_map(ask).collect()
}

/// The text that a key has.
#[track_caller]
fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("no {key} in {value}"))
}

/// The elements of the array that a key has.
#[track_caller]
fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("no {key} in {value}"))
}

/// The number that a key has.
#[track_caller]
fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("no {key} in {value}"))
}
