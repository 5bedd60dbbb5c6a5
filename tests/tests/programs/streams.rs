//! Inputs and outputs other than files: `-`, pipes and devices wherever a file can be named; and several files at
//! once.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Stdio;

use bouton_tests::children::{command, output};
use bouton_tests::programs::{ProgramRun, bouton, lookup, program, run_in_bash};
use tempfile::{TempDir, tempdir};

/// Makes an empty temporary folder.
fn empty_folder() -> TempDir {
    tempdir().unwrap()
}

/// Returns the table of 3-5-7, from the file that `generate` makes.
fn sticks(here: &Path) -> Vec<u8> {
    assert_eq!(bouton(here, &["generate", "sticks", "-q"]).status, Some(0));
    fs::read(here.join("sticks.bouton")).unwrap()
}

/// Runs a line in a shell, where `$B` is `bouton`.
fn in_shell(here: &Path, line: &str) -> (Option<i32>, Vec<u8>, String) {
    let mut command = command("bash");
    command.args(["-c", line]).env("B", program("bouton")).current_dir(here).stdin(Stdio::null());
    let ran = output(&mut command);
    (ran.status.code(), ran.stdout, String::from_utf8(ran.stderr).unwrap())
}

#[test]
fn a_table_is_the_same_in_files_pipes_and_devices() {
    let here = empty_folder();
    let table = sticks(here.path());
    for line in [
        "$B generate sticks -o -",
        "$B generate sticks -o /dev/stdout",
        "$B generate sticks -o /dev/fd/1 | cat",
        "$B generate sticks -o >(cat) -q; wait $!",
        "$B rules sticks | $B generate - -o -",
        "$B generate <($B rules sticks) -o -",
    ] {
        let (status, written, errors) = in_shell(here.path(), line);
        assert!(status == Some(0) && written == table, "{line}: {status:?} {errors}");
        assert_eq!(
            errors.contains("standard output: every position of"),
            !line.contains(">("),
            "{line}: {errors}"
        );
    }
    // A device that names standard output is written to, not replaced.
    fs::write(here.path().join("all"), "before ").unwrap();
    let (status, ..) = in_shell(here.path(), "$B generate sticks -q -o /dev/stdout >> all");
    assert_eq!(status, Some(0));
    assert!(fs::read(here.path().join("all")).unwrap() == [b"before ", &table[..]].concat());
    let ran = bouton(here.path(), &["generate", "sticks", "-o", "/dev/null"]);
    assert_eq!((ran.status, &ran.stderr[..]), (Some(0), ""));
    assert!(ran.stdout.starts_with("/dev/null: every position of sticks, solved\n"), "{ran:?}");
    let mut left: Vec<_> =
        fs::read_dir(here.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["all", "sticks.bouton"]);
}

#[test]
fn a_table_and_a_ruleset_are_read_from_standard_input_and_pipes() {
    let here = empty_folder();
    sticks(here.path());
    let expected = |args: &[&str]| bouton(here.path(), args);
    for (line, same) in [
        ("cat sticks.bouton | $B export - -f csv", &["export", "sticks.bouton", "-f", "csv"][..]),
        ("$B export <(cat sticks.bouton) -f csv", &["export", "sticks.bouton", "-f", "csv"]),
        ("$B rules sticks | $B export - -f csv -o -", &["export", "sticks.bouton", "-f", "csv"]),
        ("$B export - -f csv < sticks.bouton", &["export", "sticks.bouton", "-f", "csv"]),
        ("$B rules sticks | $B diff sticks.bouton - -q; echo $?", &["rules", "--help"]),
    ] {
        let (status, written, errors) = in_shell(here.path(), line);
        let written = String::from_utf8(written).unwrap();
        let expected = if line.contains("diff") { "0\n".to_owned() } else { expected(same).stdout };
        assert!(status == Some(0) && written == expected, "{line}: {errors}");
    }
    for (line, expected) in [
        (
            "cat sticks.bouton | $B info - | head -1",
            "standard input: a table of format 1, whole and undamaged\n",
        ),
        (
            "cat sticks.bouton | $B verify - | head -1",
            "standard input is right: each of its 88 positions follows from its successors, by the plain \
            rules; the file is whole.",
        ),
        ("$B rules sticks | $B check - 'stones < 0' 2>&1", "bouton: "),
    ] {
        let (_, written, errors) = in_shell(here.path(), line);
        assert!(
            String::from_utf8(written.clone()).unwrap().starts_with(expected),
            "{line}: {written:?} {errors}"
        );
    }
    // A stream that is too long, truncated or damaged is reported; an endless one does not hang the program.
    for (line, expected) in [
        (
            "cat sticks.bouton /dev/zero | $B info -",
            "standard input: the table is damaged: it has 304 bytes, expected 303",
        ),
        ("head -c 100 sticks.bouton | $B verify -", "standard input: the table is damaged: "),
        (
            "$B diff - - < sticks.bouton",
            "standard input can be read only once; name a file for one of the two",
        ),
        ("$B info - < /dev/null", "standard input: not a Bouton table but an empty file"),
        ("echo 'game = 3' | $B generate -", "standard input: "),
    ] {
        let (status, written, errors) = in_shell(here.path(), line);
        assert!(status == Some(2) && written.is_empty() && errors.contains(expected), "{line}: {errors}");
    }
    let mut question = command("bash");
    question.args(["-c", "cat sticks.bouton | $L - 3,5,7"]).env("L", program("bouton-lookup"));
    let answered = output(question.current_dir(here.path()));
    let expected = lookup(here.path(), &["sticks.bouton", "3,5,7"], b"").stdout;
    assert_eq!(String::from_utf8(answered.stdout).unwrap(), expected);
}

