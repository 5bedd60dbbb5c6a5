//! Own rules: a table whose name spells a ruleset, as `own:bounds=3,5,7`, is solved on request.

use std::thread;

use bouton_tests::service::{Folder, Server, table};
use serde_json::json;

use super::{list, text};

const LIMIT: [&str; 2] = ["--solve-limit", "100000"];

#[test]
fn own_rules_are_answered_as_a_table_from_a_file() {
    let folder = Folder::of(&[]);
    let cases = [
        ("sticks", &["play=normal"][..], "own:bounds=3,5,7", "2,5,7"),
        ("wythoff", &["size=20"], "own:bounds=20,20;heaps-per-move=2;equal-take=true", "3,5"),
        ("subtraction", &["heaps=1", "size=21", "take=3"], "own:bounds=21;take=3", "21"),
        ("expanding", &["stones=40", "resets=2,1"], "own:stones=40;resets=2,1", "30/3/1/2,1/-"),
    ];
    for (number, (preset, settings, ..)) in cases.iter().enumerate() {
        folder.put(&format!("file-{number}"), &table(preset, settings, true));
    }
    let server = Server::with(folder.path(), &LIMIT);
    for (number, (_, _, spelled, position)) in cases.iter().enumerate() {
        for question in ["lookup", "state", "game", "line", "why", "map"] {
            let ask = |name: &str| server.json(&format!("/api/tables/{name}/{question}?position={position}"));
            assert_eq!(ask(spelled), ask(&format!("file-{number}")), "{question} of {spelled}");
        }
        let mut about = server.json(&format!("/api/tables/{spelled}"));
        assert_eq!((text(&about, "name"), text(&about, "origin")), (*spelled, "on request"));
        let mut file_description = server.json(&format!("/api/tables/file-{number}"));
        for key in ["name", "origin"] {
            about[key].take();
            file_description[key].take();
        }
        assert_eq!(about, file_description);
        let body = format!("[\"{position}\"]");
        let ask = |name: &str| server.post(&format!("/api/tables/{name}/lookup"), &body).json();
        assert_eq!(ask(spelled), ask(&format!("file-{number}")));
        let diff = server.json(&format!("/api/diff?a={spelled}&b=file-{number}&position={position}"));
        assert_eq!(diff["differ"], json!([]));
    }
    assert_eq!(server.json("/api/tables")["solve_limit"], 100_000);
    assert_eq!(list(&server.json("/api/tables"), "tables").len(), cases.len(), "they are not listed");
}

#[test]
fn all_spellings_of_own_rules_get_one_name() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let server = Server::with(folder.path(), &LIMIT);
    let name = |spelled: &str| text(&server.json(&format!("/api/tables/{spelled}")), "name").to_owned();
    for spelled in [
        "own:bounds=3,5,7;play=misere",
        "own:play=misere;bounds=7,5,3",
        "own%3Abounds%3D%5B3%2C5%2C7%5D%3Bplay%3Dmisere%3Bpasses%3D0",
        "own:bounds=[3,5,7];play=misere;game=heaps",
        "own:%20bounds=3,%205,%207;%20play=misere",
        "own:bounds=3%205%207;play%20=%20misere",
    ] {
        assert_eq!(name(spelled), "own:bounds=3,5,7;play=misere");
    }
}

#[test]
fn without_solve_limit_own_rules_are_refused() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let server = Server::of(folder.path());
    for path in ["/api/tables/own:bounds=3", "/api/tables/own:bounds=3/state?position=3", "/api/tables/own:x"]
    {
        let detail = server.get(path).problem(404, "no-such-table");
        assert!(detail.contains("--solve-limit"), "{detail}");
    }
    assert_eq!(server.json("/api/tables")["solve_limit"], 0);
}

#[test]
fn invalid_and_excessive_own_rules_are_refused() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let mut server = Server::with(folder.path(), &LIMIT);
    let heaps = "1000000000,".repeat(15) + "1000000000";
    let long = "1,".repeat(20_000);
    for (spelled, status, kind, expected) in [
        ("", 400, "bad-rules", "found neither the key 'bounds' nor the key 'stones'"),
        ("bounds=0", 400, "bad-rules", "bounds = [0]: expected"),
        ("bounds=-1", 400, "bad-rules", "bounds = [-1]: expected"),
        ("bounds=3;bounds=4", 400, "bad-rules", "found the key 'bounds' twice"),
        ("bounds=3;colour=red", 400, "bad-rules", "unknown key 'colour'"),
        ("bounds=3;play", 400, "bad-rules", "found 'play', which sets no key"),
        ("game=expanding;bounds=3", 400, "bad-rules", "game = \"expanding\": expected \"heaps\""),
        (
            "stones=100;base-limit=1",
            400,
            "bad-rules",
            "reset-limit is missing, and its default 3 is not allowed here",
        ),
        ("heaps=1000000;size=1", 400, "bad-rules", "heaps = 1000000: expected"),
        ("stones=99999999999999999999", 400, "bad-rules", "stones = \"99999999999999999999\": expected"),
        (&format!("bounds={long}"), 400, "bad-rules", "found 40007 bytes, and at most 500 are allowed"),
        ("bounds=3;%00=%FF", 404, "no-such-table", ""),
        ("bounds=100000", 422, "too-much", "the game has 100,001 positions, and games of up to 100,000"),
        (&format!("bounds={heaps}"), 422, "too-much", "the game has countless positions"),
        (
            "bounds=99999;take=50000",
            422,
            "too-much",
            "the game has 100,000 positions with up to 50,000 moves each",
        ),
        ("stones=1000000000;growth=1000000000", 422, "too-much", "the game has "),
    ] {
        for rest in ["", "/state?position=1", "/map?position=1"] {
            let answer = server.get(&format!("/api/tables/own:{spelled}{rest}"));
            let detail = answer.problem(status, kind);
            assert!(detail.starts_with(expected), "{spelled}: {detail}");
            assert!(answer.body.len() < 800, "{answer}");
        }
    }
    assert!(server.is_running());
}

#[test]
fn parallel_requests_for_own_rules_are_all_answered() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let server = Server::with(folder.path(), &LIMIT);
    thread::scope(|scope| {
        let ask = |number: usize| {
            let mut client = server.client();
            let size = 15 + number % 2;
            move || {
                client
                    .get(&format!("/api/tables/own:bounds={size},{size},{size}/lookup?position=1,2,3"))
                    .status
            }
        };
        let all: Vec<_> = (0..16).map(|number| scope.spawn(ask(number))).collect();
        assert_eq!(server.get("/api/tables/sticks/lookup?position=1,2,3").status, 200);
        for one in all {
            assert_eq!(one.join().unwrap(), 200);
        }
    });
}
