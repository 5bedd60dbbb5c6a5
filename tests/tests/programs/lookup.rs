//! The program `bouton-lookup`, as a user runs it: questions, batches and errors. Positions of Expanding Nim are stones
//! / currentmax / player to move / resets left / `r` under a reset, else `-`.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use bouton_tests::children::{command, output, spawn};
use bouton_tests::programs::{bouton, lookup, program, run_in_bash, workspace};
use serde_json::Value;
use tempfile::TempDir;

/// Makes a folder with tables of Expanding Nim with up to 60 stones and 2 and 1 resets: `t.bouton`, and `n.bouton`
/// without depths.
fn tables() -> TempDir {
    let here = tempfile::tempdir().expect("a folder can be made");
    for (file, more) in [("t.bouton", "--quiet"), ("n.bouton", "--no-depth")] {
        let args = ["generate", "--set", "stones=60", "--set", "resets=[2,1]", "-o", file, more];
        assert_eq!(bouton(here.path(), &args).status, Some(0));
    }
    here
}

/// Returns the output of `bouton-lookup --json`.
fn json(here: &Path, args: &[&str]) -> Value {
    let ran = lookup(here, &[args, &["--json"]].concat(), b"");
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
    serde_json::from_str(&ran.stdout).expect("it is JSON")
}

#[test]
fn json_has_its_keys_in_the_documented_order() {
    let here = tables();
    // From 4 stones no move of 1, 2 or 3 is enough: the opponent takes the rest.
    let ran = lookup(here.path(), &["t.bouton", "4/0/1/0,0/-", "--json"], b"");
    assert_eq!(
        ran.stdout,
        "{\"position\":\"4/0/1/0,0/-\",\"outcome\":\"loss\",\"depth\":2,\"best\":\"1\",\"winning\":[]}\n"
    );
    // From 8 stones the players took 1 and 3. Currentmax 3 allows 4, so player 1 takes the rest and wins.
    let ran = lookup(here.path(), &["t.bouton", "4/3/1/0,0/-", "--json"], b"");
    assert_eq!(
        ran.stdout,
        "{\"position\":\"4/3/1/0,0/-\",\"outcome\":\"win\",\"depth\":1,\"best\":\"4\",\"winning\":[\"4\"]}\n"
    );
    let ran = lookup(here.path(), &["n.bouton", "4/3/1/0,0", "--json"], b"");
    assert_eq!(
        ran.stdout,
        "{\"position\":\"4/3/1/0,0/-\",\"outcome\":\"win\",\"best\":\"4\",\"winning\":[\"4\"]}\n"
    );
    let ran = lookup(here.path(), &["t.bouton", "0/3/1/0,0", "--json"], b"");
    assert_eq!(
        ran.stdout,
        "{\"position\":\"0/3/1/0,0/-\",\"outcome\":\"loss\",\"depth\":0,\"best\":null,\"winning\":[]}\n"
    );
}

#[test]
fn moves_are_listed_best_first() {
    let here = tables();
    for position in ["30", "30/4/2/1,1/r", "9/3/1/2,0/-", "1/0/2/0,0/-"] {
        let answer = json(here.path(), &["t.bouton", position, "--moves"]);
        let moves = answer["moves"].as_array().unwrap();
        assert_eq!(moves[0]["move"], answer["best"], "{position}");
        let wins: Vec<&Value> = moves.iter().filter(|m| m["outcome"] == "win").map(|m| &m["move"]).collect();
        assert_eq!(wins.len(), answer["winning"].as_array().unwrap().len(), "{position}");
        // Winning moves by rising depth, then losing ones by falling depth.
        let depth = |m: &Value| m["depth_after"].as_i64().unwrap();
        let (won, lost) = moves.split_at(wins.len());
        assert!(won.is_sorted_by_key(depth) && lost.is_sorted_by_key(|m| -depth(m)), "{position}: {moves:?}");
        assert_eq!(depth(&moves[0]) + 1, answer["depth"].as_i64().unwrap(), "{position}");
    }
}

