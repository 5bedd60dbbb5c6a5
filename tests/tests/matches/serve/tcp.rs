//! Games over TCP with JSON in the dialects of 2017, 2018 and 2025, byte for byte.

use super::host::{Client, Host, match_of, receive_both, take, without_times};

/// Plays moves in turn; each client reads each state with one read. Returns the states, which must be equal for both
/// clients.
fn play_moves(clients: &mut [Client; 2], moves: &[(u32, bool)]) -> Vec<String> {
    let mut all = Vec::new();
    for (ply, &(stones, reset)) in moves.iter().enumerate() {
        clients[ply % 2].take(stones, reset);
        let [first, second] = clients.each_mut().map(|client| without_times(&client.receive()));
        assert_eq!(first, second, "both get the same");
        all.push(first);
    }
    all
}

/// Returns the value of a key of a state.
fn number(state: &str, key: &str) -> u32 {
    let (_, rest) = state.split_once(&format!("\"{key}\": ")).unwrap();
    rest[..rest.find([',', '}']).unwrap()].parse().unwrap()
}

const MOVES: [(u32, bool); 7] =
    [(3, false), (4, true), (3, false), (2, true), (1, true), (3, false), (4, false)];

#[test]
fn a_whole_game_of_2017_is_byte_for_byte_the_scripted_one() {
    let host = Host::start("tcp-2017", &["--stones", "20", "--resets", "2"]);
    let mut a = host.client();
    a.hello("A", 0);
    let mut b = host.client();
    b.hello("B", 1);
    assert_eq!(host.line(), "match 1 begun: A moves first, B second");
    let mut clients = [a, b];
    for client in &mut clients {
        assert_eq!(client.receive(), "{\"init_stones\": 20, \"init_resets\": 2}");
    }
    let expected = [
        "{\"finished\": false, \"current_max\": 4, \"stones_left\": 17, \"stones_removed\": 3, \"reset_used\": false, \"player_0\": {\"resets_left\": 2, \"time_taken\": T, \"name\": \"A\"}, \"player_1\": {\"resets_left\": 2, \"time_taken\": T, \"name\": \"B\"}}",
        "{\"finished\": false, \"current_max\": 3, \"stones_left\": 13, \"stones_removed\": 4, \"reset_used\": true, \"player_0\": {\"resets_left\": 2, \"time_taken\": T, \"name\": \"A\"}, \"player_1\": {\"resets_left\": 1, \"time_taken\": T, \"name\": \"B\"}}",
        "{\"finished\": false, \"current_max\": 5, \"stones_left\": 10, \"stones_removed\": 3, \"reset_used\": false, \"player_0\": {\"resets_left\": 2, \"time_taken\": T, \"name\": \"A\"}, \"player_1\": {\"resets_left\": 1, \"time_taken\": T, \"name\": \"B\"}}",
        "{\"finished\": false, \"current_max\": 3, \"stones_left\": 8, \"stones_removed\": 2, \"reset_used\": true, \"player_0\": {\"resets_left\": 2, \"time_taken\": T, \"name\": \"A\"}, \"player_1\": {\"resets_left\": 0, \"time_taken\": T, \"name\": \"B\"}}",
        "{\"finished\": false, \"current_max\": 3, \"stones_left\": 7, \"stones_removed\": 1, \"reset_used\": true, \"player_0\": {\"resets_left\": 1, \"time_taken\": T, \"name\": \"A\"}, \"player_1\": {\"resets_left\": 0, \"time_taken\": T, \"name\": \"B\"}}",
        "{\"finished\": false, \"current_max\": 5, \"stones_left\": 4, \"stones_removed\": 3, \"reset_used\": false, \"player_0\": {\"resets_left\": 1, \"time_taken\": T, \"name\": \"A\"}, \"player_1\": {\"resets_left\": 0, \"time_taken\": T, \"name\": \"B\"}}",
        "{\"finished\": true, \"winner\": \"A\", \"reason\": \"Player A won the game! Congrats!\", \"current_max\": 5, \"stones_left\": 0, \"stones_removed\": 4, \"reset_used\": false, \"player_0\": {\"resets_left\": 1, \"time_taken\": T, \"name\": \"A\"}, \"player_1\": {\"resets_left\": 0, \"time_taken\": T, \"name\": \"B\"}}",
    ];
    assert_eq!(play_moves(&mut clients, &MOVES), expected);
    assert_eq!(host.line(), "match 1 finished: A won after 7 moves: Player A won the game! Congrats!");
    for client in &mut clients {
        assert_eq!(client.receive(), "", "the server ends the connection");
    }
    drop(clients);
    host.end();
}

