//! `/api/diff` answers about one position under two rulesets, and names the differences.

use std::collections::BTreeMap;

use bouton_tests::positions::Dice;
use bouton_tests::service::{Client, Folder, Server, ordered, table};
use serde_json::{Map, Value, json};

use super::{list, text};

const PILES: [(&str, &[&str]); 4] = [
    ("plain", &["stones=40", "resets=1,1"]),
    ("fast", &["stones=50", "resets=1,1", "growth=2"]),
    ("misere", &["stones=40", "resets=1,1", "play=misere"]),
    ("poor", &["stones=40", "resets=0,1"]),
];
const HEAPS: [(&str, &str, &[&str]); 4] = [
    ("sticks", "sticks", &[]),
    ("nim", "nim", &["bounds=[3,5,7]"]),
    ("three", "nim", &["bounds=[3,5,7]", "take=3"]),
    ("both", "moore", &["bounds=[3,5,7]"]),
];

/// Makes a folder with tables of both families. Names that end in `-flat` mark tables without depths.
fn tables() -> Folder {
    let folder = Folder::of(&HEAPS);
    for (name, settings) in PILES {
        folder.put(name, &table("expanding", settings, true));
        folder.put(&format!("{name}-flat"), &table("expanding", settings, false));
    }
    folder
}

/// Checks one comparison against the two single answers. Returns the list of differences; `None` if one of the tables
/// does not cover the position.
fn check(client: &mut Client, a: &str, b: &str, position: &str, query: &str) -> Option<Vec<String>> {
    let single = [a, b].map(|name| {
        let answer = client.get(&format!("/api/tables/{name}/lookup?position={position}{query}"));
        (answer.status == 200).then(|| answer.json())
    });
    let answer = client.get(&format!("/api/diff?a={a}&b={b}&position={position}{query}"));
    if single == [None, None] {
        let detail = answer.problem(400, "bad-position");
        assert!(!detail.is_empty());
        return None;
    }
    let reply = answer.json();
    let [Some(one), Some(other)] = &single else {
        let covering = single.iter().flatten().next().expect("one of the two");
        assert_eq!(reply["position"], covering["position"]);
        assert_eq!(reply["differ"], json!(["covered"]), "{a} {b} {position}");
        for (key, covering) in ["a", "b"].into_iter().zip(&single) {
            assert_eq!(reply[key].is_null(), covering.is_none(), "{a} {b} {position}");
        }
        return None;
    };
    for (key, name, expected) in [("a", a, one), ("b", b, other)] {
        let mut side: Map<String, Value> = reply[key].as_object().expect("an object").clone();
        assert_eq!(side.remove("name"), Some(json!(name)));
        assert_eq!(
            side.remove("digest"),
            Some(client.get(&format!("/api/tables/{name}")).json()["digest"].clone())
        );
        assert_eq!(&Value::Object(side), expected, "{a} {b} {position}");
    }
    assert_eq!(reply["position"], one["position"]);
    let depths = [one, other].map(|reply| !reply["depth"].is_null());
    let mut differ = Vec::new();
    for (key, compared) in [
        ("outcome", true),
        ("depth", depths == [true, true]),
        ("best", depths[0] == depths[1]),
        ("winning", true),
    ] {
        if compared && one[key] != other[key] {
            differ.push(key.to_owned());
        }
    }
    assert_eq!(reply["differ"], json!(differ), "{a} {b} {position}: {reply}");
    Some(differ)
}

