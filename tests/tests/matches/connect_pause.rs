//! The pause of `bouton-match connect` before each move. An instant answer would reach the opponent joined to the
//! server's echo of its own move, and clients that read one message at a time would crash.

use std::time::{Duration, Instant};

use bouton_match::Side;
use bouton_match::client::{MatchKit, MatchOptions, Report, Transport, play_tcp, play_text};
use bouton_match::players::LosingPolicy;
use bouton_match::protocol::tcp::Dialect;
use bouton_tests::match_servers::{Cut, JsonServer, MemoryTransport, Pile, Script, TextServer, serve};
use bouton_tests::programs::run_match;

/// Returns the options of a match as second player, with a pause before each move.
fn options(pause: Duration) -> MatchOptions {
    MatchOptions {
        name: "Us".to_owned(),
        side: Side::Second,
        kit: MatchKit::new(Some(LosingPolicy::Longest)),
        patience: Duration::from_secs(60),
        pause,
        ..MatchOptions::default()
    }
}

/// Returns the pauses before all messages of a client in a match.
fn pauses<S: Script>(script: S, play: impl FnOnce(&mut dyn Transport, &mut Report)) -> Vec<Duration> {
    let mut wire = MemoryTransport::new(script, Cut::Nowhere);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    play(&mut wire, &mut Report::new(&mut out, &mut err, false));
    assert!(wire.script.is_over());
    wire.pauses
}

#[test]
fn over_tcp_each_move_waits_for_the_pause_and_no_other_message_does() {
    for pause in [Duration::ZERO, MatchOptions::default().pause, Duration::from_secs(2)] {
        // The clock is long enough for every pause.
        let options = MatchOptions { clock: Duration::from_secs(10_000), ..options(pause) };
        for dialect in [Dialect::Y2017, Dialect::Y2018, Dialect::Y2025] {
            let server = JsonServer::new(dialect, 1, Pile::new(40, 4), 1);
            let pauses = pauses(server, |wire, report| {
                play_tcp(wire, &options, report).unwrap();
            });
            let (hello, moves) = pauses.split_first().unwrap();
            assert_eq!(*hello, Duration::ZERO);
            assert!(moves.len() > 3 && moves.iter().all(|&before| before == pause), "{dialect:?} {moves:?}");
        }
        let moves = pauses(TextServer::new(1, 40, 1), |wire, report| {
            play_text(wire, &options, report).unwrap();
        });
        assert!(moves.len() > 3 && moves.iter().all(|&before| before == pause), "{moves:?}");
    }
}

#[test]
fn the_pause_is_shortened_so_that_the_clock_covers_the_longest_game_twice() {
    // The server reports a quarter of a second as used.
    let options = MatchOptions { clock: Duration::from_secs(1), ..options(Duration::from_millis(500)) };
    let server = JsonServer::new(Dialect::Y2017, 1, Pile::new(60, 4), 1);
    let pauses = pauses(server, |wire, report| {
        play_tcp(wire, &options, report).unwrap();
    });
    let moves = &pauses[1..];
    assert!(moves.len() > 3);
    // At our first move at least 57 stones are left, which may take more than 27 of our moves.
    assert!(moves[0] <= Duration::from_millis(1000 / 2 / 27), "{moves:?}");
    assert!(moves.is_sorted_by(|before, after| before >= after), "{moves:?}");
    assert!(moves.last() > Some(&Duration::ZERO));
    assert!(moves[1..].iter().all(|&pause| pause <= Duration::from_millis(750 / 2 / 20)), "{moves:?}");
}

/// A server that measures the time of each answer of the client.
struct TimedServer<S> {
    script: S,
    /// The time of the server's last message.
    last_sent: Option<Instant>,
    /// The time of each answer of the client.
    answers: Vec<Duration>,
}

impl<S: Script> Script for TimedServer<S> {
    fn greeting(&mut self) -> Vec<u8> {
        let sent = self.script.greeting();
        self.last_sent = (!sent.is_empty()).then(Instant::now);
        sent
    }
    fn reply_to(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.answers.extend(self.last_sent.map(|last_sent| last_sent.elapsed()));
        let sent = self.script.reply_to(bytes);
        if !sent.is_empty() {
            self.last_sent = Some(Instant::now());
        }
        sent
    }
    fn is_over(&self) -> bool {
        self.script.is_over()
    }
}

/// Returns the time of each move of the program in a match.
fn answers<S: Script>(script: S, more: &[&str]) -> Vec<Duration> {
    let (address, server) = serve(TimedServer { script, last_sent: None, answers: Vec::new() }, false);
    let ran = run_match(
        ".".as_ref(),
        &[&["connect", &address, "--second", "--policy", "longest"], more].concat(),
        b"",
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
    server.join().unwrap().answers
}

#[test]
fn the_program_sends_no_move_before_the_pause_is_over() {
    for (more, least) in [(&[][..], 120), (&["--pause", "70"], 70)] {
        let json = || JsonServer::new(Dialect::Y2017, 1, Pile::new(20, 4), 1);
        for protocol in ["tcp", "auto"] {
            let answers = answers(json(), &[more, &["--protocol", protocol]].concat());
            let quickest = answers.iter().min().expect("the client moves");
            assert!(*quickest >= Duration::from_millis(least), "{answers:?}");
        }
        for protocol in ["text-2016", "auto"] {
            let answers = answers(TextServer::new(1, 20, 1), &[more, &["--protocol", protocol]].concat());
            let quickest = answers.iter().min().expect("the client moves");
            assert!(*quickest >= Duration::from_millis(least), "{answers:?}");
        }
    }
}

#[test]
fn without_a_pause_the_same_match_is_played_and_an_hour_is_refused() {
    let server = || JsonServer::new(Dialect::Y2017, 1, Pile::new(20, 4), 1);
    let moves = |pause| answers(server(), &["--protocol", "tcp", "--pause", pause]).len();
    assert_eq!(moves("0"), moves("1"));
    let ran = run_match(".".as_ref(), &["connect", "127.0.0.1:1", "--pause", "3600000"], b"");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("expected a whole number of milliseconds from 0 to 60000"), "{}", ran.stderr);
}
