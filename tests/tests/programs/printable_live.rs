//! Messages between match servers and clients: control characters from the other side are escaped.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use bouton_match::protocol::tcp::Dialect;
use bouton_tables::printable::is_printable;
use bouton_tests::match_servers::{JsonServer, Pile, Script, WebScript, WebServer, serve};
use bouton_tests::programs::{ProgramRun, run_match, start_match};
use bouton_tests::sockets::read_some;
use serde_json::{Value, json};

use super::printable::{EVIL, check_no_fake_line};

/// The time after which a test reports a hang.
const HANG_LIMIT: Duration = Duration::from_secs(60);

/// A server that sends one text to each client.
struct FixedGreeting(String);

impl Script for FixedGreeting {
    fn greeting(&mut self) -> Vec<u8> {
        self.0.clone().into_bytes()
    }

    fn reply_to(&mut self, _: &[u8]) -> Vec<u8> {
        Vec::new()
    }

    fn is_over(&self) -> bool {
        true
    }
}

#[test]
fn messages_of_a_server_over_tcp_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let connect = |address: &str, protocol: &str| {
        let file = folder.path().join("record");
        let _ = fs::remove_file(&file);
        let args = ["connect", address, "--protocol", protocol, "--second", "--policy", "longest"];
        let args = [&args[..], &["--record", "record", "--stones", "9", "--resets", "1"]].concat();
        let ran = run_match(folder.path(), &args, b"");
        check_no_fake_line(&ran);
        let record = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            record.lines().all(|line| line.starts_with('{') && line.chars().all(is_printable)),
            "{record}"
        );
        ran
    };
    let init = json!({"init_stones": 9, "init_resets": 1}).to_string();
    let player = json!({"resets_left": 1, "time_taken": 0.1, "name": EVIL});
    let state = json!({
        "finished": false, "winner": null, "reason": null, "current_max": 3, "stones_left": 6, "stones_removed": 3,
        "reset_used": false, "player_0": player, "player_1": {"resets_left": 1, "time_taken": 0.1, "name": "x"},
    });
    let mut texts = vec![
        EVIL.to_owned(),
        json!({"init_stones": EVIL}).to_string(),
        json!({EVIL: 1}).to_string(),
        format!("{init}{EVIL}"),
        format!("{init}{}", json!({"finished": EVIL})),
        format!("{init}{}", json!({"finished": true, "winner": EVIL, "reason": EVIL})),
        format!("{init}{state}{EVIL}"),
        format!("{init}{state}{}", json!({"finished": true, "winner": EVIL, "reason": EVIL})),
    ];
    for key in state.as_object().unwrap().keys() {
        for value in [json!(EVIL), json!({EVIL: EVIL})] {
            let mut state = state.clone();
            state[key] = value;
            texts.push(format!("{init}{state}"));
        }
    }
    for text in texts {
        let (address, server) = serve(FixedGreeting(text), false);
        connect(&address, "tcp");
        server.join().unwrap();
    }
    for text in [EVIL.to_owned(), format!("6 3 0 0{EVIL}"), format!("6 3 {EVIL}")] {
        let (address, server) = serve(FixedGreeting(text), false);
        connect(&address, "text-2016");
        server.join().unwrap();
    }
    let mut server = JsonServer::new(Dialect::Y2017, 1, Pile::new(9, 1), 1);
    server.opponent_name = EVIL.to_owned();
    let (address, server) = serve(server, false);
    let ran = connect(&address, "tcp");
    server.join().unwrap();
    assert!(ran.stdout.contains(r"evil\u{1b}[31m"), "{}", ran.stdout);
    // A record of such a match can be replayed, again without control characters.
    let replayed = run_match(folder.path(), &["replay", "record"], b"");
    check_no_fake_line(&replayed);
    assert_eq!(replayed.status, Some(0), "{}", replayed.stderr);
}

