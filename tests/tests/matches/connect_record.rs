//! The transcript of `bouton-match connect --record` contains the moves played, whatever happens to the match or the
//! program.

use std::fs;
use std::path::Path;

use bouton_match::Transcript;
use bouton_match::protocol::tcp::Dialect;
use bouton_tests::match_servers::{JsonServer, Opponent, Pile, Script, serve};
use bouton_tests::programs::{run_match, send_signal, start_match, wait_until};
use serde_json::Value;

/// A server that stops after a number of messages from the client: it closes the connection, or falls silent.
struct StoppingServer {
    server: JsonServer,
    /// The number of messages after which the server stops.
    after: usize,
    /// True if the server closes the connection, and false if it falls silent.
    closes: bool,
}

impl Script for StoppingServer {
    fn greeting(&mut self) -> Vec<u8> {
        self.server.greeting()
    }
    fn reply_to(&mut self, bytes: &[u8]) -> Vec<u8> {
        if self.after == 0 {
            return Vec::new();
        }
        self.after -= 1;
        self.server.reply_to(bytes)
    }
    fn is_over(&self) -> bool {
        self.server.is_over() || self.closes && self.after == 0
    }
}

/// Starts a server that stops after four moves: it closes the connection, or sends nothing more. Returns its address.
fn start_stopping_server(closes: bool) -> String {
    let server = JsonServer::new(Dialect::Y2017, 1, Pile::new(200, 4), 5);
    serve(StoppingServer { server, after: 4, closes }, false).0
}

/// Returns the arguments of `bouton-match connect` that record the match in a file.
fn connect<'a>(address: &'a str, file: &'a str) -> Vec<&'a str> {
    vec![
        "connect",
        address,
        "--protocol",
        "tcp",
        "--name",
        "Us",
        "--second",
        "--stones",
        "200",
        "--record",
        file,
    ]
}

/// Returns the lines of a file.
fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn an_interrupted_match_is_recorded_as_such_with_every_move_and_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let ran = run_match(folder.path(), &connect(&start_stopping_server(true), "games.jsonl"), b"");
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    let moves = ran.stdout.lines().filter(|line| line.contains(" left")).count();
    let [line] = &lines(&file)[..] else { panic!("one game") };
    let game: Value = serde_json::from_str(line).unwrap();
    assert_eq!(
        (game["moves"].as_array().unwrap().len(), game["times"].as_array().unwrap().len()),
        (moves, moves)
    );
    assert!(moves >= 4, "{line}");
    assert!(game["broken-off"].as_str().unwrap().contains("closed the connection"), "{line}");
    assert!(game.get("winner").is_none() && game["players"][1] == "Us");
    // Each of our moves waits for the pause.
    let seconds = game["seconds"][1].as_f64().unwrap();
    assert!(seconds >= 0.12 && game["times"][1].as_f64().unwrap() >= 0.12, "{line}");
    let replayed = run_match(folder.path(), &["replay", "games.jsonl"], b"");
    assert_eq!((replayed.status, replayed.stderr.as_str()), (Some(0), ""));
    assert!(replayed.stdout.lines().last().unwrap().trim().starts_with("interrupted: the server closed"));
    let json = run_match(folder.path(), &["replay", "games.jsonl", "--json"], b"");
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["annotated"].as_array().unwrap().len(), moves);
}

