//! `bouton-match connect` against test servers that speak JSON over TCP: games, lies, faults and messages,
//! including those common to all protocols.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use bouton_match::client::{
    ClientResult, MatchKit, MatchOptions, MatchResult, ProtocolChoice, Report, Server, play_tcp,
};
use bouton_match::players::LosingPolicy;
use bouton_match::protocol::tcp::Dialect;
use bouton_match::{Side, Solution};
use bouton_tables::expanding::ExpandingKeys;
use bouton_tables::{Outcome, Solved};
use bouton_tests::match_servers::{
    Cut, JsonServer, Lie, MemoryTransport, Opponent, Pile, Script, after_the_opening, serve,
};
use bouton_tests::programs::{ProgramRun, run_match};

const DIALECTS: [Dialect; 3] = [Dialect::Y2017, Dialect::Y2018, Dialect::Y2025];

/// Returns the options of a match over TCP, without pauses.
fn options(side: Side) -> MatchOptions {
    MatchOptions {
        protocol: ProtocolChoice::Tcp,
        name: "Us".to_owned(),
        side,
        kit: MatchKit::new(Some(LosingPolicy::Longest)),
        patience: Duration::from_secs(60),
        pause: Duration::ZERO,
        ..MatchOptions::default()
    }
}

/// The result of a match.
struct MatchRun<S> {
    /// The result for the client, or its error.
    ended: ClientResult,
    /// The client's output.
    out: String,
    /// The client's messages.
    err: String,
    /// The connection, with the server at its other end.
    wire: MemoryTransport<S>,
}

/// Plays a match with a test server in memory.
fn play(server: JsonServer, requested_side: Side, cut: Cut) -> MatchRun<JsonServer> {
    let mut wire = MemoryTransport::new(server, cut);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let ended = play_tcp(&mut wire, &options(requested_side), &mut Report::new(&mut out, &mut err, false));
    let text = |bytes| String::from_utf8(bytes).expect("it is UTF-8");
    MatchRun { ended, out: text(out), err: text(err), wire }
}

/// Returns the side that wins a game from its start.
fn winner(stones: u32, resets: u8) -> usize {
    let stones = u64::from(stones);
    let rules = ExpandingKeys { stones, resets: [resets; 2], ..Default::default() }.rules().unwrap();
    let outcome = Solution::solve(&rules).unwrap().get().outcome(&rules.start(stones)).unwrap();
    usize::from(outcome == Outcome::Loss)
}

/// Returns the side of this number.
fn requested_side(client: usize) -> Side {
    Side::BOTH[client]
}

/// Returns the arguments of `bouton-match connect`.
fn arguments<'a>(address: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["connect", address][..], more].concat()
}

/// Runs `bouton-match connect` with a server.
fn run(address: &str, more: &[&str]) -> ProgramRun {
    run_match(".".as_ref(), &arguments(address, more), b"")
}

#[test]
fn the_winner_with_perfect_play_is_reported_after_each_move_of_the_opponent() {
    for (stones, first) in [(40, "we win in "), (8, "we lose in 2, unless they err")] {
        let winner = winner(stones, 0);
        let client = if first.starts_with("we win") { winner } else { 1 - winner };
        let server = JsonServer::new(Dialect::Y2017, client, Pile::new(stones, 0), 3);
        let played = play(server, requested_side(client), Cut::Nowhere);
        let assessments: Vec<&str> = played.out.lines().filter(|line| line.contains(" left (")).collect();
        assert!(assessments.iter().any(|line| line.contains(first)), "{}", played.out);
        // Lines about our own moves, or about an empty pile, have no assessment.
        let silent = played.out.lines().filter(|line| line.contains(" we take") || line.contains(": 0 left"));
        assert!(
            silent.clone().count() > 0 && silent.into_iter().all(|line| !line.contains('(')),
            "{}",
            played.out
        );
    }
}