#[test]
fn trap_leaves_the_opponent_the_smallest_share_of_winning_replies() {
    let here = tables();
    let mut lost = 0;
    for stones in 1..=60 {
        let position = format!("{stones}/0/1/1,1/-");
        let answer = json(here.path(), &["t.bouton", &position, "--policy", "trap"]);
        if answer["outcome"] == "win" {
            assert_eq!(answer, json(here.path(), &["t.bouton", &position, "--policy", "fastest"]));
            continue;
        }
        lost += 1;
        let share = |chosen: &str| {
            let (take, reset) = chosen.strip_suffix('r').map_or((chosen, false), |take| (take, true));
            let take: u32 = take.parse().unwrap();
            let (first, imposed) = if reset { (0, "r") } else { (1, "-") };
            let next = format!("{}/{take}/2/{first},1/{imposed}", stones - take);
            let answer = json(here.path(), &["t.bouton", &next, "--moves"]);
            let count = |key: &str| answer[key].as_array().unwrap().len() as f64;
            count("winning") / count("moves")
        };
        let best = share(answer["best"].as_str().unwrap());
        let all = json(here.path(), &["t.bouton", &position, "--moves"]);
        for other in all["moves"].as_array().unwrap() {
            assert!(best <= share(other["move"].as_str().unwrap()), "{position}: {other}");
        }
    }
    assert!(lost >= 5, "only {lost} starts are lost");
}

#[test]
fn without_json_the_answer_is_sentences() {
    let here = tables();
    let words = |args: &[&str]| lookup(here.path(), args, b"").stdout;
    let text = words(&["t.bouton", "4/3/1/0,0/-"]);
    assert_eq!(text, "4/3/1/0,0/-: player 1 wins in 1 ply.\nBest move: 4 (take 4); no other move wins.\n");
    let text = words(&["t.bouton", "4/0/2/0,0/-"]);
    assert!(text.starts_with("4/0/2/0,0/-: player 2 loses in 2 plies.\nEvery move loses"), "{text}");
    let text = words(&["t.bouton", "0/0/2/0,0/-"]);
    assert_eq!(text, "0/0/2/0,0/-: player 2 has lost: the game is over.\n");
}

#[test]
fn a_batch_is_answered_line_by_line_and_bad_lines_do_not_stop_it() {
    let here = tables();
    let long = "9".repeat(1 << 20);
    let input = [
        b"8\n".as_slice(),
        b"x\n",
        long.as_bytes(),
        b"\n4/3/1/0,0/-\r\n",
        b"\xff\xfe\n",
        b"\n",
        b"61\n",
        b"9/9/9",
    ]
    .concat();
    let ran = lookup(here.path(), &["t.bouton", "--batch"], &input);
    assert_eq!(ran.status, Some(2));
    let lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 8);
    assert_eq!((&lines[0]["position"], &lines[3]["best"]), (&"8/0/1/2,1/-".into(), &"4".into()));
    for (line, error) in [
        (1, "stones: found 'x'"),
        (2, "this line of 1048577 bytes is not a position"),
        (4, "not valid UTF-8"),
        (5, "stones: found ''"),
        (6, "stones: found 61, but the table covers games of at most 60 stones"),
        (7, "turn: found '9'"),
    ] {
        assert!(lines[line]["error"].as_str().unwrap().contains(error), "{}", lines[line]);
        assert!(lines[line]["position"].as_str().unwrap().len() < 100);
    }
    let fine = lookup(here.path(), &["t.bouton", "--batch"], b"8\n9\n");
    assert_eq!((fine.status, fine.stdout.lines().count()), (Some(0), 2));
}

/// Starts a batch of questions about the table `t.bouton`. Returns the process, its input and its output.
fn start_batch(here: &Path) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    start_lookup(here, &["t.bouton", "--batch"])
}

/// Starts `bouton-lookup`. Returns the process, its input and its output.
fn start_lookup(here: &Path, args: &[&str]) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut command = command(program("bouton-lookup"));
    let mut child = spawn(command.args(args).current_dir(here).stdin(Stdio::piped()).stdout(Stdio::piped()));
    let (questions, answers) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, questions, BufReader::new(answers))
}

