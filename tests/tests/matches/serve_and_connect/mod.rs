//! `bouton-match connect` against `bouton-match serve`: both as programs, over loopback.

mod pair;

use std::time::Duration;

use bouton_match::{Side, Solution};
use bouton_tables::expanding::ExpandingKeys;
use bouton_tables::{Outcome, Solved};

use self::pair::{Program, ProgramOutput, Server};
use bouton_tests::programs::run_match;

const TCP: [&str; 3] = ["tcp-2017", "tcp-2018", "tcp-2025"];

/// Returns the side that wins a game from its start.
fn winner(stones: u32, resets: u8) -> usize {
    let stones = u64::from(stones);
    let rules = ExpandingKeys { stones, resets: [resets; 2], ..Default::default() }.rules().unwrap();
    let outcome = Solution::solve(&rules).unwrap().get().outcome(&rules.start(stones)).unwrap();
    (if outcome == Outcome::Win { Side::First } else { Side::Second }).index()
}

/// Returns the last line of a client that has ended normally.
fn last_line(client: Program) -> String {
    let ProgramOutput { status, mut lines, stderr } = client.end();
    assert_eq!(status, Some(0), "{lines:?} {stderr}");
    assert!(!stderr.contains("WARNING"), "{stderr}");
    lines.pop().expect("the last line reports the result")
}

/// Checks that both clients and the server report the victory of the player with this name.
fn check_winner_is_reported(server: &Server, number: u32, clients: [(Program, &str); 2], winner: &str) {
    let why = format!("Player {winner} won the game! Congrats!");
    assert_eq!(server.read_end(number), [winner.to_owned(), why.clone()]);
    for (client, name) in clients {
        let how = if name == winner { "won" } else { "lost" };
        assert_eq!(last_line(client), format!("{how}: {why}"), "{name}");
    }
}

/// Plays one match over TCP with JSON. The first client to connect is A; `orders` are the requests of A and B.
fn play_json_match(
    protocol: &'static str,
    dialect: &str,
    stones: u32,
    resets: u8,
    orders: [&str; 2],
    more: &[&str],
) {
    let (stones_text, resets_text) = (stones.to_string(), resets.to_string());
    let game = ["--stones", &stones_text, "--resets", &resets_text];
    let server = Server::start(protocol, &[&game, more].concat());
    let a = server.client(dialect, &["--name", "A", orders[0]]);
    server.wait_for_clients(1);
    // A client that waits long for the game concludes that it connected first.
    if orders[0] == orders[1] {
        std::thread::sleep(Duration::from_millis(500));
    }
    let b = server.client(dialect, &["--name", "B", orders[1]]);
    // The second client gets the first move if it requests it, even if the first client does too.
    let names = if orders[1] == "--first" { ["B", "A"] } else { ["A", "B"] };
    assert_eq!(server.read_start(1), names, "{orders:?}");
    let winner = names[winner(stones, resets)];
    check_winner_is_reported(&server, 1, [(a, "A"), (b, "B")], winner);
    server.end();
}

const ORDERS: [[&str; 2]; 2] = [["--first", "--second"], ["--second", "--first"]];

#[test]
fn the_winning_side_of_a_start_wins_over_json_in_either_order() {
    // Without a pause messages arrive joined.
    for protocol in TCP {
        for (number, resets) in [0, 1, 4].into_iter().enumerate() {
            for (turn, orders) in ORDERS.into_iter().enumerate() {
                let stones = [1, 4, 17, 21, 30, 47][2 * number + turn];
                play_json_match(protocol, "tcp", stones, resets, orders, &["--pause", "0"]);
            }
        }
    }
}

#[test]
fn the_protocol_of_json_servers_is_detected() {
    for (protocol, orders) in TCP.into_iter().zip([ORDERS[0], ORDERS[1], ORDERS[0]]) {
        play_json_match(protocol, "auto", 17, 1, orders, &[]);
    }
}

#[test]
fn the_winning_side_of_a_thousand_stones_wins() {
    play_json_match("tcp-2017", "tcp", 1000, 4, ["--first", "--second"], &["--pause", "0"]);
    play_json_match("tcp-2017", "tcp", 1000, 4, ["--second", "--first"], &[]);
}

#[test]
fn both_sides_of_a_match_record_the_same_game_and_it_replays() {
    let folder = tempfile::tempdir().unwrap();
    for protocol in ["tcp-2018", "text-2016", "rest"] {
        let client = protocol.split_once("-2018").map_or(protocol, |(tcp, _)| tcp);
        let server = Server::start(protocol, &["--stones", "20"]);
        let paths = ["a", "b"].map(|name| folder.path().join(format!("{protocol}.{name}")));
        let [a_file, b_file] = paths.each_ref().map(|path| path.to_str().unwrap());
        let a = server.client(client, &["--name", "A", "--first", "--stones", "20", "--record", a_file]);
        if protocol == "rest" {
            assert!(a.line().starts_with("session 1"));
        } else {
            server.wait_for_clients(1);
        }
        let session: &[&str] = if protocol == "rest" { &["--session", "1"] } else { &[] };
        let args = ["--name", "B", "--second", "--stones", "20", "--record", b_file];
        let b = server.client(client, &[&args[..], session].concat());
        let ends = [a, b].map(last_line);
        assert!(ends.iter().any(|line| line.starts_with("won: ")), "{ends:?}");
        server.read_start(1);
        server.read_end(1);
        server.end();
        let games = paths.map(|path| {
            let path = path.to_str().unwrap();
            let replayed = run_match(folder.path(), &["replay", path, "--json"], b"");
            assert_eq!(replayed.status, Some(0), "{}", replayed.stderr);
            let game: serde_json::Value = serde_json::from_str(&replayed.stdout).unwrap();
            [game["moves"].clone(), game["winner"].clone()]
        });
        // The server of 2016 does not send the last move.
        if protocol == "text-2016" {
            assert_eq!(games[0][1], games[1][1]);
        } else {
            assert_eq!(games[0], games[1]);
        }
    }
}

