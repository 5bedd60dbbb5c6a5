//! Errors that clients cause: the problem types (RFC 9457) of the responses, and the texts that they quote.

use bouton_tests::service::{Folder, Server};
use serde_json::Value;

use super::{small, text};

#[test]
fn missing_unknown_and_repeated_parameters_are_named() {
    let folder = small();
    let server = Server::of(folder.path());
    for (query, found) in [
        ("lookup", "position"),
        ("lookup?", "position"),
        ("lookup?moves=true", "position"),
        ("lookup?position=1&position=1", "position"),
        ("lookup?position=1&position=2", "position"),
        ("lookup?position=1&%70osition=2", "position"),
        ("lookup?position=1&moves=true&moves=true", "moves"),
        ("lookup?position=1&policy=trap&policy=trap", "policy"),
        ("lookup?position=1&colour=red", "colour"),
        ("lookup?position=1&Position=1", "Position"),
        ("lookup?position=1&plies=3", "plies"),
        ("state", "position"),
        ("state?position=1&moves=true", "moves"),
        ("state?position=1&colour=red", "colour"),
        ("game?moves=1", "position"),
        ("game?position=1&moves=1&moves=1", "moves"),
        ("game?position=1&plies=3", "plies"),
        ("line", "position"),
        ("line?position=1&plies=3&plies=3", "plies"),
        ("line?position=1&moves=true", "moves"),
        ("why", "position"),
        ("why?position=1&policy=trap", "policy"),
        ("map", "position"),
        ("map?position=1&z=3", "z"),
        ("map?position=1&x=3&x=4", "x"),
        ("game-map", "position"),
        ("game-map?position=1&policy=trap", "policy"),
    ] {
        let detail = server.get(&format!("/api/tables/pile/{query}")).problem(400, "bad-request");
        assert!(detail.contains(found), "{query}: {detail}");
    }
}

