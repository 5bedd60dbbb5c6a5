//! The operator's side: health, metrics, the OpenAPI document, the log, and the start.

use std::collections::BTreeMap;
use std::net::TcpListener;

use bouton_tests::programs::program;
use bouton_tests::service::{Folder, Server, run_to_end};
use serde_json::Value;

use super::{small, text};

#[test]
fn a_server_with_tables_is_healthy_and_ready() {
    let folder = small();
    let server = Server::of(folder.path());
    assert_eq!(server.get("/healthz").status, 200);
    assert_eq!(server.get("/readyz").status, 200);
}

#[test]
fn without_a_valid_table_the_server_is_healthy_but_not_ready() {
    let folder = Folder::new();
    folder.put("text", b"no table");
    let server = Server::of(folder.path());
    assert_eq!(server.get("/healthz").status, 200);
    let detail = server.get("/readyz").problem(503, "not-ready").to_owned();
    assert!(detail.contains("no table is served") && detail.contains("/api/tables"), "{detail}");
    folder.put("sticks", &bouton_tests::service::table("sticks", &[], true));
    server.wait_until("a table is served", |server| server.get("/readyz").status == 200);
}

/// Checks each line of a Prometheus text, and returns its samples.
fn samples(text: &str) -> BTreeMap<String, f64> {
    assert!(text.ends_with('\n'));
    let mut all = BTreeMap::new();
    let mut kinds: BTreeMap<String, String> = BTreeMap::new();
    let is_valid_name = |name: &str| {
        let rest = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == ':';
        !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit()) && name.chars().all(rest)
    };
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap_or_else(|| panic!("{line}"));
            assert!(["counter", "gauge", "histogram", "summary", "untyped"].contains(&kind), "{line}");
            assert_eq!(kinds.insert(name.to_owned(), kind.to_owned()), None, "{line}");
            continue;
        }
        if let Some(rest) = line.strip_prefix("# HELP ") {
            assert!(is_valid_name(rest.split(' ').next().unwrap()), "{line}");
            continue;
        }
        if line.is_empty() || line.starts_with("# ") {
            continue;
        }
        let (series, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("{line}"));
        let (name, labels) = match series.split_once('{') {
            Some((name, labels)) => (name, labels.strip_suffix('}').unwrap_or_else(|| panic!("{line}"))),
            None => (series, ""),
        };
        assert!(is_valid_name(name), "{line}");
        // No value here contains a comma or a quote.
        for label in labels.split(',').filter(|label| !label.is_empty()) {
            let (key, value) = label.split_once('=').unwrap_or_else(|| panic!("{line}"));
            assert!(is_valid_name(key) && value.len() >= 2, "{line}");
            assert!(value.starts_with('"') && value.ends_with('"'), "{line}");
        }
        let family = ["_bucket", "_sum", "_count"].iter().find_map(|part| name.strip_suffix(part));
        let typed = kinds.contains_key(name) || family.is_some_and(|family| kinds.contains_key(family));
        assert!(typed, "a sample without its type before it: {line}");
        let number: f64 = value.parse().unwrap_or_else(|_| panic!("{line}"));
        assert_eq!(all.insert(series.to_owned(), number), None, "{line} twice");
    }
    all
}

#[test]
fn metrics_are_prometheus_text_and_count_requests() {
    let folder = small();
    let server = Server::of(folder.path());
    let metrics = || {
        let answer = server.get("/metrics");
        let kind = answer.header("content-type").expect("metrics have a content type").to_owned();
        assert!(kind.starts_with("text/plain"), "{kind}");
        samples(answer.success_text())
    };
    let before = metrics();
    for _ in 0..50 {
        assert_eq!(server.get("/api/tables/sticks/lookup?position=3,5,7").status, 200);
        assert_eq!(server.get("/api/tables/sticks/lookup?position=x").status, 400);
    }
    let after = metrics();
    let grew = |(series, value): (&String, &f64)| {
        let before = before.get(series).copied().unwrap_or(0.0);
        (value - before >= 50.0).then(|| series.clone())
    };
    let counters: Vec<String> = after.iter().filter_map(grew).collect();
    assert!(counters.iter().any(|series| series.contains("request")), "{counters:?} of {after:?}");
    // Odd requests do not create new series.
    let send_odd_requests = |n: u32| {
        let _ = server.get(&format!("/nothing-{n}"));
        let _ = server.get(&format!("/api/tables/nothing-{n}/state?position=1"));
        let _ = server.client().ask(&format!("BREW{n}"), "/", &[], b"");
    };
    send_odd_requests(0);
    let series_count = metrics().len();
    (1..20).for_each(send_odd_requests);
    assert_eq!(metrics().len(), series_count);
}

