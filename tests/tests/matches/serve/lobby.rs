//! Seats of `bouton-match serve`: which clients get one, and which are disconnected.

use super::host::{Client, Host, match_of, receive_both, run_refused};

#[test]
fn a_client_without_a_valid_hello_is_disconnected_and_takes_no_seat() {
    let host = Host::start("tcp-2017", &["--join-time", "2"]);
    let silent = host.client();
    let mut half = host.client();
    half.send("{\"name\": \"");
    let long = ["{\"name\": \"", &"x".repeat(100_000)].concat();
    for hello in [
        "GET / HTTP/1.1\r\n\r\n",
        "{\"name\": \"X\"}",
        "{\"name\": 7, \"order\": 0}",
        "{\"name\": \"X\", \"order\": 2}",
        "{\"name\": \"X\", \"order\": 0}{\"num_stones\": 1}",
        "[]",
        &long,
    ] {
        let mut client = host.client();
        client.try_send(hello);
        assert_eq!(client.read_to_end_of_connection(), "", "{hello:.30}");
    }
    for mut client in [silent, half] {
        assert_eq!(client.read_to_end_of_connection(), "");
    }
    match_of(&host, ["A", "B"]);
}

#[test]
fn a_client_that_leaves_or_moves_before_an_opponent_connects_frees_its_seat() {
    for protocol in ["tcp-2017", "text-2016"] {
        let host = Host::start(protocol, &["--matches", "0"]);
        let connect = |name| {
            let mut client = host.client();
            if protocol == "tcp-2017" {
                client.hello(name, 1);
            }
            // The server must see this client before the next step.
            std::thread::sleep(std::time::Duration::from_millis(200));
            client
        };
        drop(connect("X"));
        let mut talker = connect("Y");
        talker.send("1 0");
        std::thread::sleep(std::time::Duration::from_millis(200));
        let _first = connect("A");
        assert_eq!(talker.read_to_end_of_connection(), "");
        let _second = connect("B");
        let expected = if protocol == "tcp-2017" {
            "A moves first, B second"
        } else {
            "player 0 moves first, player 1 second"
        };
        assert_eq!(host.line(), format!("match 1 begun: {expected}"));
    }
}

#[test]
fn pairs_play_in_parallel_and_the_server_ends_after_the_last() {
    let host = Host::start("tcp-2017", &["--stones", "6", "--matches", "3"]);
    let mut pairs = [0, 1, 2].map(|_| match_of(&host, ["A", "B"]));
    for ply in 0..2 {
        for clients in pairs.iter_mut().rev() {
            clients[ply].take(3, false);
            receive_both(clients);
        }
    }
    let mut finished = [host.line(), host.line(), host.line()];
    finished.sort();
    for (number, line) in (1..).zip(finished) {
        assert!(line.starts_with(&format!("match {number} finished: B won after 2 moves: ")), "{line}");
    }
    drop(pairs);
    host.end();
}

#[test]
fn a_request_for_the_first_move_is_matched_with_one_for_the_second() {
    let host = Host::start("tcp-2017", &["--stones", "3", "--matches", "2"]);
    let mut clients: Vec<_> = [("A", 0), ("B", 0), ("C", 1), ("D", 1)]
        .map(|(name, order)| {
            let mut client = host.client();
            client.send(format!("{{\"name\": \"{name}\", \"order\": {order}}}"));
            client
        })
        .into();
    for client in &mut clients {
        assert!(client.receive().contains("init_stones"));
    }
    let mut begun = [host.line(), host.line()].map(|line| line.split_once(" begun: ").unwrap().1.to_owned());
    begun.sort();
    for (line, first) in begun.iter().zip(["A", "B"]) {
        assert!(line.starts_with(&format!("{first} moves first, ")), "{begun:?}");
        assert!(line.ends_with("C second") || line.ends_with("D second"), "{begun:?}");
    }
    clients[0].take(3, false);
    clients[1].take(3, false);
    let finished = [host.line(), host.line()].join(" ");
    assert!(finished.contains("A won after 1 move") && finished.contains("B won after 1 move"), "{finished}");
    drop(clients);
    host.end();
}

