//! `bouton-match` as a user runs it: games, transcripts, chances, and errors.

use bouton_tests::programs::{ProgramRun, bouton, files, run_match, send_signal, start_match, wait_until};
use serde_json::Value;
use tempfile::TempDir;

/// Runs `bouton-match`, which must succeed without an error. Returns its output.
pub(crate) fn run_ok(folder: &TempDir, args: &[&str]) -> String {
    let ran = run_match(folder.path(), args, b"");
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
    ran.stdout
}

/// Runs `bouton-match`, which must exit with status 2 and print nothing. Returns its error.
pub(crate) fn run_refused(folder: &TempDir, args: &[&str]) -> String {
    let ProgramRun { status, stdout, stderr } = run_match(folder.path(), args, b"");
    assert_eq!((status, stdout.as_str()), (Some(2), ""), "{args:?}: {stderr}");
    stderr
}

/// Parses JSON.
pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Makes a table of Expanding Nim with this many stones.
pub(crate) fn table(folder: &TempDir, stones: u32, name: &str) {
    let stones = format!("stones={stones}");
    let ran = bouton(folder.path(), &["generate", "--set", &stones, "-o", name, "-q"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
}

/// Makes an empty temporary folder.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn the_same_seed_plays_the_same_games_and_another_plays_others() {
    let folder = folder();
    let play = |seed| {
        run_ok(
            &folder,
            &["play", "random", "b=random", "--set", "stones=60", "--games", "3", "--show", "--seed", seed],
        )
    };
    assert_eq!(play("5"), play("5"));
    assert_ne!(play("5"), play("6"));
}

#[test]
fn the_players_change_sides_after_each_game() {
    let folder = folder();
    // 4 stones are lost for the first player.
    let played =
        run_ok(&folder, &["play", "a=table:longest", "b=table:longest", "--set", "stones=4", "--games", "4"]);
    let expected = "game 1: b wins\ngame 2: a wins\ngame 3: b wins\ngame 4: a wins\na 2 : 2 b\n";
    assert_eq!(played, expected);
}

#[test]
fn a_recorded_match_replays_to_the_same_result_and_marks_blunders() {
    let folder = folder();
    for (rules, greatest) in [("sticks", "3:7"), ("expanding", "5")] {
        let name = format!("{rules}.jsonl");
        let args = ["--rules", rules, "--games", "4", "--record", &name, "--seed", "3"];
        let start: &[&str] = if rules == "expanding" { &["--start", "30/4"] } else { &[] };
        let played =
            run_ok(&folder, &[&["play", "random", "table:longest", "-q"], &args[..], start].concat());
        let replayed = run_ok(&folder, &["replay", &name, "--json"]);
        let games: Vec<Value> = replayed.lines().map(json).collect();
        assert_eq!(games.len(), 4);
        let wins = games.iter().filter(|game| {
            let winner = if game["winner"] == "first" { 0 } else { 1 };
            game["players"][winner] == "table:longest"
        });
        assert_eq!(played, format!("random {} : {} table:longest\n", 4 - wins.clone().count(), wins.count()));
        for (number, game) in (1..).zip(&games) {
            assert_eq!(game["line"], number);
            let moves = game["moves"].as_array().unwrap();
            let notes = game["annotated"].as_array().unwrap();
            assert_eq!(moves.len(), notes.len());
            for (side, pair) in notes.windows(2).enumerate() {
                // Keeping a win leaves the opponent a loss; throwing it away leaves a win.
                let (before, after) = (&pair[0], &pair[1]);
                let keeps_win = before["outcome"] == "win" && before["blunder"] == false;
                assert_eq!(after["outcome"], if keeps_win { "loss" } else { "win" }, "{before} {after}");
                assert!(before["blunder"] == false || game["players"][side % 2] == "random", "{before}");
            }
        }
        // The second match is appended after the first.
        run_ok(&folder, &[&["play", "greedy", "greedy", "-q"], &args[..], start].concat());
        assert_eq!(run_ok(&folder, &["replay", &name]).matches("moves first").count(), 8);
        let text = std::fs::read_to_string(folder.path().join(&name)).unwrap();
        let (first, second) = text.split_once('\n').unwrap();
        let game = json(second.lines().next().unwrap());
        let second_move = game["moves"][1].as_str().unwrap();
        assert_ne!(second_move, greatest);
        // Line 2 gets an illegal move.
        let edited = second
            .replacen(&format!(",\"{second_move}\""), ",\"1:99\"", 1)
            .replace("1:99\"", if rules == "sticks" { "1:99\"" } else { "99\"" });
        std::fs::write(folder.path().join("edited.jsonl"), format!("{first}\n{edited}")).unwrap();
        let ran = run_match(folder.path(), &["replay", "edited.jsonl"], b"");
        assert_eq!(ran.status, Some(2));
        assert!(
            ran.stderr.starts_with("bouton-match: edited.jsonl, line 2: move 2 is illegal:"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn an_invalid_transcript_is_refused_with_the_line_number() {
    let folder = folder();
    run_ok(&folder, &["play", "random", "greedy", "-q", "--set", "stones=20", "--record", "valid.jsonl"]);
    let valid = std::fs::read_to_string(folder.path().join("valid.jsonl")).unwrap();
    for (text, expected) in [
        (format!("{valid}hello\n"), "line 2: this is not a line of a transcript"),
        (format!("{valid}\n"), "line 2: this is not a line of a transcript: it is blank"),
        (valid.replace("\"stones\":20", "\"stones\":0"), "line 1: this is not a line of a transcript"),
        (
            valid
                .replace("\"winner\":\"first\"", "\"winner\":\"x\"")
                .replace("\"winner\":\"second\"", "\"winner\":\"x\""),
            "line 1: this is not",
        ),
        (valid.replace("\"start\":\"20", "\"start\":\"21"), "line 1: start: stones: found 21, but"),
        (valid.replace("\"played\"", "\"time\""), "line 1: the result differs"),
        (
            valid.replace("\"stones\":20", "\"stones\":1000000000"),
            "line 1: a game of 1490711994171800 positions is too large to be solved on the spot",
        ),
    ] {
        std::fs::write(folder.path().join("bad.jsonl"), text).unwrap();
        let ran = run_match(folder.path(), &["replay", "bad.jsonl"], b"");
        assert_eq!(ran.status, Some(2), "{expected}");
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    }
    // Games after a truncated line (after a full disk, for example) are shown all the same.
    let cut = &valid[..valid.find("\"start\"").unwrap()];
    std::fs::write(folder.path().join("cut.jsonl"), format!("{valid}{cut}\n{valid}")).unwrap();
    let ran = run_match(folder.path(), &["replay", "cut.jsonl"], b"");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stdout.contains("line 1: ") && ran.stdout.contains("line 3: "), "{}", ran.stdout);
    let errors: Vec<&str> = ran.stderr.lines().collect();
    assert!(errors[0].contains("cut.jsonl, line 2: this is not a line of a transcript: EOF"), "{errors:?}");
    assert!(errors[1].ends_with("cut.jsonl: skipped 1 of 3 lines, which are not games"), "{errors:?}");
    assert!(
        run_refused(&folder, &["replay", "nothing.jsonl"]).contains("give a transcript made with --record")
    );
    std::fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    assert!(run_refused(&folder, &["replay", "empty.jsonl"]).contains("empty.jsonl has no games"));
    run_ok(&folder, &["tournament", "random", "greedy", "--set", "stones=9", "--save", "saved.jsonl"]);
    let error = run_refused(&folder, &["replay", "saved.jsonl"]);
    assert!(error.contains("a file of results, which has no moves; `bouton-match standings saved.jsonl`"));
    table(&folder, 30, "t.bouton");
    run_ok(&folder, &["play", "random", "greedy", "-q", "--rules", "sticks", "--record", "sticks.jsonl"]);
    let error = run_refused(&folder, &["replay", "sticks.jsonl", "--table", "t.bouton"]);
    assert!(error.contains("of another game, {\"game\":\"expanding\",\"rules\":{\"stones\":30,"), "{error}");
}

#[test]
fn saved_chances_play_like_computed_ones() {
    let folder = folder();
    table(&folder, 100, "t.bouton");
    table(&folder, 101, "u.bouton");
    let made = run_ok(&folder, &["chances", "t.bouton", "--model", "misread:0.05"]);
    assert!(made.starts_with("t.chances: the best response to misread:0.05,"), "{made}");
    assert_eq!(files(folder.path()), ["t.bouton", "t.chances", "u.bouton"]);
    let wins = |policy: &str| {
        let player = format!("t=table:t.bouton:{policy}");
        let args =
            ["tournament", &player, "model:misread/last", "--stones", "1-100", "--games", "5", "--json"];
        json(&run_ok(&folder, &args))["standings"].clone()
    };
    assert_eq!(wins("swindle:t.chances"), wins("swindle:misread:0.05"));
    // An existing file is not replaced, and belongs to its own table only.
    let error = run_refused(&folder, &["chances", "t.bouton", "--model", "err:0.1"]);
    assert!(error.contains("t.chances exists; --force replaces it"), "{error}");
    run_ok(&folder, &["chances", "t.bouton", "--model", "err:0.1", "--force"]);
    let error = run_refused(&folder, &["play", "table:u.bouton:swindle:t.chances", "random"]);
    assert!(error.contains("t.chances: it belongs to another table"), "{error}");
    let error = run_refused(&folder, &["play", "table:t.bouton:swindle:t.bouton.chances", "random"]);
    assert!(error.contains("cannot open t.bouton.chances"), "{error}");
    let path = folder.path().join("t.chances");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&path, bytes).unwrap();
    let error = run_refused(&folder, &["play", "table:t.bouton:swindle:t.chances", "random"]);
    assert!(error.contains("damaged"), "{error}");
}

#[test]
fn mistyped_arguments_are_refused_with_the_allowed_values() {
    let folder = folder();
    table(&folder, 30, "t.bouton");
    for (args, expected) in [
        (&["play", "bob", "random"][..], "there is no player 'bob'; players are human, random, greedy"),
        (&["play", "table:none.bouton", "random"], "cannot open none.bouton"),
        (
            &["play", "table:adpat", "random"],
            "there is no file adpat, and no policy 'adpat'; give the path of a table made by `bouton generate`, or a \
             policy: longest, trap,",
        ),
        (
            &["play", "table:t.bouton", "random", "--rules", "sticks"],
            "t.bouton: this table is not of the game that is played",
        ),
        (
            &["play", "table:t.bouton", "random", "--set", "growth=2"],
            "t.bouton: this table is not of the game that is played",
        ),
        (
            &["play", "table:t.bouton", "random", "--rules", "expanding"],
            "does not cover the start 1000/0/1/4,4/-",
        ),
        (&["play", "table:t.bouton:best", "random"], "there is no policy 'best'; policies are: longest"),
        (
            &["play", "random", "random", "--record", "t.bouton"],
            "t.bouton exists and is not a transcript; name another file with --record",
        ),
        (
            &["chances", "t.bouton", "--model", "random", "-o", "t.dat"],
            "-o t.dat: the name of a file of chances ends in",
        ),
        (&["play", "random", "random", "--clock", "-5"], "invalid value '-5' for '--clock"),
        (&["play", "table:t.bouton:swindle:x", "random"], "found 'x' in a model, expected a model's name"),
        (
            &["play", "random", "random", "--start", "1001"],
            "stones: found 1001, but the rules allow games of at most 1000 stones; --set stones=1001 changes the rules",
        ),
        (&["tournament", "random", "greedy", "--stones", "2000"], "; --set stones=2000 changes the rules"),
        (&["play", "random", "random", "--start", "990/5"], "this position cannot arise"),
        (&["connect", "127.0.0.1:1", "--wait", "-2"], "expected a whole number of seconds from 0 to 1000000"),
        (&["connect", "127.0.0.1:1", "--clock", "x"], "expected a whole number of seconds from 1 to 1000000"),
        (
            &["connect", "127.0.0.1:1", "--patience", "0"],
            "expected a whole number of seconds from 1 to 1000000",
        ),
        (&["connect", "127.0.0.1:1", "--session", "abc"], "expected the number of a session"),
        (
            &["connect", "127.0.0.1:1", "--pause", "x"],
            "expected a whole number of milliseconds from 0 to 60000",
        ),
        (
            &["connect", "127.0.0.1:1", "--pause", "-1"],
            "invalid value '-1' for '--pause <MS>': expected a whole",
        ),
        (&["play", "random", "random", "--clock", "0"], "expected a number of seconds"),
        (&["play", "random", "random", "--games", "0"], "expected a whole number from 1 to 10000000"),
        (&["play", "random", "random", "--record", "no/r.jsonl"], "cannot write the transcript no/r.jsonl"),
        (
            &["tournament", "random", "human"],
            "a human plays at a terminal, with `bouton-match play`, and not here",
        ),
        (&["tournament", "random", "greedy", "--stones", "5-3"], "--stones: the range 5-3 is empty"),
        (
            &["tournament", "random", "greedy", "--games", "1000000", "--stones", "1-100"],
            "2 players, 100 starts and --games 1000000 make 200000000 games, at most 10000000 are allowed",
        ),
        (&["tournament", "random", "greedy", "--stones", "a"], "found 'a', expected a number or a range"),
        (
            &["chances", "t.bouton", "--model", "err:7"],
            "found '7' in a model, expected a probability from 0 to 1",
        ),
        (&["chances", "t.bouton", "--model", "err:0.1", "-o", "no/c.chances"], "cannot write no/c.chances"),
    ] {
        let error = run_refused(&folder, args);
        assert!(error.contains(expected), "{args:?}: {error}");
    }
    assert_eq!(files(folder.path()), ["t.bouton"]);
}

#[test]
fn games_are_appended_to_transcripts_only() {
    let folder = folder();
    run_ok(&folder, &["tournament", "random", "greedy", "--set", "stones=9", "--save", "results.jsonl"]);
    std::fs::write(folder.path().join("other.jsonl"), "{\"hello\":1}\n").unwrap();
    std::fs::write(folder.path().join("bytes"), b"{\xFF\xFE\n").unwrap();
    std::fs::write(folder.path().join("blank.jsonl"), "\n").unwrap();
    for file in ["results.jsonl", "other.jsonl", "bytes", "blank.jsonl"] {
        let before = std::fs::read(folder.path().join(file)).unwrap();
        let error = run_refused(&folder, &["play", "random", "greedy", "--record", file]);
        assert!(error.contains(&format!("{file} exists and is not a transcript")), "{error}");
        assert_eq!(std::fs::read(folder.path().join(file)).unwrap(), before);
    }
    // One file for two purposes is refused before anything is written to it.
    for (option, file) in [("--save", "new.jsonl"), ("--resume", "results.jsonl")] {
        let players: &[&str] = if option == "--save" { &["random", "greedy"] } else { &[] };
        let args = [&["tournament"], players, &[option, file, "--record", file]].concat();
        let error = run_refused(&folder, &args);
        assert!(error.contains("cannot have both the results and the games"), "{error}");
    }
    assert_eq!(files(folder.path()), ["blank.jsonl", "bytes", "other.jsonl", "results.jsonl"]);
}

#[test]
fn interrupted_games_report_the_score_so_far() {
    let folder = folder();
    // A bot that logs each request, and thinks forever at the fourth.
    let bot = "while read p; do echo >> asked; [ $(wc -l < asked) -le 3 ] || sleep 1000; echo 1; done";
    std::fs::write(folder.path().join("bot.sh"), bot).unwrap();
    let args =
        ["play", "exec:sh bot.sh", "random", "--set", "stones=1", "--games", "50", "--record", "r.jsonl"];
    let child = start_match(folder.path(), &args);
    let questions = || std::fs::read_to_string(folder.path().join("asked")).unwrap_or_default();
    wait_until(|| questions().lines().count() > 3);
    send_signal("INT", &child);
    let output = child.wait_with_output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(130), "{err}");
    let games = out.lines().filter(|line| line.starts_with("game ")).count();
    assert!(games > 0 && err.contains(&format!("interrupted after {games} of 50 games")), "{out}{err}");
    assert!(out.lines().last().unwrap().starts_with("exec:sh bot.sh "), "{out}");
    let recorded = std::fs::read_to_string(folder.path().join("r.jsonl")).unwrap();
    assert_eq!(recorded.lines().count(), games);
}

#[test]
fn a_program_that_cannot_be_started_is_reported_before_the_first_game() {
    let folder = folder();
    std::fs::write(folder.path().join("no-program"), "text").unwrap();
    for command in ["exec:./no-such-bot", "exec:./no-program", "bot:./no-such-bot", "bot:./no-program"] {
        for args in [&["play", "random", command][..], &["tournament", "random", "greedy", command]] {
            let error = run_refused(&folder, args);
            assert!(
                error.contains(&format!("{command}: it cannot be started: it ended (exit status: 12")),
                "{error}"
            );
        }
    }
    let error = run_refused(&folder, &["tournament", "random", "greedy", "old=bot:read line; echo ready 0"]);
    assert!(error.contains("old: it said 'ready 0', which is another version of the protocol; expected"));
}

#[test]
fn a_program_that_ends_before_its_first_answer_ends_the_run() {
    let folder = folder();
    for command in ["exec:exit 3", "exec:true", "exec:./no-such-bot | cat", "exec:read position; exit 3"] {
        for args in [&["play", "random", command][..], &["tournament", "random", "greedy", command]] {
            let ran = run_match(folder.path(), &[args, &["--set", "stones=20"]].concat(), b"");
            assert_eq!(ran.status, Some(2), "{args:?}: {}", ran.stderr);
            assert!(!ran.stdout.contains("wins"), "{}", ran.stdout);
            let expected =
                [format!("{command}: it cannot be started: it ended"), format!("{command}: it ended")];
            assert!(expected.iter().any(|error| ran.stderr.contains(error)), "{}", ran.stderr);
            assert!(ran.stderr.contains("run the command by itself in this folder"), "{}", ran.stderr);
        }
    }
    // A program that makes its only move before the request, and ends, has played a game.
    let once = ["play", "exec:echo 1", "greedy", "--set", "stones=1"];
    assert_eq!(run_match(folder.path(), &once, b"").status, Some(0));
}

#[test]
fn a_bot_that_is_played_as_exec_is_reported_once() {
    let folder = folder();
    let bot = "exec:while read -r word rest; do case $word in position) echo 1 ;; esac; done";
    let games = ["--set", "stones=20", "--games", "2", "--clock", "0.3"];
    let ran = run_match(folder.path(), &[&["play", bot, "random"][..], &games].concat(), b"");
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout.matches("time ran out").count(), 2, "{}", ran.stdout);
    assert_eq!(ran.stderr.matches("no answer to its first position").count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("is a player bot:COMMAND"), "{}", ran.stderr);
}

#[test]
fn the_help_names_the_statuses_of_signals_and_the_kinds_of_starts() {
    let folder = folder();
    let help = run_ok(&folder, &["--help"]);
    assert!(help.contains("130") && help.contains("143"), "{help}");
    let help = run_ok(&folder, &["tournament", "--help"]);
    assert!(["- lost:", "- won:", "- all:"].iter().all(|kind| help.contains(kind)), "{help}");
}