#[test]
fn the_named_differences_are_those_between_the_two_single_answers() {
    let folder = tables();
    let server = Server::of(folder.path());
    let (mut client, mut dice) = (server.client(), Dice::new(23));
    let piles: Vec<String> =
        PILES.iter().flat_map(|(name, _)| [(*name).to_owned(), format!("{name}-flat")]).collect();
    let heaps: Vec<String> = HEAPS.iter().map(|table| table.0.to_owned()).collect();
    let mut counts = BTreeMap::<String, u32>::new();
    let mut refused = 0;
    for family in [&piles, &heaps] {
        for (a, b) in family.iter().flat_map(|a| family.iter().map(move |b| (a, b))) {
            for number in 0..6 {
                let position = if family == &piles {
                    let [stones, most, resets] = [44, 6, 1].map(|most| dice.up_to(most));
                    format!("{stones}/{most}/{}/{resets},1/{}", number % 2 + 1, ["-", "r"][number / 3])
                } else {
                    format!("{},{},{}", dice.up_to(3), dice.up_to(6), dice.up_to(7))
                };
                let query = ["", "&moves=true", "&policy=trap&moves=true"][number % 3];
                match check(&mut client, a, b, &position, query) {
                    Some(differ) => *counts.entry(differ.join(" ")).or_default() += 1,
                    None => refused += 1,
                }
            }
        }
    }
    for differ in ["", "depth", "outcome depth best winning", "outcome winning"] {
        assert!(counts.contains_key(differ), "{differ:?} {counts:?}");
    }
    assert!(refused > 10, "{refused}");
}

#[test]
fn keys_have_the_documented_order() {
    let folder = tables();
    let server = Server::of(folder.path());
    for (query, own) in [
        ("a=plain&b=fast&position=12", "position outcome depth best winning"),
        ("a=plain&b=fast&position=12&moves=true", "position outcome depth best winning moves"),
        ("a=plain-flat&b=fast-flat&position=12", "position outcome best winning"),
    ] {
        let reply = ordered(server.get(&format!("/api/diff?{query}")).success_text());
        assert_eq!(reply.keys(), "position a b differ");
        for side in ["a", "b"] {
            assert_eq!(reply.at(side).keys(), format!("name digest {own}"));
        }
    }
}

#[test]
fn empty_heaps_and_spent_passes_that_one_game_lacks_are_ignored_for_it() {
    let folder = Folder::of(&[
        ("two", "nim", &["bounds=[5,7]"]),
        ("three", "nim", &["bounds=[3,5,7]"]),
        ("four", "sticks", &["bounds=[1,3,5,7]"]),
        ("passing", "nim-pass", &["bounds=[3,5,7]"]),
    ]);
    let server = Server::of(folder.path());
    let mut client = server.client();
    for (a, b, position, in_a, in_b) in [
        ("three", "four", "1,2,7", "1,2,7", "1,2,7,0"),
        ("three", "four", "1,2,7,0", "1,2,7", "1,2,7,0"),
        ("four", "two", "5,3,0,0", "5,3,0,0", "5,3"),
        ("two", "three", "0,4", "0,4", "0,4,0"),
        ("two", "four", "0,0,0,0", "0,0", "0,0,0,0"),
        ("three", "passing", "1,2,7/0", "1,2,7", "1,2,7/0"),
        ("passing", "two", "1,2,0/0", "1,2,0/0", "1,2"),
    ] {
        for (a, b, in_a, in_b) in [(a, b, in_a, in_b), (b, a, in_b, in_a)] {
            let answer = client.get(&format!("/api/diff?a={a}&b={b}&position={position}"));
            let reply = answer.json();
            for (side, name, expected) in [("a", a, in_a), ("b", b, in_b)] {
                let looked_up = super::look(&mut client, name, expected);
                for key in ["position", "outcome", "depth", "best", "winning"] {
                    assert_eq!(reply[side][key], looked_up[key], "{a} {b} {position}");
                }
            }
        }
    }
    for (a, b, position) in [
        ("three", "four", "1,1,1,1"),
        ("three", "four", "0,1,2,3"),
        ("two", "three", "1,0,1"),
        ("three", "passing", "1,2,7/1"),
    ] {
        let reply = client.get(&format!("/api/diff?a={a}&b={b}&position={position}")).json();
        assert_eq!(reply["differ"], json!(["covered"]), "{a} {b} {position}");
    }
}