#[test]
fn a_ruleset_on_standard_input_makes_stdin_bouton() {
    let here = empty_folder();
    let script = "\"$0\" rules nim --set bounds=3,3 | \"$0\" generate - -q";
    let ran = run_in_bash(script, "bouton", here.path(), &[]);
    assert_eq!((ran.status, &ran.stderr[..]), (Some(0), ""));
    assert!(here.path().join("stdin.bouton").is_file());
}

#[test]
fn several_files_are_checked_and_the_worst_exit_status_is_returned() {
    let here = empty_folder();
    let table = sticks(here.path());
    let mut damaged = table;
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(here.path().join("damaged.bouton"), damaged).unwrap();
    let valid = "sticks.bouton";
    for command in ["info", "verify"] {
        let run = |args: &[&str]| bouton(here.path(), &[&[command], args].concat());
        let one = run(&[valid, "--json"]);
        assert_eq!((one.status, one.stdout.lines().count()), (Some(0), 1));
        let two = run(&[valid, valid, "--json"]);
        assert_eq!((two.status, two.stdout), (Some(0), one.stdout.repeat(2)), "{command}");
        for files in [[valid, "damaged.bouton", valid], ["missing.bouton", valid, valid]] {
            let ProgramRun { status, stdout, stderr } = run(&[&files[..], &["--json"]].concat());
            assert_eq!((status, &stdout), (Some(2), &one.stdout.repeat(2)), "{command} {files:?}: {stderr}");
            assert!(stderr.contains("damaged.bouton: ") || stderr.contains("cannot open missing.bouton: "));
        }
        let quiet = run(&[valid, valid, "-q"]);
        assert_eq!((quiet.status, &quiet.stdout[..], &quiet.stderr[..]), (Some(0), "", ""), "{command}");
        let bad = run(&["-q", "damaged.bouton"]);
        assert!(bad.status == Some(2) && bad.stdout.is_empty() && bad.stderr.contains("damaged.bouton"));
        let none = run(&[]);
        assert!(none.status == Some(2) && none.stderr.contains("<FILE>..."), "{none:?}");
    }
    let words = bouton(here.path(), &["info", valid, valid]).stdout;
    let one = bouton(here.path(), &["info", valid]).stdout;
    assert_eq!(words, format!("{one}\n{one}"));
}

#[test]
fn the_error_for_a_preset_in_place_of_a_file_says_how_to_make_the_file() {
    let here = empty_folder();
    let makes = "nim-pass is a preset, not a file; `bouton generate nim-pass` makes its table, nim-pass.bouton: give that";
    for command in ["info", "verify"] {
        let ran = bouton(here.path(), &[command, "nim-pass"]);
        assert_eq!((ran.status, ran.stderr), (Some(2), format!("bouton: {makes}\n")));
    }
    let ran = lookup(here.path(), &["nim-pass", "1,2,3/1"], b"");
    assert_eq!((ran.status, ran.stderr), (Some(2), format!("bouton-lookup: {makes}\n")));
    assert_eq!(bouton(here.path(), &["generate", "nim-pass", "-q"]).status, Some(0));
    let ran = lookup(here.path(), &["nim-pass", "1,2,3/1"], b"");
    assert_eq!(
        ran.stderr,
        "bouton-lookup: nim-pass is a preset, not a file; give its table, nim-pass.bouton\n"
    );
    // A file of that name is used.
    fs::rename(here.path().join("nim-pass.bouton"), here.path().join("nim")).unwrap();
    assert_eq!(lookup(here.path(), &["nim", "1,2,3/1"], b"").status, Some(0));
}

