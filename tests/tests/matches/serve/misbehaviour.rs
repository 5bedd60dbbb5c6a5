//! Misbehaviour over TCP with JSON loses a player's game at once; the server continues.

use super::host::{Client, Host, match_of, take};

/// A name of the misbehaviour, the player (0 is A, who moves first), the number of moves before it, the action, and the
/// server's reason.
type Misbehaviour = (&'static str, usize, usize, fn(&mut Client), &'static str);

const CASES: &[Misbehaviour] = &[
    ("a move of nothing", 0, 0, |client| client.take(0, false), "made an illegal move"),
    (
        "a negative move",
        0,
        0,
        |client| client.send("{\"num_stones\": -1, \"reset\": false}"),
        "made an illegal move",
    ),
    ("too much at once", 1, 1, |client| client.take(5, false), "made an illegal move"),
    ("out of turn at the start", 1, 0, |client| client.take(1, false), "moved out of turn"),
    ("out of turn later", 0, 1, |client| client.take(1, false), "moved out of turn"),
    ("one byte out of turn", 1, 2, |client| client.send("{"), "moved out of turn"),
    (
        "two moves at once",
        0,
        0,
        |client| client.send([take(1, false), take(1, false)].concat()),
        "sent two moves at once",
    ),
    (
        "two moves at once, in lines",
        1,
        1,
        |client| client.send([take(1, false), take(1, false)].join("\r\n")),
        "sent two moves at once",
    ),
    (
        "a move and a half",
        0,
        0,
        |client| client.send([&take(1, false), "{\"order\""].concat()),
        "sent two moves at once",
    ),
    (
        "a move and a zero byte",
        0,
        0,
        |client| client.send([&take(1, false), "\0"].concat()),
        "sent an invalid message: found \\\"\\\\x00\\\", which is not a JSON object",
    ),
    (
        "garbage",
        0,
        0,
        |client| client.send("hello\u{1b}[2J"),
        "sent an invalid message: found \\\"hello\\\\x1b[2J\\\"",
    ),
    ("numbers", 1, 1, |client| client.send("3 0"), "sent an invalid message: found \\\"3 0\\\""),
    ("a list", 0, 2, |client| client.send("[1]"), "sent an invalid message: found \\\"[1]\\\""),
    (
        "no stones",
        0,
        0,
        |client| client.send("{\"reset\": false}"),
        "sent an invalid message: found {\\\"reset\\\":false}, expected {\\\"order\\\": 0, \\\"num_stones\\\": 3, \
         \\\"reset\\\": false}",
    ),
    (
        "stones in words",
        0,
        0,
        |client| client.send("{\"num_stones\": \"three\", \"reset\": false}"),
        "sent an invalid message: found {",
    ),
    (
        "half a stone",
        0,
        0,
        |client| client.send("{\"num_stones\": 1.5, \"reset\": false}"),
        "sent an invalid message: found {",
    ),
    ("another hello", 0, 0, |client| client.hello("A", 0), "sent an invalid message: found {"),
    (
        "an endless object",
        1,
        1,
        |client| client.try_send(["{\"a\": \"", &"x".repeat(100_000)].concat()),
        "sent an invalid message: found a JSON object of more than",
    ),
    (
        "an object too deep",
        0,
        0,
        |client| client.send(["{\"a\":".repeat(1000), "}".repeat(1000)].concat()),
        "sent an invalid message: found ",
    ),
    (
        "ten million bytes",
        0,
        0,
        |client| client.try_send(vec![b'x'; 10_000_000]),
        "sent an invalid message: found \\\"xxxx",
    ),
    (
        "ten million bytes out of turn",
        1,
        0,
        |client| client.try_send(vec![b'{'; 10_000_000]),
        "moved out of turn",
    ),
    ("disconnecting in turn", 0, 0, |client| *client = Client::disconnected(), "disconnected"),
    ("disconnecting out of turn", 1, 0, |client| *client = Client::disconnected(), "disconnected"),
    ("disconnecting later", 0, 3, |client| *client = Client::disconnected(), "disconnected"),
    (
        "half a move before disconnecting",
        0,
        0,
        |client| {
            client.send("{\"order\": 0, \"num");
            *client = Client::disconnected();
        },
        "disconnected",
    ),
    ("closing the sending direction", 0, 2, |client| client.close_sending(), "disconnected"),
];

#[test]
fn misbehaviour_loses_at_once_and_the_server_continues() {
    for protocol in ["tcp-2017", "tcp-2018", "tcp-2025"] {
        let matches = CASES.len().to_string();
        let host = Host::start(protocol, &["--stones", "50", "--pause", "0", "--matches", &matches]);
        for (number, &(name, offender, after, misbehave, reason)) in (1..).zip(CASES) {
            let mut clients = match_of(&host, ["A", "B"]);
            for ply in 0..after {
                clients[ply % 2].take(3, false);
                for client in &mut clients {
                    assert!(client.receive().contains("\"finished\": false"));
                }
            }
            misbehave(&mut clients[offender]);
            let [winner, loser] = [["B", "A"], ["A", "B"]][offender];
            let end = clients[1 - offender].read_to_end_of_connection();
            let expected = format!(
                "{{\"finished\": true, \"winner\": \"{winner}\", \"reason\": \"Player {loser} {reason}"
            );
            assert!(end.starts_with(&expected), "{name}: {end}");
            assert!(end.contains(&format!("\"stones_left\": {}", 50 - 3 * after)), "{name}: {end}");
            assert!(end.len() < 1024, "{name}: the state must fit one read of a client");
            let line = host.line();
            let expected = format!("match {number} finished: {winner} won after ");
            assert!(line.starts_with(&expected) && !line.contains(char::is_control), "{name}: {line}");
        }
        host.end();
    }
}

#[test]
fn the_offender_receives_the_end_too() {
    let host = Host::start("tcp-2017", &["--stones", "50"]);
    let mut clients = match_of(&host, ["A", "B"]);
    clients[0].send(vec![b'x'; 100_000]);
    let received = clients[0].read_to_end_of_connection();
    assert!(received.starts_with("{\"finished\": true, \"winner\": \"B\""), "{received}");
}

#[test]
fn a_move_before_the_message_about_the_turn_is_out_of_turn() {
    // The server pauses this long between its first message to B and the message with A's first move.
    let host = Host::start("tcp-2017", &["--pause", "3000"]);
    let mut clients = match_of(&host, ["A", "B"]);
    clients[0].take(1, false);
    assert!(clients[0].receive().contains("\"finished\": false"));
    clients[1].take(1, false);
    assert!(clients[1].receive().contains("\"finished\": false"));
    let end = clients[0].receive();
    assert!(end.contains("\"winner\": \"A\", \"reason\": \"Player B moved out of turn\""), "{end}");
}
