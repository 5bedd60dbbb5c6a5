//! No program prints control characters from outside: in names of files, rulesets, arguments, transcripts and the
//! output of players they are escaped.

use std::fs;

use bouton_tables::printable::is_printable;
use bouton_tests::programs::{ProgramRun, bouton, lookup, run_match};
use bouton_tests::service::{Folder, Server};
use serde_json::json;

/// Colour, a one-character escape sequence, a bell, an overwritten line, a second line, and text from right to left.
pub(super) const EVIL: &str = "evil\u{1b}[31m\u{9b}2J\u{7}\rnone\nfake\u{7f}\u{202e}live";

/// Checks that the output has no control characters except newlines. An error may contain newlines of the arguments.
#[track_caller]
fn check_harmless(ran: &ProgramRun) {
    for text in [&ran.stdout, &ran.stderr] {
        assert!(text.chars().all(|letter| letter == '\n' || is_printable(letter)), "{text:?}");
    }
    assert!(!ran.stdout.lines().any(|line| line.starts_with("fake")), "{}", ran.stdout);
}

/// Checks that the output has no control characters, and that text from outside does not fake a line of an error.
#[track_caller]
pub(super) fn check_no_fake_line(ran: &ProgramRun) {
    check_harmless(ran);
    assert!(!ran.stderr.lines().any(|line| line.starts_with("fake")), "{}", ran.stderr);
}

/// Checks that the program failed, and that the error shows the text with its control characters escaped.
#[track_caller]
fn check_shown_escaped(ran: &ProgramRun) {
    check_harmless(ran);
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains(r"evil\u{1b}[31m\u{9b}2J\u{7}\r"), "{}", ran.stderr);
}

#[test]
fn names_of_files_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (table, toml) = (format!("{EVIL}.bouton"), format!("{EVIL}.toml"));
    check_shown_escaped(&bouton(folder, &["info", &table]));
    check_shown_escaped(&lookup(folder, &[&table, "1"], b""));
    check_shown_escaped(&run_match(folder, &["replay", EVIL], b""));
    check_shown_escaped(&run_match(folder, &["play", &format!("table:{table}"), "random"], b""));
    check_shown_escaped(&bouton(folder, &["rules", &toml]));
    fs::write(folder.join(&toml), "game = \"heaps\"\nbounds = [3, 4]\nplay = \"normal\"\n").unwrap();
    for args in [
        &["generate", &toml][..],
        &["generate", &toml],
        &["info", &table],
        &["verify", &table],
        &["analyze", &table],
    ] {
        let ran = bouton(folder, args);
        check_harmless(&ran);
        assert_eq!(ran.status, Some(0), "{args:?}: {}", ran.stderr);
    }
    check_harmless(&bouton(folder, &["diff", &table, "sticks"]));
    let none = bouton(folder, &["export", &table, "--format", "csv", "--where", "total=100"]);
    check_harmless(&none);
    assert_eq!(none.stderr.lines().count(), 1, "a name adds no line: {}", none.stderr);
    fs::write(folder.join(&table), "no table").unwrap();
    for command in ["info", "verify", "generate", "export", "draw"] {
        check_harmless(&bouton(folder, &[command, &table]));
    }
}

#[test]
fn texts_in_a_ruleset_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    for text in [
        EVIL.to_owned(),
        format!("game = \"expanding\"\n{EVIL}"),
        format!("game = {}\n", json!(EVIL)),
        format!("game = \"expanding\"\n{} = 1\n", json!(EVIL)),
        format!("game = \"expanding\"\nplay = {}\n", json!(EVIL)),
        format!("game = \"heaps\"\nbounds = [{}]\n", json!(EVIL)),
    ] {
        fs::write(folder.path().join("rules.toml"), text).unwrap();
        let ran = bouton(folder.path(), &["rules", "rules.toml"]);
        check_harmless(&ran);
        assert_eq!(ran.status, Some(2), "{}", ran.stdout);
    }
    check_shown_escaped(&bouton(folder.path(), &["rules", "sticks", "--set", &format!("{EVIL}=1")]));
    check_shown_escaped(&bouton(folder.path(), &["rules", "sticks", "--set", &format!("play={EVIL}")]));
}