/// False answers of a web server, by path and status; `EVIL` stands for the constant of that name.
const WEB: &[(&str, u16, &str)] = &[
    ("/sessions.json", 200, "EVIL"),
    ("/sessions.json", 500, "EVIL"),
    ("/sessions.json", 200, r#"{"status": "failed", "reason": "EVIL"}"#),
    ("/sessions.json", 503, r#"{"status": "failed", "reason": "EVIL"}"#),
    ("/sessions.json", 200, r#"{"status": "EVIL"}"#),
    ("/sessions.json", 200, r#"{"status": "success", "game_status": "EVIL"}"#),
    ("/sessions.json", 200, r#"{"status": "success", "session_id": "EVIL"}"#),
    (
        "/sessions.json",
        200,
        r#"{"status": "success", "game_status": "wait_for_b_join", "session_id": 7, "token": "EVIL", "init_stones": 9}"#,
    ),
    ("/sessions/7/status.json", 200, "EVIL"),
    ("/sessions/7/status.json", 200, r#"{"status": "failed", "reason": "EVIL"}"#),
    ("/sessions/7/status.json", 200, r#"{"status": "success", "game_status": "EVIL"}"#),
    (
        "/sessions/7/status.json",
        200,
        r#"{"status": "success", "game_status": "end", "your_turn": false, "message": "EVIL"}"#,
    ),
    (
        "/sessions/7/status.json",
        200,
        r#"{"status": "success", "game_status": "end", "your_turn": false, "message": "Game Over! Winner: EVIL"}"#,
    ),
    ("/sessions/7/move.json", 200, r#"{"status": "failed", "reason": "EVIL"}"#),
    ("/sessions/7/move.json", 500, "EVIL"),
];

#[test]
fn messages_of_a_web_server_are_escaped() {
    let connect = |address: &str| {
        let args = ["connect", address, "--policy", "longest", "--patience", "1", "--stones", "9"];
        let ran = run_match(Path::new("."), &args, b"");
        check_no_fake_line(&ran);
        ran
    };
    for (number, (path, _, answer)) in WEB.iter().enumerate() {
        let mut script = WebScript::new(0, 9, 1);
        script.false_answer = Box::new(move |_, requested_path| {
            let (path, status, answer) = WEB[number];
            let evil = if answer == "EVIL" { EVIL.to_owned() } else { json!(EVIL).to_string() };
            (requested_path == path).then(|| (status, answer.replace("EVIL", evil.trim_matches('"'))))
        });
        let ran = connect(&format!("http://{}", WebServer::start(script).address));
        let output = [&*ran.stdout, &ran.stderr].concat();
        // The token is not shown.
        assert!(answer.contains("token") || output.contains(r"evil\u"), "{path} {answer}: {output}");
    }
    // Invalid HTTP answers, to the first request and to a later one.
    for text in
        [EVIL.to_owned(), format!("HTTP/1.1 {EVIL}\r\n\r\n"), format!("HTTP/1.1 200 OK\r\n{EVIL}\r\n\r\n")]
    {
        for valid_answers in [0, 1] {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let address = listener.local_addr().unwrap();
            let text = text.clone();
            thread::spawn(move || {
                for (number, stream) in listener.incoming().flatten().enumerate() {
                    let first = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";
                    answer_with(stream, if number < valid_answers { first } else { &text });
                }
            });
            assert_eq!(connect(&format!("http://{address}")).status, Some(2));
        }
    }
}

/// Reads a request, and sends a text.
fn answer_with(mut stream: TcpStream, text: &str) {
    let _ = stream.read(&mut [0; 4096]);
    let _ = stream.write_all(text.as_bytes());
}

/// Returns the output of a server of one match after its clients have sent their texts.
fn run_server(protocol: &str, clients: impl FnOnce(u16)) -> ProgramRun {
    let args = ["serve", "--listen", "0", "--protocol", protocol, "--stones", "3", "--join-time", "1"];
    let mut child = start_match(Path::new("."), &args);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    let port = first.split([':', ' ']).find_map(|word| word.parse().ok());
    clients(port.expect("the server prints its port"));
    let deadline = Instant::now() + HANG_LIMIT;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
        }
        thread::sleep(Duration::from_millis(10));
    }
    let status = child.wait().unwrap().code();
    let text = |from: &mut dyn Read| {
        let mut text = String::new();
        from.read_to_string(&mut text).unwrap();
        text
    };
    let ran = ProgramRun {
        status,
        stdout: first + &text(&mut out),
        stderr: text(&mut child.stderr.take().unwrap()),
    };
    check_no_fake_line(&ran);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    ran
}

/// Connects to a server on this machine, and sends it a text.
fn client(port: u16, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(HANG_LIMIT)).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

/// Reads everything until the server closes the connection.
fn read_to_end_of_connection(mut stream: TcpStream) -> String {
    let mut heard = Vec::new();
    let _ = stream.read_to_end(&mut heard);
    String::from_utf8(heard).unwrap()
}

#[test]
fn messages_of_clients_to_a_server_over_tcp_are_escaped() {
    let hello = |name: &str, order: u8| json!({"name": name, "order": order}).to_string();
    for text in [EVIL.to_owned(), json!({EVIL: EVIL}).to_string(), json!({"num_stones": EVIL}).to_string()] {
        let ran = run_server("tcp-2017", |port| {
            for text in [EVIL, &json!({"name": EVIL, "order": EVIL}).to_string(), &hello(EVIL, 9)] {
                assert_eq!(read_to_end_of_connection(client(port, text)), "", "the client is disconnected");
            }
            let mut first = client(port, &hello(EVIL, 0));
            let second = client(port, &hello(&EVIL.repeat(100), 1));
            // The game has begun.
            assert!(read_some(&mut first, &mut [0; 1024]).unwrap() > 0);
            first.write_all(text.as_bytes()).unwrap();
            let received = read_to_end_of_connection(second);
            assert!(
                received.chars().all(is_printable) && received.contains("sent an invalid message"),
                "{received}"
            );
        });
        assert!(ran.stdout.contains("match 1 finished: evil[31m2Jnonefakelive"), "{}", ran.stdout);
        assert_eq!(ran.stderr.matches(r"evil").count(), 3, "{}", ran.stderr);
    }
    let ran = run_server("text-2016", |port| {
        let [mut first, mut second] = [client(port, ""), client(port, "")];
        // The first client to connect moves first, and receives the state.
        assert!(read_some(&mut first, &mut [0; 1024]).unwrap() > 0);
        first.write_all(EVIL.as_bytes()).unwrap();
        assert!(read_some(&mut second, &mut [0; 1024]).unwrap() > 0);
    });
    assert!(ran.stdout.contains("player 0 sent an invalid message: found \"evil"), "{}", ran.stdout);
}

#[test]
fn messages_of_clients_to_a_web_server_are_escaped() {
    let evil: String = EVIL.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let ran = run_server("rest", |port| {
        let ask = |method: &str, path: &str| {
            let request = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            let heard = read_to_end_of_connection(client(port, &request));
            let (_, body) = heard.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {heard}"));
            assert!(body.chars().all(is_printable), "{body:?}");
            serde_json::from_str::<Value>(body).unwrap()
        };
        assert!(
            read_to_end_of_connection(client(port, &format!("{EVIL}\r\n\r\n"))).starts_with("HTTP/1.1 400 ")
        );
        for (method, path) in [
            ("GET", format!("/{evil}")),
            ("GET", format!("/sessions/{evil}/status.json?token={evil}")),
            ("POST", format!("/sessions.json?name=A&stones={evil}")),
            ("POST", format!("/sessions/join.json?name=A&id={evil}")),
        ] {
            assert_eq!(ask(method, &path)["status"], "failed");
        }
        let [first, second] = [
            ask("POST", &format!("/sessions.json?name={evil}&stones=3")),
            ask("POST", &format!("/sessions/join.json?name={evil}&id=1")),
        ];
        let tokens = [first, second].map(|answer| answer["token"].as_str().unwrap().to_owned());
        let status = |player: usize| ask("GET", &format!("/sessions/1/status.json?token={}", tokens[player]));
        assert_eq!(status(0)["your_turn"], true);
        ask("POST", &format!("/sessions/1/move.json?token={}&stones=3&reset={evil}", tokens[0]));
        ask("POST", &format!("/sessions/1/move.json?token={}&stones=3", tokens[0]));
        for player in [0, 1] {
            assert_eq!(status(player)["game_status"], "end");
        }
    });
    assert!(ran.stdout.contains("finished: evil[31m2Jnonefakelive won"), "{}", ran.stdout);
}
