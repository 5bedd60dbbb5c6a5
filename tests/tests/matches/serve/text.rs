//! Games over the text protocol of 2016, byte for byte, and misbehaviour.

use super::host::{Client, Host};

/// Connects both players of a match, who send no names.
fn connect_players(host: &Host) -> [Client; 2] {
    let clients = [host.client(), host.client()];
    assert!(host.line().ends_with("begun: player 0 moves first, player 1 second"));
    clients
}

/// Checks the state that each mover receives, and sends the answer.
fn play(clients: &mut [Client; 2], turns: &[(&str, &str)]) {
    for (ply, (state, answer)) in turns.iter().enumerate() {
        assert_eq!(clients[ply % 2].receive(), *state);
        clients[ply % 2].send(answer);
    }
}

#[test]
fn a_whole_game_is_byte_for_byte_the_scripted_one() {
    let host = Host::start("text-2016", &["--stones", "20"]);
    let mut clients = connect_players(&host);
    let turns = [
        ("20 2 0 0", "3 0"),
        ("17 3 0 0", "4 1"),
        ("13 4 1 0", "3 0\n"),
        ("10 4 0 0", " 5 0"),
        ("5 5 0 0", "1 1"),
        ("4 5 1 0", "3 0"),
        ("1 5 0 0", "1 0"),
    ];
    play(&mut clients, &turns);
    for client in &mut clients {
        assert_eq!(client.read_to_end_of_connection(), "0 0 0 1");
    }
    let expected = "match 1 finished: player 0 won after 7 moves: Player player 0 won the game! Congrats!";
    assert_eq!(host.line(), expected);
    drop(clients);
    host.end();
}

#[test]
fn misbehaviour_loses_at_once_and_the_server_continues() {
    // The host reports in the words of the real servers: "Player NAME ...". Clients of 2016 send no names, so the names
    // are "player 0" and "player 1".
    let cases: &[(&str, usize, &str, &str)] = &[
        (
            "taking more than remain",
            0,
            "3 0",
            "player 1 won after 0 moves: Player player 0 made an illegal move: 3 at 2/",
        ),
        ("taking nothing", 0, "0 0", "player 1 won after 0 moves: Player player 0 made an illegal move"),
        (
            "a negative move",
            0,
            "-1 0",
            "player 1 won after 0 moves: Player player 0 sent an invalid message: found \"-1 0\"",
        ),
        ("a reset too many", 0, "1 1", "player 1 won after 0 moves: Player player 0 used too many resets"),
        (
            "two moves at once",
            0,
            "1 01 0",
            "player 1 won after 0 moves: Player player 0 sent two moves at once",
        ),
        (
            "a move and a digit",
            0,
            "1 00",
            "player 1 won after 0 moves: Player player 0 sent two moves at once",
        ),
        (
            "garbage",
            0,
            "\u{1b}x",
            "player 1 won after 0 moves: Player player 0 sent an invalid message: found \"\\x1bx\"",
        ),
        (
            "JSON",
            0,
            "{}",
            "player 1 won after 0 moves: Player player 0 sent an invalid message: found \"{}\"",
        ),
        ("out of turn", 1, "1 0", "player 0 won after 0 moves: Player player 1 moved out of turn"),
        ("disconnecting", 0, "", "player 1 won after 0 moves: Player player 0 disconnected"),
        ("disconnecting out of turn", 1, "", "player 0 won after 0 moves: Player player 1 disconnected"),
    ];
    let matches = cases.len().to_string();
    let host = Host::start("text-2016", &["--stones", "2", "--resets", "0", "--matches", &matches]);
    for (name, offender, text, expected) in cases {
        let mut clients = connect_players(&host);
        assert_eq!(clients[0].receive(), "2 2 0 0");
        if text.is_empty() {
            clients[*offender] = Client::disconnected();
        } else {
            clients[*offender].send(text);
        }
        assert_eq!(clients[1 - offender].read_to_end_of_connection(), "0 0 0 1", "{name}");
        let line = host.line();
        assert!(line.contains(expected) && !line.contains(char::is_control), "{name}: {line}");
    }
    host.end();
}

#[test]
fn moves_may_arrive_byte_by_byte_and_the_time_is_limited() {
    let host = Host::start("text-2016", &["--stones", "20", "--clock", "1"]);
    let mut clients = connect_players(&host);
    assert_eq!(clients[0].receive(), "20 2 0 0");
    clients[0].send_bytewise("3 0\r\n");
    assert_eq!(clients[1].receive(), "17 3 0 0");
    for client in clients.iter_mut().rev() {
        assert_eq!(client.read_to_end_of_connection(), "0 0 0 1");
    }
    assert!(host.line().ends_with("player 0 won after 1 move: Player player 1 exceeded time limit"));
}