/// Neither client learns that the other one asked for the first move, too. But the one that waited longer for the game
/// knows that it may have to move second.
#[test]
fn if_both_request_the_first_move_the_winning_side_of_the_start_wins() {
    for protocol in TCP {
        play_json_match(protocol, "tcp", 17, 1, ["--first", "--first"], &[]);
    }
}

#[test]
fn if_both_request_the_second_move_the_clock_ends_the_match() {
    let server = Server::start("tcp-2017", &["--clock", "1"]);
    let a = server.client("tcp", &["--name", "A", "--second"]);
    server.wait_for_clients(1);
    let b = server.client("tcp", &["--name", "B", "--second"]);
    assert_eq!(server.read_start(1), ["A", "B"]);
    assert_eq!(server.read_end(1), ["B", "Player A exceeded time limit"]);
    assert_eq!(
        [a, b].map(last_line),
        ["lost", "won"].map(|how| format!("{how}: Player A exceeded time limit"))
    );
    server.end();
}

#[test]
fn the_winning_side_of_a_start_wins_over_the_text_protocol_in_either_order() {
    for (number, stones) in [1, 4, 10, 21, 30, 100].into_iter().enumerate() {
        let text = stones.to_string();
        let server = Server::start("text-2016", &["--stones", &text]);
        // The first client to connect moves first, whatever it requests.
        let orders = ORDERS[number % 2];
        let clients = orders.map(|order| {
            let client = server.client("text-2016", &["--stones", &text, order]);
            if order == orders[0] {
                server.wait_for_clients(1);
            };
            client
        });
        assert_eq!(server.read_start(1), ["player 0", "player 1"]);
        let winner = winner(stones, 1);
        let name = format!("player {winner}");
        assert_eq!(server.read_end(1), [name.clone(), format!("Player {name} won the game! Congrats!")]);
        for (client, last) in clients.into_iter().map(last_line).enumerate() {
            // This server does not send the winner. After a game of one move, the second player knows only that it is over.
            let how = match client {
                _ if client == winner => "won: we took the last stone",
                _ if stones <= 3 => "over: the server ended the match before we moved",
                _ => "lost: the opponent may have taken the last ",
            };
            assert!(last.starts_with(how), "{stones} stones, {client}: {last}");
        }
        server.end();
    }
}

/// Starts two clients of one session: A creates it, and B joins it.
fn session(server: &Server, protocols: [&str; 2], stones: u32, more: &[&str]) -> [Program; 2] {
    let stones = stones.to_string();
    let a = server.client(protocols[0], &[&["--name", "A", "--first", "--stones", &stones], more].concat());
    let line = a.line();
    let id = line.strip_prefix("session ").and_then(|rest| rest.split(':').next()).expect("a session");
    let b = server.client(protocols[1], &[&["--name", "B", "--second", "--session", id], more].concat());
    assert_eq!(server.read_start(id.parse().unwrap()), ["A", "B"]);
    [a, b]
}

#[test]
fn the_winning_side_of_a_start_wins_over_http() {
    let server = Server::start("rest", &["--matches", "4"]);
    let starts = [1, 4, 11, 22];
    for (number, stones) in (1..).zip(starts) {
        let protocols = [["rest", "rest"], ["auto", "auto"], ["rest", "auto"], ["auto", "rest"]];
        let clients = session(&server, protocols[number as usize - 1], stones, &[]);
        let winner = ["A", "B"][winner(stones, 4)];
        let why = format!("Player {winner} won the game! Congrats!");
        assert_eq!(server.read_end(number), [winner.to_owned(), why]);
        for (client, name) in clients.into_iter().zip(["A", "B"]) {
            let how = if name == winner { "won" } else { "lost" };
            assert_eq!(last_line(client), format!("{how}: Game Over! Winner: {winner}"), "{name}");
        }
    }
    server.end();
}