#[test]
fn the_first_state_of_2018_and_the_init_of_2025_have_their_fields() {
    let host = Host::start("tcp-2018", &["--stones", "3", "--resets", "0"]);
    let mut clients = match_of(&host, ["A", "B"]);
    assert_eq!(
        play_moves(&mut clients, &[(3, false)]),
        [
            "{\"finished\": true, \"winner\": \"A\", \"reason\": \"Player A won the game! Congrats!\", \"current_max\": 3, \"stones_left\": 0, \"stones_removed\": 3, \"reset_used\": false, \"init_max\": 3, \"player_0\": {\"resets_left\": 0, \"time_taken\": T, \"name\": \"A\"}, \"player_1\": {\"resets_left\": 0, \"time_taken\": T, \"name\": \"B\"}}"
        ]
    );
    let host = Host::start("tcp-2025", &["--clock", "77"]);
    let mut a = host.client();
    a.hello("A", 0);
    let mut b = host.client();
    b.hello("B", 0);
    for client in [&mut a, &mut b] {
        let expected = "{\"init_stones\": 1000, \"init_resets\": 4, \"game_time\": 77, \"init_max\": 3}";
        assert_eq!(client.receive(), expected);
    }
}

#[test]
fn the_limit_of_the_first_moves_is_announced_and_applied() {
    let limits = ["--stones", "20", "--set", "base-limit=5", "--set", "reset-limit=5"];
    let host = Host::start("tcp-2025", &limits);
    let mut a = host.client();
    a.hello("A", 0);
    let mut b = host.client();
    b.hello("B", 1);
    for client in [&mut a, &mut b] {
        let expected = "{\"init_stones\": 20, \"init_resets\": 4, \"game_time\": 120, \"init_max\": 5}";
        assert_eq!(client.receive(), expected);
    }
    let states_of_2025 = play_moves(&mut [a, b], &[(5, true), (5, false), (6, false)]);
    assert_eq!(
        states_of_2025.iter().map(|state| number(state, "current_max")).collect::<Vec<_>>(),
        [5, 6, 7]
    );
    let host = Host::start("tcp-2018", &limits);
    let mut clients = match_of(&host, ["A", "B"]);
    let states_of_2018 = play_moves(&mut clients, &[(5, false), (6, false)]);
    for key in ["init_max", "current_max", "stones_left"] {
        let expected = match key {
            "init_max" => [5, 5],
            "current_max" => [5, 6],
            _ => [15, 9],
        };
        assert_eq!(states_of_2018.iter().map(|state| number(state, key)).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn the_player_who_takes_the_last_stone_loses_in_misere_play() {
    let host = Host::start("tcp-2017", &["--stones", "3", "--set", "play=misere", "--set", "growth=2"]);
    let mut clients = match_of(&host, ["A", "B"]);
    let state = play_moves(&mut clients, &[(3, false)]).remove(0);
    assert!(state.contains("\"winner\": \"B\", \"reason\": \"Player B won the game! Congrats!\""), "{state}");
}

#[test]
fn each_dialect_has_its_own_current_max_after_resets() {
    for (protocol, expected) in [
        ("tcp-2017", [4, 3, 5, 3, 3, 5, 5]),
        ("tcp-2025", [4, 3, 5, 3, 3, 5, 5]),
        ("tcp-2018", [3, 2, 4, 2, 2, 4, 4]),
    ] {
        let host = Host::start(protocol, &["--stones", "20", "--resets", "2"]);
        let mut clients = match_of(&host, ["A", "B"]);
        let shown: Vec<u32> =
            play_moves(&mut clients, &MOVES).iter().map(|state| number(state, "current_max")).collect();
        assert_eq!(shown, expected, "{protocol}");
    }
}

#[test]
fn the_requested_orders_decide_who_moves_first() {
    let host = Host::start("tcp-2017", &["--stones", "3", "--matches", "0"]);
    for (orders, first) in [([0, 0], 1), ([1, 1], 0), ([0, 1], 0), ([1, 0], 1)] {
        let mut clients = [host.client(), host.client()];
        // The first client to connect is first, even if it sends its name later.
        for (client, name) in [(1, "B"), (0, "A")] {
            clients[client].hello(name, orders[client]);
        }
        assert!(
            host.line().contains(["begun: A moves first, B second", "begun: B moves first, A second"][first])
        );
        receive_both(&mut clients);
        clients[first].take(3, false);
        let winner = ["A", "B"][first];
        for client in &mut clients {
            let state = client.receive();
            assert!(state.contains(&format!("\"winner\": \"{winner}\"")), "{orders:?}: {state}");
            let first =
                format!("\"player_0\": {{\"resets_left\": 4, \"time_taken\": T, \"name\": \"{winner}\"}}");
            assert!(without_times(&state).contains(&first), "{orders:?}: {state}");
        }
        host.line();
    }
}

#[test]
fn messages_may_come_byte_by_byte_and_with_white_space_around() {
    let host = Host::start("tcp-2017", &["--stones", "7"]);
    let mut a = host.client();
    a.send_bytewise("\n {\"order\": 0, \"name\": \"A\"}");
    let mut b = host.client();
    b.send_bytewise("{\"name\":\"B\",\"order\":1}");
    let mut clients = [a, b];
    receive_both(&mut clients);
    for (ply, text) in
        [" {\"reset\":false,\"num_stones\":3}\r\n", "{\"num_stones\": 4, \"reset\": 0, \"order\": 7}"]
            .into_iter()
            .enumerate()
    {
        clients[1 - ply].send("\n \t");
        clients[ply].send_bytewise(text);
        for client in &mut clients {
            assert!(client.receive().contains(&format!("\"stones_left\": {}", 4 - 4 * ply)));
        }
    }
    assert_eq!(host.line(), "match 1 begun: A moves first, B second");
    assert!(host.line().ends_with("B won after 2 moves: Player B won the game! Congrats!"));
}

#[test]
fn each_state_arrives_in_a_read_of_its_own() {
    // The pause is longer than usual, for busy machines.
    let host = Host::start("tcp-2017", &["--stones", "60", "--pause", "100"]);
    let clients = match_of(&host, ["A", "B"]);
    let players = clients.into_iter().enumerate().map(|(player, mut client)| {
        std::thread::spawn(move || {
            let mut left = 60;
            for ply in 0.. {
                if ply % 2 == player {
                    client.take(1, false);
                }
                let state = client.receive();
                assert_eq!(state.matches("finished").count(), 1, "{state}");
                left -= 1;
                assert_eq!(number(&state, "stones_left"), left);
                if left == 0 {
                    return;
                }
            }
        })
    });
    for player in players.collect::<Vec<_>>() {
        player.join().unwrap();
    }
}

#[test]
fn a_thousand_moves_are_played_and_a_huge_number_is_an_illegal_move() {
    let host =
        Host::start("tcp-2025", &["--stones", "1000000", "--resets", "15", "--pause", "0", "--matches", "0"]);
    let mut clients = match_of(&host, ["A", "B"]);
    let moves: Vec<(u32, bool)> = (0..1000).map(|ply| (3 + ply, ply % 97 == 0)).collect();
    // Under a reset the limit is 3.
    let moves: Vec<(u32, bool)> = moves
        .iter()
        .enumerate()
        .map(|(ply, &(stones, reset))| (if ply % 97 == 1 { 3 } else { stones.min(3) }, reset))
        .collect();
    let all = play_moves(&mut clients, &moves);
    assert_eq!(number(all.last().unwrap(), "stones_left"), 997_000);
    clients[0].send("{\"num_stones\": 18446744073709551615, \"reset\": false}");
    let end = clients[1].receive();
    assert!(end.contains("\"reason\": \"Player A made an illegal move\""), "{end}");
    assert!(end.contains("\"stones_left\": 997000, \"stones_removed\": 4294967295"), "{end}");
}

#[test]
fn taking_more_than_remain_wins_within_the_limit_only() {
    let host = Host::start("tcp-2017", &["--stones", "5", "--matches", "0"]);
    let mut clients = match_of(&host, ["A", "B"]);
    let all = play_moves(&mut clients, &[(3, false), (4, false)]);
    assert!(all[1].starts_with(
        "{\"finished\": true, \"winner\": \"B\", \"reason\": \"Player B won the game! Congrats!\", \"current_max\": 5, \
         \"stones_left\": 0, \"stones_removed\": 4, \"reset_used\": false"
    ));
    host.line();
    let mut clients = match_of(&host, ["A", "B"]);
    let all = play_moves(&mut clients, &[(3, false), (5, false)]);
    assert!(all[1].starts_with(
        "{\"finished\": true, \"winner\": \"A\", \"reason\": \"Player B made an illegal move\", \"current_max\": 4, \
         \"stones_left\": 2, \"stones_removed\": 5, \"reset_used\": false"
    ));
}

#[test]
fn a_reset_too_many_loses_even_with_the_last_stone_but_the_limit_is_checked_first() {
    let host = Host::start("tcp-2017", &["--stones", "3", "--resets", "0", "--matches", "0"]);
    for (stones, reason) in
        [(3, "used too many resets"), (1, "used too many resets"), (4, "made an illegal move")]
    {
        let mut clients = match_of(&host, ["A", "B"]);
        let all = play_moves(&mut clients, &[(stones, true)]);
        let expected = format!(
            "{{\"finished\": true, \"winner\": \"B\", \"reason\": \"Player A {reason}\", \"current_max\": 3, \
             \"stones_left\": 3, \"stones_removed\": {stones}, \"reset_used\": true"
        );
        assert!(all[0].starts_with(&expected), "{}", all[0]);
        host.line();
    }
    // Checks the helper: the message of a move.
    assert_eq!(take(3, true), "{\"order\": 0, \"num_stones\": 3, \"reset\": true}");
}
