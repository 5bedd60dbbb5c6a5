//! `bouton-match connect` plays by the stones, resets and limit that the server announces. All other
//! rules are the user's or, without these, the usual ones of these servers (`ServerRules::USUAL`).

use std::collections::HashMap;
use std::time::Duration;

use bouton_match::Side;
use bouton_match::client::{
    MatchKit, MatchOptions, MatchResult, ProtocolChoice, Report, play_tcp, play_text,
};
use bouton_match::players::LosingPolicy;
use bouton_match::protocol::tcp::Dialect;
use bouton_tables::Play;
use bouton_tables::expanding::{Expanding, ExpandingKeys};
use bouton_tests::match_servers::{
    Cut, JsonServer, MemoryTransport, Opponent, Pile, ServerRules, TextServer, WebScript, WebServer, connect,
    serve,
};
use bouton_tests::programs::{ProgramRun, bouton, run_match};

/// Returns all tested rules: limits 2, 3 and 5, growth 1 and 2, normal and misère play.
fn all_rules() -> Vec<ServerRules> {
    let mut all = Vec::new();
    for limit in [2, 3, 5] {
        for growth in [1, 2] {
            for misere in [false, true] {
                all.push(ServerRules { growth, misere, ..ServerRules::with_init_max(limit) });
            }
        }
    }
    all
}

/// Converts the rules for the client.
fn client_rules(rules: ServerRules) -> Expanding {
    let play = if rules.misere { Play::Misere } else { Play::Normal };
    let (base_limit, growth, reset_limit) = (rules.limit, rules.growth, rules.reset_limit);
    let keys = ExpandingKeys { base_limit, growth, reset_limit, play, ..Default::default() };
    keys.rules().expect("allowed rules")
}

/// Returns the side that wins from the start.
fn winner(pile: &Pile) -> usize {
    usize::from(!pile.is_won(&mut HashMap::new()))
}

/// Returns the options of a match, with the rules of the user, or the usual ones if there are none.
fn options(client: usize, rules: Option<Expanding>) -> MatchOptions {
    let usual = MatchOptions::default();
    MatchOptions {
        name: "Us".to_owned(),
        side: Side::BOTH[client],
        kit: MatchKit::new(Some(LosingPolicy::Longest)),
        patience: Duration::from_secs(60),
        pause: Duration::ZERO,
        are_rules_given: rules.is_some(),
        rules: rules.unwrap_or(usual.rules.clone()),
        ..usual
    }
}

/// The result of a match.
struct MatchRun {
    /// The result for the client; `None` after an error.
    ended: Option<MatchResult>,
    /// The client's output and messages.
    output: String,
    /// The client's violations of the rules.
    violations: Vec<String>,
}

/// Plays a match with a test server of JSON in memory.
fn play_json(server: JsonServer, options: &MatchOptions) -> MatchRun {
    let mut wire = MemoryTransport::new(server, Cut::Nowhere);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let ended = play_tcp(&mut wire, options, &mut Report::new(&mut out, &mut err, false));
    let output = String::from_utf8([out, err].concat()).expect("it is UTF-8");
    MatchRun { ended: ended.ok(), output, violations: wire.script.violations }
}

/// Returns a server whose player never errs.
fn perfect_server(dialect: Dialect, client: usize, pile: &Pile, seed: u64) -> JsonServer {
    let mut server = JsonServer::new(dialect, client, pile.clone(), seed);
    server.opponent = Opponent::perfect(seed);
    server
}

/// Checks that the client won, broke no rule, and printed no warning.
fn check_won(played: &MatchRun, case: &str) {
    assert_eq!(played.violations, Vec::<String>::new(), "{case}\n{}", played.output);
    assert_eq!(played.ended, Some(MatchResult::Won), "{case}\n{}", played.output);
    assert!(!played.output.contains("WARNING"), "{case}\n{}", played.output);
}

#[test]
fn won_starts_are_won_under_the_users_rules_in_every_dialect() {
    for rules in all_rules() {
        for stones in [7, 11, 16, 24] {
            for dialect in [Dialect::Y2017, Dialect::Y2018, Dialect::Y2025] {
                let pile = Pile::of(rules, stones, 2);
                let client = winner(&pile);
                let played = play_json(
                    perfect_server(dialect, client, &pile, 7),
                    &options(client, Some(client_rules(rules))),
                );
                check_won(&played, &format!("{rules:?} {stones} {dialect:?}"));
            }
        }
    }
}