#[test]
fn names_of_files_need_not_be_utf_8() {
    let here = empty_folder();
    let name = |ending: &str| OsStr::from_bytes(&[b"t\xff", ending.as_bytes()].concat()).to_owned();
    let run = |program_name: &str, args: &[&OsStr]| {
        let ran = output(command(program(program_name)).args(args).current_dir(here.path()));
        assert!(ran.status.success(), "{args:?}: {ran:?}");
        ran.stdout
    };
    let [rules, table] = [name(".toml"), name(".bouton")];
    fs::write(here.path().join(&rules), run("bouton", &["rules".as_ref(), "sticks".as_ref()])).unwrap();
    // Without `-o` a table is named after its ruleset.
    run("bouton", &["generate".as_ref(), &rules]);
    assert!(here.path().join(&table).is_file());
    for args in [&["info"][..], &["verify"], &["export", "-f", "csv"], &["analyze"], &["check", "--quiet"]] {
        let mut args: Vec<&OsStr> = args.iter().map(|&word| word.as_ref()).collect();
        args.push(&table);
        if args[0] == "check" {
            args.push("lost == lost".as_ref());
        }
        run("bouton", &args);
    }
    run("bouton", &["diff".as_ref(), &rules, &table]);
    run("bouton-lookup", &[&table, "3,5,7".as_ref()]);
    let picture = name(".svg");
    run("bouton", &["draw".as_ref(), "game-map".as_ref(), &table, "-o".as_ref(), &picture]);
    assert!(here.path().join(&picture).is_file());
}

#[test]
fn transcripts_and_results_go_through_pipes() {
    let here = empty_folder();
    let run = |line: &str| {
        let mut command = command("bash");
        command.args(["-c", line]).env("M", program("bouton-match")).env("B", program("bouton"));
        let ran = output(command.current_dir(here.path()));
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (ran.status.code(), text(&ran.stdout), text(&ran.stderr))
    };
    // A record on standard output is the whole output, and equals the file's content.
    let (status, recorded, errors) = run("$M play random greedy --set stones=30 --record -");
    assert!(
        status == Some(0) && errors.contains("game 1: random moves first") && errors.contains("wins"),
        "{errors}"
    );
    assert_eq!(recorded.lines().count(), 1);
    let (status, words, _) = run("$M play random greedy --set stones=30 --record games.jsonl");
    assert_eq!((status, &words), (Some(0), &errors));
    let plain = |line: &str| {
        let mut game: serde_json::Value = serde_json::from_str(line).unwrap();
        game.as_object_mut().unwrap().retain(|key, _| key != "times" && key != "seconds");
        game
    };
    let in_file = fs::read_to_string(here.path().join("games.jsonl")).unwrap();
    assert_eq!(plain(&recorded), plain(&in_file));
    assert!(!here.path().join("-").exists());
    let (_, replayed, _) = run("$M replay games.jsonl");
    assert!(replayed.contains("1. random"));
    assert_eq!(run("$M replay - < games.jsonl").1, replayed);
    assert_eq!(run("$M play random greedy --set stones=30 --record - 2>/dev/null | $M replay -").1, replayed);
    let (status, _, errors) = run("$M replay - < /dev/null");
    assert_eq!(
        (status, &errors[..]),
        (Some(2), "bouton-match: standard input has no games; give a transcript made with --record\n")
    );
    let (_, drawn, _) = run("$B draw game - -o - -f svg -q < games.jsonl");
    assert!(drawn.starts_with("<svg ") && drawn == run("$B draw game games.jsonl -o g.svg -q; cat g.svg").1);

    let tournament = "$M tournament random greedy --set stones=30 --save t.results -q";
    assert_eq!(run(tournament).0, Some(0));
    let (_, standings, _) = run("$M standings t.results");
    assert!(standings.contains("greedy"));
    assert_eq!(run("$M standings - < t.results").1, standings);
    let starts =
        |from: &str| run(&format!("$M tournament random greedy --start-file {from} --csv=games -q")).1;
    fs::write(here.path().join("starts"), "10\n20 # a comment\n").unwrap();
    assert!(starts("starts").contains("\"20/0/1/4,4/-\""));
    assert_eq!(starts("- < starts"), starts("starts"));

    assert_eq!(run("$B generate --set stones=20 -o s.bouton -q").0, Some(0));
    let (status, words, _) = run(
        "$M chances s.bouton --model err:0.1 -o -  > piped.chances; $M chances s.bouton --model err:0.1 -q",
    );
    assert_eq!((status, &words[..]), (Some(0), ""));
    let [piped, filed] = ["piped.chances", "s.chances"].map(|name| fs::read(here.path().join(name)).unwrap());
    assert!(!piped.is_empty() && piped == filed);
}
