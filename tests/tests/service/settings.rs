//! Settings of the command line. Each test uses a value far from the default, and fails if the setting is ignored.

use std::time::{Duration, Instant};

use bouton_tests::service::{Disconnect, Folder, Server, request};

use super::small;

/// Sends a text, and returns the time until the connection ends.
fn time_to_end(server: &Server, sent: &str) -> Duration {
    let (mut client, begun) = (server.client(), Instant::now());
    client.send(sent);
    let _ = client.read_to_end_of_connection();
    begun.elapsed()
}

/// Less than any default, and more than any machine needs.
const SOON: Duration = Duration::from_secs(9);

#[test]
fn a_connection_with_half_a_request_ends_after_the_head_time() {
    let folder = small();
    let server = Server::with(folder.path(), &["--head-time", "1"]);
    assert!(time_to_end(&server, "GET / HTTP/1.1\r\nhost") < SOON);
}

#[test]
fn an_idle_connection_ends_after_the_idle_time() {
    let folder = small();
    let server = Server::with(folder.path(), &["--idle-time", "1"]);
    assert!(time_to_end(&server, &request("GET", "/healthz", &[], 0)) < SOON);
}

#[test]
fn an_incomplete_body_is_refused_after_the_body_time() {
    let folder = small();
    let server = Server::with(folder.path(), &["--body-time", "1"]);
    let mut client = server.client();
    client.send(request("POST", "/api/tables/sticks/lookup", &[("content-type", "application/json")], 100));
    let detail = client.read_answer().expect("an answer").problem(408, "too-slow");
    assert!(detail.contains("within 1 seconds"), "{detail}");
}

#[test]
fn the_longest_allowed_address_has_a_code_with_every_position() {
    let folder = small();
    let address = format!("https://school.example/{}", "x".repeat(1_100));
    let server = Server::with(folder.path(), &["--address", &address]);
    let reply = server.json(&format!("/api/class?hash=%23{}", "x".repeat(1_199)));
    assert_eq!(reply["address"].as_str().map(str::len), Some(address.len() + 1 + 1_200));
    assert!(reply["size"].as_u64() > Some(0), "{}", reply["size"]);
}

/// The address of a request whose answer has megabytes.
const LONG: &str = "/api/tables/pile/lookup?moves=true";

/// Returns the body of a request for 10,000 positions, the most that one request may have.
fn long_question() -> String {
    serde_json::to_string(&vec!["10"; 10_000]).unwrap()
}

#[test]
fn a_client_that_does_not_read_is_dropped_after_the_write_time() {
    let folder = Folder::of(&[("pile", "nim", &["bounds=[10]"])]);
    let server = Server::with(folder.path(), &["--write-time", "1"]);
    let (mut client, body) = (server.client(), long_question());
    client.send(request("POST", LONG, &[("content-type", "application/json")], body.len()) + &body);
    server.wait_until("the request is answered and its connection closed", |server| {
        let metrics = server.get("/metrics");
        let has = |line: &str| metrics.success_text().lines().any(|known| known == line);
        let begun =
            metrics.success_text().contains("\nbouton_positions_total ") && !has("bouton_positions_total 0");
        // Only the connection of the metrics request is open.
        begun && has("bouton_connections 1")
    });
    assert!(matches!(client.read_answer(), Err(Disconnect::Within(_))), "the rest of the answer is not sent");
}

#[test]
fn a_long_answer_ends_after_the_answer_time() {
    let folder = Folder::of(&[("pile", "nim", &["bounds=[10]"])]);
    let server = Server::with(folder.path(), &["--answer-time", "1"]);
    let (mut client, body) = (server.client(), long_question());
    client.send(request("POST", LONG, &[("content-type", "application/json")], body.len()) + &body);
    // The client reads the answer, but late.
    std::thread::sleep(Duration::from_secs(2));
    assert!(matches!(client.read_answer(), Err(Disconnect::Within(_))), "the rest of the answer is not sent");
}

#[test]
fn answers_with_more_work_than_the_setting_are_refused() {
    let folder = Folder::of(&[("two", "nim", &["bounds=[3000,3000]"])]);
    let paths = [
        "why?position=3000,3000",
        "map?position=3000,3000",
        "state?position=3000,3000",
        "lookup?position=3000,3000&moves=true",
    ];
    for (work, status) in [("100", 422), ("20000000", 200)] {
        let server = Server::with(folder.path(), &["--work", work]);
        for path in paths {
            let answer = server.get(&format!("/api/tables/two/{path}"));
            assert_eq!(answer.status, status, "{work} {path}: {answer}");
            if status == 422 {
                assert!(answer.problem(422, "too-much").contains("more than 100 moves"), "{path}");
            }
        }
    }
}

#[test]
fn only_the_set_origins_may_show_the_page_in_a_frame() {
    let folder = small();
    let two = ["--frame-ancestors", "https://school.example", "--frame-ancestors", "https://*.example:8443"];
    for (args, ancestors) in [
        (&[][..], "'none'"),
        (&two, "https://school.example https://*.example:8443"),
        (&["--frame-ancestors", "*"], "*"),
        (&["--frame-ancestors", "'self'"], "'self'"),
    ] {
        let answer = Server::with(folder.path(), args).get("/");
        let policy = answer.header("content-security-policy").expect("the page has a policy");
        let reply = policy.split("; ").find_map(|part| part.strip_prefix("frame-ancestors "));
        assert_eq!(reply, Some(ancestors), "{policy}");
    }
}

#[test]
fn the_address_for_a_class_is_the_one_that_is_set() {
    let folder = small();
    for (args, address) in [
        (&[][..], None),
        (&["--address", ""], None),
        (&["--address", "https://school.example/"], Some("https://school.example/#x")),
        (&["--address", "", "--address", "https://a.example/nim"], Some("https://a.example/nim/#x")),
        (&["--address", "HTTPS://School.Example"], Some("https://school.example/#x")),
    ] {
        let reply = Server::with(folder.path(), args).json("/api/class?hash=%23x");
        assert_eq!(reply["address"].as_str(), address, "{reply}");
        assert_eq!(reply["size"].as_u64() > Some(0), address.is_some(), "{reply}");
    }
}

#[test]
fn metrics_can_have_their_own_address() {
    let folder = small();
    let server = Server::with(folder.path(), &["--metrics-listen", "0"]);
    let port = server.metrics_port();
    assert_eq!(server.get("/api/tables/sticks/lookup?position=3,5,7").status, 200);
    let _ = server.get("/metrics").problem(404, "no-such-page");
    assert!(server.json("/api/openapi.json")["paths"].get("/metrics").is_none());
    let get_from_metrics_address =
        |path: &str| bouton_tests::service::Client::connect(port).expect("it accepts").get(path);
    server.wait_until("the lookup is counted", |_| {
        get_from_metrics_address("/metrics").success_text().contains("\nbouton_positions_total 1\n")
    });
    for path in ["/", "/api/tables", "/healthz"] {
        let detail = get_from_metrics_address(path).problem(404, "no-such-page").to_owned();
        let rest = "only /metrics is here, and the service itself is at the address of --listen";
        assert_eq!(detail, format!("there is nothing at {path}; {rest}"));
    }
    // Browsers do not find the page there either.
    let mut client = bouton_tests::service::Client::connect(port).expect("it accepts");
    let _ = client.ask("GET", "/", &[("accept", "text/html")], b"").problem(404, "no-such-page");
}
