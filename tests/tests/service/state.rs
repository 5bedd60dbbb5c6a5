//! `/state` answers with a position as a board shows it: heaps or pile, legal moves, and the positions after them.

use std::collections::{BTreeMap, BTreeSet};

use bouton_tests::positions::Dice;
use bouton_tests::programs::lookup;
use bouton_tests::service::{Client, Folder, Server, ordered, request};
use serde_json::{Value, json};

use super::{list, look, names, number, random_positions, small, state, text};

#[test]
fn keys_have_the_documented_order() {
    let folder = small();
    let server = Server::of(folder.path());
    let mut client = server.client();
    for (name, position, board_keys, depth) in [
        ("pile", "12/3/2/1,0/r", "pile", true),
        ("flat", "12/3/2/1,0/r", "pile", false),
        ("sticks", "3,1,2", "heaps passes", true),
        ("passing", "3,1,2/1", "heaps passes", true),
        ("one", "9", "heaps passes", true),
    ] {
        let answer = client.get(&format!("/api/tables/{name}/state?position={position}"));
        let reply = ordered(answer.success_text());
        let depth = if depth { " depth" } else { "" };
        let expected =
            format!("position key game player over {board_keys} outcome{depth} best winning moves");
        assert_eq!(reply.keys(), expected, "{name}");
        for chosen in reply.at("moves").elements() {
            let depth = depth.replace("depth", "depth_after");
            assert_eq!(
                chosen.keys(),
                format!("move outcome{depth} takes reset words words_of_another to"),
                "{name}"
            );
        }
        if board_keys == "pile" {
            assert_eq!(reply.at("pile").keys(), "stones currentmax limit resets imposed");
        }
    }
}

/// Checks that a state agrees with the other answers about its position.
fn check(client: &mut Client, name: &str, position: &str, reply: &Value, policy: &str) {
    let query = format!("/api/tables/{name}/lookup?position={position}&moves=true&policy={policy}");
    let looked_up = client.get(&query).json();
    for key in ["position", "outcome", "depth", "best", "winning"] {
        assert_eq!(reply[key], looked_up[key], "{name} {position} {key}");
    }
    let moves = list(reply, "moves");
    assert_eq!(moves.len(), list(&looked_up, "moves").len());
    for (chosen, expected) in moves.iter().zip(list(&looked_up, "moves")) {
        for key in ["move", "outcome", "depth_after"] {
            assert_eq!(chosen[key], expected[key], "{name} {position}");
        }
    }
    assert_eq!(reply["over"], moves.is_empty(), "{name} {position}");
    assert_eq!(reply["best"], moves.first().map_or(Value::Null, |first| first["move"].clone()));
    // The best move is the same if the moves are not listed.
    let without_moves = query.replace("&moves=true", "");
    assert_eq!(client.get(&without_moves).json()["best"], reply["best"], "{name} {position} {policy}");
    let targets: Vec<String> = moves.iter().map(|chosen| text(chosen, "to").to_owned()).collect();
    for (chosen, after) in moves.iter().zip(super::look_up_batches(client, name, &targets)) {
        assert_eq!(after["position"], chosen["to"], "canonical: {name} {position}");
        assert_ne!(after["outcome"], chosen["outcome"], "{name} {position} {chosen}");
        assert_eq!(after["depth"], chosen["depth_after"], "{name} {position} {chosen}");
    }
}

#[test]
fn a_state_agrees_with_the_lookups_of_its_position_and_those_after_its_moves() {
    let folder = small();
    let server = Server::of(folder.path());
    let (mut client, mut dice) = (server.client(), Dice::new(5));
    for name in names() {
        for position in random_positions(name, 40, &mut dice) {
            for policy in ["fastest", "longest", "trap"] {
                let path = format!("/api/tables/{name}/state?position={position}&policy={policy}");
                let reply = client.get(&path).json();
                check(&mut client, name, &position, &reply, policy);
            }
        }
    }
}

