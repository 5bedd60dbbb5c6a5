//! Clocks of `bouton-match serve`: the clock of the player to move runs, and a player whose clock runs out loses.

use std::thread;
use std::time::{Duration, Instant};

use super::host::{Host, match_of, receive_both};

#[test]
fn a_silent_player_loses_on_time() {
    let host = Host::start("tcp-2017", &["--clock", "1", "--matches", "0"]);
    for (silent, after) in [(0, 0), (1, 1), (0, 2)] {
        let mut clients = match_of(&host, ["A", "B"]);
        for ply in 0..after {
            clients[ply % 2].take(1, false);
            receive_both(&mut clients);
        }
        let [winner, loser] = [["B", "A"], ["A", "B"]][silent];
        for client in &mut clients {
            let end = client.read_to_end_of_connection();
            let expected = format!(
                "{{\"finished\": true, \"winner\": \"{winner}\", \"reason\": \"Player {loser} exceeded time limit\""
            );
            assert!(end.starts_with(&expected), "{end}");
            assert!(end.contains("\"stones_removed\": 0, \"reset_used\": false"), "{end}");
            assert!(end.contains(&format!("\"time_taken\": 1, \"name\": \"{loser}\"")), "{end}");
        }
        host.line();
    }
}

#[test]
fn half_a_move_and_white_space_without_end_do_not_stop_the_clock() {
    for (protocol, half) in [("tcp-2018", "{\"order\": 0, \"num_st"), ("tcp-2018", " "), ("text-2016", "3")] {
        let host = Host::start(protocol, &["--clock", "1"]);
        let mut clients = if protocol == "text-2016" {
            let mut clients = [host.client(), host.client()];
            host.line();
            clients[0].receive();
            clients
        } else {
            match_of(&host, ["A", "B"])
        };
        clients[0].send(half);
        let [mut offender, mut other] = clients;
        let talker = thread::spawn(move || {
            for _ in 0..100_000 {
                offender.try_send(if half == " " { " ".repeat(1000) } else { String::new() });
            }
            offender
        });
        assert_ne!(other.receive(), "");
        let line = host.line();
        assert!(line.ends_with("exceeded time limit"), "{half}: {line}");
        drop(other);
        drop(talker.join());
    }
}

#[test]
fn only_the_clock_of_the_player_to_move_runs() {
    let host = Host::start("tcp-2017", &["--clock", "3600", "--stones", "6"]);
    let began = Instant::now();
    let mut clients = match_of(&host, ["A", "B"]);
    thread::sleep(Duration::from_millis(300));
    clients[0].take(3, false);
    receive_both(&mut clients);
    clients[1].take(3, false);
    let end = clients[1].receive();
    let duration = began.elapsed().as_secs_f64();
    let taken: Vec<f64> = end
        .split("\"time_taken\": ")
        .skip(1)
        .map(|part| part[..part.find(',').unwrap()].parse().unwrap())
        .collect();
    assert!(taken[0] >= 0.3, "{end}");
    // Only one clock runs at a time; otherwise their sum would exceed the duration of the match. Each time is rounded
    // to a millisecond.
    assert!(taken[0] + taken[1] <= duration + 0.001, "{end} after {duration} s");
}
