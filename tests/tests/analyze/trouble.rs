//! What cannot be analyzed, and what makes no difference.

use std::fs;
use std::process::Command;

use bouton_tests::programs::{bouton, files, program};

use super::{analyze, generate};

#[test]
fn what_cannot_be_analyzed_is_one_clear_error() {
    let here = tempfile::tempdir().expect("a folder can be made");
    generate(here.path(), "t.bouton", &["sticks"]);
    let mut bytes = fs::read(here.path().join("t.bouton")).expect("it was made");
    *bytes.last_mut().expect("not empty") ^= 0x10;
    fs::write(here.path().join("bent.bouton"), bytes).expect("it can be written");
    let before = files(here.path());
    let cases: &[(&[&str], &[&str])] = &[
        (&["missing.bouton"], &["missing.bouton"]),
        (&["chess"], &["chess"]),
        (&["bent.bouton"], &["bent.bouton", "damaged"]),
        (&["t.bouton", "--set", "take=2"], &["t.bouton", "take=2"]),
        (&["sticks", "--set", "colour=red"], &["unknown key 'colour'"]),
        (&["nim", "--set", "heaps=16", "--set", "size=63"], &["21,566,576,904,406,820 positions"]),
        (&["expanding", "--where", "colour=red"], &["colour"]),
        (&["expanding", "--where", "turn=3"], &["turn"]),
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

#[test]
fn settings_are_as_good_as_a_file() {
    let here = tempfile::tempdir().expect("a folder can be made");
    for (preset, setting) in [("expanding", "stones=50"), ("wythoff", "size=12")] {
        let file = format!("{preset}.bouton");
        generate(here.path(), &file, &[preset, "--set", setting]);
        let of_settings = analyze(here.path(), &[preset, "--set", setting]);
        assert_eq!(of_settings, analyze(here.path(), &[&file]), "{preset}");
        let text = bouton(here.path(), &["analyze", &file]);
        assert_eq!((text.status, text.stdout.is_empty(), text.stderr.as_str()), (Some(0), false, ""));
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let here = tempfile::tempdir().expect("a folder can be made");
    for args in [&["expanding", "--where", "currentmax=..30"][..], &["nim-pass"], &["subtraction"]] {
        for format in [&["--json"][..], &[]] {
            let with = |threads: &str| {
                let mut command = Command::new(program("bouton"));
                command.arg("analyze").args(args).args(format).current_dir(here.path());
                command.env("RAYON_NUM_THREADS", threads).output().expect("the program runs")
            };
            let one = with("1");
            assert_eq!((one.status.code(), one.stderr.len()), (Some(0), 0), "{args:?}");
            assert!(with("2").stdout == one.stdout, "{args:?} {format:?}");
        }
    }
}