#[test]
fn a_game_can_be_played_from_states_alone() {
    let folder = small();
    let server = Server::of(folder.path());
    let (mut client, mut dice) = (server.client(), Dice::new(6));
    for name in names() {
        let start = server.json(&format!("/api/tables/{name}"));
        let mut reply = state(&mut client, name, text(&start, "start"));
        let mut plies = 0;
        while reply["over"] == false {
            let moves = list(&reply, "moves");
            let chosen = &moves[dice.up_to(moves.len() as u32 - 1) as usize];
            let next = state(&mut client, name, text(chosen, "to"));
            assert_eq!(next["position"], chosen["to"]);
            if reply["game"] == "expanding" {
                assert_eq!(number(&reply, "player") + number(&next, "player"), 3, "{reply} {next}");
                let taken = number(&reply["pile"], "stones") - number(&next["pile"], "stones");
                assert_eq!(text(chosen, "move").trim_end_matches('r'), taken.to_string());
                assert!(taken <= number(&reply["pile"], "limit"));
                assert_eq!(text(chosen, "move").ends_with('r'), next["pile"]["imposed"] == true);
            } else {
                assert_eq!(next["player"], Value::Null);
                let sum = |reply: &Value| list(reply, "heaps").iter().filter_map(Value::as_u64).sum::<u64>();
                let pass = chosen["move"] == "pass";
                assert_eq!(sum(&reply) == sum(&next), pass, "{reply} {next}");
                assert_eq!(number(&reply, "passes") - number(&next, "passes"), u64::from(pass));
            }
            reply = next;
            plies += 1;
        }
        // A player without a move has lost in normal play, and won in misère play.
        let misere = start["rules"]["play"] == "misere";
        assert_eq!(text(&reply, "outcome"), if misere { "win" } else { "loss" }, "{name}");
        assert!(plies > 2, "{name}");
        assert_eq!(reply["moves"], json!([]));
    }
}

#[test]
fn moves_have_the_words_of_the_lookup_program() {
    let folder = small();
    let server = Server::of(folder.path());
    let (mut client, mut dice) = (server.client(), Dice::new(8));
    for name in names() {
        for position in random_positions(name, 8, &mut dice) {
            let reply = state(&mut client, name, &position);
            if reply["over"] == true {
                continue;
            }
            let ran = lookup(folder.path(), &[&format!("{name}.bouton"), &position], b"");
            let words_of_lookup = ran.stdout.replace('\n', " ");
            let best = &reply["moves"][0];
            assert!(
                words_of_lookup.contains(&format!(": {} ({})", text(best, "move"), text(best, "words"))),
                "{words_of_lookup} {best}"
            );
        }
    }
    let reply = state(&mut client, "passing", "1,2/1");
    let words = |reply: &Value| {
        let all = list(reply, "moves").iter();
        all.map(|chosen| (text(chosen, "move").to_owned(), text(chosen, "words").to_owned())).collect()
    };
    let words: BTreeMap<String, String> = words(&reply);
    assert_eq!((words["1:1"].as_str(), words["pass"].as_str()), ("take 1 from row 1", "take nothing"));
    let of = |name: &str, position: &str, chosen: &str| {
        let reply = state(&mut server.client(), name, position);
        list(&reply, "moves").iter().find(|reply| reply["move"] == chosen).expect("a legal move").clone()
    };
    for (name, position, chosen, takes, reset, words) in [
        ("passing", "1,2/1", "2:2", json!([{"row": 2, "stones": 2}]), false, "takes 2 from row 2"),
        ("passing", "1,2/1", "pass", json!([]), false, "takes nothing"),
        ("pile", "12/3/2/1,1/-", "2", json!([{"row": null, "stones": 2}]), false, "takes 2"),
        (
            "pile",
            "12/3/2/1,1/-",
            "2r",
            json!([{"row": null, "stones": 2}]),
            true,
            "takes 2 and imposes a reset",
        ),
    ] {
        let reply = of(name, position, chosen);
        assert_eq!((&reply["takes"], &reply["reset"]), (&takes, &json!(reset)), "{name} {chosen}");
        assert_eq!(text(&reply, "words_of_another"), words);
    }
}