#[test]
fn a_won_start_is_won_in_every_dialect_and_order_without_an_illegal_move() {
    for (number, stones) in (1..120).chain([250, 1000]).enumerate() {
        for resets in [0, 1, 4] {
            let winner = winner(stones, resets);
            for client in [0, 1] {
                let dialect = DIALECTS[(number + client) % 3];
                let server = JsonServer::new(dialect, client, Pile::new(stones, resets), number as u64);
                let played = play(server, requested_side(client), Cut::Nowhere);
                let script = &played.wire.script;
                let case = format!("{stones} stones, {resets} resets, {dialect:?}, {client}");
                assert_eq!(script.violations, Vec::<String>::new(), "{case}");
                assert_eq!(played.err, "", "{case}");
                let won = script.winner == Some(client);
                assert!(won || client != winner, "{case}: {}", played.out);
                assert_eq!(
                    played.ended.unwrap(),
                    if won { MatchResult::Won } else { MatchResult::Lost },
                    "{case}"
                );
                let last = played.out.lines().last().unwrap();
                let name = if won { "Us" } else { "Opponent" };
                let how = if won { "won" } else { "lost" };
                assert_eq!(last, format!("{how}: Player {name} won the game! Congrats!"), "{case}");
                assert_eq!(after_the_opening(&played.out).lines().count(), script.moves.len() + 1, "{case}");
            }
        }
    }
}

#[test]
fn messages_may_be_cut_at_every_byte() {
    for dialect in DIALECTS {
        for client in [0, 1] {
            let server = || JsonServer::new(dialect, client, Pile::new(8, 4), 3);
            let whole = play(server(), requested_side(client), Cut::Nowhere);
            assert!(whole.ended.is_ok());
            for cut in (1..whole.wire.received()).map(Cut::After).chain([Cut::Everywhere]) {
                let played = play(server(), requested_side(client), cut);
                assert!(played.ended.is_ok(), "{cut:?}: {:?}", played.ended);
                assert_eq!((&played.out, &played.err), (&whole.out, &whole.err), "{cut:?}");
                assert_eq!(played.wire.script.moves, whole.wire.script.moves);
            }
        }
    }
}

#[test]
fn games_over_loopback_are_played_to_the_end_with_cut_and_joined_messages() {
    for (number, dialect) in DIALECTS.into_iter().enumerate() {
        for client in [0, 1] {
            let pile = Pile::new(60, 4);
            let server = JsonServer::new(dialect, client, pile, 7 + number as u64);
            let (address, server) = serve(server, number % 2 == 0);
            let order = if client == 0 { "--first" } else { "--second" };
            let policy = ["longest", "trap", "adapt"][number];
            let ran = run(&address, &["--protocol", "tcp", "--name", "Us", order, "--policy", policy]);
            let script = server.join().unwrap();
            assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{}", ran.stdout);
            assert_eq!(script.violations, Vec::<String>::new());
            assert_eq!(script.order, Some(client as u64));
            let how = if script.winner == Some(client) { "won: " } else { "lost: " };
            assert!(ran.stdout.lines().last().unwrap().starts_with(how), "{}", ran.stdout);
        }
    }
}

#[test]
fn moves_are_reported_as_they_happen_and_quiet_reports_only_the_end() {
    let opponent = Opponent::random(1).first(&[(3, true), (1, false), (2, false)]);
    for quiet in [false, true] {
        let mut server = JsonServer::new(Dialect::Y2017, 1, Pile::new(12, 1), 1);
        server.opponent = opponent.clone();
        server.opponent_name = "Bad\u{1b}[31m\n\u{202e}Boy".to_owned();
        let mut wire = MemoryTransport::new(server, Cut::Nowhere);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let report = &mut Report::new(&mut out, &mut err, quiet);
        play_tcp(&mut wire, &options(Side::Second), report).unwrap();
        let out = String::from_utf8(out).unwrap();
        let out = if quiet { &out } else { after_the_opening(&out) };
        let first = r"  1. Bad\u{1b}[31m\n\u{202e}Boy takes 3 and imposes a reset: 9 left";
        assert_eq!(out.starts_with(first), !quiet, "{out}");
        assert!(!out.chars().any(|c| c != '\n' && (c.is_control() || c == '\u{202e}')), "{out:?}");
        assert_eq!(out.lines().count() == 1, quiet, "{out}");
        if !quiet {
            assert!(out.lines().nth(1).unwrap().starts_with("  2. we take "), "{out}");
        }
    }
}

