//! Games over HTTP, answer by answer, and invalid requests.

use std::time::Instant;

use serde_json::{Value, json};

use super::host::{Client, HANG_LIMIT, Host};

/// Sends one request, with its parameters in a form; returns the status and the raw answer.
fn ask(host: &Host, method: &str, path: &str, form: &str) -> (u16, String) {
    let mut client = host.client();
    client.send(format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: \
         application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        form.len()
    ));
    answer(&mut client)
}

/// Reads an answer up to the end of the connection. Returns its status and body.
pub(super) fn answer(client: &mut Client) -> (u16, String) {
    let text = client.read_to_end_of_connection();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text}"));
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

/// Sends a form, whose answer must have status 200. Returns the answer.
fn post(host: &Host, path: &str, form: &str) -> Value {
    let (status, body) = ask(host, "POST", path, form);
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).unwrap()
}

/// Asks for a path, whose answer must have status 200. Returns the answer.
fn get(host: &Host, path: &str) -> Value {
    let (status, body) = ask(host, "GET", path, "");
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).unwrap()
}

/// A session of two players: its number, and their tokens.
pub(super) struct Session<'a> {
    host: &'a Host,
    id: u64,
    tokens: [String; 2],
}

impl<'a> Session<'a> {
    /// Makes a session as player A, and joins it as player B.
    pub(super) fn new(host: &'a Host, stones: u32) -> Self {
        let made = post(host, "/sessions.json", &format!("name=A&stones={stones}"));
        let id = made["session_id"].as_u64().unwrap();
        let joined = post(host, "/sessions/join.json", &format!("id={id}&name=B"));
        assert_eq!(joined["game_status"], "wait_for_a_move");
        assert!(host.line().contains(" begun: A moves first, B second"));
        let tokens = [&made, &joined].map(|answer| answer["token"].as_str().unwrap().to_owned());
        Self { host, id, tokens }
    }

    /// Asks for the status as a player.
    pub(super) fn status(&self, player: usize) -> Value {
        get(self.host, &format!("/sessions/{}/status.json?token={}", self.id, self.tokens[player]))
    }

    /// Makes a move as the real clients do: the token in the address, the rest in a form.
    pub(super) fn take(&self, player: usize, stones: i64, reset: &str) -> Value {
        let path = format!("/sessions/{}/move.json?token={}", self.id, self.tokens[player]);
        post(self.host, &path, &format!("stones={stones}&reset={reset}"))
    }
}

const WAIT: &str =
    "It's not your turn yet. Please wait for other player. Please don't refresh too frequently. Status: ";

#[test]
fn each_answer_of_a_whole_game_is_as_documented() {
    let host = Host::start("rest", &["--stones", "50"]);
    let (status, made) = ask(&host, "POST", "/sessions.json", "name=A&stones=10");
    let made_value: Value = serde_json::from_str(&made).unwrap();
    let a = made_value["token"].as_str().unwrap().to_owned();
    let expected = format!(
        "{{\"status\":\"success\",\"game_status\":\"wait_for_b_join\",\"session_id\":1,\"token\":\"{a}\",\"init_stones\":10}}"
    );
    assert_eq!((status, made), (200, expected));
    assert_eq!((a.len(), a.bytes().all(|byte| byte.is_ascii_hexdigit())), (32, true));
    let waiting = get(&host, &format!("/sessions/1/status.json?token={a}"));
    assert_eq!(
        waiting,
        json!({"status": "success", "game_status": "wait_for_b_join", "your_turn": false,
               "message": format!("{WAIT}Wait for Player B to Join")})
    );
    // The parameters may stand in the address as well.
    let joined = post(&host, "/sessions/join.json?id=1&name=B%20%26+C", "");
    assert_eq!(host.line(), "match 1 begun: A moves first, B & C second");
    let b = joined["token"].as_str().unwrap().to_owned();
    assert_eq!(
        joined,
        json!({"status": "success", "game_status": "wait_for_a_move", "session_id": 1, "token": b, "init_stones": 10})
    );
    let session = Session { host: &host, id: 1, tokens: [a, b] };
    let (_, body) = ask(&host, "GET", &format!("/sessions/1/status.json?token={}", session.tokens[0]), "");
    assert!(
        body.starts_with(
            "{\"status\":\"success\",\"game_status\":\"wait_for_a_move\",\"your_turn\":true,\"message\":\"It's your turn \
             now. Please make a move.\",\"stones_left\":10,\"reset\":false,\"current_max\":0,\"accept_max_value\":3,\
             \"reset_left\":4,\"start_time\":\"20"
        ),
        "{body}"
    );
    let waiting = session.status(1);
    let message = format!("{WAIT}Wait for Player A's Move");
    let expected = json!({"status": "success", "game_status": "wait_for_a_move", "your_turn": false, "message": message});
    assert_eq!(waiting, expected);
    assert_eq!(session.take(0, 3, "yes"), json!({"status": "success"}));
    assert_eq!(session.status(0)["message"], format!("{WAIT}Wait for Player B's Move"));
    let turn = session.status(1);
    let move_facts = |turn: &Value| {
        ["stones_left", "reset", "current_max", "accept_max_value", "reset_left"].map(|key| turn[key].clone())
    };
    assert_eq!(move_facts(&turn), [json!(7), json!(true), json!(3), json!(3), json!(4)]);
    assert!((100..=120).contains(&turn["time_left"].as_i64().unwrap()));
    assert_eq!(turn["start_time"].as_str().unwrap().len(), "2020-10-05T14:03:00.250Z".len());
    session.take(1, 3, "no");
    assert_eq!(move_facts(&session.status(0)), [json!(4), json!(false), json!(3), json!(4), json!(3)]);
    session.take(0, 2, "no");
    assert_eq!(move_facts(&session.status(1)), [json!(2), json!(false), json!(3), json!(2), json!(4)]);
    assert_eq!(session.take(1, 2, "no"), json!({"status": "success"}));
    let (_, moves) = ask(&host, "GET", "/sessions/1.json", "");
    assert!(
        moves.starts_with(
            "{\"status\":\"success\",\"game_status\":\"end\",\"moves\":[{\"player\":\"A\",\"time\":"
        ),
        "{moves}"
    );
    let moves: Value = serde_json::from_str(&moves).unwrap();
    let listed: Vec<(u64, u64, bool)> = moves["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| {
            (m["stones_removed"].as_u64().unwrap(), m["stones_left"].as_u64().unwrap(), m["reset"] == true)
        })
        .collect();
    assert_eq!(listed, [(3, 7, true), (3, 4, false), (2, 2, false), (2, 0, false)]);
    for player in [0, 1] {
        assert_eq!(
            session.status(player),
            json!({"status": "success", "game_status": "end", "your_turn": false,
                   "message": "Game Over! Winner: B & C"})
        );
    }
    assert_eq!(
        host.line(),
        "match 1 finished: B & C won after 4 moves: Player B & C won the game! Congrats!"
    );
    host.end();
}

