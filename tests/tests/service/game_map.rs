//! `/game-map` answers with all positions of a small game, laid out in levels by their stones, and the moves between
//! them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bouton_tests::programs::bouton;
use bouton_tests::service::{Client, Folder, Server, ordered};
use serde_json::{Value, json};

use super::{list, number, state, text};

/// Asks for the map of a whole game.
fn map(client: &mut Client, name: &str, position: &str) -> Value {
    client.get(&format!("/api/tables/{name}/game-map?position={position}")).json()
}

/// Computes the expected map from states alone: the state of each key, and the moves between keys.
fn expected_map(
    client: &mut Client,
    name: &str,
    start: &str,
) -> (BTreeMap<String, Value>, BTreeSet<[String; 2]>) {
    let (mut nodes, mut edges) = (BTreeMap::new(), BTreeSet::new());
    // Each position is requested once, however often it occurs.
    let mut keys: BTreeMap<String, String> = BTreeMap::new();
    let mut next = VecDeque::from([state(client, name, start)]);
    while let Some(reply) = next.pop_front() {
        let key = text(&reply, "key").to_owned();
        if nodes.contains_key(&key) {
            continue;
        }
        for chosen in list(&reply, "moves") {
            let to = text(chosen, "to").to_owned();
            let to = keys.entry(to.clone()).or_insert_with(|| {
                let state_there = state(client, name, &to);
                let key = text(&state_there, "key").to_owned();
                next.push_back(state_there);
                key
            });
            edges.insert([key.clone(), to.clone()]);
        }
        nodes.insert(key, reply);
    }
    (nodes, edges)
}

/// Checks a map against the states of its positions. Returns the numbers of nodes and edges.
fn check(client: &mut Client, name: &str, position: &str) -> (usize, usize) {
    let reply = map(client, name, position);
    let (states, expected) = expected_map(client, name, position);
    let nodes = list(&reply, "nodes");
    let levels = list(&reply, "levels");
    assert_eq!(text(&nodes[0], "key"), text(&state(client, name, position), "key"));
    assert_eq!(nodes.len(), states.len(), "{name} {position}");
    let mut places: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for node in nodes {
        let state = states.get(text(node, "key")).unwrap_or_else(|| panic!("no such position: {node}"));
        assert_eq!((&node["outcome"], &node["depth"]), (&state["outcome"], &state["depth"]), "{node}");
        assert!(
            !list(node, "label").is_empty() && list(node, "label").iter().all(Value::is_string),
            "{node}"
        );
        let level = number(node, "level");
        let (stones, passes) = match &state["pile"] {
            Value::Null => (list(state, "heaps").iter().filter_map(Value::as_u64).sum(), &state["passes"]),
            pile => (number(pile, "stones"), &Value::Null),
        };
        let expected = levels[usize::try_from(level).unwrap()].as_str().expect("a text");
        let named = [stones.to_string(), format!("{stones}/{passes}")];
        assert!(named.iter().any(|name| name == expected), "{node} at {expected}");
        places.entry(level).or_default().push(node["place"].as_f64().expect("a number"));
    }
    assert_eq!(places.len(), levels.len(), "each level has a position: {name} {position}");
    for places in places.values_mut() {
        places.sort_by(f64::total_cmp);
        assert!(places.windows(2).all(|two| two[1] - two[0] > 0.999), "{name} {position}: {places:?}");
    }
    // Moves bypass the positions of the levels in between, which are at most 0.8 wide.
    for node in nodes {
        let from = list(&reply, "edges").iter().filter(|edge| nodes[number(edge, "to") as usize] == *node);
        let top = from.map(|edge| number(&nodes[number(edge, "from") as usize], "level")).min();
        let levels_between = top.map_or(0, |top| number(node, "level") - top - 1);
        let waypoints = list(node, "waypoints");
        assert_eq!(waypoints.len() as u64, levels_between, "{node}");
        for (up, waypoint) in (1..).zip(waypoints) {
            let waypoint = waypoint.as_f64().expect("a number");
            let clear =
                places[&(number(node, "level") - up)].iter().all(|place| (place - waypoint).abs() > 0.45);
            assert!(clear, "{name} {position}: {node}");
        }
    }
    let at = |edge: &Value, key: &str| &nodes[usize::try_from(number(edge, key)).expect("small")];
    let mut edges = BTreeSet::new();
    for edge in list(&reply, "edges") {
        let (from, to) = (at(edge, "from"), at(edge, "to"));
        assert_eq!(edge["winning"], to["outcome"] == "loss", "{edge}");
        assert!(number(from, "level") < number(to, "level"), "{edge}");
        let new = edges.insert([from, to].map(|node| text(node, "key").to_owned()));
        assert!(new, "listed twice: {edge}");
    }
    assert_eq!(edges, expected, "{name} {position}");
    (nodes.len(), edges.len())
}

