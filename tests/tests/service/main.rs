//! Tests of `bouton-server`: its answers agree with its documented interface (`docs/service.md`), the other programs,
//! and the naive solvers.

mod batch;
mod caching;
mod diff;
mod errors;
mod files_that_change;
mod folder_changes;
mod game;
mod game_map;
mod headers;
mod http_requirements;
mod limits;
mod line;
mod load;
mod lookup;
mod misbehaving_clients;
mod operation;
mod oracle;
mod own_rules;
mod page_files;
mod paths;
mod settings;
mod shutdown;
mod state;
mod table_map;
mod tables;
mod typed;
mod why;

use bouton_tables::{Ruleset, rulesets};
use bouton_tests::positions::{Dice, GameUnderTest};
use bouton_tests::service::{Client, Folder};
use serde_json::Value;

/// Small games of both families: with resets, with passes, with several heaps a move.
const SMALL: [(&str, &str, &[&str]); 6] = [
    ("pile", "expanding", &["stones=40", "resets=2,1"]),
    ("sticks", "sticks", &[]),
    ("passing", "nim-pass", &["size=7"]),
    ("wythoff", "wythoff", &["size=40"]),
    ("one", "subtraction", &["heaps=1", "size=50"]),
    ("moore", "moore", &["bounds=[2,4,6,6]", "play=misere"]),
];

/// Makes a folder with the tables of [`SMALL`], and `flat`, which is `pile` without depths.
fn small() -> Folder {
    let folder = Folder::of(&SMALL);
    folder.put("flat", &bouton_tests::service::table("expanding", SMALL[0].2, false));
    folder
}

/// Returns the names of the tables in the folder of [`small`].
fn names() -> impl Iterator<Item = &'static str> {
    SMALL.iter().map(|table| table.0).chain(["flat"])
}

/// Returns random positions of a table of [`small`], in any order of heaps, often near an edge.
fn random_positions(name: &str, count: usize, dice: &mut Dice) -> Vec<String> {
    let name = if name == "flat" { "pile" } else { name };
    let (_, preset, settings) = SMALL.iter().find(|table| table.0 == name).expect("there is such a table");
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    random_positions_of(&rulesets::find(preset, &settings).expect("allowed rules").ruleset, count, dice)
}

/// Returns random positions of a ruleset.
fn random_positions_of(ruleset: &Ruleset, count: usize, dice: &mut Dice) -> Vec<String> {
    fn of<G: GameUnderTest>(rules: &G, count: usize, dice: &mut Dice) -> Vec<String> {
        (0..count).map(|_| rules.show_position(&rules.random_position(dice))).collect()
    }
    match ruleset {
        Ruleset::Expanding(rules) => of(rules, count, dice),
        Ruleset::Heaps(rules) => of(rules, count, dice),
    }
}

/// Returns the service's answer about a position.
fn look(client: &mut Client, table: &str, position: &str) -> Value {
    client.get(&format!("/api/tables/{table}/lookup?position={position}")).json()
}

/// Returns the state of a position.
fn state(client: &mut Client, table: &str, position: &str) -> Value {
    client.get(&format!("/api/tables/{table}/state?position={position}")).json()
}

/// Looks positions up in batches of the greatest allowed size.
fn look_up_batches(client: &mut Client, table: &str, positions: &[String]) -> Vec<Value> {
    let ask = |some: &[String]| {
        let body = serde_json::to_string(some).expect("texts are JSON");
        let answers = client.post(&format!("/api/tables/{table}/lookup"), &body).json();
        answers.as_array().expect("a batch is an array").clone()
    };
    positions.chunks(10_000).flat_map(ask).collect()
}

/// Returns the text of a key.
#[track_caller]
fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("no {key} in {value}"))
}

/// Returns the elements of a key's array.
#[track_caller]
fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("no {key} in {value}"))
}

/// Returns the number of a key.
#[track_caller]
fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("no {key} in {value}"))
}
