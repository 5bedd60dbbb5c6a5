//! A batch: POST `/lookup` answers many positions in one request, in order, with an error for each invalid one.

use bouton_tests::positions::Dice;
use bouton_tests::service::{Client, Folder, OrderedJson, Server, ordered, request};
use serde_json::json;

use super::{names, random_positions, small};

/// Asks for many positions in one request. Returns the answer with its keys in order.
fn ask(client: &mut Client, name: &str, query: &str, positions: &[String]) -> OrderedJson {
    let body = serde_json::to_string(positions).unwrap();
    let answer = client.post(&format!("/api/tables/{name}/lookup{query}"), &body);
    assert_eq!(answer.header("content-type"), Some("application/json"), "{answer}");
    ordered(answer.success_text())
}

#[test]
fn a_batch_has_the_single_answers_in_the_order_of_the_questions() {
    let folder = small();
    let server = Server::of(folder.path());
    let (mut client, mut dice) = (server.client(), Dice::new(3));
    for name in names() {
        let mut positions = random_positions(name, 60, &mut dice);
        // Invalid positions in between, and one position twice.
        for (index, bad) in [(0, "x"), (7, ""), (20, "999999"), (33, "1,1,1,1,1,1,1"), (50, "\u{1f600}\"\\")]
        {
            positions.insert(index, bad.to_owned());
        }
        positions.push(positions[40].clone());
        for (query, args) in [
            ("", &[][..]),
            ("?moves=true", &["--moves"]),
            ("?policy=trap&moves=true", &["--moves", "--policy", "trap"]),
        ] {
            let answers = ask(&mut client, name, query, &positions);
            let answers = answers.elements();
            assert_eq!(answers.len(), positions.len());
            for ((position, answer), line) in
                positions.iter().zip(answers).zip(folder.lookup(name, &positions, args))
            {
                if line.contains("\"error\":") {
                    assert_eq!(answer.keys(), "position error", "{name} {position}");
                    assert_eq!(answer.at("position"), &OrderedJson::Plain(json!(position)), "{name}");
                    assert_ne!(answer.at("error"), &OrderedJson::Plain(json!("")));
                } else {
                    assert_eq!(answer, &ordered(&line), "{name} {position} {args:?}");
                }
            }
        }
    }
}

#[test]
fn at_most_ten_thousand_positions_are_answered() {
    let folder = small();
    let server = Server::of(folder.path());
    let mut client = server.client();
    let mut positions: Vec<String> = (0..10_000).map(|n| format!("{}", n % 41)).collect();
    let answers = ask(&mut client, "pile", "", &positions);
    assert_eq!(answers.elements().len(), 10_000);
    for (position, answer) in positions.iter().zip(answers.elements()) {
        assert_eq!(answer.at("position"), &OrderedJson::Plain(json!(format!("{position}/0/1/2,1/-"))));
    }
    positions.push("1".to_owned());
    let answer = server.post("/api/tables/pile/lookup", &serde_json::to_string(&positions).unwrap());
    let detail = answer.problem(413, "too-large");
    assert!(detail.replace(',', "").contains("10000"), "{detail}");
    assert_eq!(ask(&mut client, "pile", "", &[]), OrderedJson::Array(Vec::new()));
}

#[test]
fn a_body_of_up_to_1_mib_is_read_and_a_longer_one_is_refused() {
    let folder = small();
    let server = Server::of(folder.path());
    let body = |length: usize| {
        let start = "[\"1\", \"2\"";
        [start, &" ".repeat(length - start.len() - 1), "]"].concat()
    };
    for length in [1 << 19, (1 << 20) - 1, 1 << 20] {
        assert_eq!(server.post("/api/tables/pile/lookup", &body(length)).json().as_array().unwrap().len(), 2);
    }
    for length in [(1 << 20) + 1, 1 << 21] {
        let answer = server.post("/api/tables/pile/lookup", &body(length));
        assert!(!answer.problem(413, "too-large").is_empty());
    }
}

#[test]
fn a_body_that_is_not_an_array_of_texts_is_refused() {
    let folder = small();
    let server = Server::of(folder.path());
    for body in [
        "",
        " ",
        "x",
        "{}",
        "\"1\"",
        "null",
        "[1]",
        "[\"1\", 2]",
        "[\"1\", null]",
        "[[\"1\"]]",
        "[\"1\"",
        "[\"1\"] x",
        "[\"1\",]",
        "{\"positions\": [\"1\"]}",
        "[\"\\ud800\"]",
        "['1']",
    ] {
        let detail = server.post("/api/tables/pile/lookup", body).problem(400, "bad-request");
        assert!(detail.contains("array"), "{body}: {detail}");
    }
    let not_text = server.client().ask(
        "POST",
        "/api/tables/pile/lookup",
        &[("content-type", "application/json")],
        b"[\"\xff\xfe\"]",
    );
    assert!(!not_text.problem(400, "bad-request").is_empty());
    let deep = "[".repeat(200_000);
    assert!(!server.post("/api/tables/pile/lookup", &deep).problem(400, "bad-request").is_empty());
}

#[test]
fn a_body_of_another_content_type_is_refused() {
    let folder = small();
    let server = Server::of(folder.path());
    let ask = |headers: &[(&str, &str)]| {
        server.client().ask("POST", "/api/tables/pile/lookup", headers, b"[\"1\"]")
    };
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "application", "a/b"]
    {
        let detail = ask(&[("content-type", kind)]).problem(415, "not-json");
        assert!(detail.contains("application/json"), "{kind}: {detail}");
    }
    assert!(ask(&[]).problem(415, "not-json").contains("application/json"));
    for kind in ["application/json", "application/json; charset=utf-8", "Application/JSON"] {
        assert_eq!(ask(&[("content-type", kind)]).json().as_array().unwrap().len(), 1, "{kind}");
    }
}

#[test]
fn parameters_of_a_batch_are_checked() {
    let folder = small();
    let server = Server::of(folder.path());
    for (query, found) in [
        ("policy=slow", "slow"),
        ("moves=maybe", "maybe"),
        ("position=1", "position"),
        ("moves=true&moves=true", "moves"),
        ("colour=red", "colour"),
    ] {
        let answer = server.post(&format!("/api/tables/pile/lookup?{query}"), "[\"1\"]");
        let detail = answer.problem(400, "bad-request");
        assert!(detail.contains(found), "{query}: {detail}");
    }
    let answer = server.post("/api/tables/nothing/lookup", "[\"1\"]");
    assert!(answer.problem(404, "no-such-table").contains("nothing"));
}

#[test]
fn a_chunked_body_is_read_up_to_the_limit() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let server = Server::of(folder.path());
    let headers = [("content-type", "application/json"), ("transfer-encoding", "chunked")];
    let ask = |chunks: &[&str], count: usize| {
        let mut client = server.client();
        client.send(
            request("POST", "/api/tables/sticks/lookup", &headers, 0).replace("content-length: 0\r\n", ""),
        );
        for chunk in chunks.iter().cycle().take(count) {
            if !client.try_send(format!("{:x}\r\n{chunk}\r\n", chunk.len())) {
                break;
            }
        }
        client.try_send("0\r\n\r\n");
        client.read_answer().expect("an answer")
    };
    assert_eq!(ask(&["[\"3,", "5,7\"", ",\"0\"]"], 3).json().as_array().unwrap().len(), 2);
    // A body that is too long, and whose length no header announces.
    let long = " ".repeat(1 << 16);
    assert!(!ask(&[&long], 40).problem(413, "too-large").is_empty());
}
