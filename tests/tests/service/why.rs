//! `/why` answers with the argument for an outcome: a theorem, or a refutation of each reply.

use bouton_tests::positions::Dice;
use bouton_tests::programs::lookup;
use bouton_tests::service::{Client, Folder, Server, ordered};
use serde_json::{Value, json};

use super::{list, look, names, number, random_positions, small, state, text};

/// Asks for the argument about a position.
fn why(client: &mut Client, name: &str, position: &str) -> Value {
    client.get(&format!("/api/tables/{name}/why?position={position}")).json()
}

/// Returns the argument that `bouton-lookup` gives, without its verdict.
fn argument(folder: &Folder, name: &str, position: &str) -> String {
    let ran = lookup(folder.path(), &[&format!("{name}.bouton"), position, "--explain"], b"");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    ran.stdout.split_once("\n\n").expect("an argument").1.to_owned()
}

/// Checks the refutations against the answers at each position that they name.
fn check(client: &mut Client, name: &str, position: &str, explanation: &Value) {
    let here = state(client, name, position);
    assert_eq!((&explanation["position"], &explanation["outcome"]), (&here["position"], &here["outcome"]));
    let won = here["outcome"] == "win";
    let best = if won { &here["best"] } else { &Value::Null };
    assert_eq!(&explanation["best"], best, "{name} {position}");
    if won && here["over"] == true {
        // There is nothing to refute: the game is over, and the player to move has won.
        assert_eq!(explanation["replies"], json!([]), "{name} {position}");
        return;
    }
    let of = if won { &here["moves"][0]["to"] } else { &here["position"] };
    assert_eq!(&explanation["of"], of, "{name} {position}");
    let lost = state(client, name, text(explanation, "of"));
    assert_eq!(lost["outcome"], "loss", "{name} {position}");
    let moves = list(&lost, "moves");
    let replies = list(explanation, "replies");
    assert_eq!(replies.len() as u64 + number(explanation, "more"), moves.len() as u64, "{name} {position}");
    assert_eq!(replies.len(), moves.len().min(200), "{name} {position}");
    for reply in replies {
        let chosen = moves.iter().find(|chosen| chosen["move"] == reply["move"]).expect("a legal move");
        assert_eq!(chosen["to"], reply["to"], "{name} {position} {reply}");
        let after_reply = state(client, name, text(reply, "to"));
        assert_eq!(after_reply["outcome"], "win", "{name} {position} {reply}");
        if after_reply["over"] == true {
            assert_eq!((&reply["answer"], &reply["then"]), (&Value::Null, &Value::Null), "{reply}");
            continue;
        }
        assert!(list(&after_reply, "winning").contains(&reply["answer"]), "{name} {position} {reply}");
        let answer = list(&after_reply, "moves").iter().find(|chosen| chosen["move"] == reply["answer"]);
        assert_eq!(answer.expect("a legal move")["to"], reply["then"], "{name} {position} {reply}");
        assert_eq!(look(client, name, text(reply, "then"))["outcome"], "loss", "{name} {position} {reply}");
    }
    let mut distinct: Vec<&str> = replies.iter().map(|reply| text(reply, "move")).collect();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), replies.len(), "{name} {position}");
}

#[test]
fn every_reply_is_refuted_by_a_winning_move_to_a_lost_position() {
    let folder = small();
    let server = Server::of(folder.path());
    let (mut client, mut dice) = (server.client(), Dice::new(17));
    for name in names() {
        for position in random_positions(name, 10, &mut dice) {
            let explanation = why(&mut client, name, &position);
            check(&mut client, name, &position, &explanation);
            assert_eq!(text(&explanation, "text"), argument(&folder, name, &position), "{name} {position}");
        }
    }
}

#[test]
fn omitted_replies_are_counted() {
    let folder = Folder::of(&[("wythoff", "wythoff", &[])]);
    let server = Server::of(folder.path());
    let mut client = server.client();
    // Lost positions with 199 moves and with more than 200.
    for (position, moves) in [("55,89", 199), ("56,91", 203), ("76,123", 275), ("122,198", 442)] {
        let explanation = why(&mut client, "wythoff", position);
        assert_eq!(explanation["outcome"], "loss", "{position}");
        assert_eq!(list(&explanation, "replies").len(), moves.min(200), "{position}");
        assert_eq!(number(&explanation, "more"), moves.saturating_sub(200) as u64, "{position}");
    }
    let explanation = why(&mut client, "wythoff", "123,76");
    check(&mut client, "wythoff", "123,76", &explanation);
}

