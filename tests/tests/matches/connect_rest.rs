//! `bouton-match connect` against a test web server, which may lose requests and answers, be busy, or lie.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

use bouton_match::client::{ClientResult, MatchKit, MatchOptions, MatchResult, ProtocolChoice, Report};
use bouton_match::players::LosingPolicy;
use bouton_match::{Side, Solution};
use bouton_tables::expanding::ExpandingKeys;
use bouton_tables::{Outcome, Solved};
use bouton_tests::match_servers::{
    Fault, Faults, Opponent, WebScript, WebServer, after_the_opening, connect,
};
use bouton_tests::programs::run_match;

/// The result of a match.
struct MatchRun {
    /// The result for the client, or its error.
    ended: ClientResult,
    /// The client's output.
    out: String,
    /// The client's messages.
    err: String,
    /// The server.
    web: WebServer,
}

/// Returns the options of a match over HTTP. Player 0 makes the session, and player 1 joins session 7.
fn options(client: usize, stones: u32, patience: u64) -> MatchOptions {
    MatchOptions {
        protocol: ProtocolChoice::Rest,
        name: "Us".to_owned(),
        side: Side::BOTH[client],
        kit: MatchKit::new(Some(LosingPolicy::Longest)),
        session: (client == 1).then_some(7),
        stones: Some(stones.into()),
        patience: Duration::from_secs(patience),
        pause: Duration::ZERO,
        ..MatchOptions::default()
    }
}

/// Plays a match with a test server over HTTP.
fn play(script: WebScript, patience: u64) -> MatchRun {
    let (client, stones) = (script.client, script.pile.stones);
    let web = WebServer::start(script);
    let options = options(client, stones, patience);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let ended = connect(&web.address, &options, &mut Report::new(&mut out, &mut err, false));
    let text = |bytes| String::from_utf8(bytes).expect("it is UTF-8");
    MatchRun { ended, out: text(out), err: text(err), web }
}

/// Returns the player that wins a game of the preset `expanding` from this many stones: 0 or 1.
fn winner(stones: u32) -> usize {
    let stones = u64::from(stones);
    let rules = ExpandingKeys { stones, ..Default::default() }.rules().unwrap();
    let outcome = Solution::solve(&rules).unwrap().get().outcome(&rules.start(stones)).unwrap();
    usize::from(outcome == Outcome::Loss)
}

#[test]
fn a_won_start_is_won_in_both_orders() {
    for stones in (1..40).chain([150]) {
        for client in [0, 1] {
            let played = play(WebScript::new(client, stones, u64::from(stones)), 60);
            let script = played.web.script.lock().unwrap();
            let case = format!("{stones} {client}:\n{}{}", played.out, played.err);
            assert_eq!(script.violations, Vec::<String>::new(), "{case}");
            assert!(script.winner == Some(client) || client != winner(stones), "{case}");
            let won = script.winner == Some(client);
            assert_eq!(
                played.ended.unwrap(),
                if won { MatchResult::Won } else { MatchResult::Lost },
                "{case}"
            );
            let end = if won { "won: Game Over! Winner: Us" } else { "lost: Game Over! Winner: Opponent" };
            assert_eq!(played.out.lines().last().unwrap(), end, "{case}");
            let moves = played.out.lines().filter(|line| line.contains(" left")).count();
            assert_eq!(moves, script.moves.len(), "{case}");
            assert!(!played.err.contains("WARNING"), "{case}");
        }
    }
}

#[test]
fn the_status_is_requested_before_every_move_and_the_session_is_shown() {
    let mut script = WebScript::new(0, 20, 3);
    script.opponent_delay = 2;
    let played = play(script, 60);
    assert!(played.ended.is_ok());
    assert!(played.out.starts_with("session 7: give this number to your opponent\n"), "{}", played.out);
    assert!(played.err.contains("session 7: give this number to your opponent"), "{}", played.err);
    let script = played.web.script.lock().unwrap();
    for (before, request) in script.requests.iter().zip(script.requests.iter().skip(1)) {
        if request.starts_with("POST /sessions/7/move.json") {
            assert_eq!(before, "GET /sessions/7/status.json?token=s3cret%26token");
        }
    }
}