#[test]
fn ten_matches_at_each_announced_limit_are_won_without_options() {
    for limit in [2, 3, 5] {
        let starts = (5..40).map(|stones| Pile::of(ServerRules::with_init_max(limit), stones, 2));
        for dialect in [Dialect::Y2018, Dialect::Y2025] {
            // A server of 2018 announces the limit with its first state, after the first move, so there the client must
            // move second.
            let client_of = |pile: &Pile| match dialect {
                Dialect::Y2018 => (winner(pile) == 1).then_some(1),
                _ => Some(winner(pile)),
            };
            let mut matches = 0;
            for pile in
                starts.clone().chain((40..80).map(|stones| Pile { stones, ..starts.clone().next().unwrap() }))
            {
                let Some(client) = client_of(&pile).filter(|_| matches < 10) else { continue };
                matches += 1;
                let played = play_json(perfect_server(dialect, client, &pile, 3), &options(client, None));
                check_won(&played, &format!("{limit} {} {dialect:?}", pile.stones));
            }
            assert_eq!(matches, 10, "{limit} {dialect:?}");
        }
    }
}

#[test]
fn won_starts_are_won_under_the_users_rules_on_a_server_of_2016() {
    for rules in all_rules() {
        for stones in [7, 11, 16, 24] {
            let mut server = TextServer::new(0, stones, 7);
            server.pile = Pile::of(rules, stones, 1);
            server.client = winner(&server.pile);
            server.opponent = Opponent::perfect(7);
            let options = MatchOptions {
                protocol: ProtocolChoice::Text2016,
                stones: Some(stones.into()),
                ..options(server.client, Some(client_rules(rules)))
            };
            let mut wire = MemoryTransport::new(server, Cut::Nowhere);
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let ended = play_text(&mut wire, &options, &mut Report::new(&mut out, &mut err, false));
            let output = String::from_utf8([out, err].concat()).expect("it is UTF-8");
            let (client, winner) = (wire.script.client, wire.script.winner);
            assert_eq!(winner, Some(client), "{rules:?} {stones}\n{output}");
            check_won(
                &MatchRun { ended: ended.ok(), output, violations: wire.script.violations },
                &format!("{rules:?}"),
            );
        }
    }
}

#[test]
fn no_move_is_illegal_on_a_server_of_2016_if_the_stones_are_unknown() {
    for rules in all_rules() {
        for first in 1..=rules.limit {
            let mut server = TextServer::new(1, 30, 7);
            server.pile = Pile::of(rules, 30, 1);
            server.opponent = Opponent::random(7).first(&[(first, false)]);
            let mut wire = MemoryTransport::new(server, Cut::Nowhere);
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let report = &mut Report::new(&mut out, &mut err, false);
            play_text(&mut wire, &options(1, Some(client_rules(rules))), report).unwrap();
            assert_eq!(wire.script.violations, Vec::<String>::new(), "{rules:?} {first}");
        }
    }
}

