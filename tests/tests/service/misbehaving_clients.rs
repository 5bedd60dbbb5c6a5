//! Clients that send invalid HTTP, half a request or nothing, or disconnect: they are refused, and others are served.

use std::time::Duration;

use bouton_tests::service::{Disconnect, Server, request};

use super::small;

/// Checks that other clients are served.
fn check_others_are_served(server: &Server) {
    assert_eq!(server.get("/api/tables/sticks/lookup?position=3,5,7").status, 200);
    assert_eq!(server.get("/healthz").status, 200);
}

/// Sends bytes that are not a request; returns everything until the connection ends.
fn answer_to(server: &Server, bytes: &[u8]) -> String {
    let mut client = server.client();
    client.try_send(bytes);
    String::from_utf8_lossy(&client.read_to_end_of_connection()).into_owned()
}

/// Checks that a request was refused with one of these statuses and no body.
fn check_refused(heard: &str, statuses: &[u16]) {
    let (head, body) = heard.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {heard:.300}"));
    let status: u16 = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    assert!(statuses.contains(&status), "{heard:.300}");
    assert_eq!(body, "", "{heard:.300}");
}

#[test]
fn invalid_http_is_refused_and_the_connection_ends() {
    let folder = small();
    let server = Server::of(folder.path());
    for bytes in [
        &b"\xff\x00\x01\x02\r\n\r\n"[..],
        b"hello\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\nbad name: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nx: \x00\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx",
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999999999999999\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"{\"position\": \"3,5,7\"}\r\n\r\n",
    ] {
        check_refused(&answer_to(&server, bytes), &[400]);
    }
    check_others_are_served(&server);
}

#[test]
fn too_long_requests_are_refused_and_the_connection_ends() {
    let folder = small();
    let server = Server::of(folder.path());
    let long = "x".repeat(2_000_000);
    check_refused(
        &answer_to(&server, format!("GET /{long} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()),
        &[400, 414, 431],
    );
    check_refused(&answer_to(&server, format!("GET / HTTP/1.1\r\nx: {long}\r\n\r\n").as_bytes()), &[431]);
    check_refused(
        &answer_to(&server, format!("GET / HTTP/1.1\r\n{long}: x\r\n\r\n").as_bytes()),
        &[400, 431],
    );
    let many_headers: String = (0..20_000).map(|n| format!("x-{n}: x\r\n")).collect();
    check_refused(&answer_to(&server, format!("GET / HTTP/1.1\r\n{many_headers}\r\n").as_bytes()), &[431]);
    check_refused(&answer_to(&server, &vec![b'x'; 2_000_000]), &[400, 414, 431]);
    check_others_are_served(&server);
}

#[test]
fn a_body_that_does_not_arrive_in_time_is_refused() {
    let folder = small();
    let server = Server::of(folder.path());
    let head = request("POST", "/api/tables/sticks/lookup", &[("content-type", "application/json")], 1000);
    std::thread::scope(|scope| {
        // One client is silent, one sends single bytes, and one disconnects.
        let silent = scope.spawn(|| {
            let mut client = server.client();
            client.send(&head);
            client.send("[\"3,5,7\"");
            client.read_answer().expect("an answer").problem(408, "too-slow")
        });
        let dripping = scope.spawn(|| {
            let mut client = server.client();
            client.send(&head);
            for _ in 0..40 {
                if !client.try_send(" ") {
                    break;
                }
                std::thread::sleep(Duration::from_millis(300));
            }
            // The server has stopped reading, but its refusal has arrived.
            client.read_answer().map(|answer| answer.problem(408, "too-slow"))
        });
        let mut client = server.client();
        client.send(&head);
        client.send("[\"3,5,7\"");
        client.close_sending();
        let answer = client.read_answer();
        assert!(!matches!(&answer, Ok(answer) if answer.status == 200), "{answer:?}");
        check_others_are_served(&server);
        assert!(silent.join().unwrap().contains("10"));
        assert!(dripping.join().unwrap().is_ok());
    });
    check_others_are_served(&server);
}

#[test]
fn half_sent_requests_block_no_other() {
    let folder = small();
    let server = Server::of(folder.path());
    let begin = |bytes: &str| {
        let mut client = server.client();
        client.send(bytes);
        client
    };
    let mut half: Vec<_> = ["G", "GET /", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nhost: local", "\r\n"]
        .iter()
        .cycle()
        .take(50)
        .map(|bytes| begin(bytes))
        .collect();
    check_others_are_served(&server);
    // A client that completes its request is answered all the same.
    let client = &mut half[2];
    client.send("host: x\r\n\r\n");
    assert_eq!(client.read_answer().expect("an answer").status, 200);
    // Single bytes are accepted too.
    let mut slow = server.client();
    for byte in request("GET", "/api/tables/sticks/lookup?position=3,5,7", &[], 0).bytes() {
        slow.send([byte]);
    }
    assert_eq!(slow.read_answer().expect("an answer").status, 200);
}

#[test]
fn idle_clients_block_no_other() {
    let folder = small();
    let server = Server::of(folder.path());
    let mut idle: Vec<_> = (0..300).map(|_| server.client()).collect();
    check_others_are_served(&server);
    for client in &mut idle {
        assert_eq!(client.get("/api/tables/sticks/lookup?position=1").status, 200);
    }
    check_others_are_served(&server);
}

#[test]
fn a_client_that_disconnects_harms_no_other() {
    let folder = small();
    let server = Server::of(folder.path());
    for round in 0..200 {
        let mut client = server.client();
        client.send(request("GET", "/api/tables/sticks/game-map?position=3,5,7", &[], 0));
        if round % 2 == 0 {
            client.close_sending();
        }
    }
    check_others_are_served(&server);
    assert!(!server.log().to_lowercase().contains("panic"), "{}", server.log());
}

#[test]
fn a_client_that_closes_its_sending_direction_is_answered_or_disconnected() {
    let folder = small();
    let server = Server::of(folder.path());
    let mut client = server.client();
    client.send(request("GET", "/api/tables/sticks/lookup?position=3,5,7", &[], 0));
    client.close_sending();
    match client.read_answer() {
        Ok(answer) => assert_eq!(answer.status, 200),
        // The server may also treat the client as gone.
        Err(broken) => assert_eq!(broken, Disconnect::Before),
    }
    let mut client = server.client();
    let answer = client.ask("GET", "/healthz", &[("connection", "close")], b"");
    assert_eq!(answer.status, 200);
    assert_eq!(client.read_to_end_of_connection(), b"");
}

#[test]
fn http_1_0_is_answered_and_the_connection_ends() {
    let folder = small();
    let server = Server::of(folder.path());
    let heard = answer_to(&server, b"GET /api/tables/sticks/lookup?position=1,1 HTTP/1.0\r\n\r\n");
    assert!(heard.starts_with("HTTP/1.0 200") || heard.starts_with("HTTP/1.1 200"), "{heard}");
    assert!(
        heard.trim_end().ends_with("\"winning\":[]}") || heard.contains("\"outcome\":\"win\""),
        "{heard}"
    );
    assert!(!heard.to_lowercase().contains("transfer-encoding"), "{heard}");
}