#[test]
fn the_openapi_document_lists_paths_with_their_parameters() {
    let folder = small();
    let server = Server::of(folder.path());
    let reply = server.json("/api/openapi.json");
    assert!(text(&reply, "openapi").starts_with("3.1"), "{reply}");
    assert!(reply["info"]["title"].is_string() && reply["info"]["version"].is_string());
    let paths = reply["paths"].as_object().expect("paths");
    let plain = |path: &String| {
        let parts = path.split('/').map(|part| if part.starts_with('{') { "NAME" } else { part });
        parts.collect::<Vec<_>>().join("/")
    };
    let paths: BTreeMap<String, &Value> = paths.iter().map(|(path, item)| (plain(path), item)).collect();
    let position = ["position"];
    for (path, parameters) in [
        ("/api/tables", &[][..]),
        ("/api/tables/NAME", &[]),
        ("/api/tables/NAME/lookup", &["position", "moves", "policy"]),
        ("/api/tables/NAME/state", &["position", "policy"]),
        ("/api/tables/NAME/game", &["position", "moves", "policy"]),
        ("/api/tables/NAME/line", &["position", "policy", "plies"]),
        ("/api/tables/NAME/why", &position),
        ("/api/class", &["hash"]),
        ("/api/diff", &["a", "b", "position", "moves", "policy"]),
        ("/api/tables/NAME/map", &["position", "x", "y"]),
        ("/api/tables/NAME/game-map", &position),
        ("/healthz", &[]),
        ("/readyz", &[]),
        ("/metrics", &[]),
        ("/api/openapi.json", &[]),
    ] {
        let item = paths.get(path).unwrap_or_else(|| panic!("no {path} in {:?}", paths.keys()));
        let get = &item["get"];
        assert!(get["responses"].as_object().is_some_and(|all| all.contains_key("200")), "{path}");
        let resolved = |of: &Value| {
            of.as_array().into_iter().flatten().map(|one| resolve(&reply, one)).collect::<Vec<_>>()
        };
        let mut named: Vec<String> = [resolved(&get["parameters"]), resolved(&item["parameters"])]
            .concat()
            .iter()
            .filter(|parameter| parameter["in"] == "query")
            .map(|parameter| text(parameter, "name").to_owned())
            .collect();
        named.sort();
        let mut expected = parameters.to_vec();
        expected.sort_unstable();
        assert_eq!(named, expected, "{path}");
    }
    let post = &paths["/api/tables/NAME/lookup"]["post"];
    assert!(resolve(&reply, &post["requestBody"])["content"]["application/json"].is_object(), "{post}");
    check_references(&reply, &reply);
}

/// Resolves a reference of the document; returns any other value unchanged.
fn resolve(all: &Value, value: &Value) -> Value {
    match value["$ref"].as_str() {
        Some(reference) => {
            let path = reference.strip_prefix('#').expect("within the document");
            all.pointer(path).unwrap_or_else(|| panic!("{reference} leads nowhere")).clone()
        }
        None => value.clone(),
    }
}

/// Checks that each reference in a part of the document resolves.
fn check_references(all: &Value, value: &Value) {
    resolve(all, value);
    match value {
        Value::Object(fields) => {
            fields.values().for_each(|value| check_references(all, value));
        }
        Value::Array(values) => values.iter().for_each(|value| check_references(all, value)),
        _ => {}
    }
}

#[test]
fn the_log_has_the_id_of_a_request() {
    let folder = small();
    for format in ["text", "json"] {
        let server = Server::with(folder.path(), &["--log", "debug", "--log-format", format]);
        let _ = server.get_with("/api/tables/sticks/lookup?position=1", &[("x-request-id", "one-of-these")]);
        server.wait_until("the log has the ID", |server| server.log().contains("one-of-these"));
        if format == "json" {
            for line in server.log().lines() {
                let line: Value =
                    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
                assert!(line.is_object(), "{line}");
            }
        }
    }
}

#[test]
fn clients_cannot_forge_lines_of_the_log() {
    let folder = small();
    for format in ["text", "json"] {
        let server = Server::with(folder.path(), &["--log", "debug", "--log-format", format]);
        for path in
            ["/%0aforged", "/api/tables/%0d%0aforged", "/api/tables/sticks/lookup?position=%0aforged%1b[31m"]
        {
            let _ = server.get_with(path, &[("user-agent", "\u{1b}[31mforged")]);
        }
        let _ = server.get_with("/", &[("x-request-id", "last")]);
        server.wait_until("the log has the last ID", |server| server.log().contains("last"));
        for line in server.log().lines() {
            assert!(!line.starts_with("forged") && !line.contains('\u{1b}'), "{line:?}");
        }
    }
}

