//! `bouton-match connect` against a test server of the text protocol (the tournament of 2016), and the detection of
//! the protocol. The server sends only the state, so the client must derive the opponent's moves.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use bouton_match::client::{
    ClientResult, MatchKit, MatchOptions, MatchResult, ProtocolChoice, Report, play_text,
};
use bouton_match::players::LosingPolicy;
use bouton_match::protocol::tcp::Dialect;
use bouton_match::{Side, Solution};
use bouton_tables::expanding::ExpandingKeys;
use bouton_tables::{Outcome, Solved};
use bouton_tests::match_servers::{
    Cut, JsonServer, MemoryTransport, Opponent, Pile, Script, TextLie, TextServer, WebScript, WebServer,
    after_the_opening, serve,
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
    /// The connection, with the server at its other end.
    wire: MemoryTransport<TextServer>,
}

/// Returns the options of a match in the text protocol, without pauses.
fn options(side: Side, stones: Option<u64>) -> MatchOptions {
    MatchOptions {
        protocol: ProtocolChoice::Text2016,
        name: "Us".to_owned(),
        side,
        kit: MatchKit::new(Some(LosingPolicy::Longest)),
        stones,
        patience: Duration::from_secs(60),
        pause: Duration::ZERO,
        ..MatchOptions::default()
    }
}

/// Plays a match with a test server in memory.
fn play(server: TextServer, requested_side: Side, stones: Option<u64>, cut: Cut) -> MatchRun {
    let mut wire = MemoryTransport::new(server, cut);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let ended =
        play_text(&mut wire, &options(requested_side, stones), &mut Report::new(&mut out, &mut err, false));
    let text = |bytes| String::from_utf8(bytes).expect("it is UTF-8");
    MatchRun { ended, out: text(out), err: text(err), wire }
}

/// Returns the player that wins from this many stones: 0 or 1.
fn winner(stones: u32) -> usize {
    let stones = u64::from(stones);
    let rules = ExpandingKeys { stones, resets: [1, 1], ..Default::default() }.rules().unwrap();
    let outcome = Solution::solve(&rules).unwrap().get().outcome(&rules.start(stones)).unwrap();
    usize::from(outcome == Outcome::Loss)
}

#[test]
fn a_won_start_is_won_whatever_side_and_stones_are_given() {
    for stones in (4..90).chain([400]) {
        let winner = winner(stones);
        for client in [0, 1] {
            for requested_side in Side::BOTH {
                for given in [None, Some(stones), Some(stones + 50)] {
                    let server = TextServer::new(client, stones, u64::from(stones));
                    let played = play(server, requested_side, given.map(u64::from), Cut::Nowhere);
                    let script = &played.wire.script;
                    let case = format!("{stones} {client} {requested_side} {given:?}:\n{}", played.out);
                    assert_eq!(script.violations, Vec::<String>::new(), "{case}");
                    assert!(script.winner == Some(client) || client != winner, "{case}");
                    let expected =
                        if script.winner == Some(client) { MatchResult::Won } else { MatchResult::Lost };
                    assert_eq!(played.ended.unwrap(), expected, "{case}");
                    let is_wrong = given.is_some_and(|given| given != stones);
                    assert_eq!(played.err.is_empty(), !is_wrong, "{case}{}", played.err);
                    assert_eq!(played.err.contains("--stones"), is_wrong, "{case}");
                }
            }
        }
    }
}

#[test]
fn messages_may_be_cut_at_every_byte() {
    for client in [0, 1] {
        let server = || TextServer::new(client, 25, 3);
        let whole = play(server(), Side::First, Some(25), Cut::Nowhere);
        assert!(whole.ended.is_ok());
        for cut in (1..whole.wire.received()).map(Cut::After).chain([Cut::Everywhere]) {
            let played = play(server(), Side::First, Some(25), cut);
            assert_eq!((&played.out, &played.err), (&whole.out, &whole.err), "{cut:?}");
        }
    }
}

#[test]
fn the_opponents_moves_are_derived_from_the_stones_left() {
    let mut server = TextServer::new(1, 30, 1);
    server.opponent = Opponent::random(1).first(&[(3, true), (2, false)]);
    let played = play(server, Side::Second, None, Cut::Nowhere);
    assert!(
        after_the_opening(&played.out).starts_with("  1. the opponent takes 3 and imposes a reset: 27 left"),
        "{}",
        played.out
    );
    assert!(played.out.contains("\n  3. the opponent takes 2: "), "{}", played.out);
    let mut server = TextServer::new(1, 30, 1);
    server.opponent = Opponent::random(1).first(&[(1, false)]);
    let played = play(server, Side::Second, None, Cut::Nowhere);
    assert!(
        after_the_opening(&played.out).starts_with("  1. the opponent takes 1 or 2: 29 left"),
        "{}",
        played.out
    );
}

#[test]
fn lies_are_reported_at_most_once_per_kind_and_lead_to_no_illegal_move() {
    let lies: [(&str, TextLie); 4] = [
        ("the most that may be taken", |moves, state| state.currentmax += if moves > 2 { 4 } else { 0 }),
        ("the most that may be taken", |moves, state| {
            state.currentmax -= u32::from(state.currentmax > 3 && moves > 2);
        }),
        ("a reset", |moves, state| state.reset |= moves > 4),
        ("a move takes", |moves, state| state.stones -= if moves > 4 { state.stones / 2 } else { 0 }),
    ];
    for (kind, lie) in lies {
        for seed in 0..20 {
            let mut server = TextServer::new(0, 80, seed);
            server.lie = lie;
            let played = play(server, Side::First, None, Cut::Nowhere);
            assert_eq!(played.wire.script.violations, Vec::<String>::new(), "{kind} {seed}");
            assert!(played.err.matches(kind).count() <= 1, "{}", played.err);
        }
    }
}