#[test]
fn typed_text_is_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(bouton(folder, &["generate", "sticks"]).status, Some(0));
    for args in [
        &["play", EVIL, "random"][..],
        &["play", "random", &format!("model:{EVIL}")],
        &["play", "random", &format!("table:longest:{EVIL}")],
        &["chances", "sticks.bouton", "--model", EVIL],
        &["connect", EVIL],
        &["serve", "--listen", EVIL],
        &["tournament", "random", "greedy", "--stones", EVIL],
    ] {
        check_shown_escaped(&run_match(folder, args, b""));
    }
    for args in [&["sticks.bouton", EVIL][..], &["sticks.bouton", "1", EVIL]] {
        let ran = lookup(folder, args, b"");
        check_harmless(&ran);
        assert!(ran.stderr.contains(r"evil\u{1b}[31m\u{9b}2J\u{7} none"), "{}", ran.stderr);
    }
    // In a position, a newline counts as a blank.
    let ran = run_match(folder, &["play", "random", "greedy", "--start", EVIL], b"");
    check_harmless(&ran);
    assert_eq!(ran.status, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains(r"found 'evil\u{1b}[31m\u{9b}2J\u{7} none fake\u{7f}\u{202e}live'"),
        "{}",
        ran.stderr
    );
    // The command line's parser removes escape sequences by itself.
    check_harmless(&run_match(folder, &["serve", "--protocol", EVIL], b""));
    check_harmless(&bouton(folder, &[EVIL]));
    check_harmless(&bouton(folder, &["generate", "--threads", EVIL]));
    let ran = lookup(folder, &["sticks.bouton", "--batch"], EVIL.as_bytes());
    check_harmless(&ran);
    let first = EVIL.lines().next().unwrap();
    let answer: serde_json::Value = serde_json::from_str(ran.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(answer["position"], first, "JSON has the text unchanged");
}

#[test]
fn texts_in_a_transcript_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(
        run_match(folder, &["play", "random", "greedy", "--rules", "sticks", "--record", "a"], b"").status,
        Some(0)
    );
    let line = fs::read_to_string(folder.join("a")).unwrap();
    let evil = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut game: serde_json::Value = serde_json::from_str(&line).unwrap();
        change(&mut game);
        fs::write(folder.join("evil"), game.to_string() + "\n").unwrap();
        [&["replay", "evil"][..], &["replay", "evil", "--json"]].map(|args| {
            let ran = run_match(folder, args, b"");
            check_no_fake_line(&ran);
            ran
        })
    };
    let [words, json] = evil(&|game| {
        game["players"] = json!([EVIL, EVIL]);
        game["reason"] = json!("failed");
        game["detail"] = json!(EVIL);
        game["moves"] = json!([]);
    });
    assert_eq!((words.status, json.status), (Some(0), Some(0)), "{}", words.stderr);
    assert!(words.stdout.contains(r"evil\u{1b}[31m\u{9b}2J\u{7}\rnone\nfake"), "{}", words.stdout);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["players"][0], EVIL, "JSON has the text unchanged");
    for key in ["start", "winner", "reason", "game", "rules", "moves", "players", "seconds", "times"] {
        for value in [json!(EVIL), json!([EVIL]), json!({EVIL: EVIL})] {
            let [ran, _] = evil(&|game| game[key] = value.clone());
            assert_eq!(ran.status, Some(2), "{key}: {}", ran.stdout);
        }
    }
    for key in [EVIL, "bounds", "take", "heaps-per-move", "equal-take", "passes", "play"] {
        let [ran, _] = evil(&|game| game["rules"][key] = json!(EVIL));
        assert_eq!(ran.status, Some(2), "{key}: {}", ran.stdout);
    }
    // The rules contradict the transcript, and the error quotes the transcript.
    let other = |game: &mut serde_json::Value| {
        game["winner"] = json!(if game["winner"] == "first" { "second" } else { "first" });
    };
    for change in [
        &(|game: &mut serde_json::Value| {
            game["players"] = json!([EVIL, EVIL]);
            other(game);
        }) as &dyn Fn(&mut serde_json::Value),
        // The loser by the rules cannot lose again.
        &|game| (game["reason"], game["detail"]) = (json!("failed"), json!(EVIL)),
        &|game| {
            (game["reason"], game["detail"]) = (json!("illegal-move"), json!(EVIL));
            other(game);
        },
    ] {
        let [ran, _] = evil(change);
        assert_eq!(ran.status, Some(2), "{}", ran.stdout);
    }
    for key in ["broken-off", EVIL] {
        let _ = evil(&|game| {
            game.as_object_mut().unwrap().remove("winner");
            game[key] = json!(EVIL);
        });
    }
    fs::write(folder.join("evil"), line.trim_end().to_owned() + EVIL).unwrap();
    check_no_fake_line(&run_match(folder, &["replay", "evil"], b""));
    fs::write(folder.join("evil"), EVIL.replace('\n', " ")).unwrap();
    check_no_fake_line(&run_match(folder, &["replay", "evil"], b""));
    let [ran, _] = evil(&|game| game["moves"][0] = json!(EVIL));
    check_shown_escaped(&ran);
    check_no_fake_line(&bouton(folder, &["draw", "game", "evil", "-o", "a.svg"]));
}

