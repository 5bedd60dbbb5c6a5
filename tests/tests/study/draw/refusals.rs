//! `bouton draw` refuses invalid files, tables, filters and transcripts with a clear error, and writes no file.

use std::fs;
use std::path::Path;

use bouton_tests::programs::{ProgramRun, bouton, files};

use super::pictures::{RECORDED, single_stone_game};

/// Runs `bouton draw`, which must print nothing and not change the folder.
fn draw(here: &Path, args: &[&str]) -> ProgramRun {
    let before = files(here);
    let output: &[&str] = if args.contains(&"-o") { &[] } else { &["-o", "picture.svg"] };
    let ran = bouton(here, &[&["draw"], args, output].concat());
    assert_eq!(files(here), before, "{args:?}: {ran:?}");
    assert_eq!(ran.stdout, "", "{args:?}");
    ran
}

/// Runs `bouton draw` with each case's arguments: it must fail with an error that contains the case's text.
fn check_refusals(here: &Path, cases: &[(&[&str], &str)]) {
    for (args, expected) in cases {
        let ran = draw(here, args);
        assert_eq!(ran.status, Some(2), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("panicked"), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn invalid_output_files_and_options_are_refused() {
    let here = tempfile::tempdir().unwrap();
    fs::create_dir(here.path().join("folder.svg")).unwrap();
    fs::write(here.path().join("there.png"), b"mine").unwrap();
    let heatmap = |file: &'static str| ["heatmap", "expanding", "-o", file];
    check_refusals(
        here.path(),
        &[
            (&heatmap("picture.jpg"), "picture.jpg does not end in .svg, .png, .pdf or .tex"),
            (&heatmap("picture"), "does not end in .svg, .png, .pdf or .tex"),
            (&heatmap(".svg"), "does not end in .svg, .png, .pdf or .tex"),
            (&heatmap("folder.svg"), "folder.svg is a folder; name a file in it"),
            (&heatmap("no/folder/p.svg"), "cannot write no/folder/p.svg"),
            (&heatmap("/proc/p.svg"), "cannot write /proc/p.svg"),
            (&heatmap("there.png"), "there.png exists; --force replaces it"),
            (&["heatmap", "expanding", "--scale", "9", "-o", "p.png"], "invalid value '9'"),
            (&["heatmap", "expanding", "--scale", "0", "-o", "p.png"], "invalid value '0'"),
            (&["heatmap", "expanding", "--of", "beauty"], "invalid value 'beauty'"),
        ],
    );
    assert_eq!(fs::read(here.path().join("there.png")).unwrap(), b"mine");
    let without = bouton(here.path(), &["draw", "heatmap", "expanding"]);
    assert!(without.status == Some(2) && without.stderr.contains("--output <FILE>"), "{without:?}");
}

#[test]
fn invalid_tables_filters_and_positions_are_refused_with_what_to_do() {
    let here = tempfile::tempdir().unwrap();
    let bare = ["generate", "-q", "--no-depth", "--set", "stones=50", "-o", "bare.bouton"];
    assert_eq!(bouton(here.path(), &bare).status, Some(0));
    fs::write(here.path().join("broken.bouton"), b"\x89BTN and no more").unwrap();
    fs::write(here.path().join("g.jsonl"), format!("{}\n", single_stone_game(50, 50))).unwrap();
    check_refusals(
        here.path(),
        &[
            (&["heatmap", "chess"], "there is no preset 'chess'"),
            (&["heatmap", "broken.bouton"], "broken.bouton"),
            (&["heatmap", "bare.bouton", "--set", "growth=2"], "'growth=2' cannot be set"),
            (
                &["heatmap", "bare.bouton", "--of", "depth"],
                "the table has none; draw --of outcome or winning",
            ),
            (&["game", "g.jsonl", "--table", "bare.bouton"], "the table has none; generate it again"),
            (&["heatmap", "bare.bouton", "--where", "depth=3"], "the fields are"),
            (&["heatmap", "bare.bouton", "--where", "stnes=3"], "--where, at character 1: found 'stnes'"),
            (&["heatmap", "bare.bouton", "--where", "stones=x"], "found 'x'"),
            (&["heatmap", "bare.bouton", "--where", "resets=0..4,1"], "one value of resets"),
            (&["heatmap", "bare.bouton", "--where", "turn=1..2"], "one value of turn"),
            (&["heatmap", "bare.bouton", "--where", "turn=3"], "found '3'; turn is 1 or 2"),
            (&["heatmap", "bare.bouton", "--where", "turn=99999999999"], "turn is 1 or 2"),
            (&["heatmap", "subtraction"], "a plane has two free heaps, found 3"),
            (&["heatmap", "subtraction"], "--where 'heaps=1,*,*'"),
            (&["heatmap", "sticks", "--where", "heaps=1,2,*"], "a plane has two free heaps, found 1"),
            (&["heatmap", "sticks", "--set", "bounds=[9]"], "a game of one heap has no plane"),
            (&["heatmap", "nim-pass", "--where", "heaps=1,*,* passes=0..1"], "one value of passes"),
            (&["diff", "sticks", "expanding"], "A is of game \"heaps\" and B of game \"expanding\""),
            (
                &["diff", "bare.bouton", "bare.bouton", "--where", "outcome=win"],
                "two tables have two answers",
            ),
            (&["diff", "nim", "subtraction"], "a plane has two free heaps, found 3"),
            (&["starts", "sticks"], "pictures of starts exist only for Expanding Nim"),
            (&["starts", "bare.bouton", "--where", "winning=1"], "selected by stones and resets"),
            (&["game-map", "sticks", "--from", "4,6,7"], "--from: heaps: found 4,6,7, but"),
            (&["game-map", "sticks", "--from", "x"], "--from: heaps: found 'x'"),
        ],
    );
}

#[test]
fn pictures_that_would_be_too_large_are_refused_with_the_limit_and_how_to_narrow_them() {
    let here = tempfile::tempdir().unwrap();
    fs::write(here.path().join("g.jsonl"), format!("{}\n", single_stone_game(2001, 3000))).unwrap();
    let few_resets = ["--set", "resets=0,0"];
    let expanding =
        |stones: &'static str| ["heatmap", "expanding", "--set", stones, few_resets[0], few_resets[1]];
    check_refusals(
        here.path(),
        &[
            (&expanding("stones=9000"), "9,001 cells along a side, and at most 7,500 can be drawn"),
            (&expanding("stones=9000"), "--where 'stones=1..500 currentmax=..50'"),
            (&["heatmap", "wythoff", "--set", "size=1500"], "cells, and at most 2,000,000 can be drawn"),
            (
                &[
                    "starts",
                    "expanding",
                    "--set",
                    "stones=900000",
                    "--set",
                    "resets=1,1",
                    "--set",
                    "growth=0",
                ],
                "starts, and at most",
            ),
            (&["game-map", "expanding"], "positions, and at most 300 can be drawn"),
            (&["game-map", "expanding"], "--from POSITION"),
            (&["game-map", "wythoff"], "at most 300 can be drawn"),
            (&["game", "g.jsonl"], "more than 2,000 plies, and at most 2,000 can be drawn"),
            (
                &[
                    "heatmap",
                    "expanding",
                    "--set",
                    "stones=4000",
                    "--set",
                    "resets=0,0",
                    "--scale",
                    "8",
                    "-o",
                    "p.png",
                ],
                "a PNG may have at most 16384 on a side; give a smaller --scale",
            ),
        ],
    );
}

#[test]
fn invalid_transcripts_are_refused() {
    let here = tempfile::tempdir().unwrap();
    let replaced = |from: &str, to: &str| {
        assert!(RECORDED.contains(from), "{from}");
        RECORDED.replacen(from, to, 1)
    };
    let cases = [
        ("not json".to_owned(), "line 1: this is not a line of a transcript"),
        (String::from("{}"), "this is not a line of a transcript"),
        (replaced("\"expanding\"", "\"chess\""), "this is not a line of a transcript"),
        (replaced("\"stones\":30", "\"stones\":0"), "this is not a line of a transcript"),
        (replaced("\"3r\"", "\"3x\""), "contradicts the rules: move 1: move: found '3x'"),
        (replaced("\"3r\"", "\"9\""), "contradicts the rules: move 1 is illegal: 9 at 30/0/1/4,4/-"),
        (replaced("30/0/1", "31/0/1"), "contradicts the rules: start: stones: found 31, but"),
        (
            replaced(",\"1\"]", "]"),
            "contradicts the rules: the result differs: the rules give \"the game is not over\"",
        ),
        (replaced(",\"1\"]", ",\"1\",\"1\"]"), "contradicts the rules: the game is over after 9 moves"),
        (replaced("\"first\"", "\"second\""), "contradicts the rules: the result differs"),
        (replaced("\"played\"", "\"time\""), "contradicts the rules: the result differs"),
        (RECORDED[..RECORDED.len() / 3].to_owned(), "this is not a line of a transcript"),
        ("x".repeat(2 << 20), "it is too long"),
    ];
    for (line, expected) in cases {
        fs::write(here.path().join("g.jsonl"), line + "\n").unwrap();
        check_refusals(here.path(), &[(&["game", "g.jsonl"], expected)]);
    }
    fs::write(here.path().join("g.jsonl"), b"\xff\xfe\n").unwrap();
    check_refusals(here.path(), &[(&["game", "g.jsonl"], "it is not UTF-8 text")]);
    fs::write(here.path().join("g.jsonl"), format!("{RECORDED}\n")).unwrap();
    check_refusals(
        here.path(),
        &[
            (&["game", "g.jsonl", "--game", "2"], "g.jsonl has no line 2: it has 1; give a lower --game"),
            (&["game", "g.jsonl", "--game", "0"], "invalid value '0'"),
            (&["game", "missing.jsonl"], "cannot read missing.jsonl"),
            (&["game", "."], "cannot read .: it is a folder"),
            (&["game", "/dev/zero"], "/dev/zero, line 1: this is not a line of a transcript: it is too long"),
            (&["game", "-"], "standard input has no line 1: it has 0"),
            (&["game", "g.jsonl", "--table", "sticks"], "the table is of another game (Nim, heaps"),
        ],
    );
    let small = ["generate", "-q", "--set", "stones=20", "-o", "small.bouton"];
    assert_eq!(bouton(here.path(), &small).status, Some(0));
    let outside = "the table does not have the start of the game: stones: found 30, but";
    check_refusals(here.path(), &[(&["game", "g.jsonl", "--table", "small.bouton"], outside)]);
}

#[test]
fn an_empty_selection_draws_nothing_and_says_so() {
    let here = tempfile::tempdir().unwrap();
    let expanding = ["expanding", "--set", "stones=50"];
    for args in [
        &["--where", "stones=60.."][..],
        &["--where", "resets=9,9"],
        &["--where", "stones=50 currentmax=1"],
        &["--where", "resets=0,300"],
        &["--where", "winning=99"],
        &["--where", "currentmax=4294967296"],
    ] {
        let ran = draw(here.path(), &[&["heatmap"], &expanding[..], args].concat());
        assert_eq!(ran.status, Some(2), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains("there is nothing to draw, and no file was made"), "{args:?}: {ran:?}");
    }
    for args in [
        &["heatmap", "sticks", "--where", "heaps=8,*,*"][..],
        &["heatmap", "sticks", "--where", "heaps=5000000000,*,*"],
        &["heatmap", "wythoff", "--where", "heaps=300..,*"],
        &["starts", "expanding", "--set", "stones=9", "--where", "stones=10"],
        &["starts", "expanding", "--set", "stones=9", "--where", "turn=2"],
        &["diff", "expanding", "expanding", "--where", "resets=7,7"],
    ] {
        let ran = draw(here.path(), args);
        assert_eq!(ran.status, Some(2), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains("there is nothing to draw"), "{args:?}: {ran:?}");
    }
}