#[test]
fn a_changed_byte_never_makes_us_panic() {
    for client in [0, 1] {
        let length = play(TextServer::new(client, 25, 3), Side::First, None, Cut::Nowhere).wire.received();
        for at in 0..length {
            for other in *b"0129 x\xff" {
                let mut wire = MemoryTransport::new(TextServer::new(client, 25, 3), Cut::Nowhere);
                wire.harm = Some((at, other));
                let (mut out, mut err) = (Vec::new(), Vec::new());
                let report = &mut Report::new(&mut out, &mut err, false);
                // The match may end or fail; it only must not panic.
                let _ = play_text(&mut wire, &options(Side::First, None), report);
            }
        }
    }
}

#[test]
fn after_an_illegal_move_of_the_opponent_the_winner_is_unknown() {
    for moves in [&[(50, false)][..], &[(1, true), (1, true)]] {
        let mut server = TextServer::new(0, 100, 1);
        server.opponent = Opponent::random(1).first(moves);
        let played = play(server, Side::First, None, Cut::Nowhere);
        assert_eq!(played.ended.unwrap(), MatchResult::Unknown);
        assert!(
            played.out.lines().last().unwrap().starts_with("over: the server does not say"),
            "{}",
            played.out
        );
    }
}

#[test]
fn a_server_that_closes_or_sends_nonsense_ends_the_program_with_status_2() {
    struct FixedOpening(&'static str);
    impl Script for FixedOpening {
        fn greeting(&mut self) -> Vec<u8> {
            self.0.as_bytes().to_vec()
        }
        fn reply_to(&mut self, _: &[u8]) -> Vec<u8> {
            Vec::new()
        }
        fn is_over(&self) -> bool {
            true
        }
    }
    for (text, expected) in [
        ("{\"init_stones\": 1}", "--protocol tcp"),
        ("100 2 0 7", "found \"100 2 0 7\""),
        ("100 2 0", "before the game began"),
        ("100 2 0 0", "after 1 move, with 9"),
    ] {
        let (address, server) = serve(FixedOpening(text), false);
        let ran = run_match(".".as_ref(), &["connect", &address, "--protocol", "text-2016"], b"");
        server.join().unwrap();
        assert_eq!(ran.status, Some(2));
        assert!(ran.stderr.contains(expected), "{text}: {}", ran.stderr);
    }
}

#[test]
fn a_guessed_number_of_stones_is_reported_as_a_guess() {
    for (takes, stones, remark) in [
        (1, None, "31 stones and 1 reset each (or one stone less: "),
        (2, None, "30 stones and 1 reset each (or one stone less: "),
        // Known numbers: by `--stones`, or because only a take of 3 raises currentmax to 3.
        (1, Some(30), "30 stones and 1 reset each; "),
        (3, None, "30 stones and 1 reset each; "),
    ] {
        let mut server = TextServer::new(1, 30, 1);
        server.opponent = Opponent::random(1).first(&[(takes, false)]);
        let played = play(server, Side::Second, stones, Cut::Nowhere);
        assert!(played.out.starts_with(&format!("a game of {remark}")), "{takes} {stones:?}: {}", played.out);
    }
}

#[test]
fn a_server_that_closes_without_a_word_may_be_a_server_of_2016() {
    // The second server begins to send JSON.
    for (text, is_suggested) in [("", true), ("{\"init", false)] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            assert!(stream.read(&mut [0; 100]).unwrap() > 0);
            stream.write_all(text.as_bytes()).unwrap();
        });
        let ran = run_match(".".as_ref(), &["connect", &address], b"");
        server.join().unwrap();
        assert_eq!(ran.status, Some(2));
        let last = ran.stderr.lines().last().unwrap();
        assert!(last.contains("closed the connection before the game began"), "{last}");
        assert_eq!(last.contains("it may be a server of 2016"), is_suggested, "{last}");
        assert_eq!(last.contains("--protocol text-2016"), is_suggested, "{last}");
    }
}

#[test]
fn the_protocol_is_detected_on_one_connection() {
    let run = |address: &str| run_match(".".as_ref(), &["connect", address, "--name", "Us"], b"");
    let (address, server) = serve(TextServer::new(0, 40, 1), true);
    let ran = run(&address);
    assert_eq!((ran.status, server.join().unwrap().violations.len()), (Some(0), 0), "{}", ran.stderr);

    let (address, server) = serve(JsonServer::new(Dialect::Y2018, 0, Pile::new(40, 4), 1), true);
    let ran = run(&address);
    assert_eq!((ran.status, server.join().unwrap().violations.len()), (Some(0), 0), "{}", ran.stderr);

    let web = WebServer::start(WebScript::new(0, 40, 1));
    let ran = run(&web.address);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("session 7: give this number to your opponent\n"), "{}", ran.stdout);

    // The connection is closed while the protocol is still unknown: `HT` may begin HTTP.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        assert!(stream.read(&mut [0; 100]).unwrap() > 0);
        stream.write_all(b"HT").unwrap();
    });
    let ran = run(&address);
    server.join().unwrap();
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("\"HT\"") || ran.stderr.contains("closed"), "{}", ran.stderr);
}