#[test]
fn won_starts_are_won_under_the_users_rules_on_a_web_server() {
    for (rules, stones) in all_rules().into_iter().zip([9, 14, 18].into_iter().cycle()) {
        let pile = Pile::of(rules, stones, 2);
        let client = winner(&pile);
        let mut script = WebScript::new(client, stones, 7);
        (script.pile, script.opponent) = (pile, Opponent::perfect(7));
        let web = WebServer::start(script);
        let options = MatchOptions {
            protocol: ProtocolChoice::Rest,
            session: (client == 1).then_some(7),
            stones: Some(stones.into()),
            resets: Some([2, 2]),
            ..options(client, Some(client_rules(rules)))
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let ended = connect(&web.address, &options, &mut Report::new(&mut out, &mut err, false));
        let output = String::from_utf8([out, err].concat()).expect("it is UTF-8");
        let violations = web.script.lock().unwrap().violations.clone();
        check_won(&MatchRun { ended: ended.ok(), output, violations }, &format!("{rules:?} {stones}"));
    }
}

#[test]
fn a_lower_current_max_than_ours_is_respected_under_a_reset_too() {
    for reset_limit in [1, 2] {
        // Under a reset the server allows fewer stones than by our account (3), and says so only in `current_max`.
        let rules = ServerRules { reset_limit, ..ServerRules::USUAL };
        for (dialect, seed) in [Dialect::Y2017, Dialect::Y2025]
            .into_iter()
            .flat_map(|dialect| (0..20).map(move |seed| (dialect, seed)))
        {
            let mut server = JsonServer::new(dialect, 1, Pile::of(rules, 40, 4), seed);
            server.opponent = Opponent::random(seed).first(&[(1, true), (2, true), (1, true)]);
            let played = play_json(server, &options(1, None));
            assert_eq!(played.violations, Vec::<String>::new(), "{dialect:?} {seed}\n{}", played.output);
            assert_eq!(played.output.matches("WARNING").count(), 1, "{}", played.output);
            let warning = format!("current_max: the server says {reset_limit}, which fits no dialect;");
            assert!(played.output.contains(&warning), "{}", played.output);
        }
    }
}

#[test]
fn a_server_of_2018_that_shows_2_under_a_reset_allows_3() {
    // With 3 stones left under a reset, taking all 3 is the only winning move.
    let mut server = JsonServer::new(Dialect::Y2018, 1, Pile::new(4, 1), 1);
    server.opponent = Opponent::random(1).first(&[(1, true)]);
    let played = play_json(server, &options(1, None));
    check_won(&played, "3 stones left");
    assert!(played.output.contains("  2. we take 3: 0 left"), "{}", played.output);
}

#[test]
fn announced_rules_replace_given_ones_and_both_are_reported() {
    let pile = Pile::of(ServerRules::with_init_max(5), 20, 2);
    let given = ExpandingKeys { base_limit: 4, reset_limit: 2, ..Default::default() }.rules().unwrap();
    let client = winner(&pile);
    let expected = "the rules have base-limit=4 and reset-limit=2, but the server announces init_max 5; playing by the \
                    server's rules";
    let played =
        play_json(perfect_server(Dialect::Y2025, client, &pile, 3), &options(client, Some(given.clone())));
    check_won(&played, "2025");
    assert!(played.output.contains(expected), "{}", played.output);
    assert!(
        played
            .output
            .starts_with("a game of 20 stones and 2 resets each, with base-limit=5 and reset-limit=5")
    );
    // A server of 2018 announces the limit with its first state.
    let played = play_json(perfect_server(Dialect::Y2018, 1, &pile, 3), &options(1, Some(given)));
    assert!(played.output.contains(expected), "{}", played.output);
    let resets = MatchOptions { resets: Some([4, 1]), ..options(client, None) };
    let played = play_json(perfect_server(Dialect::Y2025, client, &pile, 3), &resets);
    assert!(
        played.output.contains("the rules have resets=4,1, but the server announces 2,2"),
        "{}",
        played.output
    );
}

/// Runs `bouton-match connect` over TCP, without pauses.
fn run(address: &str, folder: &std::path::Path, more: &[&str]) -> ProgramRun {
    run_match(folder, &[&["connect", address, "--protocol", "tcp", "--pause", "0"], more].concat(), b"")
}

#[test]
fn a_table_of_another_limit_than_announced_is_refused_with_both_values() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, limit: &str| {
        let (base, reset) = (format!("base-limit={limit}"), format!("reset-limit={limit}"));
        let args = ["generate", "-q", "--set", "stones=80", "--set", &base, "--set", &reset, "-o", name];
        let ran = bouton(folder.path(), &args);
        assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    };
    make("m5.bouton", "5");
    make("m3.bouton", "3");
    let refusal = |table_limit: u32, limit: u32| {
        format!(
            "bouton-match: the table is refused: it has base-limit={table_limit} and reset-limit={table_limit}, but the server announces \
             init_max {limit}: the match has base-limit={limit} and reset-limit={limit}; solving the game on the spot \
             instead; make the table with: bouton generate --set base-limit={limit} --set reset-limit={limit} --set stones=80\n"
        )
    };
    for (table, limit, expected_stderr) in [
        ("m5.bouton", 5, String::new()),
        ("m3.bouton", 5, refusal(3, 5)),
        ("m5.bouton", 2, refusal(5, 2)),
        ("m3.bouton", 2, refusal(3, 2)),
    ] {
        for stones in [5, 20] {
            let pile = Pile::of(ServerRules::with_init_max(limit), stones, 2);
            let client = winner(&pile);
            let (address, server) = serve(perfect_server(Dialect::Y2025, client, &pile, 3), false);
            let order = if client == 0 { "--first" } else { "--second" };
            let ran = run(&address, folder.path(), &[order, "--table", table]);
            let server = server.join().unwrap();
            assert_eq!(
                (ran.status, server.violations),
                (Some(0), Vec::new()),
                "{}{}",
                ran.stdout,
                ran.stderr
            );
            assert_eq!(ran.stderr, expected_stderr, "{table} {limit}");
            assert_eq!(server.winner, Some(client), "{table} {limit} {stones}\n{}", ran.stdout);
        }
    }
}