#[test]
fn a_falsely_high_current_max_is_reported_once_and_not_used() {
    // Too great a limit, nonsense, and too great a limit from some move on: our account has the lower limit.
    let lies: [Lie; 3] = [
        |_, state| state.current_max += 5,
        |_, state| state.current_max = 1_000_000,
        |number, state| state.current_max += if number > 3 { 2 } else { 0 },
    ];
    for lie in lies {
        for dialect in DIALECTS {
            for stones in [30, 50, 77] {
                let client = winner(stones, 2);
                let mut server = JsonServer::new(dialect, client, Pile::new(stones, 2), 5);
                server.lie = lie;
                let played = play(server, requested_side(client), Cut::Nowhere);
                assert_eq!(played.ended.unwrap(), MatchResult::Won, "{dialect:?} {stones}");
                assert_eq!(played.wire.script.violations, Vec::<String>::new());
                assert_eq!(played.err.matches("current_max").count(), 1, "{}", played.err);
                assert_eq!(played.err.lines().count(), 1, "{}", played.err);
            }
        }
    }
}

#[test]
fn a_falsely_low_current_max_is_obeyed() {
    for seed in 0..20 {
        let mut server = JsonServer::new(Dialect::Y2017, 0, Pile::new(90, 4), seed);
        server.lie = |number, state| {
            if number > 2 {
                state.current_max = 2;
            }
        };
        let played = play(server, Side::First, Cut::Nowhere);
        assert!(played.ended.is_ok());
        assert_eq!(played.wire.script.violations, Vec::<String>::new());
        assert_eq!(played.err.matches("fits no dialect").count(), 1, "{}", played.err);
    }
}

#[test]
fn lies_about_stones_or_resets_are_reported_once_and_obeyed_if_stricter() {
    let lies: [(&str, Lie); 6] = [
        ("stones left", |_, state| state.stones_left += 3),
        ("stones left", |_, state| state.stones_left = state.stones_left.saturating_sub(3)),
        ("stones left", |_, state| state.stones_left = 2),
        ("resets that we have left", |_, state| state.player_0.resets_left = 0),
        ("resets that we have left", |_, state| state.player_0.resets_left = 200),
        ("resets that the opponent has left", |_, state| state.player_1.resets_left = 9),
    ];
    for (kind, lie) in lies {
        for seed in 0..20 {
            let mut server = JsonServer::new(Dialect::Y2018, 0, Pile::new(70, 2), seed);
            server.lie = lie;
            let played = play(server, Side::First, Cut::Nowhere);
            assert!(played.ended.is_ok(), "{kind}: {:?}", played.ended);
            assert_eq!(played.wire.script.violations, Vec::<String>::new(), "{kind}");
            assert_eq!(played.err.matches("WARNING").count(), 1, "{}", played.err);
            assert!(played.err.contains(&format!("{kind}: the server says")), "{}", played.err);
        }
    }
}

#[test]
fn a_client_that_requested_the_first_move_continues_as_second() {
    for (dialect, opponent_waits) in
        DIALECTS.into_iter().flat_map(|dialect| [(dialect, false), (dialect, true)])
    {
        for same_name in [false, true] {
            for seed in 0..40 {
                // Single bytes delay the echo of the early message until after our turn.
                let cut = if seed < 20 { Cut::Nowhere } else { Cut::Everywhere };
                let mut server = JsonServer::new(dialect, 1, Pile::new(40, 4), seed);
                // The client's early move would be the best one, so another move can be distinguished from it.
                server.opponent = Opponent::random(seed).first(&[(3, true)]);
                server.opponent_waits = opponent_waits;
                if same_name {
                    server.opponent_name = "Us".to_owned();
                }
                let played = play(server, Side::First, cut);
                let script = &played.wire.script;
                let case = format!("{dialect:?} {opponent_waits} {same_name} {seed}:\n{}", played.out);
                assert_eq!(script.violations, Vec::<String>::new(), "{case}");
                assert_eq!(played.err.contains("give another --name"), same_name, "{case}");
                assert_eq!(played.err.lines().count(), usize::from(same_name), "{case}");
                let expected = if script.winner == Some(1) { MatchResult::Won } else { MatchResult::Lost };
                assert_eq!(played.ended.unwrap(), expected, "{case}");
                assert!(played.out.lines().nth(2).unwrap().starts_with("  2. we take"), "{case}");
            }
        }
    }
}

