//! No name, path or parameter of a request reaches a file outside the served tables.

use std::fs;

use bouton_tests::service::{Folder, Server, request};

use super::small;

/// Spellings of paths out of a folder.
const OUTSIDE_PATHS: [&str; 22] = [
    "../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/etc/passwd",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "%252e%252e%252fetc%252fpasswd",
    "..%5c..%5cetc%5cpasswd",
    "..\\..\\etc\\passwd",
    "....//....//etc/passwd",
    "%c0%ae%c0%ae%c0%afetc%c0%afpasswd",
    "%uff0e%uff0e%u2215etc",
    "/etc/passwd",
    "%2fetc%2fpasswd",
    "//etc/passwd",
    "file:///etc/passwd",
    "sticks/../../secret",
    "sticks%2f..%2f..%2fsecret",
    "..%2fsecret",
    "..%2fsecret.bouton",
    ".%2fsticks",
    "sticks%00.bouton",
    "sticks%00",
    "~root",
];

/// Makes a folder to serve, inside another folder with a table that is not served.
fn nested() -> (Folder, Folder) {
    let outer = Folder::of(&[("secret", "sticks", &[])]);
    fs::create_dir(outer.path().join("inner")).unwrap();
    fs::copy(outer.file("secret"), outer.path().join("inner/sticks.bouton")).unwrap();
    (outer, small())
}

#[test]
fn no_name_of_a_table_leads_out_of_the_folder() {
    let (outer, _) = nested();
    let server = Server::of(&outer.path().join("inner"));
    for outside in OUTSIDE_PATHS {
        for rest in ["", "/lookup?position=1", "/state?position=3,5,7"] {
            let answer = server.get(&format!("/api/tables/{outside}{rest}"));
            // A client that resolves `sticks/../../secret` by itself requests a missing page.
            let kind = if answer.text().contains("no-such-page") { "no-such-page" } else { "no-such-table" };
            let detail = answer.problem(404, kind);
            assert!(!detail.contains("root:"), "{outside}: {detail}");
        }
        let answer = server.get(&format!("/api/diff?a={outside}&b=sticks&position=1"));
        let _ = answer.problem(404, "no-such-table");
    }
}

#[test]
fn no_path_of_the_page_leads_to_a_file() {
    let folder = small();
    let server = Server::of(folder.path());
    for outside in OUTSIDE_PATHS {
        for before in ["/", "/api/", "/assets/", "/static/"] {
            let answer = server.get(&format!("{before}{outside}"));
            let _ = answer.problem(404, "no-such-page");
        }
    }
    for path in [
        "/sticks.bouton",
        "/tables/sticks.bouton",
        "/api/tables/sticks.bouton",
        "/Cargo.toml",
        "/.git/config",
    ] {
        let kind = if path.starts_with("/api/tables") { "no-such-table" } else { "no-such-page" };
        let _ = server.get(path).problem(404, kind);
    }
}

#[test]
fn request_targets_that_are_not_paths_open_no_file() {
    let folder = small();
    let server = Server::of(folder.path());
    for target in [
        "http://localhost/../../etc/passwd",
        "http://example.com/",
        "*",
        "example.com:80",
        "etc/passwd",
        "",
        "/\0",
        "/\x7f",
        "/\u{fc}",
        "/ HTTP/1.0",
        "?x",
        "#table=sticks",
    ] {
        let mut client = server.client();
        client.send(request("GET", target, &[("connection", "close")], 0));
        let heard = String::from_utf8_lossy(&client.read_to_end_of_connection()).into_owned();
        assert!(!heard.contains("root:"), "{target}: {heard}");
        assert!(
            heard.is_empty() || heard.starts_with("HTTP/1.1 ") || heard.starts_with("HTTP/1.0 "),
            "{heard}"
        );
    }
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_position_that_looks_like_a_path_is_a_bad_position() {
    let folder = small();
    let server = Server::of(folder.path());
    for outside in OUTSIDE_PATHS {
        let encoded: String = outside.bytes().map(|byte| format!("%{byte:02x}")).collect();
        for question in ["lookup", "state", "map"] {
            let answer = server.get(&format!("/api/tables/sticks/{question}?position={encoded}"));
            let _ = answer.problem(400, "bad-position");
        }
    }
}