#[test]
fn on_one_screen_the_session_is_shown_once() {
    for (on_one_screen, expected) in [(true, 1), (false, 2)] {
        let web = WebServer::start(WebScript::new(0, 9, 3));
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut report = Report::new(&mut out, &mut err, false);
        report.on_one_screen = on_one_screen;
        connect(&web.address, &options(0, 9, 60), &mut report).unwrap();
        let output = String::from_utf8([out, err].concat()).unwrap();
        assert_eq!(
            output.matches("session 7: give this number to your opponent").count(),
            expected,
            "{output}"
        );
    }
}

#[test]
fn a_web_server_given_without_http_is_recognised_with_a_note() {
    let game = "asking for a game of 1000 stones and 4 resets each, since --stones is not given";
    for (more, is_noted) in [(&[][..], true), (&["--stones", "9"], false)] {
        let web = WebServer::start(WebScript::new(0, 9, 3));
        let ran = run_match(".".as_ref(), &[&["connect", web.address.as_str()], more].concat(), b"");
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
        let line = ran.stderr.lines().find(|line| line.contains("is a web server")).expect(&ran.stderr);
        assert!(line.contains(&format!("continuing with http://{}", web.address)), "{line}");
        assert_eq!(line.contains(game), is_noted, "{line}");
    }
}

