//! `/api/tables` lists the tables of the folder, or the presets if there is none, and describes each.

use std::fs;

use bouton_tables::{Table, hex, rulesets};
use bouton_tests::programs::bouton;
use bouton_tests::service::{Folder, OrderedJson, Server, ordered, table};
use serde_json::{Value, json};

use super::{list, names, number, small, text};

const KEYS: &str = "name title game rules holds positions wins deepest start suggested bytes digest origin";

/// Returns the names of the tables that the server lists.
fn listed_names(server: &Server) -> Vec<String> {
    let all = server.json("/api/tables");
    list(&all, "tables").iter().map(|table| text(table, "name").to_owned()).collect()
}

#[test]
fn only_the_tables_of_a_folder_are_listed() {
    let folder = small();
    for name in ["notes.txt", "sticks.toml", "old.bouton.bak", "bouton", "sticks"] {
        fs::write(folder.path().join(name), "no table").unwrap();
    }
    fs::create_dir(folder.path().join("inner")).unwrap();
    fs::copy(folder.file("sticks"), folder.path().join("inner/hidden.bouton")).unwrap();
    let server = Server::of(folder.path());
    let mut expected: Vec<&str> = names().collect();
    expected.sort_unstable();
    assert_eq!(listed_names(&server), expected);
    let all = server.get("/api/tables");
    let ordered = ordered(all.success_text());
    assert_eq!(ordered.keys(), "tables refused solve_limit own_limits");
    assert_eq!(ordered.at("refused"), &OrderedJson::Array(Vec::new()));
    let all = all.json();
    for (table, ordered) in list(&all, "tables").iter().zip(ordered.at("tables").elements()) {
        let name = text(table, "name");
        let keys = if name == "flat" { KEYS.replace("deepest ", "") } else { KEYS.to_owned() };
        assert_eq!(ordered.keys(), keys, "{name}");
        let single = server.get(&format!("/api/tables/{name}"));
        assert_eq!(&bouton_tests::service::ordered(single.success_text()), ordered, "{name}");
        check(&folder, name, table);
    }
}

/// Checks the description of a table against its file.
fn check(folder: &Folder, name: &str, reply: &Value) {
    let file = fs::read(folder.file(name)).unwrap();
    assert_eq!(number(reply, "bytes"), file.len() as u64);
    let table = Table::open(file).unwrap();
    let header = table.header();
    assert_eq!(
        (number(reply, "positions"), number(reply, "wins")),
        (header.positions, header.wins),
        "{name}"
    );
    let deepest = header.has_depths.then(|| u64::from(header.deepest));
    assert_eq!(reply["deepest"].as_u64(), deepest, "{name}");
    assert_eq!(text(reply, "digest"), hex(&table.digest()), "{name}");
    let holds: &[&str] = &["outcome", "best", "winning", "depth"];
    assert_eq!(reply["holds"], json!(holds[..if header.has_depths { 4 } else { 3 }]), "{name}");
    assert_eq!(text(reply, "origin"), "file");
    assert!(text(reply, "title").len() > 3, "{reply}");
    // `bouton diff` gives the same description.
    let file = format!("{name}.bouton");
    let diff = bouton(folder.path(), &["diff", &file, &file, "--json"]);
    let diff: Value = serde_json::from_str(&diff.stdout).unwrap();
    assert_eq!((&reply["rules"], &reply["game"]), (&diff["a"]["rules"], &diff["game"]), "{name}");
}

#[test]
fn the_start_of_a_table_is_that_of_its_ruleset() {
    let folder = small();
    let server = Server::of(folder.path());
    for (name, start) in [
        ("pile", "40/0/1/2,1/-"),
        ("flat", "40/0/1/2,1/-"),
        ("sticks", "3,5,7"),
        ("passing", "7,7,7/1"),
        ("one", "50"),
        ("moore", "2,4,6,6"),
    ] {
        assert_eq!(text(&server.json(&format!("/api/tables/{name}")), "start"), start);
    }
}