#[test]
fn the_match_is_played_by_the_rules_of_the_options() {
    let folder = tempfile::tempdir().unwrap();
    let rules = ServerRules { growth: 2, misere: true, ..ServerRules::USUAL };
    std::fs::write(
        folder.path().join("ours.toml"),
        "game = \"expanding\"\nstones = 20\nbase-limit = 3\ngrowth = 2\nreset-limit = 3\nresets = [2, 2]\nplay = \"misere\"\n",
    )
    .unwrap();
    let ran = bouton(folder.path(), &["generate", "-q", "ours.toml"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    for more in [
        &["--rules", "ours.toml"][..],
        &["--table", "ours.bouton"],
        &["--set", "growth=2", "--set", "play=misere", "--stones", "20", "--resets", "2"],
        &["--rules", "expanding", "--set", "growth=2", "--set", "play=misere"],
    ] {
        for stones in [14, 20] {
            let pile = Pile::of(rules, stones, 2);
            let client = winner(&pile);
            let (address, server) = serve(perfect_server(Dialect::Y2017, client, &pile, 3), false);
            let order = if client == 0 { "--first" } else { "--second" };
            let ran = run(&address, folder.path(), &[&[order], more].concat());
            let server = server.join().unwrap();
            assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{more:?}\n{}", ran.stdout);
            assert_eq!(
                (server.winner, server.violations),
                (Some(client), Vec::new()),
                "{more:?}\n{}",
                ran.stdout
            );
            assert!(ran.stdout.contains(", with growth=2 and play=misere; lost"), "{}", ran.stdout);
        }
    }
}

#[test]
fn unusable_options_are_an_error_before_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let ran = bouton(folder.path(), &["generate", "-q", "--set", "stones=40", "-o", "t.bouton"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let ran = bouton(folder.path(), &["generate", "-q", "sticks", "-o", "sticks.bouton"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let only = "the servers of the tournaments play Expanding Nim only";
    for (more, expected) in [
        (
            &["--stones", "40", "--set", "stones=50"][..],
            "--stones 40 and --set stones=50 contradict each other; give one of them",
        ),
        (&["--resets", "2", "--set", "resets=2,1"], "--resets 2 and --set resets=2,1 contradict each other"),
        (&["--rules", "sticks"], only),
        (&["--table", "sticks.bouton"], only),
        (&["--table", "t.bouton", "--rules", "expanding"], "cannot be used with"),
        (
            &["--table", "t.bouton", "--set", "base-limit=5"],
            "t.bouton: the table has base-limit=3, but the game has base-limit=5; make a table with `bouton generate --set \
             base-limit=5`",
        ),
        (&["--table", "t.bouton", "--stones", "50"], "the table has stones=40, but the game has stones=50"),
        (&["--set", "base-limit=2"], "reset-limit = 3: expected a whole number from 1 to 2"),
    ] {
        for command in [&["connect", "127.0.0.1:9"][..], &["serve", "--listen", "0"]] {
            let ran = run_match(folder.path(), &[command, more].concat(), b"");
            assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{command:?} {more:?}");
            assert!(ran.stderr.contains(expected), "{command:?} {more:?}: {}", ran.stderr);
        }
    }
    let same = ["--stones", "40", "--set", "stones=40", "--resets", "2", "--set", "resets=[2, 2]"];
    let ran = run_match(folder.path(), &[&["connect", "127.0.0.1:9"][..], &same].concat(), b"");
    assert!(!ran.stderr.contains("contradict"), "{}", ran.stderr);
}