#[test]
fn a_killed_program_leaves_its_moves_and_the_next_game_begins_a_new_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let mut child = start_match(folder.path(), &connect(&start_stopping_server(false), "games.jsonl"));
    let moves =
        |text: &str| text.split_once("\"moves\":[").map_or(0, |(_, moves)| moves.matches('"').count() / 2);
    wait_until(|| moves(&fs::read_to_string(&file).unwrap_or_default()) >= 4);
    child.kill().unwrap();
    child.wait().unwrap();
    let record = fs::read_to_string(&file).unwrap();
    assert!(!record.ends_with('\n') && serde_json::from_str::<Value>(&record).is_err());
    let play = ["play", "random", "greedy", "-q", "--set", "stones=20", "--record", "games.jsonl"];
    assert_eq!(run_match(folder.path(), &play, b"").status, Some(0));
    assert_eq!(lines(&file).len(), 2);
    let replayed = run_match(folder.path(), &["replay", "games.jsonl"], b"");
    assert_eq!((replayed.status, replayed.stderr.as_str()), (Some(0), ""));
    assert!(replayed.stdout.contains("interrupted: its line is incomplete"), "{}", replayed.stdout);
    assert_eq!(replayed.stdout.matches("moves first").count(), 2);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_program_with_its_status_and_a_complete_line() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = start_match(folder.path(), &connect(&start_stopping_server(false), "games.jsonl"));
        wait_until(|| fs::metadata(folder.path().join("games.jsonl")).is_ok_and(|file| file.len() > 0));
        send_signal(signal, &child);
        assert_eq!(child.wait().unwrap().code(), Some(status));
        let text = fs::read_to_string(folder.path().join("games.jsonl")).unwrap();
        let line = text.strip_suffix('\n').unwrap();
        let game: Value = serde_json::from_str(line).unwrap();
        assert_eq!(game["broken-off"], "interrupted");
        let count = |key: &str| game[key].as_array().unwrap().len();
        assert!(count("moves") > 0 && count("moves") == count("times"), "{line}");
    }
}