#[test]
fn keys_have_the_documented_order() {
    let folder = small();
    let server = Server::of(folder.path());
    for (name, position) in [("sticks", "3,5,7"), ("sticks", "1,4,5"), ("flat", "9"), ("pile", "4/0/1/0,0")] {
        let explanation =
            ordered(server.get(&format!("/api/tables/{name}/why?position={position}")).success_text());
        assert_eq!(explanation.keys(), "position outcome text blocks best of replies more");
        assert!(!explanation.at("replies").elements().is_empty());
        for reply in explanation.at("replies").elements() {
            assert_eq!(reply.keys(), "move to answer then");
        }
    }
}

/// Returns the words of a block as the text has them.
fn text_of(block: &Value) -> String {
    let row = |name: String, heap: &str, value: Option<&str>, digits: &[Value]| {
        let digits: Vec<String> = digits.iter().map(ToString::to_string).collect();
        [name.as_str(), heap, value.unwrap_or(""), &digits.join(" ")].join(" ")
    };
    match text(block, "kind") {
        "theorem" => format!("{}: {}", text(block, "name"), text(block, "statement")),
        "columns" => {
            let rows = list(block, "rows");
            let values = rows.iter().any(|row| row["heap"] != row["value"]);
            let mut lines = vec![format!("heap {} in binary", if values { "value" } else { "" })];
            for (n, of) in (1..).zip(rows) {
                let [heap, value] = ["heap", "value"].map(|key| of[key].to_string());
                lines.push(row(format!("row {n}"), &heap, values.then_some(&value), list(of, "digits")));
            }
            let number = if block["number"].is_null() { String::new() } else { block["number"].to_string() };
            let (heap, value) = if values { ("", Some(number.as_str())) } else { (number.as_str(), None) };
            lines.push(row(text(block, "label").to_owned(), heap, value, list(block, "sums")));
            lines.join(" ")
        }
        "sentence" | "replies" => text(block, "text").to_owned(),
        other => panic!("a block of kind {other}"),
    }
}

#[test]
fn blocks_have_the_same_words_as_the_text() {
    let folder = small();
    let server = Server::of(folder.path());
    let (mut client, mut dice) = (server.client(), Dice::new(29));
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut kinds = std::collections::BTreeMap::new();
    for name in names() {
        for position in random_positions(name, 20, &mut dice) {
            let explanation = why(&mut client, name, &position);
            let (blocks, canonical) = (list(&explanation, "blocks"), &explanation["position"]);
            let mut text = words(text(&explanation, "text"));
            let heads = ["move", "to", "answer", "to"].map(str::to_owned);
            if let Some(listed) = text.windows(4).position(|words| words == heads) {
                // The replies are tested separately.
                assert_eq!(blocks.last().expect("a block")["kind"], "replies", "{name} {position}");
                text.truncate(listed);
            }
            let words_of_blocks: Vec<String> =
                blocks.iter().flat_map(|block| words(&text_of(block))).collect();
            assert_eq!(words_of_blocks, text, "{name} {position}");
            for block in blocks {
                *kinds.entry(block["kind"].to_string()).or_insert(0) += 1;
                // The theorem: in a lost position every column is 0.
                if block["kind"] == "columns" && &block["position"] == canonical {
                    let zero = list(block, "sums").iter().all(|sum| sum == 0);
                    let lost = look(&mut client, name, &position)["outcome"] == "loss";
                    let ones = list(block, "rows").iter().all(|row| row["heap"].as_u64() <= Some(1));
                    assert!(zero == lost || ones, "{name} {position}");
                }
            }
        }
    }
    assert_eq!(kinds.len(), 4, "{kinds:?}");
}

#[test]
fn positions_at_the_end_of_a_game_are_explained() {
    let folder = small();
    let server = Server::of(folder.path());
    let mut client = server.client();
    for (name, position) in [
        ("sticks", "0,0,0"),
        ("one", "0"),
        ("pile", "0/0/2/1,1/-"),
        ("one", "2"),
        ("one", "1"),
        ("sticks", "1"),
    ] {
        let explanation = why(&mut client, name, position);
        check(&mut client, name, position, &explanation);
        assert_eq!(text(&explanation, "text"), argument(&folder, name, position));
    }
    // Taking the last stone wins, so the position after it has no replies.
    let explanation = why(&mut client, "one", "1");
    assert_eq!(
        (&explanation["best"], &explanation["of"], &explanation["replies"]),
        (&json!("1:1"), &json!("0"), &json!([]))
    );
    // The last stick must be taken, and then the game is over.
    let explanation = why(&mut client, "sticks", "0,1,0");
    let reply = json!({"move": "2:1", "to": "0,0,0", "answer": null, "then": null});
    assert_eq!((&explanation["best"], &explanation["of"]), (&Value::Null, &json!("0,1,0")));
    assert_eq!(explanation["replies"], json!([reply]));
}