#[test]
fn requests_out_of_turn_fail_and_change_nothing() {
    let host = Host::start("rest", &["--matches", "0"]);
    let reason = |answer: &Value| {
        assert_eq!(answer["status"], "failed");
        answer["reason"].as_str().unwrap().to_owned()
    };
    let session = Session::new(&host, 20);
    let no_session = "Couldn't find Session with the given id.";
    for path in [
        "/sessions/99/move.json?stones=1",
        "/sessions/x/move.json?stones=1",
        "/sessions/join.json?id=99&name=X",
    ] {
        assert_eq!(reason(&post(&host, path, "")), no_session);
    }
    for path in [
        "/sessions/99/status.json?token=x",
        "/sessions/%ff/status.json",
        "/sessions/99.json",
        "/sessions/-1.json",
    ] {
        assert_eq!(reason(&get(&host, path)), no_session);
    }
    assert_eq!(reason(&post(&host, "/sessions/join.json", "id=1&name=C")), "Player B already exists.");
    assert_eq!(reason(&post(&host, "/sessions/join.json", "id=1")), "The parameter name is missing.");
    for token in ["", "?token=", "?token=0123"] {
        let expected = "Your token does not match any of the players.";
        assert_eq!(reason(&get(&host, &format!("/sessions/1/status.json{token}"))), expected);
        assert_eq!(reason(&post(&host, &format!("/sessions/1/move.json{token}"), "stones=1")), expected);
    }
    assert_eq!(reason(&session.take(0, 1, "no")), "Please request status before making move.");
    assert_eq!(reason(&session.take(1, 1, "no")), "It is not your turn yet.");
    assert_eq!(session.status(0)["stones_left"], 20);
    assert_eq!(reason(&session.take(1, 99, "no")), "It is not your turn yet.");
    let path = format!("/sessions/1/move.json?token={}", session.tokens[0]);
    assert!(reason(&post(&host, &path, "stones=three")).contains("found three, expected a whole number"));
    assert!(reason(&post(&host, &path, "")).contains("stones is missing"));
    assert!(reason(&post(&host, &path, "stones=1&reset=maybe")).contains("yes or no"));
    assert_eq!(session.take(0, 1, "no")["status"], "success");
    // A client that repeats its request makes no second move.
    assert_eq!(reason(&session.take(0, 1, "no")), "It is not your turn yet.");
    assert_eq!(session.status(1)["stones_left"], 19);
}

#[test]
fn an_illegal_move_and_a_reset_too_many_lose() {
    let host = Host::start("rest", &["--matches", "0", "--resets", "0"]);
    for (stones, left, reset, why) in [
        (4, 9, "no", "Player A made an illegal move: 4 at 9/0/1/0,0/-, where the legal moves are 1, 2, 3."),
        (3, 2, "no", "Player A made an illegal move: 3 at 2/0/1/0,0/-, where the legal moves are 1, 2."),
        (0, 2, "no", "Player A made an illegal move: 0 at"),
        (-5, 2, "no", "Player A made an illegal move: 0 at"),
        (3, 9, "yes", "Player A used too many resets."),
    ] {
        let session = Session::new(&host, left);
        session.status(0);
        let answer = session.take(0, stones, reset);
        assert_eq!(answer["status"], "failed");
        assert!(answer["reason"].as_str().unwrap().starts_with(why), "{answer}");
        assert_eq!(session.status(1)["message"], "Game Over! Winner: B");
        assert_eq!(session.take(1, 1, "no")["reason"], "Game Over! Winner: B");
        assert!(host.line().contains("B won after 0 moves: Player A "));
    }
}

