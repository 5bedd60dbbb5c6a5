//! `bouton analyze` refuses impossible analyses and detects wrong tables; its report depends on the table only.

use std::fs;

use bouton_tables::rulesets;
use bouton_tests::children::{command, output};
use bouton_tests::programs::{bouton, files, program};
use bouton_tests::seal::Parts;
use serde_json::{Value, json};

use super::{analyze, generate};

#[test]
fn an_impossible_analysis_gets_a_clear_error() {
    let here = tempfile::tempdir().expect("a folder can be made");
    generate(here.path(), "t.bouton", &["sticks"]);
    let mut bytes = fs::read(here.path().join("t.bouton")).expect("it was made");
    *bytes.last_mut().expect("not empty") ^= 0x10;
    fs::write(here.path().join("damaged.bouton"), bytes).expect("it can be written");
    let before = files(here.path());
    let cases: &[(&[&str], &[&str])] = &[
        (&["missing.bouton"], &["missing.bouton"]),
        (&["chess"], &["chess"]),
        (&["damaged.bouton"], &["damaged.bouton", "damaged"]),
        (&["t.bouton", "--set", "take=2"], &["t.bouton", "take=2"]),
        (&["sticks", "--set", "colour=red"], &["unknown key 'colour'"]),
        (
            &["nim", "--set", "heaps=16", "--set", "size=63"],
            &["21,566,576,904,406,820 positions takes too long to analyze"],
        ),
        (&["expanding", "--where", "colour=red"], &["colour"]),
        (&["expanding", "--where", "currentmax=seven"], &["seven"]),
        (&["expanding", "--where", "currentmax"], &["currentmax"]),
    ];
    for (args, expected) in cases {
        for format in [&[][..], &["--json"]] {
            let ran = bouton(here.path(), &[&["analyze"], *args, format].concat());
            assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}: {ran:?}");
            for part in *expected {
                assert!(ran.stderr.contains(part), "{args:?}: no '{part}' in {}", ran.stderr);
            }
        }
    }
    assert_eq!(files(here.path()), before);
}

/// Returns the parts of a ruleset's table without depths.
fn parts(ruleset: &str) -> Parts {
    let ruleset = rulesets::from_toml(&format!("game = \"heaps\"\n{ruleset}")).expect("allowed rules");
    Parts::of(&bouton_generator::generate_in_memory(&ruleset, false).unwrap())
}

#[test]
fn a_header_with_other_rules_than_its_outcomes_is_detected() {
    let here = tempfile::tempdir().expect("a folder can be made");
    // The header says misère play, and the outcomes are those of normal play: the two differ if every heap has at most
    // one stone.
    let (normal, misere) =
        (parts("bounds = [7, 7, 7]\nplay = \"normal\""), parts("bounds = [7, 7, 7]\nplay = \"misere\""));
    let wrong = Parts { header: misere.header.clone(), body: normal.body.clone() };
    fs::write(here.path().join("misere.bouton"), wrong.seal()).expect("it can be written");
    let ran = bouton(here.path(), &["analyze", "misere.bouton", "--json"]);
    let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let expected = json!({
        "name": "Bouton, misère", "applies": true, "checked": 120, "exceptions": 4,
        "first_exception": {"position": "0,0,0", "outcome": "loss", "theory": "win"},
    });
    assert_eq!(found["theory"], expected);
    assert_eq!(ran.status, Some(1));
    assert!(ran.stderr.contains("misere.bouton is wrong"), "{}", ran.stderr);
    // The opposite table, normal play with the outcomes of misère play, contradicts the Grundy values of its heaps.
    let wrong = Parts { header: normal.header, body: misere.body };
    fs::write(here.path().join("normal.bouton"), wrong.seal()).expect("it can be written");
    let ran = bouton(here.path(), &["analyze", "normal.bouton", "--json"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.stderr.contains("normal.bouton is wrong"), "{}", ran.stderr);
    let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((&found["theory"]["exceptions"], &found["grundy"]), (&json!(4), &Value::Null));
}

#[test]
fn a_selection_without_lines_is_refused() {
    let here = tempfile::tempdir().expect("a folder can be made");
    let ran = bouton(here.path(), &["analyze", "expanding", "--json", "--where", "currentmax=900"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("no line of expanding is selected"), "{}", ran.stderr);
}

#[test]
fn settings_give_the_same_report_as_a_file() {
    let here = tempfile::tempdir().expect("a folder can be made");
    for (preset, setting) in [("expanding", "stones=50"), ("wythoff", "size=12")] {
        let file = format!("{preset}.bouton");
        generate(here.path(), &file, &[preset, "--set", setting, "--no-depth"]);
        let of_settings = analyze(here.path(), &[preset, "--set", setting]);
        assert_eq!(of_settings, analyze(here.path(), &[&file]), "{preset}");
        let text = bouton(here.path(), &["analyze", &file]);
        assert_eq!((text.status, text.stdout.is_empty(), text.stderr.as_str()), (Some(0), false, ""));
    }
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    let here = tempfile::tempdir().expect("a folder can be made");
    for args in [&["expanding", "--where", "currentmax=..30"][..], &["nim-pass"], &["subtraction"]] {
        for format in [&["--json"][..], &[]] {
            let run_with = |threads: &str| {
                let mut command = command(program("bouton"));
                command.arg("analyze").args(args).args(format).current_dir(here.path());
                output(command.env("RAYON_NUM_THREADS", threads))
            };
            let expected = run_with("1");
            assert_eq!((expected.status.code(), expected.stderr.len()), (Some(0), 0), "{args:?}");
            assert!(run_with("2").stdout == expected.stdout, "{args:?} {format:?}");
        }
    }
}

#[test]
fn a_wrong_table_is_reported_as_wrong_and_not_as_without_grundy_values() {
    let here = tempfile::tempdir().expect("a folder can be made");
    let (normal, misere) =
        (parts("bounds = [7, 7, 7]\nplay = \"normal\""), parts("bounds = [7, 7, 7]\nplay = \"misere\""));
    let wrong = Parts { header: normal.header, body: misere.body };
    fs::write(here.path().join("normal.bouton"), wrong.seal()).expect("it can be written");
    let ran = bouton(here.path(), &["analyze", "normal.bouton"]);
    assert_eq!(ran.status, Some(1));
    assert!(!ran.stdout.contains("Grundy values"), "{}", ran.stdout);
}

#[test]
fn a_shortened_list_of_grundy_values_ends_with_dots() {
    let here = tempfile::tempdir().expect("a folder can be made");
    for (bounds, is_shortened) in [("bounds=[59]", false), ("bounds=[60]", true), ("bounds=[1500]", true)] {
        let ran = bouton(here.path(), &["analyze", "nim", "--set", bounds]);
        assert_eq!(ran.stdout.contains(" 58 59 ..."), is_shortened, "{bounds}: {}", ran.stdout);
    }
}
