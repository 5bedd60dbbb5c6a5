//! Limits on connections: an address that opens all connections it can get (the *crowd*) does not exclude players at
//! other addresses.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::host::{Client, HANG_LIMIT, Host, match_between, match_of};
use super::rest::{Session, answer};

/// Maximum number of connections of a server.
const MAX_CONNECTIONS: usize = 256;
/// Maximum number of connections of one address.
const MAX_PER_ADDRESS: usize = 128;
/// The option `--join-time`, the seconds that a client has to send its name, for tests that must not reach this limit.
const LONG_JOIN_TIME: &str = "1000000";
/// The host number of a crowd at another address than the rivals: 127.0.0.2.
const CROWD: u8 = 2;

/// Connects as many clients from one address as a server accepts in all. Each one sends the beginning of a message.
fn crowd(host: &Host, address: u8, beginnings: &[&str]) -> Vec<Client> {
    let one = |number: usize| {
        let mut client = host.client_from(address);
        // The server may refuse the connection.
        client.try_send(beginnings[number % beginnings.len()]);
        client
    };
    (0..MAX_CONNECTIONS).map(one).collect()
}

/// Incomplete requests: cut in the head, in the form, after the first letter, and before it.
const HALVES: [&str; 4] = [
    "GET / HTTP/1.1\r\nHost:",
    "POST /sessions.json HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: \
     100\r\n\r\nname=",
    "G",
    "",
];

/// Waits until a condition holds.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < HANG_LIMIT, "never: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Returns the web server's answer to a client at an address, if any.
fn ask(host: &Host, address: u8) -> Option<(u16, String)> {
    let mut client = host.client_from(address);
    client.try_send("GET /sessions/0.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let heard = client.read_to_end_of_connection();
    let status = heard.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3))?;
    Some((status.parse().unwrap(), heard))
}

#[test]
fn half_sent_requests_from_one_address_do_not_disturb_rivals_at_another() {
    let host = Host::start("rest", &["--join-time", LONG_JOIN_TIME]);
    let crowd_clients = crowd(&host, CROWD, &HALVES);
    let session = Session::new(&host, 6);
    assert_eq!(session.status(0)["your_turn"], true);
    assert_eq!(session.take(0, 3, "no")["status"], "success");
    assert_eq!(session.status(1)["your_turn"], true);
    assert_eq!(session.take(1, 3, "no")["status"], "success");
    assert!(host.line().contains("B won after 2 moves: "));
    drop(crowd_clients);
}

#[test]
fn half_sent_requests_exclude_rivals_at_their_address_only_for_the_join_time() {
    for half in HALVES {
        let host = Host::start("rest", &["--join-time", "1"]);
        let crowd_clients = crowd(&host, 1, &[half]);
        wait_until("the crowd is gone", || ask(&host, 1).is_some_and(|(status, _)| status == 200));
        let session = Session::new(&host, 3);
        assert_eq!(session.status(0)["your_turn"], true);
        assert_eq!(session.take(0, 3, "no")["status"], "success");
        assert!(host.line().contains("A won after 1 move: "));
        drop(crowd_clients);
    }
}

#[test]
fn a_web_client_without_a_seat_learns_when_to_retry() {
    let host = Host::start("rest", &["--join-time", LONG_JOIN_TIME]);
    let mut crowd_clients: Vec<Client> = (0..MAX_PER_ADDRESS).map(|_| host.client_from(CROWD)).collect();
    let (status, text) = ask(&host, CROWD).expect("an answer");
    assert_eq!(status, 503);
    let text = text.to_ascii_lowercase();
    assert!(text.contains("\r\nretry-after: 1\r\n") && text.contains("\r\nconnection: close\r\n"), "{text}");
    let body: Value = serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(body["status"], "failed");
    assert!(body["reason"].as_str().unwrap().contains("128 connections are open"), "{body}");
    assert_eq!(ask(&host, 1).expect("an answer").0, 200, "another address");
    crowd_clients.pop();
    wait_until("a seat is free", || ask(&host, CROWD).is_some_and(|(status, _)| status == 200));
}

#[test]
fn a_form_that_does_not_arrive_in_time_is_refused() {
    let host = Host::start("rest", &["--join-time", "1"]);
    let mut client = host.client();
    client.send(HALVES[1]);
    // Single bytes do not extend the time limit: the whole form would take nine seconds.
    for _ in 0..95 {
        if !client.is_accepted("x") {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    let (status, body) = answer(&mut client);
    assert!(status == 408 && body.contains("did not arrive within 1s"), "{status} {body}");
}

#[test]
fn silent_clients_at_one_address_do_not_disturb_rivals_at_another() {
    for protocol in ["tcp-2017", "tcp-2018", "tcp-2025"] {
        let host = Host::start(protocol, &["--join-time", LONG_JOIN_TIME, "--stones", "3"]);
        let mut crowd_clients = crowd(&host, CROWD, &["", "{\"name\": \""]);
        for client in &mut crowd_clients[MAX_PER_ADDRESS..] {
            assert_eq!(client.read_to_end_of_connection(), "", "the client has no seat");
        }
        let mut clients = match_of(&host, ["A", "B"]);
        clients[0].take(3, false);
        assert!(clients[1].receive().contains("\"winner\": \"A\""));
        assert!(host.line().contains("A won after 1 move: "));
        drop(clients);
        host.end();
        drop(crowd_clients);
    }
}

#[test]
fn silent_clients_exclude_rivals_at_their_address_only_for_the_join_time() {
    let host = Host::start("tcp-2017", &["--join-time", "1", "--stones", "3"]);
    for mut client in crowd(&host, 1, &["", "{\"name\": \""]) {
        assert_eq!(client.read_to_end_of_connection(), "", "the client is disconnected");
    }
    let mut clients = match_of(&host, ["A", "B"]);
    clients[0].take(3, false);
    assert!(clients[1].receive().contains("\"winner\": \"A\""));
}

#[test]
fn players_of_2016_at_one_address_do_not_disturb_rivals_at_another() {
    let host = Host::start("text-2016", &["--matches", "0", "--stones", "3"]);
    // This protocol has no names: every two clients are a match, silent until their clocks run out.
    let crowd_clients = crowd(&host, CROWD, &[""]);
    for number in 1..=MAX_PER_ADDRESS / 2 {
        assert!(host.line().starts_with(&format!("match {number} begun: ")));
    }
    let mut clients = [host.client(), host.client()];
    assert!(host.line().contains(" begun: "));
    assert_eq!(clients[0].receive(), "3 2 0 0");
    clients[0].send("3 0");
    assert_eq!(clients[1].read_to_end_of_connection(), "0 0 0 1");
    assert!(host.line().contains("player 0 won after 1 move: "));
    drop(crowd_clients);
}

#[test]
fn rivals_at_two_addresses_play_in_spite_of_a_crowd() {
    let host = Host::start("tcp-2017", &["--join-time", LONG_JOIN_TIME, "--stones", "3"]);
    let crowd_clients = crowd(&host, CROWD, &[""]);
    let mut clients = match_between(&host, ["A", "B"], [host.client_from(3), host.client_from(4)]);
    clients[0].take(3, false);
    assert!(clients[1].receive().contains("\"winner\": \"A\""));
    drop(crowd_clients);
}