#[test]
fn a_silent_player_loses_and_the_server_ends_by_itself() {
    let host = Host::start("rest", &["--clock", "1", "--matches", "2"]);
    let has_asked = Session::new(&host, 20);
    let never_asked = Session::new(&host, 20);
    has_asked.status(0);
    assert!(host.line().contains("match 1 finished: B won after 0 moves: Player A exceeded time limit"));
    assert_eq!(has_asked.status(1)["game_status"], "end");
    assert_eq!(has_asked.status(1)["message"], "Game Over! Winner: B");
    assert_eq!(
        never_asked.status(1)["game_status"],
        "wait_for_a_move",
        "the player has some seconds more to ask"
    );
    assert!(host.line().contains("match 2 finished: B won after 0 moves: Player A exceeded time limit"));
    assert_eq!(never_asked.status(1)["message"], "Game Over! Winner: B");
    host.end();
}

#[test]
fn sessions_without_a_player_are_joined_by_both_and_equal_names_are_made_distinct() {
    let host = Host::start("rest", &["--stones", "3"]);
    assert_eq!(
        post(&host, "/sessions.json", ""),
        json!({"status": "success", "game_status": "wait_for_a_join", "session_id": 1})
    );
    let a = post(&host, "/sessions/join.json", "id=1&name=T%1b%0a");
    assert_eq!((&a["game_status"], &a["init_stones"]), (&json!("wait_for_b_join"), &json!(3)));
    let b = post(&host, "/sessions/join.json", "id=1&name=T");
    assert_eq!(host.line(), "match 1 begun: T moves first, T (2) second");
    let tokens = [a, b].map(|answer| answer["token"].as_str().unwrap().to_owned());
    let session = Session { host: &host, id: 1, tokens };
    // This server was started for one match, which has begun.
    let more = post(&host, "/sessions.json", "name=X");
    assert_eq!(more["reason"], "This server hosts no more matches: it was started for 1.");
    session.status(0);
    session.take(0, 4, "no");
    assert_eq!(session.status(1)["message"], "Game Over! Winner: T (2)");
}

#[test]
fn the_answer_to_an_unknown_request_lists_the_valid_ones() {
    let host = Host::start("rest", &["--matches", "0"]);
    for (method, path) in [
        ("GET", "/"),
        ("GET", "/sessions.json"),
        ("POST", "/sessions/1.json"),
        ("GET", "/sessions/1"),
        ("DELETE", "/sessions/1/move.json"),
        ("GET", "/sessions/%ff"),
        ("GET", "/sessions/1/status.json/x"),
    ] {
        let (status, body) = ask(&host, method, path, "");
        assert!(body.starts_with("{\"status\":\"failed\",\"reason\":\""), "{method} {path}: {body}");
        assert!(status == 404, "{method} {path}: {status}");
        assert!(body.contains("POST /sessions/join.json"), "{body}");
    }
    let (status, body) = ask(&host, "POST", "/sessions.json", &"x".repeat(5000));
    assert!(status == 413 && body.contains("at most 4096 bytes"), "{status} {body}");
    for stones in ["0", "1001", "-1", "x", "99999999999999999999"] {
        let answer = post(&host, "/sessions.json", &format!("name=A&stones={stones}"));
        assert!(answer["reason"].as_str().unwrap().starts_with("stones: found "), "{answer}");
    }
    let mut client = host.client();
    client.send(
        "POST /sessions.json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n",
    );
    client.send("Connection: close\r\n\r\n{}");
    let (status, body) = answer(&mut client);
    assert!(status == 415 && body.contains("application/x-www-form-urlencoded"), "{status} {body}");
}

#[test]
fn slow_and_erratic_clients_block_neither_other_clients_nor_the_end() {
    let host = Host::start("rest", &["--stones", "3"]);
    let began = Instant::now();
    let mut erratic: Vec<Client> = (0..40).map(|_| host.client()).collect();
    for (number, client) in erratic.iter_mut().enumerate() {
        match number % 4 {
            0 => client.send("GET / HTTP/1.1\r\nHost:"),
            1 => client.send("POST /sessions.json HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nname"),
            2 => client.send([0xff, 0, 1, 2]),
            _ => client.try_send(["GET /", &"x".repeat(1_000_000)].concat()),
        }
    }
    let session = Session::new(&host, 3);
    session.status(0);
    assert_eq!(session.take(0, 3, "no")["status"], "success");
    assert!(host.line().contains("A won after 1 move: "));
    host.end();
    assert!(began.elapsed() < HANG_LIMIT);
    drop(erratic);
}