#[test]
fn names_distinguish_an_opponents_move_from_the_echo_of_ours() {
    let own = play(JsonServer::new(Dialect::Y2017, 0, Pile::new(40, 4), 1), Side::First, Cut::Nowhere);
    let first = own.wire.script.moves[0];
    let mut server = JsonServer::new(Dialect::Y2017, 1, Pile::new(40, 4), 1);
    server.opponent = Opponent::random(1).first(&[first]);
    server.opponent_waits = true;
    let played = play(server, Side::First, Cut::Nowhere);
    assert_eq!(played.wire.script.moves[..2], [first, first]);
    assert_eq!((played.wire.script.violations.len(), played.err.as_str()), (0, ""));
    assert!(after_the_opening(&played.out).starts_with("  1. Opponent takes"), "{}", played.out);
}

#[test]
fn a_client_that_requested_the_second_move_and_is_first_gets_advice() {
    let server = JsonServer::new(Dialect::Y2017, 0, Pile::new(40, 4), 1);
    let played = play(server, Side::Second, Cut::Nowhere);
    assert!(played.err.contains("stopping now loses this match on most servers"), "{}", played.err);
    assert!(played.err.contains("agree on who goes first before connecting"), "{}", played.err);
    assert!(!played.err.contains("start again"), "{}", played.err);
    assert_eq!(played.err.lines().count(), 1);
    let seconds: Vec<u64> = played.wire.waits.iter().map(Duration::as_secs).collect();
    assert_eq!(seconds, [2, 58]);
    let error = played.ended.unwrap_err().to_string();
    assert!(error.contains("has sent nothing for 60 s"), "{error}");
    assert!(error.contains("40 stones left") && error.contains("--patience"), "{error}");
}

#[test]
fn after_a_lost_connection_the_state_of_the_game_is_reported() {
    for after in [0, 1, 2, 5] {
        let mut server = JsonServer::new(Dialect::Y2017, 0, Pile::new(200, 4), 1);
        server.closes_after = after;
        let played = play(server, Side::First, Cut::Nowhere);
        let error = played.ended.unwrap_err().to_string();
        assert!(error.contains("closed the connection"), "{error}");
        let moves = if after == 1 { "after 1 move,".to_owned() } else { format!("after {after} moves,") };
        assert!(error.contains(&moves) && error.contains("stones left ("), "{after}: {error}");
    }
}

#[test]
fn an_illegal_move_of_the_opponent_loses_and_is_not_listed() {
    type Case<'a> = (&'a [(u32, bool)], &'a str, usize);
    let cases: [Case; 3] = [
        (&[(9, false)], "Player Opponent made an illegal move", 0),
        (&[(1, true), (1, true)], "Player Opponent used too many resets", 2),
        (&[(0, false)], "Player Opponent made an illegal move", 0),
    ];
    for (moves, reason, played_before) in cases {
        let mut server = JsonServer::new(Dialect::Y2018, 1, Pile::new(50, 1), 1);
        server.opponent = Opponent::random(1).first(moves);
        let played = play(server, Side::Second, Cut::Nowhere);
        assert_eq!(played.ended.unwrap(), MatchResult::Won);
        assert_eq!(after_the_opening(&played.out).lines().count(), played_before + 1, "{}", played.out);
        assert_eq!(played.out.lines().last().unwrap(), format!("won: {reason}"));
        assert_eq!(played.err, "");
    }
}

#[test]
fn an_opponent_who_takes_more_than_remain_wins() {
    let mut server = JsonServer::new(Dialect::Y2017, 1, Pile::new(2, 0), 1);
    server.opponent = Opponent::random(1).first(&[(3, false)]);
    let played = play(server, Side::Second, Cut::Nowhere);
    assert_eq!(played.ended.unwrap(), MatchResult::Lost);
    let output = after_the_opening(&played.out);
    assert_eq!(output, "  1. Opponent takes 3: 0 left\nlost: Player Opponent won the game! Congrats!\n");
}