#[test]
fn output_of_a_player_is_escaped() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("evil"), EVIL).unwrap();
    // An invalid answer loses the game; an `exec:` program without an answer in its first game ends the run.
    for (command, status) in [
        ("exec:read a; cat evil", 0),
        ("exec:read a; echo 1; cat evil >&2; exit 3", 0),
        ("exec:cat evil >&2", 2),
        ("exec:read a; cat evil >&2; exit 3", 2),
        ("bot:read a; echo ready 1; read b; read c; cat evil; sleep 1", 0),
        ("bot:read a; echo ready 1; read b; read c; cat evil >&2; exit 3", 0),
    ] {
        let ran = run_match(folder.path(), &["play", command, "random"], b"");
        check_harmless(&ran);
        assert_eq!(ran.status, Some(status), "{command}: {}", ran.stderr);
        // The first line of the standard output, or the last one of the standard error.
        let shown = [r"evil\u{1b}[31m\u{9b}2J\u{7}\r", r"fake\u{7f}\u{202e}live"];
        let output = if status == 0 { &ran.stdout } else { &ran.stderr };
        assert!(shown.iter().any(|part| output.contains(part)), "{command}: {output}");
    }
    for command in ["bot:cat evil", "bot:cat evil >&2; exit 3"] {
        let ran = run_match(folder.path(), &["play", command, "random"], b"");
        check_harmless(&ran);
        assert_eq!(ran.status, Some(2));
        assert!(ran.stderr.contains(r"\u{9b}") || ran.stderr.contains(r"\u{202e}"), "{}", ran.stderr);
    }
}

#[test]
fn the_log_of_the_service_escapes_names_of_files() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    fs::copy(folder.path().join("sticks.bouton"), folder.path().join(format!("{EVIL}.bouton"))).unwrap();
    fs::write(folder.path().join(format!("{EVIL}2.bouton")), "no table").unwrap();
    for format in ["text", "json"] {
        let server = Server::with(folder.path(), &["--log-format", format]);
        assert_eq!(server.get("/healthz").status, 200);
        server.wait_until("both files are reported", |server| server.log().matches("evil").count() >= 2);
        let log = server.log();
        assert!(log.chars().all(|letter| letter == '\n' || is_printable(letter)), "{log:?}");
        assert!(!log.lines().any(|line| line.starts_with("fake")), "{log}");
    }
}