#[test]
fn a_failed_start_says_why_and_ends_with_status_2() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let file = folder.file("sticks").to_str().unwrap().to_owned();
    for (args, expected) in [
        (&["--listen", &address][..], address.as_str()),
        (&["--listen", "nowhere"], "nowhere"),
        (&["--listen", "127.0.0.1:99999"], "99999"),
        (&["--listen"], "--listen"),
        (&["--frobnicate"], "--frobnicate"),
        (&["--tables", "/no/such/folder"], "/no/such/folder"),
        (&["--tables", &file], "sticks.bouton"),
        (&["--listen", "99999"], "a port is a number from 0 to 65535; give HOST:PORT"),
        (&["--listen", "127.0.0.1:65536"], "or PORT for this machine only"),
        (&["--metrics-listen", "99999999999999999999"], "a port is a number from 0 to 65535"),
        (&["--head-time", "0"], "from 1 to 86400"),
        (&["--idle-time", "soon"], "from 1 to 86400"),
        (&["--metrics-listen", &address], address.as_str()),
        (&["--log", "loudly"], "loudly"),
        (&["--log-format", "xml"], "xml"),
        (&["--cors", "no origin"], "no origin"),
        (&["--cors", "https://a.example/path"], "found 'https://a.example/path' for --cors"),
        (&["--cors", "https://*.example"], "found 'https://*.example' for --cors"),
        (&["--frame-ancestors", "school.example"], "found 'school.example' for --frame-ancestors"),
        (
            &["--frame-ancestors", "https://a.example; x"],
            "found 'https://a.example; x' for --frame-ancestors",
        ),
        (&["--address", "school.example"], "https://school.example"),
        (&["--address", "https://school.example/#"], "without ? and #"),
        (&["--address", "http://localhost:99999"], "a port is a number from 1 to 65535"),
        (&["--address", "http://user:pw@h"], "found a user name"),
        (&["--address", &format!("http://{}", "x".repeat(5000))], "the host is neither"),
        (&["--address", &format!("http://h/{}", "x".repeat(1200))], "too long for a QR code"),
        (&["more"], "more"),
    ] {
        let mut all = args.to_vec();
        if !args.contains(&"--listen") {
            all.extend(["--listen", "127.0.0.1:0"]);
        }
        let ran = run_to_end(&all);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn invalid_numbers_are_refused_with_the_allowed_range() {
    for (option, allowed) in [
        ("--solve-limit", "a whole number from 0 to 1000000000000000000"),
        ("--work", "a whole number from 1 to 1000000000"),
        ("--connections", "a whole number from 1 to 1000000"),
        ("--connections-per-address", "a whole number from 1 to 1000000"),
        ("--threads", "a whole number from 1 to 1024"),
        ("--head-time", "a whole number of seconds from 1 to 86400"),
        ("--body-time", "a whole number of seconds from 1 to 86400"),
        ("--idle-time", "a whole number of seconds from 1 to 86400"),
        ("--write-time", "a whole number of seconds from 1 to 86400"),
        ("--answer-time", "a whole number of seconds from 1 to 86400"),
    ] {
        let zero = if option == "--solve-limit" { "zero" } else { "0" };
        for value in ["foo", "1.5", "", "-1", "1e3", "99999999999999999999", zero] {
            let ran = run_to_end(&["--listen", "127.0.0.1:0", option, value]);
            assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{option} {value}: {}", ran.stderr);
            let expected = format!("invalid value '{value}' for '{option} <");
            assert!(ran.stderr.contains(&expected), "{option} {value}: {}", ran.stderr);
            assert!(
                ran.stderr.contains(&format!(">': expected {allowed}")),
                "{option} {value}: {}",
                ran.stderr
            );
        }
    }
}

#[test]
fn a_port_alone_listens_on_this_machine() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let server = Server::start(&["--listen", "0", "--tables", folder.path().to_str().unwrap()]);
    assert_eq!(server.get("/api/tables/sticks").status, 200);
}

#[test]
fn help_names_the_options_and_signals_and_version_the_program() {
    let help = run_to_end(&["--help"]);
    assert_eq!((help.status, help.stderr.as_str()), (Some(0), ""));
    for word in [
        "--tables",
        "--listen",
        "--cors",
        "--frame-ancestors",
        "--address",
        "--connections",
        "--threads",
        "--log",
        "--log-format",
        "--metrics-listen",
        "--head-time",
        "--body-time",
        "--idle-time",
        "--write-time",
        "--answer-time",
        "--work",
    ] {
        assert!(help.stdout.contains(word), "{word}");
    }
    for signal in ["SIGTERM", "SIGHUP", "Ctrl-C"] {
        assert!(help.stdout.contains(signal), "{signal}");
    }
    let version = run_to_end(&["--version"]);
    assert_eq!(version.status, Some(0));
    assert!(version.stdout.starts_with("bouton-server 0."), "{}", version.stdout);
    assert!(program("bouton-server").is_file());
}

#[test]
fn a_server_with_one_thread_and_one_connection_answers() {
    let folder = small();
    let server = Server::with(folder.path(), &["--threads", "1", "--connections", "1"]);
    for position in 0..20 {
        let answer = server.json(&format!("/api/tables/one/lookup?position={position}"));
        assert_eq!(text(&answer, "position"), position.to_string());
    }
}
