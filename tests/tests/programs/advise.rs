//! `bouton-match advise`, run by a user or by a program over pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use bouton_tests::children::{command, output};
use bouton_tests::programs::{ProgramRun, bouton, files, program, run_match, send_signal, start_match};
use serde_json::Value;
use tempfile::TempDir;

use crate::matches::{folder, json, run_ok, run_refused, table};

/// Runs the command with this input.
fn advise(folder: &TempDir, args: &[&str], typed: &str) -> ProgramRun {
    run_match(folder.path(), &[&["advise"], args].concat(), typed.as_bytes())
}

/// Returns the recorded games in a file.
fn recorded(folder: &TempDir, file: &str) -> Vec<Value> {
    std::fs::read_to_string(folder.path().join(file)).unwrap().lines().map(json).collect()
}

#[test]
fn each_line_of_input_is_answered_with_one_line() {
    let folder = folder();
    let args = ["advise", "sticks", "--quiet", "--second", "--policy", "longest"];
    let mut child = start_match(folder.path(), &args);
    let mut typed = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |line: &str| {
        writeln!(typed, "{line}").unwrap();
        answers.next().unwrap().unwrap()
    };
    assert_eq!(ask("position"), "3,5,7");
    assert!(ask("9:1").starts_with("error: That is not a move: row: found '9', expected a row from 1 to 3"));
    assert!(ask("1:4").starts_with("error: That is not legal: 1:4 at 3,5,7, where the legal moves are 1:1,"));
    // By Bouton's theorem 3,4,7 is lost, so any reply to 2:1 loses. Here we make another one than the program advises.
    let reply = ask("2:1");
    assert!(ask("me 3:7").eq("3:7"));
    assert_eq!(ask("position"), "3,4,0");
    assert_eq!(ask("undo"), "3,5,7");
    assert_eq!(ask("1 from heap 2"), reply);
    assert_eq!(ask("me 3:7"), "3:7");
    // The opponent errs. In 3,0,0 the best move leaves one stone.
    assert_eq!(ask("2:4"), "1:2");
    assert_eq!(ask("1:1"), "won");
    // The game is over, and the program has ended, though its input is still open.
    assert!(answers.next().is_none());
    assert_eq!(child.wait().unwrap().code(), Some(2), "two lines were wrong");
}

#[test]
fn our_first_move_is_printed_before_any_input() {
    let folder = folder();
    for first in [&["--first"][..], &[]] {
        let ran = advise(&folder, &[&["--stones", "5", "-q"], first].concat(), "");
        let [chosen, over] = ran.stdout.lines().collect::<Vec<_>>()[..] else { panic!("{}", ran.stdout) };
        assert!(["1", "1r"].contains(&chosen) && over == "over", "{}", ran.stdout);
        assert_eq!((ran.status, &*ran.stderr), (Some(0), ""));
    }
    let ran = advise(&folder, &["--stones", "5", "-q", "--second"], "");
    assert_eq!((&*ran.stdout, ran.status), ("over\n", Some(0)));
}

#[test]
fn an_invalid_line_is_reported_at_once_and_at_the_end() {
    let folder = folder();
    let ran = advise(&folder, &["wythoff", "--start", "1,2", "--second"], "1:1+2:2\n1:1+2:1\n");
    assert_eq!(ran.status, Some(2));
    assert_eq!(ran.stderr, "bouton-match: 1 line was invalid; standard output says why\n");
    let expected = "\
A heap game from 1,2; lost positions are played by adapt.
A player who cannot move has lost: the player who makes the last move wins.
  rows 1, 2
  That is not legal: 1:1+2:2 at 1,2, where the legal moves are 1:1, 1:1+2:1, 2:1, 2:2.
  rows 0, 1
  >>>  TAKE 1 FROM ROW 2  (2:1)
  You win in 1 ply.
You have won.
";
    assert_eq!(ran.stdout, expected);
}

#[test]
fn a_game_can_continue_from_a_given_position() {
    let folder = folder();
    let args = ["--stones", "60", "--second", "--policy", "longest"];
    let moves = ["3r", "1", "2"];
    let typed = |moves: &[&str]| moves.iter().map(|chosen| format!("{chosen}\n")).collect::<String>();
    let whole = advise(&folder, &[&args[..], &["-q"]].concat(), &typed(&moves));
    let part = advise(&folder, &args, &typed(&moves[..2]));
    let hint = part.stdout.lines().last().unwrap();
    let words: Vec<&str> = hint.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "--start").unwrap();
    let rest = [&words[at..at + 3], &["--policy", "longest", "-q"]].concat();
    let rest = advise(&folder, &rest, &typed(&moves[2..]));
    assert_eq!(rest.stdout.lines().next(), whole.stdout.lines().nth(2), "{hint}");
}