#[test]
fn the_map_of_3_5_7_has_88_positions_and_666_moves() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let server = Server::of(folder.path());
    let mut client = server.client();
    assert_eq!(check(&mut client, "sticks", "3,5,7"), (88, 666));
    assert_eq!(check(&mut client, "sticks", "1,3,0"), (7, 14));
    assert_eq!(check(&mut client, "sticks", "0,0,0"), (1, 0));
    let reply = map(&mut client, "sticks", "3,5,7");
    assert_eq!(reply["levels"][0], "15");
    assert_eq!(list(&reply, "levels").len(), 16);
    assert_eq!(reply["nodes"][0]["label"], json!(["3,5,7"]));
}

#[test]
fn maps_of_other_games_agree_with_states_too() {
    let folder = Folder::of(&[
        ("passing", "nim-pass", &["heaps=2", "size=4"]),
        ("pile", "expanding", &["stones=9", "resets=1,1"]),
        ("misere", "expanding", &["stones=12", "resets=0,0", "growth=2", "play=misere"]),
        ("moore", "moore", &["bounds=[2,3,3]"]),
        ("stuck", "subtraction", &["bounds=[6,5]", "take=[2,5]"]),
    ]);
    let server = Server::of(folder.path());
    let mut client = server.client();
    for (name, position) in [
        ("passing", "4,4"),
        ("passing", "3,1/0"),
        ("passing", "0,1/1"),
        ("pile", "9"),
        ("pile", "7/1/2/0,1/r"),
        ("misere", "12"),
        ("moore", "3,2,3"),
        ("stuck", "6,5"),
    ] {
        let (nodes, edges) = check(&mut client, name, position);
        assert!(nodes > 1 && edges > 0, "{name} {position}");
    }
}

#[test]
fn the_counts_agree_with_the_picture_of_bouton_draw() {
    let folder = Folder::of(&[("sticks", "sticks", &[]), ("pile", "expanding", &["stones=9", "resets=1,1"])]);
    let server = Server::of(folder.path());
    let mut client = server.client();
    for (name, position) in [("sticks", "3,5,7"), ("sticks", "2,2,6"), ("pile", "9")] {
        let (nodes, edges) = check(&mut client, name, position);
        let file = format!("{name}.bouton");
        let args = ["draw", "game-map", &file, "--from", position, "-o", "map.svg", "--force"];
        let ran = bouton(folder.path(), &args);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let svg = std::fs::read_to_string(folder.path().join("map.svg")).unwrap();
        assert!(svg.contains(&format!("{nodes} positions and {edges} moves")), "{nodes} {edges}");
    }
}

#[test]
fn keys_have_the_documented_order() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    folder.put("flat", &bouton_tests::service::table("sticks", &[], false));
    let server = Server::of(folder.path());
    for (name, depth) in [("sticks", " depth"), ("flat", "")] {
        let reply = ordered(server.get(&format!("/api/tables/{name}/game-map?position=1,2")).success_text());
        assert_eq!(reply.keys(), "position levels nodes edges");
        for node in reply.at("nodes").elements() {
            let keys = node.keys();
            assert_eq!(keys, format!("key label outcome{depth} level place waypoints"), "{name}");
        }
        for edge in reply.at("edges").elements() {
            assert_eq!(edge.keys(), "from to winning");
        }
    }
}

#[test]
fn a_game_too_large_for_a_map_is_refused() {
    let folder = Folder::of(&[
        ("nim", "nim", &[]),
        ("pile", "expanding", &["stones=100"]),
        ("long", "nim", &["bounds=[400]"]),
    ]);
    let server = Server::of(folder.path());
    for (name, position) in [("nim", "31,31,31,31,31"), ("pile", "100"), ("long", "400"), ("long", "100")] {
        let answer = server.get(&format!("/api/tables/{name}/game-map?position={position}"));
        let detail = answer.problem(422, "too-much");
        assert!(detail.contains("300") || detail.contains("3,000") || detail.contains("3000"), "{detail}");
    }
    // The limit is 3,000 moves: one heap of 77 stones has 77 * 78 / 2 of them.
    assert_eq!(list(&server.json("/api/tables/long/game-map?position=76"), "edges").len(), 2926);
    let _ = server.get("/api/tables/long/game-map?position=77").problem(422, "too-much");
}