/// A server that answers with one text, and then closes the connection (true) or stays silent.
struct FixedReply(&'static str, bool);

impl Script for FixedReply {
    fn greeting(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn reply_to(&mut self, _: &[u8]) -> Vec<u8> {
        self.0.as_bytes().to_vec()
    }

    fn is_over(&self) -> bool {
        self.1
    }
}

/// Returns the error of a match with a server that sends a fixed reply.
fn error_against(text: FixedReply) -> String {
    let mut wire = MemoryTransport::new(text, Cut::Nowhere);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let report = &mut Report::new(&mut out, &mut err, false);
    play_tcp(&mut wire, &options(Side::First), report).unwrap_err().to_string()
}

#[test]
fn an_invalid_message_is_shown() {
    for (text, expected) in [
        ("Welcome!", "found \"Welcome!\""),
        ("HTTP/1.1 400 Bad Request", "--protocol rest"),
        ("1000 2 0 0", "--protocol text-2016"),
        (r#"{"hello": 1}"#, "missing field `init_stones`"),
        (r#"{"init_stones": "many", "init_resets": 4}"#, r#"{"init_resets":4,"init_stones":"many"}"#),
        (r#"{"init_stones": 0, "init_resets": 4}"#, "expected a whole number from 1 to 1000000000000"),
        (
            r#"{"init_stones": 2000000000000, "init_resets": 4}"#,
            "expected a whole number from 1 to 1000000000000",
        ),
        (r#"{"init_stones": 10, "init_resets": 16}"#, "numbers from 0 to 15"),
        (r#"{"init_stones": 900000000, "init_resets": 4}"#, "give it with --table"),
        (r#"{"init_stones": 10, "init_resets": 4}{"finished": false}"#, "missing field"),
        (r#"{"init_stones": 10, "init_resets": 4}nonsense"#, "found \"nonsense"),
        (r#"{"init_stones": 10, "#, "closed the connection before the game began"),
        ("", "closed the connection before the game began"),
    ] {
        let error = error_against(FixedReply(text, true));
        assert!(error.contains(expected), "{text}: {error}");
    }
    let silent = error_against(FixedReply(r#"{"init_stones": 10"#, false));
    assert!(silent.contains("has sent nothing for 60 s, before the game began"), "{silent}");
}

#[test]
fn the_error_for_a_too_large_game_names_its_source() {
    let announced = "the server announced a game that cannot be played here: ";
    let error = error_against(FixedReply(r#"{"init_stones": 100000000, "init_resets": 4}"#, true));
    assert!(error.starts_with(announced), "{error}");
    let rules = ExpandingKeys { stones: 100_000_000, ..Default::default() }.rules().unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let report = &mut Report::new(&mut out, &mut err, false);
    let mut kit = MatchKit::new(None);
    let error = kit.get_ready(None, &rules, report, &()).unwrap_err().to_string();
    assert!(error.starts_with("cannot prepare the game of these rules: "), "{error}");
    assert!(error.contains("give it with --table"), "{error}");
}

#[test]
fn solving_a_game_that_was_not_prepared_is_noted() {
    for (stones, prepared, is_noted) in [(40, 30, true), (30, 30, false), (29, 30, false)] {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut report = Report::new(&mut out, &mut err, false);
        let mut options = options(Side::First);
        let rules = ExpandingKeys { stones: prepared, resets: [1, 1], ..Default::default() }.rules().unwrap();
        options.kit.get_ready(None, &rules, &mut report, &()).unwrap();
        let server = JsonServer::new(Dialect::Y2017, 0, Pile::new(stones, 1), 1);
        play_tcp(&mut MemoryTransport::new(server, Cut::Nowhere), &options, &mut report).unwrap();
        let err = String::from_utf8(err).unwrap();
        let expected = "a game of 40 stones and 1 reset each, not the one prepared (up to 30 stones and 1 \
                        reset each): solving it while our clock runs; --set resets=1,1 --set stones=40 \
                        prepares it in advance";
        assert_eq!(err.contains(expected), is_noted, "{stones}: {err}");
        assert_eq!(err.lines().count(), usize::from(is_noted), "{stones}: {err}");
    }
}

/// Of two clients that ask for the first move, the one that connects second moves first. Here the opponent connects while
/// we prepare, so we must wait for its move.
#[test]
fn if_the_opponent_moves_first_after_our_preparation_no_early_move_is_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = thread::spawn(move || {
        let (mut us, _) = listener.accept().unwrap();
        assert!(us.read(&mut [0; 1000]).unwrap() > 0, "our name comes");
        us.write_all(br#"{"init_stones": 20, "init_resets": 1}"#).unwrap();
        us.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
        let early = us.read(&mut [0; 1000]).map_err(|error| error.kind());
        let players = r#""player_0": {"resets_left": 1, "time_taken": 0.5, "name": "Opp"}, "player_1": {"resets_left": 1, "time_taken": 0, "name": "Us"}"#;
        let state = |more: &str| {
            format!(
                r#"{{{more}, "current_max": 3, "stones_left": 19, "stones_removed": 1, "reset_used": false, {players}}}"#
            )
        };
        us.write_all(state(r#""finished": false"#).as_bytes()).unwrap();
        us.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let answered = us.read(&mut [0; 1000]).unwrap();
        let _ = us.write_all(state(r#""finished": true, "winner": "Us", "reason": "Opp left""#).as_bytes());
        (early, answered)
    });
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let report = &mut Report::new(&mut out, &mut err, false);
    let options = options(Side::First);
    let found = Server::find(&address, &options, report).unwrap();
    // The time of our preparation.
    thread::sleep(Duration::from_millis(150));
    found.play(&options, report).unwrap();
    let (early, answered) = server.join().unwrap();
    assert!(matches!(early, Err(ErrorKind::WouldBlock | ErrorKind::TimedOut)), "a move came: {early:?}");
    assert!(answered > 0, "our move answers the opponent's");
}

#[test]
fn a_shorter_clock_announced_by_the_server_shortens_the_pause() {
    for (announced, is_noted) in [(5, true), (120, false), (1000, false)] {
        let text = format!(
            r#"{{"init_stones": 1000, "init_resets": 1, "game_time": {announced}, "init_max": 3}}{{"finished": true, "winner": "Us", "reason": "he left"}}"#
        );
        let mut wire = MemoryTransport::new(FixedReply(Box::leak(text.into_boxed_str()), true), Cut::Nowhere);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let options = MatchOptions { pause: Duration::from_millis(120), ..options(Side::Second) };
        play_tcp(&mut wire, &options, &mut Report::new(&mut out, &mut err, false)).unwrap();
        let out = String::from_utf8(out).unwrap();
        let expected = "a game of 1000 stones and 1 reset each, 5 s each; lost positions are played by longest; each of our \
                        moves waits 5 ms: 120 ms (--pause) could take too much of our clock\n";
        assert_eq!(out.starts_with(expected), is_noted, "{out}");
        assert!(is_noted || out.contains("each of our moves waits 120 ms (--pause)"), "{out}");
    }
}

#[test]
fn a_policy_that_cannot_be_followed_is_an_error_before_the_match() {
    let here = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let ran = run_match(here.path(), &arguments(&address, &["--policy", "swindle:nothing.chances"]), b"");
    assert_eq!(ran.status, Some(2));
    let expected = "bouton-match: cannot play by swindle:nothing.chances: ";
    assert!(ran.stderr.contains(expected) && ran.stderr.contains("give another --policy"), "{}", ran.stderr);
}

#[test]
fn an_end_without_details_ends_the_match() {
    let init = r#"{"init_stones": 10, "init_resets": 4}"#;
    for (end, expected) in [
        (r#"{"finished": true, "winner": "Us", "reason": "he left"}"#, (MatchResult::Won, "won: he left\n")),
        (
            r#"{"finished": true, "winner": "Him", "reason": "you\u001b[2J"}"#,
            (MatchResult::Lost, "lost: you\\u{1b}[2J\n"),
        ),
        (r#"{"finished": true}"#, (MatchResult::Unknown, "over: the server gives no reason\n")),
    ] {
        let text = FixedReply(Box::leak(format!("{init}{end}").into_boxed_str()), true);
        let mut wire = MemoryTransport::new(text, Cut::Nowhere);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let report = &mut Report::new(&mut out, &mut err, false);
        let ended = play_tcp(&mut wire, &options(Side::First), report).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert_eq!((ended, after_the_opening(&out)), expected);
    }
}

#[test]
fn a_changed_byte_never_makes_us_panic_or_break_the_rules() {
    for client in [0, 1] {
        let server = || JsonServer::new(Dialect::Y2017, client, Pile::new(16, 2), 3);
        let length = play(server(), requested_side(client), Cut::Nowhere).wire.received();
        for at in 0..length {
            for other in *b"0139{}\",- \xff" {
                let mut wire = MemoryTransport::new(server(), Cut::Nowhere);
                wire.harm = Some((at, other));
                let (mut out, mut err) = (Vec::new(), Vec::new());
                let report = &mut Report::new(&mut out, &mut err, false);
                // The match may end or fail; it only must not panic.
                let _ = play_tcp(&mut wire, &options(requested_side(client)), report);
                // A client with another start plays another game, but sends legal moves of that game.
                let started_right = at > 40;
                let violations = &wire.script.violations;
                assert!(violations.is_empty() || !started_right, "{at} {other}: {violations:?}");
            }
        }
    }
}

#[test]
fn an_unavailable_policy_is_noted_and_the_match_is_played() {
    let mut wire =
        MemoryTransport::new(JsonServer::new(Dialect::Y2017, 0, Pile::new(50, 4), 1), Cut::Nowhere);
    let policy = "swindle:no-such.chances".parse().unwrap();
    let options = MatchOptions { kit: MatchKit::new(Some(policy)), ..options(Side::First) };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let ended = play_tcp(&mut wire, &options, &mut Report::new(&mut out, &mut err, true));
    let err = String::from_utf8(err).unwrap();
    assert!(ended.is_ok() && err.contains("playing by longest instead"), "{err}");
}

#[test]
fn a_silent_server_ends_the_program_after_the_patience() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let began = Instant::now();
    let ran = run(&address, &["--patience", "1"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("has sent nothing for 1 s"), "{}", ran.stderr);
    assert!(began.elapsed() >= Duration::from_secs(1));
}

#[test]
fn errors_say_what_to_do() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    for (args, expected) in [
        (&[nobody.as_str()][..], "is the server running there"),
        (&["nowhere"], "it has no port"),
        (&[":9000"], "it has no host"),
        (&["host:port"], "the port is not a number"),
        (&["https://127.0.0.1:1"], "HTTPS is not supported"),
        (&["http://127.0.0.1:1", "--protocol", "tcp"], "a protocol that is not spoken over HTTP"),
        (&["127.0.0.1:1", "--protocol", "rest", "--second"], "--session ID"),
        (&["127.0.0.1:1", "--name", ""], "give another --name"),
        (&["127.0.0.1:1", "--table", "no-such.bouton"], "no-such.bouton"),
        (&["127.0.0.1:1", "--policy", "clever"], "there is no policy 'clever'"),
        (&["127.0.0.1:1", "--first", "--second"], "cannot be used with"),
    ] {
        let ran = run(args[0], &args[1..]);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_fitting_table_is_used_and_another_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let make = |args: &[&str]| {
        let ran = bouton_tests::programs::bouton(folder.path(), &[&["generate"], args].concat());
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    };
    make(&["expanding", "--set", "stones=80", "-o", "fits.bouton"]);
    make(&["expanding", "--set", "stones=80", "--no-depth", "-o", "plain.bouton"]);
    make(&["expanding", "--set", "stones=40", "-o", "short.bouton"]);
    make(&["expanding", "--set", "stones=80", "--set", "resets=1,1", "-o", "resets.bouton"]);
    make(&[
        "expanding",
        "--set",
        "stones=80",
        "--set",
        "base-limit=5",
        "--set",
        "reset-limit=5",
        "-o",
        "limit.bouton",
    ]);
    for (table, note) in [
        ("fits.bouton", ""),
        ("plain.bouton", ""),
        ("short.bouton", "covers 40 stones, but the game has 60"),
        ("resets.bouton", "covers 1,1 resets, but the game has 2,2"),
        (
            "limit.bouton",
            "the table is refused: it has base-limit=5 and reset-limit=5, but the server announces init_max 3: the match has \
             base-limit=3 and reset-limit=3; solving the game on the spot instead; make the table with: bouton generate --set \
             stones=80\n",
        ),
    ] {
        let client = winner(60, 2);
        let (address, server) = serve(JsonServer::new(Dialect::Y2025, client, Pile::new(60, 2), 1), false);
        let path = folder.path().join(table);
        let order = if client == 0 { "--first" } else { "--second" };
        let more = ["--protocol", "tcp", order, "--table", path.to_str().unwrap()];
        let ran = run(&address, &more);
        assert_eq!(ran.status, Some(0), "{table}: {}", ran.stderr);
        assert_eq!(server.join().unwrap().winner, Some(client), "{table}");
        assert!(ran.stderr.contains(note) && ran.stderr.is_empty() == note.is_empty(), "{}", ran.stderr);
    }
}

#[test]
fn a_server_that_closes_the_connection_ends_the_program_with_status_2() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        assert!(stream.read(&mut [0; 100]).unwrap() > 0);
        stream.write_all(br#"{"init_stones": 10, "init_resets": 4}"#).unwrap();
    });
    let ran = run(&address, &["--protocol", "tcp"]);
    server.join().unwrap();
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.stderr.contains("closed the connection after 0 moves, with 10 stones left"),
        "{}",
        ran.stderr
    );
}