#[test]
fn a_recorded_game_replays_to_the_same_result() {
    let folder = folder();
    let broken_off = "the advice ended before the game";
    for (number, (args, typed, moves, end)) in [
        // 4 stones are lost for the first player.
        (&["--stones", "4", "--second"][..], "1r\n", &["1r", "3"][..], "second"),
        (&["--stones", "4", "--first"], "undo\n3\n", &["1", "3"], "second"),
        // The record has the move that we really played, not the advised one.
        (&["sticks", "--second"], "1:1\nme 3:7\n2:5\n", &["1:1", "3:7", "2:5", "1:1"], broken_off),
        (&["nim-pass", "--start", "1,1,0", "--second"], "pass\n2:1\n", &["pass", "1:1", "2:1"], "first"),
        (&["moore", "--start", "1,1,1,0", "--second"], "1:1+2:1\n", &["1:1+2:1", "3:1"], "second"),
    ]
    .into_iter()
    .enumerate()
    {
        let common = ["--policy", "longest", "--opponent", "kiwi", "--record", "r.jsonl"];
        let ran = advise(&folder, &[args, &common].concat(), typed);
        assert_eq!(ran.status, Some(if typed.starts_with("undo") { 2 } else { 0 }), "{}", ran.stderr);
        let replayed: Vec<Value> =
            run_ok(&folder, &["replay", "r.jsonl", "--json"]).lines().map(json).collect();
        assert_eq!(replayed.len(), number + 1);
        let game = &replayed[number];
        assert_eq!(game["moves"], serde_json::json!(moves));
        let (us, kiwi) = (usize::from(args.contains(&"--second")), usize::from(!args.contains(&"--second")));
        assert_eq!((&game["players"][us], &game["players"][kiwi]), (&"us".into(), &"kiwi".into()));
        let ended = if end == broken_off { &game["broken-off"] } else { &game["winner"] };
        assert_eq!(ended, end, "{game}");
    }
}

#[test]
fn the_moves_of_an_interrupted_game_are_recorded() {
    let folder = folder();
    let args = ["advise", "-q", "--stones", "200", "--second", "--record", "r.jsonl"];
    for (signal, status) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let mut child = start_match(folder.path(), &args);
        let mut typed = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
        // Moves taken back are not recorded.
        typed.write_all(b"1\nundo\n2r\n").unwrap();
        let replies: Vec<String> = answers.by_ref().take(3).map(|line| line.unwrap()).collect();
        // The input stays open.
        send_signal(signal, &child);
        assert_eq!(child.wait().unwrap().code(), Some(status));
        assert!(answers.next().is_none());
        let game = recorded(&folder, "r.jsonl").pop().unwrap();
        assert_eq!(game["moves"], serde_json::json!(["2r", replies[2]]), "{signal}");
        assert_eq!(game["broken-off"], "interrupted");
        drop(typed);
    }
    assert_eq!(run_ok(&folder, &["replay", "r.jsonl", "--json"]).lines().count(), 3);
}

#[test]
fn a_game_without_moves_is_not_recorded() {
    let folder = folder();
    let ran = advise(&folder, &["--stones", "9", "--second", "--record", "r.jsonl"], "undo\nquit\n");
    assert_eq!(ran.status, Some(2));
    assert_eq!(files(folder.path()), [""; 0]);
}