#[test]
fn the_program_joins_a_session() {
    let mut script = WebScript::new(1, 20, 3);
    script.opponent = Opponent::random(1).first(&[(2, true)]);
    let web = WebServer::start(script);
    let address = format!("http://{}/", web.address);
    let ran = run_match(
        ".".as_ref(),
        &["connect", &address, "--second", "--session", "7", "--name", "We & Co"],
        b"",
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert!(
        after_the_opening(&ran.stdout).starts_with("  1. the opponent takes 2 and imposes a reset: 18 left"),
        "{}",
        ran.stdout
    );
    assert_eq!(web.script.lock().unwrap().violations, Vec::<String>::new());
    assert_eq!(web.script.lock().unwrap().names[1], "We+%26+Co");
}

/// Plays both sides on a faulty server, and checks that no move is made twice.
fn check_no_move_is_made_twice(fault: fn(&mut WebScript)) {
    for client in [0, 1] {
        let mut script = WebScript::new(client, 20, 4);
        fault(&mut script);
        let played = play(script, 60);
        assert!(played.ended.is_ok(), "{:?}", played.ended);
        assert_eq!(played.web.script.lock().unwrap().violations, Vec::<String>::new());
    }
}

#[test]
fn unanswered_requests_are_repeated_but_no_move_is_made_twice() {
    check_no_move_is_made_twice(|script| script.drops_moves = true);
}

#[test]
fn a_move_refused_on_repetition_counts_as_made() {
    check_no_move_is_made_twice(|script| script.closes_twice = true);
}

#[test]
fn a_request_to_a_busy_server_is_repeated() {
    check_no_move_is_made_twice(|script| {
        let requests = AtomicU32::new(0);
        script.false_answer = Box::new(move |_, path| {
            let in_play = path.ends_with("status.json") || path.ends_with("move.json");
            let full = in_play && requests.fetch_add(1, Relaxed).is_multiple_of(3);
            full.then(|| (503, r#"{"status":"failed","reason":"Too many connections"}"#.to_owned()))
        });
    });
}

/// Plays with these faults. The report must list exactly the moves that the server has accepted, each once.
fn check_reported_moves(client: usize, seed: u64, faults: Faults) {
    let stones = 6 + u32::try_from(seed % 12).unwrap();
    let mut script = WebScript::new(client, stones, seed);
    script.faults = faults;
    let played = play(script, 60);
    let script = played.web.script.lock().unwrap();
    let case = format!("{client} {seed}:\n{}{}{:#?}", played.out, played.err, script.requests);
    let won = script.winner == Some(client);
    assert_eq!(played.ended.unwrap(), if won { MatchResult::Won } else { MatchResult::Lost }, "{case}");
    assert_eq!(script.violations, Vec::<String>::new(), "{case}");
    let taken: Vec<u32> = script.moves.iter().map(|&(_, _, left)| left).collect();
    let left = |line: &str| line.split(": ").nth(1)?.split_once(" left")?.0.parse().ok();
    let reported: Vec<u32> = played.out.lines().filter_map(left).collect();
    assert_eq!(reported, taken, "{case}");
    assert!(!played.err.contains("WARNING"), "{case}");
}

#[test]
fn a_move_is_not_made_again_while_its_fate_is_unknown() {
    for client in [0, 1] {
        // The answers to the first move and to the next request are lost.
        let mut lost = 0;
        let faults = move |_: &str, path: &str| {
            let fails =
                path.ends_with("move.json") && lost == 0 || path.ends_with("status.json") && lost == 1;
            lost += u32::from(fails);
            fails.then_some(Fault::AnswerLost)
        };
        check_reported_moves(client, 9, Box::new(faults));
    }
}

#[test]
fn three_faults_in_a_row_do_not_end_a_match() {
    for client in [0, 1] {
        for kinds in [
            [Fault::AnswerLost, Fault::Unavailable, Fault::RequestLost, Fault::AnswerLost],
            [Fault::RequestLost, Fault::RequestLost, Fault::Unavailable, Fault::Unavailable],
        ] {
            let mut next = 0;
            let faults = move |_: &str, path: &str| {
                let begins = path.ends_with("move.json") || next > 0;
                let fault = begins.then(|| kinds.get(next).copied()).flatten();
                next += usize::from(begins);
                fault
            };
            check_reported_moves(client, 8, Box::new(faults));
        }
    }
}

#[test]
fn with_random_faults_each_match_ends_with_the_true_moves_reported() {
    std::thread::scope(|scope| {
        for thread in 0..30 {
            scope.spawn(move || {
                for seed in (thread * 8)..(thread * 8 + 8) {
                    let mut random = fastrand::Rng::with_seed(seed);
                    let faults = move |_: &str, path: &str| {
                        let kinds = [Fault::RequestLost, Fault::Unavailable, Fault::AnswerLost];
                        // The first request, which looks for a web server, is not repeated. The answer to joining
                        // must arrive, because it has our token.
                        let possible_kinds = match path {
                            "/" => 0,
                            "/sessions/join.json" => 2,
                            _ => 3,
                        };
                        let fails = random.u32(..3) == 0 && possible_kinds > 0;
                        fails.then(|| kinds[random.usize(..possible_kinds.max(1))])
                    };
                    check_reported_moves((seed % 2) as usize, seed, Box::new(faults));
                }
            });
        }
    });
}

#[test]
fn after_a_lost_answer_to_joining_the_client_joins_again_only_if_it_has_not_joined() {
    let joins = |fault: Fault| {
        let mut script = WebScript::new(1, 10, 1);
        let mut failed = false;
        script.faults = Box::new(move |_, path| {
            let fails = path.ends_with("join.json") && !std::mem::replace(&mut failed, true);
            fails.then_some(fault)
        });
        let played = play(script, 60);
        let requests = &played.web.script.lock().unwrap().requests;
        (played.ended, requests.iter().filter(|request| request.ends_with("join.json")).count())
    };
    for fault in [Fault::RequestLost, Fault::Unavailable] {
        let (ended, requests) = joins(fault);
        assert!(ended.is_ok(), "{fault:?}: {ended:?}");
        assert_eq!(requests, 2, "{fault:?}");
    }
    let (ended, requests) = joins(Fault::AnswerLost);
    let error = ended.unwrap_err().to_string();
    assert!(error.contains("a player has joined since, probably us"), "{error}");
    assert!(error.contains("make a new session"), "{error}");
    assert_eq!(requests, 1);
}

#[test]
fn a_server_that_is_not_a_web_server_is_recognised() {
    let closes = TcpListener::bind("127.0.0.1:0").unwrap();
    let speaks = TcpListener::bind("127.0.0.1:0").unwrap();
    let addresses = [&closes, &speaks].map(|listener| listener.local_addr().unwrap().to_string());
    std::thread::spawn(move || closes.accept().and_then(|(mut stream, _)| stream.read(&mut [0; 1000])));
    std::thread::spawn(move || speaks.accept().and_then(|(mut stream, _)| stream.write_all(b"1000 3 0\n")));
    for (address, expected) in addresses.iter().zip(["it closed the connection", "it answered \"1000 3 0"]) {
        let ran = run_match(".".as_ref(), &["connect", &format!("http://{address}")], b"");
        assert_eq!(ran.status, Some(2));
        assert!(ran.stderr.contains(&format!("{address} is not a web server: {expected}")), "{}", ran.stderr);
        assert!(ran.stderr.contains(&format!("give {address} without http://")), "{}", ran.stderr);
    }
}

#[test]
fn a_false_current_max_is_reported_once() {
    let client = winner(50);
    let mut script = WebScript::new(client, 50, 4);
    script.lie = |most| most + 7;
    let played = play(script, 60);
    assert_eq!(played.ended.unwrap(), MatchResult::Won);
    assert_eq!(played.err.matches("WARNING").count(), 1, "{}", played.err);
    assert_eq!(played.web.script.lock().unwrap().violations, Vec::<String>::new());
}

#[test]
fn an_opponent_who_makes_an_illegal_move_loses() {
    let mut script = WebScript::new(0, 50, 4);
    script.opponent = Opponent::random(1).first(&[(1, false), (40, false)]);
    let played = play(script, 60);
    assert_eq!(played.ended.unwrap(), MatchResult::Won);
    assert!(played.out.ends_with("won: Game Over! Winner: Us\n"), "{}", played.out);
    assert!(!played.out.contains("takes 40"), "{}", played.out);
}

#[test]
fn refusals_errors_and_invalid_json_are_reported() {
    type FalseAnswer = fn(&str, &str) -> Option<(u16, String)>;
    let cases: [(usize, FalseAnswer, &str); 6] = [
        (
            1,
            |_, path| {
                path.ends_with("join.json")
                    .then(|| (200, r#"{"status":"failed","reason":"Session is full"}"#.to_owned()))
            },
            "joining session 7: the server refuses: Session is full",
        ),
        (
            0,
            |_, _| Some((404, "<html>no such page</html>".to_owned())),
            "found \"<html>no such page</html>\", which is not JSON (HTTP status 404",
        ),
        (
            0,
            |_, _| Some((500, r#"{"status":"failed","reason":"out of\u001b[0m order"}"#.to_owned())),
            "out of\\u{1b}[0m order (HTTP status 500",
        ),
        (
            0,
            |_, path| {
                path.ends_with("move.json").then(|| (200, r#"{"status":"failed","reason":"no"}"#.to_owned()))
            },
            "moving ",
        ),
        (
            0,
            |_, path| path.ends_with("status.json").then(|| (200, r#"{"status":"success"}"#.to_owned())),
            "missing field `game_status`",
        ),
        (
            0,
            |_, path| {
                path.ends_with("sessions.json").then(|| {
                    (200, r#"{"status":"success","game_status":"wait_for_a_join","session_id":7}"#.to_owned())
                })
            },
            "lacks the token",
        ),
    ];
    for (client, false_answer, expected) in cases {
        let mut script = WebScript::new(client, 20, 1);
        script.false_answer = Box::new(false_answer);
        let error = play(script, 60).ended.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn waiting_for_an_absent_opponent_has_a_limit() {
    let mut script = WebScript::new(0, 20, 1);
    script.opponent_delay = u32::MAX;
    let played = play(script, 1);
    let error = played.ended.unwrap_err().to_string();
    assert!(error.contains("has sent nothing for 1 s"), "{error}");
    let requests = played.web.script.lock().unwrap().requests.len();
    assert!(requests <= 7, "asked {requests} times in a second");
}