#[test]
fn when_all_matches_have_begun_no_further_client_is_admitted() {
    let host = Host::start("tcp-2017", &["--stones", "3"]);
    let mut clients = match_of(&host, ["A", "B"]);
    let mut late = host.client();
    late.try_send("{\"name\": \"C\", \"order\": 0}");
    assert_eq!(late.read_to_end_of_connection(), "");
    clients[0].take(3, false);
    assert!(clients[1].receive().contains("\"winner\": \"A\""));
    assert!(host.line().contains("A won"));
    drop(clients);
    host.end();
}

#[test]
fn a_client_that_stays_connected_does_not_prevent_the_end() {
    let host = Host::start("tcp-2017", &["--stones", "3"]);
    let mut clients = match_of(&host, ["A", "B"]);
    clients[0].take(3, false);
    host.line();
    host.end();
    assert!(clients[1].receive().contains("\"winner\": \"A\""), "earlier messages can be read later");
}

#[test]
fn seats_are_limited_and_become_free_again() {
    let host = Host::start("tcp-2017", &["--matches", "0"]);
    let mut all: Vec<Client> = (0..300).map(|_| host.client()).collect();
    assert_eq!(all.last_mut().unwrap().read_to_end_of_connection(), "", "there are fewer seats");
    drop(all);
    std::thread::sleep(std::time::Duration::from_secs(2));
    match_of(&host, ["A", "B"]);
}

#[test]
fn equal_names_are_made_distinct_and_names_cannot_control_a_terminal() {
    let host = Host::start("tcp-2017", &["--stones", "3", "--matches", "0"]);
    let mut clients = match_of(&host, ["T", "T"]);
    clients[0].take(4, false);
    let end = clients[0].receive();
    assert!(end.contains("\"winner\": \"T (2)\", \"reason\": \"Player T made an illegal move\""), "{end}");
    assert!(host.line().contains("T (2) won after 0 moves: Player T made an illegal move: 4 at 3/0/1/4,4/-"));
    let long = ["evil\\u001b[31m\\n\\\"", &"x".repeat(5000)].concat();
    let mut clients = match_of(&host, [&long, "\\ud83d\\ude00"]);
    clients[0].take(3, false);
    let end = clients[1].receive();
    assert!(end.len() < 1024 && end.contains("\"winner\": \"evil[31m\\\"xxx"), "{end}");
    assert!(host.line().starts_with("match 2 finished: evil[31m\"xxx"));
}

#[test]
fn impossible_options_are_refused_with_advice() {
    let host = Host::start("rest", &["--quiet"]);
    let taken = host.port.to_string();
    for (args, expected) in [
        (vec!["--listen", &taken], "another server may be running there"),
        (vec!["--listen", "nowhere"], "expected HOST:PORT or PORT"),
        (vec!["--listen", "192.0.2.1:9000"], "must be one of this machine's addresses"),
        (vec!["--protocol", "tcp"], "tcp-2017, tcp-2018, tcp-2025, text-2016, rest"),
        (
            vec!["--stones", "0"],
            "invalid value '0' for '--stones <N>': expected a whole number from 1 to 1000000000000",
        ),
        (vec!["--stones", "2000000"], "stones: found 2000000, expected a whole number from 1 to 1000000"),
        (vec!["--protocol", "rest", "--stones", "1001"], "from 1 to 1000"),
        (
            vec!["--resets", "16"],
            "invalid value '16' for '--resets <R>': expected a whole number from 0 to 15",
        ),
        (vec!["--set", "resets=4,2"], "tcp-2017 announces one number for both players"),
        (
            vec!["--protocol", "tcp-2025", "--set", "reset-limit=2"],
            "tcp-2025 announces one number, init_max, for both",
        ),
        (vec!["--clock", "0"], "expected a whole number of seconds from 1 to 86400"),
    ] {
        let ran = run_refused(&args);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
}