#[test]
fn a_game_is_recorded_even_if_the_output_is_closed() {
    let folder = folder();
    let args = ["advise", "--stones", "200", "--second", "--record", "r.jsonl"];
    let mut child = start_match(folder.path(), &args);
    drop(child.stdout.take());
    let mut typed = child.stdin.take().unwrap();
    // The program ends when it cannot print its first line, perhaps before it has read its input.
    let _ = typed.write_all(b"1\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
    drop(typed);
    assert!(files(folder.path()).len() <= 1);
    // Once the program has read a move, the move is in the record.
    let mut child = start_match(folder.path(), &args);
    let mut typed = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        answers.read_line(&mut String::new()).unwrap();
    }
    drop(answers);
    typed.write_all(b"1\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let game = recorded(&folder, "r.jsonl").pop().unwrap();
    assert_eq!((&game["moves"][0], game["moves"].as_array().unwrap().len()), (&Value::from("1"), 2));
}

#[test]
fn advice_from_a_table_and_from_its_ruleset_is_the_same() {
    let folder = folder();
    table(&folder, 80, "t.bouton");
    let ran = bouton(folder.path(), &["generate", "marienbad", "--no-depth", "-o", "m", "-q"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    let typed = "2\n1r\n3\n1\n";
    for start in [&["--stones", "70"][..], &["--start", "61/5/2/1,0/r"]] {
        let of = |game: &[&str]| advise(&folder, &[game, start, &["-q", "--second"]].concat(), typed).stdout;
        assert_eq!(of(&["t.bouton"]), of(&["--set", "stones=80"]));
    }
    // A table is recognized by its contents, whatever its file is called. Without depths there are no plies in
    // the text.
    let ran = advise(&folder, &["m", "--second"], "4:7\n");
    assert!(
        ran.stdout.contains("  They erred: you win.\n") || ran.stdout.contains("  You win.\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn invalid_arguments_are_refused_with_advice() {
    let folder = folder();
    table(&folder, 30, "t.bouton");
    std::fs::write(folder.path().join("bad.bouton"), "text").unwrap();
    for (args, expected) in [
        (&["chess"][..], "there is no preset 'chess'; presets are: expanding,"),
        (&["none.bouton"], "cannot open none.bouton"),
        (&["bad.bouton"], "not a Bouton table"),
        (
            &["t.bouton", "--set", "growth=2"],
            "t.bouton: the table has growth=1, but the game has growth=2; make a table with `bouton generate --set growth=2`",
        ),
        (
            &["t.bouton", "--stones", "31"],
            "stones: found 31, but the table covers games of at most 30 stones",
        ),
        (&["t.bouton", "--table", "t.bouton"], "cannot be used with"),
        (&["sticks", "--rules", "nim"], "cannot be used with"),
        (&["t.bouton", "--start", "28/9"], "this position cannot arise"),
        (
            &["--start", "1001"],
            "stones: found 1001, but the rules allow games of at most 1000 stones; --set stones=1001",
        ),
        (
            &["sticks", "--stones", "9"],
            "--stones does not fit this game; give each start with --start, for example",
        ),
        (&["sticks", "--start", "3,5,8"], "heaps: found 3,5,8, but the rules allow"),
        (&["--stones", "0"], "expected a whole number from 1 to 1000000000000"),
        (&["--stones", "5", "--start", "5"], "cannot be used with"),
        (&["--first", "--second"], "cannot be used with"),
        (&["--policy", "best"], "there is no policy 'best'; policies are: longest"),
        (
            &["sticks", "--policy", "swindle:misread"],
            "cannot play by swindle:misread: the model misread is about resets",
        ),
        (
            &["--set", "stones=1000000000"],
            "is too large to be solved on the spot; make its table with `bouton generate`",
        ),
        (&["--record", "t.bouton"], "t.bouton exists and is not a transcript"),
    ] {
        let error = run_refused(&folder, &[&["advise"], args].concat());
        assert!(error.contains(expected), "{args:?}: {error}");
    }
    assert_eq!(files(folder.path()), ["bad.bouton", "t.bouton"]);
}

#[test]
fn a_start_with_more_stones_than_the_preset_is_solved() {
    let folder = folder();
    let ran = advise(&folder, &["--stones", "1200", "--policy", "longest"], "");
    assert!(ran.stdout.starts_with("Expanding Nim from 1200/0/1/4,4/-;"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.status, Some(0));
}

#[test]
fn the_help_lists_all_commands_and_results() {
    let folder = folder();
    let help = run_ok(&folder, &["advise", "--help"]);
    for word in ["undo", "me MOVE", "moves", "why", "position", "quit", "won", "lost", "over"] {
        assert!(help.contains(word), "{word}: {help}");
    }
}

/// An input that is closed before anything is typed, for example `< /dev/null`, ends the program normally.
#[test]
fn the_end_of_the_input_ends_the_program() {
    let folder = folder();
    let mut command = command(program("bouton-match"));
    command.args(["advise", "sticks", "--second"]).current_dir(folder.path()).stdin(Stdio::null());
    let output = output(&mut command);
    let answers = String::from_utf8(output.stdout).unwrap();
    assert!(answers.ends_with("The game is not over; --start 3,5,7 --second continues it.\n"), "{answers}");
    assert_eq!(output.status.code(), Some(0));
}
