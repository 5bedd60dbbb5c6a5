//! Requirements of HTTP: one `Host` header, no compressed bodies, and errors as pages for browsers and as JSON for
//! programs.

use bouton_tests::service::{Client, Server, request};

use super::small;

/// The header with which a browser loads an address that a person typed.
const BROWSER: (&str, &str) =
    ("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8");

#[test]
fn a_missing_table_is_reported_before_the_body_arrives() {
    let folder = small();
    let server = Server::of(folder.path());
    let mut client = server.client();
    client.send(request(
        "POST",
        "/api/tables/nothing/lookup",
        &[("content-type", "application/json")],
        500_000,
    ));
    let detail = client.read_answer().expect("an answer").problem(404, "no-such-table");
    assert!(detail.contains("'nothing'"), "{detail}");
}

#[test]
fn a_request_must_name_its_host_exactly_once() {
    let folder = small();
    let server = Server::of(folder.path());
    let ask = |version: &str, headers: &str| {
        let mut client: Client = server.client();
        client.send(format!("GET /healthz {version}\r\n{headers}connection: close\r\n\r\n"));
        String::from_utf8(client.read_to_end_of_connection()).unwrap()
    };
    for (version, headers, found) in [
        ("HTTP/1.1", "", "no header 'host'"),
        ("HTTP/1.1", "host: a\r\nhost: b\r\n", "several headers 'host'"),
        ("HTTP/1.1", "host: a\r\nHost: a\r\n", "several headers 'host'"),
        ("HTTP/1.0", "host: a\r\nhost: b\r\n", "several headers 'host'"),
    ] {
        let heard = ask(version, headers);
        assert!(heard.starts_with(&format!("{version} 400 ")) && heard.contains(found), "{headers}: {heard}");
        assert!(heard.contains("urn:bouton:bad-request"), "{heard}");
    }
    for (version, headers) in
        [("HTTP/1.1", "host: anything\r\n"), ("HTTP/1.0", ""), ("HTTP/1.0", "host: a\r\n")]
    {
        assert!(ask(version, headers).starts_with(&format!("{version} 200 ")), "{version} {headers}");
    }
}

#[test]
fn a_compressed_body_is_refused() {
    let folder = small();
    let server = Server::of(folder.path());
    let ask = |coding: &str| {
        let headers = [("content-type", "application/json"), ("content-encoding", coding)];
        server.client().ask("POST", "/api/tables/sticks/lookup", &headers, b"[\"3,5,7\"]")
    };
    for coding in ["gzip", "br", "identity, gzip", "x"] {
        let answer = ask(coding);
        let detail = answer.problem(415, "encoded");
        assert!(detail.contains(&format!("'{coding}'")), "{detail}");
        assert_eq!(answer.header("accept-encoding"), Some("identity"));
    }
    for coding in ["identity", "Identity"] {
        assert_eq!(ask(coding).status, 200, "{coding}");
    }
}

#[test]
fn browsers_get_errors_as_pages_and_programs_as_json() {
    let folder = small();
    let server = Server::of(folder.path());
    let style = server
        .get("/")
        .success_text()
        .split("stylesheet\" href=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    for (path, status) in
        [("/nothing", 404), ("/api/tables/%3Cb%3E/state?position=1", 404), ("/api/tables/sticks/state", 400)]
    {
        let answer = server.get_with(path, &[BROWSER]);
        assert_eq!(answer.status, status, "{answer}");
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
        assert!(
            answer
                .header("content-security-policy")
                .is_some_and(|policy| policy.contains("default-src 'self'"))
        );
        let html = answer.text();
        assert!(html.contains("<a href=\"/\">") && html.contains(&format!("\"/{style}\"")), "{html}");
        assert!(html.contains(answer.header("x-request-id").unwrap()), "{html}");
        assert!(!html.contains("<b>"), "{html}");
    }
    assert!(server.get(&format!("/{style}")).success_text().contains("body"));
    for accept in ["application/json", "*/*", "application/json, text/html;q=0.5"] {
        let _ = server.get_with("/nothing", &[("accept", accept)]).problem(404, "no-such-page");
    }
}