#[test]
fn positions_have_the_same_key_if_and_only_if_they_are_the_same() {
    let folder = Folder::of(&[
        ("sticks", "sticks", &[]),
        ("passing", "nim-pass", &["size=3"]),
        ("pile", "expanding", &["stones=9", "resets=1,1"]),
        ("uneven", "expanding", &["stones=6", "resets=2,1"]),
    ]);
    let server = Server::of(folder.path());
    let mut client = server.client();
    let heaps = |n: u32| [n / 64, n / 8 % 8, n % 8];
    let triples: Vec<[u32; 3]> = (0..512).map(heaps).collect();
    let sticks = triples.iter().map(|heaps| {
        let mut identity = *heaps;
        identity.sort_unstable();
        (format!("{},{},{}", heaps[0], heaps[1], heaps[2]), format!("{identity:?}"))
    });
    let passing = sticks.clone().flat_map(|(position, identity)| {
        [0, 1].map(|passes| (format!("{position}/{passes}"), format!("{identity}/{passes}")))
    });
    check_keys(&mut client, "sticks", sticks);
    check_keys(&mut client, "passing", passing);
    for (name, resets) in [("pile", [1, 1]), ("uneven", [2, 1])] {
        let mut all = Vec::new();
        for number in 0..10 * 5 * 2 * 3 * 2 * 2 {
            let [stones, currentmax, turn] = [number / 120, number / 24 % 5, number / 12 % 2 + 1];
            let [a, b, imposed] = [number / 4 % 3, number / 2 % 2, number % 2];
            if a <= resets[0] && b <= resets[1] {
                let mark = ["-", "r"][imposed];
                let position = format!("{stones}/{currentmax}/{turn}/{a},{b}/{mark}");
                let seen_by_mover = if turn == 1 { [a, b] } else { [b, a] };
                all.push((position, format!("{stones}/{currentmax}/{seen_by_mover:?}/{mark}")));
            }
        }
        check_keys(&mut client, name, all.into_iter());
    }
}

/// Checks that positions have the same key if and only if they are the same.
fn check_keys(client: &mut Client, table: &str, positions: impl Iterator<Item = (String, String)>) {
    let mut keys: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut answered = 0;
    for (position, identity) in positions {
        let answer = client.get(&format!("/api/tables/{table}/state?position={position}"));
        if answer.status == 200 {
            answered += 1;
            keys.entry(identity).or_default().insert(text(&answer.json(), "key").to_owned());
        }
    }
    assert!(answered > keys.len() && keys.len() > 10, "{table}: {answered} of {}", keys.len());
    assert!(keys.values().all(|keys| keys.len() == 1), "{table}: {keys:?}");
    let distinct: BTreeSet<_> = keys.values().flatten().collect();
    assert_eq!(distinct.len(), keys.len(), "{table}");
}

#[test]
fn a_finished_game_has_an_outcome_and_no_moves() {
    let folder = Folder::of(&[
        ("normal", "nim", &["bounds=[3,3]"]),
        ("misere", "nim-misere", &["bounds=[3,3]"]),
        // The last position has stones that no move can take.
        ("stuck", "nim", &["bounds=[3,3]", "take=[2]"]),
    ]);
    let server = Server::of(folder.path());
    let mut client = server.client();
    for (table, position, outcome) in
        [("normal", "0,0", "loss"), ("misere", "0", "win"), ("stuck", "1,1", "loss")]
    {
        let reply = state(&mut client, table, position);
        let expected =
            json!({"over": true, "outcome": outcome, "depth": 0, "best": null, "winning": [], "moves": []});
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&reply[key], value, "{table}");
        }
        assert_eq!(look(&mut client, table, position)["outcome"], outcome);
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let folder = small();
    let server = Server::of(folder.path());
    let mut client = server.client();
    let path = |n: u32| format!("/api/tables/one/state?position={n}");
    client.send((0..=50).map(|n| request("GET", &path(n), &[], 0)).collect::<String>());
    for n in 0..=50 {
        assert_eq!(text(&client.read_answer().expect("an answer").json(), "position"), n.to_string());
    }
}
