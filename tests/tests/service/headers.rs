//! Headers: request IDs, compression, allowed origins (CORS), and those that protect the page.

use std::collections::HashSet;
use std::io::Read;

use bouton_tests::service::{Answer, Server};
use flate2::read::GzDecoder;

use super::small;

#[test]
fn a_request_keeps_its_own_id() {
    let folder = small();
    let server = Server::of(folder.path());
    let long = "x".repeat(64);
    for id in ["a", "AZaz09-_.", "d3f1-2a", long.as_str()] {
        for path in
            ["/", "/healthz", "/api/tables", "/api/tables/sticks/lookup?position=1", "/nothing", "/api/diff"]
        {
            let answer = server.get_with(path, &[("x-request-id", id)]);
            assert_eq!(answer.header("x-request-id"), Some(id), "{path}: {answer}");
            if answer.status >= 400 {
                assert!(answer.text().contains(&format!("\"request\":\"{id}\"")), "{answer}");
            }
        }
    }
}

#[test]
fn a_request_without_a_valid_id_gets_a_new_one() {
    let folder = small();
    let server = Server::of(folder.path());
    let long = "x".repeat(65);
    let mut ids = HashSet::new();
    for id in ["", " ", "a b", "a\"b", "a/b", "<b>", "gr\u{fc}n", "a:b", "a,b", long.as_str()] {
        let answer = server.get_with("/api/tables/sticks", &[("x-request-id", id)]);
        let new = answer.header("x-request-id").expect("each answer has an ID");
        assert_ne!(new, id);
        let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        assert!((1..=64).contains(&new.len()) && new.chars().all(is_allowed), "{new}");
        assert!(ids.insert(new.to_owned()), "{new} twice");
    }
    for path in ["/", "/healthz", "/api/tables", "/nothing"] {
        let answer = server.get(path);
        assert!(
            ids.insert(answer.header("x-request-id").expect("each answer has an ID").to_owned()),
            "{path}"
        );
    }
}

/// Returns the body of an answer, which must be compressed.
fn unzipped(answer: &Answer) -> Vec<u8> {
    assert_eq!(answer.header("content-encoding"), Some("gzip"), "{:?}", answer.headers);
    let mut body = Vec::new();
    GzDecoder::new(&*answer.body).read_to_end(&mut body).expect("it is gzip");
    body
}

#[test]
fn long_answers_are_compressed_if_the_client_accepts_it() {
    let folder = small();
    let server = Server::of(folder.path());
    let positions: Vec<String> = (0..2000).map(|n| (n % 41).to_string()).collect();
    let body = serde_json::to_string(&positions).unwrap();
    let ask = |path: &str, headers: &[(&str, &str)]| match path {
        "/api/tables/pile/lookup" => {
            let headers = [headers, &[("content-type", "application/json")]].concat();
            server.client().ask("POST", path, &headers, body.as_bytes())
        }
        path => server.get_with(path, headers),
    };
    // The module `page_files` tests the files of the page.
    for path in ["/api/tables", "/api/tables/pile/lookup", "/api/tables/sticks/game-map?position=3,5,7"] {
        let plain = ask(path, &[]);
        // Short answers are not worth compressing.
        let long = plain.body.len() > 1024;
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        for accepted in ["gzip", "gzip, deflate, br, zstd", "deflate, gzip;q=0.5", "GZIP"] {
            let zipped = ask(path, &[("accept-encoding", accepted)]);
            assert_eq!(zipped.status, 200);
            if long {
                assert!(zipped.body.len() < plain.body.len(), "{path}");
                assert!(unzipped(&zipped) == plain.body, "{path} {accepted}");
                let vary = zipped.header("vary").unwrap_or_else(|| panic!("{path}: {:?}", zipped.headers));
                assert!(vary.to_ascii_lowercase().contains("accept-encoding"), "{vary}");
            }
            assert_eq!(zipped.header("content-type"), plain.header("content-type"));
        }
        for refused in ["identity", "gzip;q=0", "br;q=0, gzip;q=0.0", "x-unknown"] {
            let answer = ask(path, &[("accept-encoding", refused)]);
            assert_eq!(answer.header("content-encoding"), None, "{path} {refused}");
            assert!(answer.body == plain.body, "{path} {refused}");
        }
    }
}