#[test]
fn a_table_does_not_differ_from_itself() {
    let folder = tables();
    let server = Server::of(folder.path());
    let reply = server.json("/api/diff?a=plain&b=plain&position=30");
    assert_eq!((&reply["differ"], &reply["a"]), (&json!([]), &reply["b"]));
}

#[test]
fn impossible_comparisons_are_refused() {
    let folder = tables();
    let server = Server::of(folder.path());
    for (query, status, kind, found) in [
        ("b=nim&position=1", 400, "bad-request", "a"),
        ("a=nim&position=1", 400, "bad-request", "b"),
        ("a=nim&b=nim", 400, "bad-request", "position"),
        ("a=nim&b=nim&position=1&plies=3", 400, "bad-request", "plies"),
        ("a=nim&a=nim&b=nim&position=1", 400, "bad-request", "a"),
        ("a=nim&b=nim&position=1&policy=none", 400, "bad-request", "none"),
        ("a=nothing&b=nim&position=1", 404, "no-such-table", "nothing"),
        ("a=nim&b=nothing&position=1", 404, "no-such-table", "nothing"),
        ("a=nim&b=nim&position=9", 400, "bad-position", "9"),
        ("a=fast&b=plain&position=500", 400, "bad-position", "500"),
    ] {
        let detail = server.get(&format!("/api/diff?{query}")).problem(status, kind);
        assert!(detail.contains(found), "{query}: {detail}");
    }
    // Tables of two families; each would accept the position by itself.
    let answer = server.get("/api/diff?a=nim&b=plain&position=3");
    assert_eq!(answer.status, 400, "{answer}");
    let kind = ["bad-request", "bad-position"].into_iter().find(|kind| answer.text().contains(kind));
    let detail = answer.problem(400, kind.expect("one of the two"));
    assert!(detail.contains("nim") && detail.contains("plain"), "{detail}");
}

#[test]
fn moves_under_both_rulesets_are_listed_on_request() {
    let folder = tables();
    let server = Server::of(folder.path());
    let reply = server.json("/api/diff?a=sticks&b=three&position=1,2,7&moves=true");
    let moves = |side: &str| list(&reply[side], "moves").len();
    assert_eq!((moves("a"), moves("b")), (10, 6));
    let reply = server.json("/api/diff?a=sticks&b=three&position=1,2,7");
    assert!(reply["a"]["moves"].is_null() && text(&reply["a"], "name") == "sticks");
}

#[test]
fn a_position_is_compared_only_if_both_games_have_it() {
    let folder = Folder::of(&[
        ("three", "nim-pass", &["heaps=3", "size=7", "passes=2"]),
        ("four", "nim-pass", &["heaps=4", "size=7", "passes=2"]),
        ("plain", "nim", &["heaps=3", "size=7"]),
        ("pile", "expanding", &["stones=30"]),
        ("misere", "expanding", &["stones=30", "play=misere"]),
    ]);
    let server = Server::of(folder.path());
    let ask =
        |a: &str, b: &str, position: &str| server.get(&format!("/api/diff?a={a}&b={b}&position={position}"));
    for (a, b, position, in_b) in [
        ("four", "three", "3,5,7,0/0", "3,5,7/0"),
        ("four", "three", "3,5,7,0/1", "3,5,7/1"),
        ("four", "plain", "3,5,7,0/0", "3,5,7"),
        ("three", "four", "3,5,7/1", "3,5,7,0/1"),
    ] {
        assert_eq!(text(&ask(a, b, position).json()["b"], "position"), in_b, "{a}, {b}, {position}");
    }
    for (a, b, position) in [("four", "plain", "3,5,7,0/1"), ("four", "three", "3,5,0,7/0")] {
        let reply = ask(a, b, position).json();
        assert_eq!((text(&reply["a"], "position"), &reply["b"]), (position, &Value::Null), "{a}, {b}");
    }
    for (a, b, position) in [("pile", "misere", "5/1/1/0"), ("pile", "misere", "5,0")] {
        assert!(!ask(a, b, position).problem(400, "bad-position").is_empty(), "{a}, {b}, {position}");
    }
}