#[test]
fn the_suggested_start_is_the_rulesets_own_or_a_won_one() {
    let server = Server::start(&[]);
    let mut client = server.client();
    for reply in list(&server.json("/api/tables"), "tables") {
        let (name, suggested) = (text(reply, "name"), text(reply, "suggested"));
        let state = super::state(&mut client, name, suggested);
        assert_eq!(text(&state, "position"), suggested, "canonical: {name}");
        assert!(reply["start"] == suggested || state["outcome"] == "win", "{name} {suggested}");
        assert!(number(&state, "depth") <= 100, "{name} {suggested}");
        // The suggestion is a start: nothing was taken or used up before.
        let after_stones = |position: &str| position.split_once('/').map(|(_, rest)| rest.to_owned());
        assert_eq!(after_stones(suggested), after_stones(text(reply, "start")), "{name}");
    }
    for (name, start) in [("sticks", "3,5,7"), ("marienbad", "1,3,5,7")] {
        assert_eq!(text(&server.json(&format!("/api/tables/{name}")), "suggested"), start);
    }
}

/// Checks that a server has made the presets itself.
fn check_presets(server: &Server) {
    let all = server.json("/api/tables");
    let tables = list(&all, "tables");
    for preset in rulesets::PRESETS {
        let reply = tables.iter().find(|table| table["name"] == preset.name).expect(preset.name);
        assert_eq!(text(reply, "origin"), "built in");
        // The table is the one that `bouton generate` makes.
        let depths = list(reply, "holds").contains(&json!("depth"));
        let file = table(preset.name, &[], depths);
        assert_eq!(number(reply, "bytes"), file.len() as u64, "{}", preset.name);
        assert_eq!(text(reply, "digest"), hex(&Table::open(file).unwrap().digest()), "{}", preset.name);
    }
    let variants = tables.iter().filter(|reply| rulesets::preset(text(reply, "name")).is_none()).count();
    assert!(variants > 0, "a few variants of them: {:?}", listed_names(server));
    assert!(tables.iter().all(|reply| reply["origin"] == "built in"));
    let names = listed_names(server);
    assert!(names.is_sorted(), "{names:?}");
    let reply = server.json("/api/tables/sticks/lookup?position=3,5,7");
    assert_eq!((text(&reply, "outcome"), text(&reply, "best")), ("win", "1:1"));
}

#[test]
fn without_a_folder_the_presets_are_served() {
    let server = Server::start(&[]);
    check_presets(&server);
    assert_eq!(server.json("/api/tables")["refused"], json!([]));
}

#[test]
fn with_an_empty_folder_the_presets_are_served() {
    let folder = Folder::new();
    fs::write(folder.path().join("notes.txt"), "no table").unwrap();
    check_presets(&Server::of(folder.path()));
}

#[test]
fn a_damaged_table_in_a_folder_without_others_is_listed_as_refused() {
    let folder = Folder::new();
    fs::write(folder.file("text"), "no table").unwrap();
    let server = Server::of(folder.path());
    let all = server.json("/api/tables");
    assert_eq!(text(&all["refused"][0], "name"), "text");
    assert!(text(&all["refused"][0], "reason").contains("not a Bouton table"), "{all}");
    folder.put("text", &table("sticks", &[], true));
    server.wait_until("the table is served", |server| listed_names(server).contains(&"text".to_owned()));
}

#[test]
fn odd_file_names_can_be_names_of_tables() {
    let folder = Folder::new();
    let bytes = table("sticks", &[], true);
    let odd = ["two words", "Größe", "a.b", "50%", "q?x=1&y", "#1", "a+b", "%2e%2e", "\"quoted\""];
    for name in odd {
        folder.put(name, &bytes);
    }
    let server = Server::of(folder.path());
    let mut names = odd.map(str::to_owned);
    names.sort();
    assert_eq!(listed_names(&server), names);
    for name in odd {
        let encoded: String = name.bytes().map(|byte| format!("%{byte:02X}")).collect();
        assert_eq!(text(&server.json(&format!("/api/tables/{encoded}")), "name"), name);
        let answer = server.json(&format!("/api/tables/{encoded}/lookup?position=1,1"));
        assert_eq!(text(&answer, "outcome"), "win", "{name}");
        let diff = server.json(&format!("/api/diff?a={encoded}&b={encoded}&position=1"));
        assert_eq!(text(&diff["b"], "name"), name);
    }
}