#[test]
fn pages_of_other_origins_may_read_nothing() {
    let folder = small();
    let server = Server::of(folder.path());
    for path in ["/api/tables", "/api/tables/sticks/lookup?position=1", "/nothing", "/healthz"] {
        let answer = server.get_with(path, &[("origin", "http://evil.example")]);
        assert_eq!(answer.header("access-control-allow-origin"), None, "{path}");
    }
    let headers = [("origin", "http://evil.example"), ("access-control-request-method", "POST")];
    let answer = server.client().ask("OPTIONS", "/api/tables/sticks/lookup", &headers, b"");
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[test]
fn only_pages_of_allowed_origins_may_read_answers() {
    let folder = small();
    let args = ["--cors", "http://one.example", "--cors", "https://two.example:8443"];
    let server = Server::with(folder.path(), &args);
    for path in
        ["/api/tables", "/api/tables/sticks/lookup?position=1", "/api/tables/sticks/lookup?position=x"]
    {
        for (origin, allowed) in [
            ("http://one.example", true),
            ("https://two.example:8443", true),
            ("https://one.example", false),
            ("http://one.example.evil", false),
            ("http://one.example:80", false),
            ("https://two.example", false),
            ("null", false),
        ] {
            let answer = server.get_with(path, &[("origin", origin)]);
            let expected = allowed.then_some(origin);
            assert_eq!(answer.header("access-control-allow-origin"), expected, "{path} {origin}");
            let vary = answer.headers.iter().filter(|header| header.0 == "vary");
            let vary: String = vary.map(|header| header.1.to_ascii_lowercase()).collect();
            assert!(
                vary.contains("origin"),
                "a cache must know that the answer depends on the origin: {answer}"
            );
        }
    }
}

#[test]
fn all_origins_can_be_allowed_and_may_send_batches() {
    let folder = small();
    for (allowed, expected) in [("*", "*"), ("http://a.example", "http://a.example")] {
        let server = Server::with(folder.path(), &["--cors", allowed]);
        let origin = ("origin", "http://a.example");
        let answer = server.get_with("/api/tables", &[origin]);
        assert_eq!(answer.header("access-control-allow-origin"), Some(expected));
        // The browser's preflight request before it sends JSON.
        let headers = [
            origin,
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", "content-type"),
        ];
        let answer = server.client().ask("OPTIONS", "/api/tables/sticks/lookup", &headers, b"");
        assert!((200..300).contains(&answer.status), "{answer}");
        assert_eq!(answer.header("access-control-allow-origin"), Some(expected), "{answer}");
        let list = |name: &str| answer.header(name).unwrap_or_default().to_ascii_lowercase();
        let headers = list("access-control-allow-headers");
        assert!(headers.contains("content-type") || headers == "*", "{answer}");
        let methods = list("access-control-allow-methods");
        assert!(methods.contains("post") || methods == "*", "{answer}");
        assert_eq!(answer.header("access-control-allow-credentials"), None);
        // The headers of an answer that a page's script may read.
        let exposed = server.get_with("/api/tables", &[origin]);
        let exposed =
            exposed.header("access-control-expose-headers").unwrap_or_default().to_ascii_lowercase();
        assert!(exposed.is_empty() || exposed == "*" || exposed.contains("x-request-id"), "{exposed}");
    }
}

#[test]
fn the_page_loads_only_files_of_the_server() {
    let folder = small();
    let server = Server::of(folder.path());
    let page = server.get("/");
    assert!(page.header("content-type").is_some_and(|kind| kind.starts_with("text/html")), "{page}");
    let policy = page.header("content-security-policy").expect("the page has a policy");
    assert!(policy.contains("default-src 'none'") || policy.contains("default-src 'self'"), "{policy}");
    for loose in ["unsafe-inline", "unsafe-eval", "*", "http:", "https:"] {
        assert!(!policy.contains(loose), "{policy}");
    }
    assert!(
        policy.contains("frame-ancestors 'none'") || page.header("x-frame-options").is_some(),
        "{policy}"
    );
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    let html = page.success_text();
    assert!(html.contains("<html") && html.contains("lang="), "{html}");
    let mut loaded = 0;
    for attribute in ["src=\"", "href=\""] {
        for part in html.split(attribute).skip(1) {
            let target = part.split('"').next().unwrap();
            if target.starts_with('#') || target.starts_with("data:") {
                continue;
            }
            assert!(!target.contains("//"), "the page loads from elsewhere: {target}");
            let answer = server.get(&format!("/{}", target.trim_start_matches("./").trim_start_matches('/')));
            assert_eq!(answer.status, 200, "{target}");
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{target}");
            let kind = answer.header("content-type").expect("the file has a content type");
            let expected = match target.rsplit('.').next() {
                Some("js" | "mjs") => "javascript",
                Some("css") => "css",
                Some("svg") => "svg",
                Some("json") => "json",
                _ => "",
            };
            assert!(kind.contains(expected), "{target}: {kind}");
            loaded += 1;
        }
    }
    assert!(loaded > 0, "a page without a script cannot play");
}

#[test]
fn browsers_are_told_not_to_guess_the_content_type() {
    let folder = small();
    let server = Server::of(folder.path());
    for path in [
        "/",
        "/page/main.js",
        "/api/tables",
        "/api/tables/sticks/lookup?position=1",
        "/api/tables/sticks/lookup",
        "/nothing",
        "/metrics",
        "/healthz",
    ] {
        assert_eq!(server.get(path).header("x-content-type-options"), Some("nosniff"), "{path}");
    }
}
