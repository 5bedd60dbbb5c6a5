//! `/line` answers with the main line of a position: the best moves of both players up to the end.

use bouton_tests::positions::Dice;
use bouton_tests::service::{Client, Folder, Server, ordered};
use serde_json::{Value, json};

use super::{list, look, names, number, random_positions, small, text};

/// Checks a line against the answers at each of its positions.
fn check(client: &mut Client, name: &str, position: &str, policy: &str, reply: &Value) {
    let here = look(client, name, position);
    for key in ["position", "outcome", "depth"] {
        assert_eq!(reply[key], here[key], "{name} {position}");
    }
    let mut at = text(reply, "position").to_owned();
    for step in list(reply, "line") {
        let path = format!("/api/tables/{name}/state?position={at}&policy={policy}");
        let state = client.get(&path).json();
        assert_eq!(state["best"], step["move"], "{name} {at}");
        assert_eq!(state["moves"][0]["to"], step["position"], "{name} {at}");
        let next = look(client, name, text(step, "position"));
        assert_eq!((&next["outcome"], &next["depth"]), (&step["outcome"], &step["depth"]), "{name} {at}");
        assert_ne!(state["outcome"], step["outcome"], "{name} {at}: best play keeps the outcome");
        at = text(step, "position").to_owned();
    }
    let end = look(client, name, &at);
    assert_eq!(reply["finished"], end["best"].is_null(), "{name} {position}");
}

#[test]
fn a_line_has_the_best_moves_and_ends_with_the_game() {
    let folder = small();
    let server = Server::of(folder.path());
    let (mut client, mut dice) = (server.client(), Dice::new(11));
    for name in names() {
        for position in random_positions(name, 12, &mut dice) {
            for policy in ["longest", "trap"] {
                let path = format!("/api/tables/{name}/line?position={position}&policy={policy}");
                let reply = client.get(&path).json();
                assert_eq!(reply["finished"], true, "{name} {position}");
                check(&mut client, name, &position, policy, &reply);
                // The winner hurries and the loser delays, so the line is as long as the depth.
                if policy == "longest" && name != "flat" {
                    assert_eq!(
                        list(&reply, "line").len() as u64,
                        number(&reply, "depth"),
                        "{name} {position}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_line_has_at_most_the_requested_plies() {
    let folder = Folder::of(&[("long", "nim", &["bounds=[3000]", "take=1"]), ("sticks", "sticks", &[])]);
    let server = Server::of(folder.path());
    let mut client = server.client();
    for (query, length, finished) in [
        ("sticks/line?position=3,5,7&plies=1", 1, false),
        ("sticks/line?position=3,5,7&plies=13", 13, false),
        ("sticks/line?position=3,5,7&plies=14", 14, true),
        ("sticks/line?position=3,5,7&plies=10000", 14, true),
        ("sticks/line?position=0,0,0&plies=1", 0, true),
        ("long/line?position=3000", 1000, false),
        ("long/line?position=1000", 1000, true),
        ("long/line?position=3000&plies=3000", 3000, true),
        ("long/line?position=3000&plies=2999", 2999, false),
    ] {
        let reply = client.get(&format!("/api/tables/{query}")).json();
        assert_eq!(list(&reply, "line").len(), length, "{query}");
        assert_eq!(reply["finished"], finished, "{query}");
    }
    let reply = client.get("/api/tables/sticks/line?position=7,5,3&plies=4").json();
    check(&mut client, "sticks", "7,5,3", "fastest", &reply);
}

#[test]
fn keys_have_the_documented_order() {
    let folder = small();
    let server = Server::of(folder.path());
    for (name, position, depth) in [("sticks", "1,2", " depth"), ("flat", "9", "")] {
        let reply =
            ordered(server.get(&format!("/api/tables/{name}/line?position={position}")).success_text());
        assert_eq!(reply.keys(), format!("position outcome{depth} line finished"));
        for step in reply.at("line").elements() {
            assert_eq!(step.keys(), format!("move position outcome{depth}"));
        }
    }
    // 1:1 leaves a single stick, which must be taken.
    let reply = server.json("/api/tables/sticks/line?position=1,1,1");
    let step = |chosen: &str, position: &str, outcome: &str, depth: u32| json!({"move": chosen, "position": position, "outcome": outcome, "depth": depth});
    let line = json!([
        step("1:1", "0,1,1", "win", 2),
        step("2:1", "0,0,1", "loss", 1),
        step("3:1", "0,0,0", "win", 0)
    ]);
    let expected =
        json!({"position": "1,1,1", "outcome": "loss", "depth": 3, "line": line, "finished": true});
    assert_eq!(reply, expected);
}