#[test]
fn errors_are_sentences_with_advice() {
    let folder = small();
    let server = Server::of(folder.path());
    for (path, expected) in [
        ("lookup", "invalid query: the parameter 'position' is missing; "),
        ("lookup?position=1&position=1", "invalid query: the parameter 'position' is given twice; "),
        ("lookup?x=1", "invalid query: there is no parameter 'x'; there are 'position', 'moves', 'policy'; "),
        ("why?x=1", "invalid query: there is no parameter 'x'; there is 'position'; "),
        ("", "invalid query: there is no parameter 'x', as none is expected; "),
    ] {
        let path = format!("/api/tables/pile/{path}");
        let path = if path.ends_with('/') { "/api/tables/pile?x=1".to_owned() } else { path };
        let detail = server.get(&path).problem(400, "bad-request");
        assert_eq!(detail.split("/api/").next(), Some(expected), "{path}");
    }
    for (body, expected) in [
        (r#"["1", 2]"#, "the body is JSON, but not an array of strings (line 1, column 7)"),
        ("{}", "the body is JSON, but not an array of strings (line 1, column 0)"),
        (r#"["1",]"#, "the body is not JSON (line 1, column 6)"),
        ("", "the body is not JSON (line 1, column 0)"),
    ] {
        let detail = server.post("/api/tables/pile/lookup", body).problem(400, "bad-request");
        assert_eq!(detail.split("; ").next(), Some(expected), "{body}");
    }
    // Long texts are not quoted in full.
    let long = format!("\"{}\"", "x".repeat(1_000_000));
    let answer = server.post("/api/tables/pile/lookup", &long);
    assert!(!answer.problem(400, "bad-request").is_empty());
    assert!(answer.body.len() < 1000, "{}", answer.body.len());
}

#[test]
fn addresses_without_parameters_refuse_any() {
    let folder = small();
    let server = Server::of(folder.path());
    for (path, found) in [("/api/tables?name=pile", "name"), ("/api/tables/pile?position=1", "position")] {
        let detail = server.get(path).problem(400, "bad-request");
        assert!(detail.contains(found), "{path}: {detail}");
    }
}

#[test]
fn an_invalid_value_is_quoted_with_the_allowed_ones() {
    let folder = small();
    let server = Server::of(folder.path());
    for (query, found, allowed) in [
        ("lookup?position=1&moves=maybe", "maybe", "true"),
        ("lookup?position=1&moves=1", "1", "true"),
        ("lookup?position=1&moves=", "moves", "true"),
        ("lookup?position=1&moves", "moves", "true"),
        ("lookup?position=1&policy=slow", "slow", "trap"),
        ("lookup?position=1&policy=Trap", "Trap", "trap"),
        ("lookup?position=1&policy=", "policy", "trap"),
        ("state?position=1&policy=slow", "slow", "trap"),
        ("line?position=1&policy=slow", "slow", "trap"),
        ("line?position=1&plies=many", "many", "10000"),
        ("line?position=1&plies=0", "0", "10000"),
        ("line?position=1&plies=10001", "10001", "10000"),
        ("line?position=1&plies=-1", "-1", "10000"),
        ("line?position=1&plies=1.5", "1.5", "10000"),
        ("line?position=1&plies=99999999999999999999", "99999999999999999999", "10000"),
        ("line?position=1&plies=", "plies", "10000"),
    ] {
        let detail = server.get(&format!("/api/tables/pile/{query}")).problem(400, "bad-request");
        assert!(detail.contains(found), "{query}: {detail}");
        assert!(detail.replace("10,000", "10000").contains(allowed), "{query}: {detail}");
    }
}

#[test]
fn all_requests_report_a_bad_position_in_the_same_words() {
    let folder = small();
    let server = Server::of(folder.path());
    for (table, position, found) in [
        ("pile", "x", "stones: found 'x'"),
        ("pile", "", "stones: found ''"),
        ("pile", "41", "stones: found 41, but the table covers"),
        ("pile", "40/5", "this position cannot arise"),
        ("pile", "9/0/3", "turn: found '3'"),
        ("pile", "9/0/1/3,0", "resets: found 3, but"),
        ("pile", "9/0/1/1,1/x", "imposed: found 'x'"),
        ("flat", "99999999999999999999", "99999999999999999999"),
        ("sticks", "x", "heaps: found 'x'"),
        ("sticks", "4,5,7", "heaps: found 4,5,7, but the table covers"),
        ("sticks", "1,1,1,1", "found 4, but the table covers"),
        ("sticks", "1/0", "end: found '0'"),
        ("passing", "1,2/2", "passes: found 2, but the table covers"),
        ("sticks", "%F0%9F%98%80", "\u{1f600}"),
        ("sticks", "1%00", "heaps: found"),
        ("sticks", "%2B1", "heaps: found '+1'"),
        ("sticks", "217/9/1/4,3/-", "this is a heap game: a position looks like 3,5,7"),
        ("pile", "3%205%207", "this is Expanding Nim: a position looks like 40/0/1/"),
    ] {
        for question in ["lookup", "state", "game", "line", "why", "map", "game-map"] {
            let answer = server.get(&format!("/api/tables/{table}/{question}?position={position}"));
            let detail = answer.problem(400, "bad-position");
            assert!(detail.contains(found), "{table} {question} {position}: {detail}");
        }
        if position == "1/0" {
            // A comparison accepts this position, because it ignores parts that a table does not have.
            continue;
        }
        let detail = server.get(&format!("/api/diff?a={table}&b={table}&position={position}"));
        let detail = detail.problem(400, "bad-position");
        assert!(detail.contains(found), "diff of {table} {position}: {detail}");
    }
    let answer = server.get("/api/tables/sticks/lookup?position=%FF%FE");
    assert_eq!(answer.status, 400, "{answer}");
}

#[test]
fn the_error_about_a_long_text_is_short() {
    let folder = small();
    let server = Server::of(folder.path());
    let long = "x".repeat(5000);
    for path in [
        format!("/api/tables/sticks/lookup?position={long}"),
        format!("/api/tables/sticks/lookup?position=1&policy={long}"),
        format!("/api/tables/sticks/lookup?position=1&{long}=1"),
        format!("/api/tables/{long}"),
        format!("/{long}"),
    ] {
        let answer = server.get(&path);
        assert!((400..500).contains(&answer.status), "{answer}");
        assert!(answer.body.len() < 1500, "{}: {answer}", answer.body.len());
    }
}

#[test]
fn missing_tables_and_pages_get_status_404() {
    let folder = small();
    let server = Server::of(folder.path());
    for question in ["", "/lookup?position=1", "/state?position=1", "/line?position=1", "/why?position=1"] {
        let detail = server.get(&format!("/api/tables/chess{question}")).problem(404, "no-such-table");
        assert!(detail.contains("chess"), "{question}: {detail}");
    }
    for question in ["/map?position=1", "/game-map?position=1", "?"] {
        let answer = server.get(&format!("/api/tables/chess{question}"));
        assert!(answer.problem(404, "no-such-table").contains("chess"), "{question}");
    }
    // Names are case-sensitive, and must be complete.
    for name in ["Sticks", "stick", "sticks.bouton", "sticks%20", "%20sticks", "sticks%00", "*"] {
        let answer = server.get(&format!("/api/tables/{name}"));
        let _ = answer.problem(404, "no-such-table");
    }
    for path in [
        "/nothing",
        "/api",
        "/api/",
        "/api/nothing",
        "/api/tables/sticks/nothing",
        "/api/tables/sticks/lookup/more",
        "/api/diff/more",
        "/healthz/more",
        "/index.php",
        "/favicon.gif",
        "/API/tables",
        "/%ff",
        "/api/openapi.yaml",
    ] {
        let detail = server.get(path).problem(404, "no-such-page");
        assert!(!detail.is_empty(), "{path}");
    }
}

#[test]
fn the_allow_header_lists_exactly_the_methods_of_a_path() {
    let folder = small();
    let server = Server::of(folder.path());
    for (path, methods) in [
        ("/", &["GET"][..]),
        ("/api/tables", &["GET"]),
        ("/api/tables/sticks", &["GET"]),
        ("/api/tables/sticks/lookup", &["GET", "POST"]),
        ("/api/tables/sticks/state", &["GET"]),
        ("/api/tables/sticks/line", &["GET"]),
        ("/api/tables/sticks/why", &["GET"]),
        ("/api/tables/sticks/map", &["GET"]),
        ("/api/tables/sticks/game-map", &["GET"]),
        ("/api/diff", &["GET"]),
        ("/api/openapi.json", &["GET"]),
        ("/healthz", &["GET"]),
        ("/readyz", &["GET"]),
        ("/metrics", &["GET"]),
    ] {
        for method in ["POST", "PUT", "DELETE", "PATCH", "BREW"] {
            if methods.contains(&method) {
                continue;
            }
            let headers = [("content-type", "application/json")];
            let answer = server.client().ask(method, path, &headers, b"[\"1\"]");
            let detail = answer.problem(405, "no-such-method");
            assert!(detail.contains(method), "{method} {path}: {detail}");
            let allow = answer.header("allow").expect("the answer has an `Allow` header");
            let allowed: Vec<&str> = allow.split(',').map(str::trim).collect();
            for expected in methods {
                assert!(allowed.contains(expected), "{method} {path}: {allow}");
            }
            for method in allowed {
                let answer = server.client().ask(method, path, &[], b"");
                assert_ne!(answer.status, 405, "{method} {path}");
            }
        }
    }
}

#[test]
fn with_a_missing_table_and_a_bad_parameter_one_of_them_is_reported() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let server = Server::of(folder.path());
    let answer = server.get("/api/tables/chess/lookup?colour=red");
    assert!([400, 404].contains(&answer.status), "{answer}");
    let problem: Value = serde_json::from_slice(&answer.body).unwrap();
    assert!(text(&problem, "detail").contains("chess") || text(&problem, "detail").contains("colour"));
}

#[test]
fn errors_cannot_inject_headers() {
    let folder = small();
    let server = Server::of(folder.path());
    let answer = server.get("/api/tables/sticks/lookup?position=%3Cscript%3E%22%0d%0aset-cookie:%20x");
    let detail = answer.problem(400, "bad-position");
    assert!(detail.contains("<script>"), "{detail}");
    assert_eq!(answer.header("set-cookie"), None);
    let answer = server.get("/api/tables/%0d%0aset-cookie:%20x=1");
    let _ = answer.problem(404, "no-such-table");
    assert_eq!(answer.header("set-cookie"), None);
}