#[test]
fn six_clients_play_three_matches_in_parallel() {
    for protocol in ["tcp-2017", "tcp-2025"] {
        let server =
            Server::start(protocol, &["--pause", "100", "--stones", "80", "--resets", "1", "--matches", "3"]);
        let (mut clients, mut lines) = (Vec::new(), Vec::new());
        for (number, names) in (1..).zip([["A", "B"], ["C", "D"], ["E", "F"]]) {
            for (name, order) in names.into_iter().zip(ORDERS[0]) {
                clients.push((server.client("tcp", &["--name", name, order]), name));
            }
            // The next pair connects when this one plays.
            let line_start = format!("match {number} begun: ");
            while !lines.iter().any(|line: &String| line.starts_with(&line_start)) {
                lines.push(server.program.line());
            }
        }
        lines.extend((lines.len()..6).map(|_| server.program.line()));
        let mut winners = Vec::new();
        for number in 1..=3 {
            let of = |what: &str| {
                let start = format!("match {number} {what}: ");
                lines.iter().find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("{lines:?}"))
            };
            let (first, second) = of("begun").split_once(" moves first, ").unwrap();
            let second = second.strip_suffix(" second").unwrap();
            let winner = [first, second][winner(80, 1)];
            assert!(of("finished").starts_with(&format!("{winner} won after ")), "{lines:?}");
            winners.push(winner);
        }
        for (client, name) in clients {
            let how = if winners.contains(&name) { "won: Player " } else { "lost: Player " };
            assert!(last_line(client).starts_with(how), "{name}");
        }
        server.end();
    }
}

/// Waits until a client has reported this many moves.
fn wait_for_move(client: &Program, moves: usize) {
    while !client.line().starts_with(&format!("{moves:>3}. ")) {}
}

#[test]
fn when_a_client_is_killed_the_other_one_wins_and_the_server_continues() {
    for (number, protocol) in TCP.into_iter().enumerate() {
        // The pause keeps the game from ending before the kill.
        let server = Server::start(protocol, &["--matches", "2", "--pause", "200"]);
        let mut a = server.client("tcp", &["--name", "A", "--first"]);
        let mut b = server.client("tcp", &["--name", "B", "--second"]);
        assert_eq!(server.read_start(1), ["A", "B"]);
        wait_for_move(&a, 3);
        let (mut victim, survivor, winner, loser) =
            if number % 2 == 0 { (a, b, "B", "A") } else { (b, a, "A", "B") };
        victim.kill();
        let why = format!("Player {loser} disconnected");
        let [won, reason] = server.read_end(1);
        assert_eq!(won, winner);
        assert!(reason.starts_with(&why), "{reason}");
        assert_eq!(last_line(survivor), format!("won: {why}"));
        (a, b) = (
            server.client("tcp", &["--name", "C", "--first"]),
            server.client("tcp", &["--name", "D", "--second"]),
        );
        server.read_start(2);
        a.kill();
        assert_eq!(server.read_end(2)[0], "D");
        assert_eq!(last_line(b), "won: Player C disconnected");
        server.end();
    }
}

#[test]
fn when_a_client_of_2016_is_killed_the_other_one_receives_the_end() {
    let server = Server::start("text-2016", &["--matches", "2", "--pause", "200"]);
    let mut a = server.client("text-2016", &["--stones", "1000"]);
    server.wait_for_clients(1);
    let b = server.client("text-2016", &["--stones", "1000", "--second"]);
    server.read_start(1);
    wait_for_move(&a, 1);
    a.kill();
    let [won, why] = server.read_end(1);
    assert_eq!(won, "player 1");
    assert!(why.starts_with("Player player 0 disconnected"), "{why}");
    assert!(last_line(b).starts_with("over: "), "this server does not say who won");
}

#[test]
fn when_a_client_over_http_is_killed_the_other_one_wins_when_its_time_is_up() {
    let server = Server::start("rest", &["--clock", "2"]);
    let [mut a, b] = session(&server, ["rest", "rest"], 500, &[]);
    wait_for_move(&a, 1);
    a.kill();
    assert_eq!(server.read_end(1), ["B", "Player A exceeded time limit"]);
    assert_eq!(last_line(b), "won: Game Over! Winner: B");
    server.end();
}

#[test]
fn when_the_server_is_killed_the_clients_report_it_and_fail() {
    for protocol in ["tcp-2017", "tcp-2025", "text-2016", "rest"] {
        let mut server = Server::start(protocol, &["--pause", "200"]);
        let clients = match protocol {
            "rest" => session(&server, ["rest", "rest"], 500, &["--patience", "3"]),
            _ => {
                let client_protocol = if protocol == "text-2016" { protocol } else { "tcp" };
                let a = server.client(client_protocol, &["--first", "--stones", "1000"]);
                server.wait_for_clients(1);
                [a, server.client(client_protocol, &["--second", "--stones", "1000"])]
            }
        };
        for client in &clients {
            wait_for_move(client, 2);
        }
        server.program.kill();
        for client in clients {
            let ProgramOutput { status, stderr, lines } = client.end();
            assert_eq!(status, Some(2), "{protocol}: {lines:?} {stderr}");
            let expected =
                if protocol == "rest" { "the server does not answer" } else { "closed the connection" };
            assert!(stderr.contains(expected) && stderr.contains(" left "), "{protocol}: {stderr}");
            assert!(!stderr.contains("WARNING") && !stderr.contains("panicked"), "{protocol}: {stderr}");
        }
    }
}