#[test]
fn a_batch_answers_each_line_before_the_next_one_is_sent() {
    let here = tables();
    let (mut child, mut questions, mut answers) = start_batch(here.path());
    for stones in 1..20 {
        writeln!(questions, "{stones}").unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        assert!(line.starts_with(&format!("{{\"position\":\"{stones}/0/1/2,1/-\"")), "{line}");
    }
    drop(questions);
    assert!(child.wait().unwrap().success());
}

#[test]
fn each_bad_question_gets_a_clear_error() {
    let here = tables();
    std::fs::write(here.path().join("text"), "no table").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&[], "no table is named"),
        (&["t.bouton"], "no position is given"),
        (&["t.bouton", "8", "--batch"], "positions come from standard input"),
        (&["t.bouton", "8", "--verify-reads"], "--verify-reads needs --batch"),
        (&["t.bouton", "8", "9"], "stones: found '8 9', expected a whole number from 0 to 60"),
        (&["t.bouton", "8", "--frobnicate"], "--frobnicate"),
        (
            &["t.bouton", "8", "--policy", "slow"],
            "there is no policy 'slow'; policies for lost positions are: longest",
        ),
        (&["missing", "8"], "cannot open missing"),
        (&["text", "8"], "text: not a Bouton table"),
        (&["t.bouton", "eight"], "stones: found 'eight', expected a whole number from 0 to 60"),
        (&["t.bouton", "3,5,7"], "this is Expanding Nim: a position looks like 60/0/1/2,1/-"),
        (&["t.bouton", "61"], "stones: found 61, but the table covers"),
        (
            &["t.bouton", "60/5"],
            "this position cannot arise: for 5 to be the most taken at once, at least 12",
        ),
        (&["t.bouton", "8/0/1/3,1"], "resets: found 3, but the table covers 0 to 2 resets of player 1"),
    ];
    for (args, expected) in cases {
        let ran = lookup(here.path(), args, b"");
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let here = tables();
    let script = "yes 8 | \"$0\" \"$@\" | head -n 3; echo ${PIPESTATUS[1]}";
    let ran = run_in_bash(script, "bouton-lookup", here.path(), &["t.bouton", "--batch"]);
    // Three answers, and the exit status of bouton-lookup.
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!((lines.len(), lines[3]), (4, "0"));
    assert_eq!(ran.stderr, "");
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_that_cannot_be_printed_does_not_change_the_exit_status() {
    let here = tables();
    for (status, name, args) in [
        (2, "bouton-lookup", "missing 1"),
        (2, "bouton-lookup", "t.bouton --frobnicate"),
        (2, "bouton", "generate missing"),
        (2, "bouton", "draw heatmap sticks --where heaps=9,9,9 -o sticks.svg"),
        (2, "bouton-match", "play table:missing random"),
        (2, "bouton", "analyze t.bouton --where resets=9,9"),
        // The program prints only a note.
        (0, "bouton", "export t.bouton -f csv --where stones=900"),
    ] {
        let words: Vec<&str> = args.split(' ').collect();
        let ran = run_in_bash("exec \"$0\" \"$@\" 2>/dev/full", name, here.path(), &words);
        assert_eq!(ran.status, Some(status), "{name} {args}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn errors_name_the_stream_that_cannot_be_read_or_written() {
    let here = tables();
    for (redirection, args, expected) in [
        (">/dev/full", "t.bouton 8", "cannot write standard output: No space left on device (os error 28)"),
        (
            ">/dev/full",
            "t.bouton --batch <<< 8",
            "cannot write standard output: No space left on device (os error 28)",
        ),
        ("< .", "t.bouton --batch", "cannot read standard input: Is a directory (os error 21)"),
    ] {
        let ran = run_in_bash(&format!("\"$0\" {args} {redirection}"), "bouton-lookup", here.path(), &[]);
        assert_eq!(
            (ran.status, ran.stderr),
            (Some(2), format!("bouton-lookup: {expected}\n")),
            "{args} {redirection}"
        );
    }
}

#[test]
fn help_names_the_main_options_and_version_names_the_table_format() {
    let here = tables();
    let help = lookup(here.path(), &["--help"], b"");
    assert_eq!((help.status, help.stderr.as_str()), (Some(0), ""));
    for word in ["--json", "--moves", "--policy", "--batch", "POSITION", "Exit status"] {
        assert!(help.stdout.contains(word), "{word}");
    }
    assert_eq!(lookup(here.path(), &["--version"], b"").stdout, "bouton-lookup 0.1.0 (table format 1)\n");
}

#[test]
fn bouton_lookup_depends_on_nothing_that_only_solving_or_serving_needs() {
    let mut cargo = command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["tree", "--offline", "-p", "bouton-lookup", "--prefix", "none"]).current_dir(workspace());
    let tree = output(&mut cargo);
    let tree = String::from_utf8(tree.stdout).unwrap();
    assert!(tree.contains("bouton-tables") && tree.contains("memmap2"), "{tree}");
    for dependency in ["rayon", "indicatif", "tokio", "clap", "toml", "blake3", "bouton-generator"] {
        let found = tree.lines().any(|line| line.split(' ').next() == Some(dependency));
        assert!(!found, "bouton-lookup must not depend on {dependency}:\n{tree}");
    }
}

#[test]
fn a_batch_answers_a_line_before_the_next_one_is_complete() {
    let here = tables();
    let (mut child, mut questions, mut answers) = start_batch(here.path());
    questions.write_all(b"8\n5").unwrap();
    let mut line = String::new();
    answers.read_line(&mut line).unwrap();
    assert!(line.starts_with("{\"position\":\"8/0/1/2,1/-\""), "{line}");
    questions.write_all(b"9\n").unwrap();
    line.clear();
    answers.read_line(&mut line).unwrap();
    assert!(line.starts_with("{\"position\":\"59/0/1/2,1/-\""), "{line}");
    drop(questions);
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_open_small_table_still_answers_after_its_file_is_truncated() {
    // A table of at most 128 KiB is read into memory, not mapped (`MAX_READ` in `tables/src/map/mod.rs`).
    let here = tables();
    let path = here.path().join("t.bouton");
    let (mut child, mut questions, mut answers) = start_batch(here.path());
    let mut ask = |question: &str| {
        writeln!(questions, "{question}").unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        line
    };
    let before = ask("58");
    std::fs::File::create(&path).unwrap();
    assert_eq!(ask("58"), before);
    assert!(ask("57").contains("outcome"));
    drop(questions);
    assert!(child.wait().unwrap().success());
}

#[test]
fn verify_reads_turns_answers_into_errors_as_long_as_a_mapped_table_has_other_bytes() {
    let here = tempfile::tempdir().expect("a folder can be made");
    // A table large enough to be mapped, and another valid table, which is cut or padded to the same length.
    let arguments = |play| ["generate", "--set", "stones=6000", "--set", play, "--quiet", "-o"];
    for (play, file) in [("play=normal", "t.bouton"), ("play=misere", "other.bouton")] {
        assert_eq!(bouton(here.path(), &[&arguments(play)[..], &[file]].concat()).status, Some(0));
    }
    let path = here.path().join("t.bouton");
    let valid = std::fs::read(&path).unwrap();
    let mut other = std::fs::read(here.path().join("other.bouton")).unwrap();
    assert!(valid.len() > 128 << 10, "{} bytes are not mapped", valid.len());
    other.resize(valid.len(), 0);
    let scrambled: Vec<u8> = valid.iter().map(|byte| !byte).collect();

    let (mut child, mut questions, mut answers) =
        start_lookup(here.path(), &["t.bouton", "--batch", "--verify-reads"]);
    let mut ask = |question: &str| {
        writeln!(questions, "{question}").unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        line
    };
    // Overwrites the file in place, as a copy does, instead of renaming.
    let overwrite = |bytes: &[u8]| {
        let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.write_all(bytes).unwrap();
    };
    let positions = ["6000", "1234/17/2/3,1/r", "999/5"];
    let right = positions.map(&mut ask);
    assert!(right.iter().all(|answer| answer.contains("outcome")), "{right:?}");
    for bad in [&other, &scrambled] {
        overwrite(bad);
        for answer in positions.map(&mut ask) {
            assert!(answer.contains("\"error\":\"the table is damaged"), "{answer}");
        }
        overwrite(&valid);
        assert_eq!(positions.map(&mut ask), right);
    }
    drop(questions);
    assert_eq!(child.wait().unwrap().code(), Some(2));
}