#[test]
fn an_empty_record_is_removed_unless_it_existed_before() {
    let folder = tempfile::tempdir().unwrap();
    // Port 9 of this machine discards all input, if it is open at all.
    let ran = run_match(folder.path(), &["connect", "127.0.0.1:9", "--first", "--record", "new.jsonl"], b"");
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    let ran =
        run_match(folder.path(), &["connect", "127.0.0.1:9", "--first", "--record", "empty.jsonl"], b"");
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert_eq!(bouton_tests::programs::files(folder.path()), ["empty.jsonl"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_tournament_prints_its_standings_and_leaves_no_bot_behind() {
    let folder = tempfile::tempdir().unwrap();
    // A bot that says it is ready, and never moves.
    fs::write(folder.path().join("bot.sh"), "echo $$ >> bots; exec sleep 1000\n").unwrap();
    fs::write(folder.path().join("ready.sh"), "read line; echo ready 1 pairing; . ./bot.sh\n").unwrap();
    let args = [
        "tournament",
        "a=greedy",
        "b=random",
        "bot=exec:sh bot.sh",
        "other=bot:sh ready.sh",
        "--set",
        "stones=30",
        "--record",
        "all.jsonl",
    ];
    let child = start_match(folder.path(), &args);
    let bots = || fs::read_to_string(folder.path().join("bots")).unwrap_or_default();
    // The program tries each bot before the first game.
    wait_until(|| bots().lines().count() > 2);
    send_signal("INT", &child);
    let output = child.wait_with_output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(err.contains("interrupted: these are the results of"), "{err}");
    assert!(out.lines().any(|line| line.starts_with("bot ")), "{out}");
    // Games played to their end are recorded, and none of the bot's.
    let recorded = fs::read_to_string(folder.path().join("all.jsonl")).unwrap_or_default();
    assert!(!recorded.contains("\"bot\""), "{recorded}");
    for bot in bots().lines() {
        let is_gone = |status: String| !status.contains("State:\tS") && !status.contains("State:\tR");
        // The system may need a moment to end a killed process.
        wait_until(|| fs::read_to_string(format!("/proc/{bot}/status")).map_or(true, is_gone));
    }
}

#[test]
fn a_move_that_takes_more_than_remain_is_recorded_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    // A match in which the opponent takes 3 of the last 2 stones.
    let mut server = JsonServer::new(Dialect::Y2017, 1, Pile::new(2, 0), 1);
    server.opponent = Opponent::random(1).first(&[(3, false)]);
    let address = serve(server, false).0;
    let args = ["connect", &address, "--protocol", "tcp", "--second", "--record", "games.jsonl"];
    assert_eq!(run_match(folder.path(), &args, b"").status, Some(0));
    assert!(lines(&file)[0].contains(r#""start":"2/0/1/0,0/-","moves":["3"],"winner":"first""#));
    let replayed = run_match(folder.path(), &["replay", "games.jsonl"], b"");
    assert_eq!((replayed.status, replayed.stderr.as_str()), (Some(0), ""));
    let expected = "at 2/0/1/0,0/-, win in 1  not legal by the rules: counts as 2\n";
    assert!(replayed.stdout.contains(expected), "{}", replayed.stdout);
    // Games recorded by another program: in one, a player takes 7 stones where 1 is left; in the other, 5 where 3 are
    // allowed.
    let rules = r#"{"stones":22,"base-limit":3,"growth":1,"reset-limit":3,"resets":[1,1],"play":"normal"}"#;
    let game = |moves: &str, winner: &str| {
        format!(
            r#"{{"game":"expanding","rules":{rules},"players":["a","b"],"start":"22/0/1/1,1/-","moves":[{moves}],"winner":"{winner}","reason":"played","seconds":[0.0,0.0]}}"#
        ) + "\n"
    };
    let recorded = game(r#""3","4","5","6","3","7""#, "second") + &game(r#""5","6","7","4""#, "second");
    fs::write(&file, recorded).unwrap();
    let replayed = run_match(folder.path(), &["replay", "games.jsonl"], b"");
    assert_eq!((replayed.status, replayed.stderr.as_str()), (Some(0), ""), "{}", replayed.stdout);
    for expected in [
        "    6. b: 7      at 1/6/2/1,1/-, win in 1  not legal by the rules: counts as 1\n",
        "    1. a: 5      at 22/0/1/1,1/-, ",
        "not legal by the rules\n    2. b: 6      at 17/5/2/1,1/-, not possible by the rules\n",
        "       b wins\n",
    ] {
        assert!(replayed.stdout.contains(expected), "{expected}\n{}", replayed.stdout);
    }
    let json = run_match(folder.path(), &["replay", "games.jsonl", "--json"], b"").stdout;
    let json: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    let last = &json["annotated"][5];
    assert_eq!((last["move"].as_str(), last["counts-as"].as_str()), (Some("7"), Some("1")));
}

#[test]
fn advise_counts_a_move_that_takes_more_than_remain_as_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let advise = |more: &[&str], typed: &str| {
        let args = [&["advise", "--second", "--policy", "longest", "--start", "2/6/1/1,1/-"], more].concat();
        run_match(folder.path(), &args, typed.as_bytes())
    };
    let warning = "7 takes more than remain at 2/6/1/1,1/-: it counts as taking the rest.";
    let ran = advise(&["--record", "games.jsonl"], "7\n");
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    assert!(ran.stdout.contains(warning) && ran.stdout.ends_with("You have lost.\n"), "{}", ran.stdout);
    assert!(lines(&folder.path().join("games.jsonl"))[0].contains(r#""moves":["7"]"#));
    assert_eq!(run_match(folder.path(), &["replay", "games.jsonl"], b"").status, Some(0));
    let quiet = advise(&["--quiet"], "7\n");
    assert_eq!((quiet.status, quiet.stdout.as_str()), (Some(0), "lost\n"));
    assert!(quiet.stderr.contains(warning), "{}", quiet.stderr);
    // 8 is over the limit of 7, so no server accepts it.
    let ran = advise(&["--quiet"], "8\n");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stdout.starts_with("error: That is not legal: 8 at 2/6/1"), "{}", ran.stdout);
}

#[test]
fn two_programs_cannot_record_to_one_file() {
    let here = tempfile::tempdir().unwrap();
    let file = here.path().join("games");
    let first = Transcript::open(&file).unwrap();
    let error = Transcript::open(&file).unwrap_err().to_string();
    assert!(error.contains("another program records its games to") && error.contains("--record"), "{error}");
    drop(first);
    assert!(Transcript::open(&file).is_ok());
}
