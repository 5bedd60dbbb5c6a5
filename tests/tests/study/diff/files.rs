//! `bouton diff` on tables in files and on rulesets, with and without depths: the report depends on the two tables
//! only.

use bouton_tests::children::{command, output};
use bouton_tests::oracle::diff::{Rules, SolvedPair};
use bouton_tests::oracle::{expanding, heaps};
use bouton_tests::programs::{bouton, program};
use serde_json::json;

use super::{diff, generate, mirrored, nameless};

/// Returns two rulesets of Expanding Nim.
fn expanding_pair() -> [expanding::Rules; 2] {
    let first = expanding::Rules {
        stones: 20,
        base_limit: 3,
        growth: 1,
        reset_limit: 2,
        resets: [2, 0],
        misere: false,
    };
    [first.clone(), expanding::Rules { growth: 2, resets: [2, 1], stones: 25, ..first }]
}

/// Returns two rulesets of heap games.
fn heaps_pair() -> [heaps::Rules; 2] {
    let first = heaps::Rules {
        bounds: vec![3, 4, 5],
        take: heaps::Take::Any,
        heaps_per_move: 1,
        exactly: vec![],
        equal_take: false,
        passes: 1,
        misere: false,
    };
    [first.clone(), heaps::Rules { take: heaps::Take::UpTo(3), passes: 2, misere: true, ..first }]
}

/// Makes a folder with two rulesets, `a.toml` and `b.toml`, and their tables: `a.bouton` with depths, `a-bare.bouton`
/// without; and `b.bouton` and `b-bare.bouton` likewise.
fn folder<R: Rules>(rules: &[R; 2]) -> tempfile::TempDir {
    let here = tempfile::tempdir().expect("a folder can be made");
    for (name, rules) in ["a", "b"].iter().zip(rules) {
        let file = format!("{name}.toml");
        std::fs::write(here.path().join(&file), rules.toml()).expect("it can be written");
        generate(here.path(), &[&file]);
        generate(here.path(), &[&file, "--no-depth", "-o", &format!("{name}-bare.bouton")]);
    }
    here
}

#[test]
fn files_and_rulesets_give_the_same_report() {
    fn check<R: Rules>(rules: &[R; 2]) {
        let here = folder(rules);
        let (found, status) = diff(here.path(), &["a.toml", "b.toml"]);
        assert_eq!((&found["a"]["name"], &found["b"]["name"]), (&json!("a.toml"), &json!("b.toml")));
        let found = nameless(found);
        for tables in [["a.bouton", "b.bouton"], ["a.bouton", "b.toml"], ["a.toml", "b.bouton"]] {
            let (of_files, status_of_files) = diff(here.path(), &tables);
            assert_eq!([&of_files["a"]["name"], &of_files["b"]["name"]], tables);
            assert_eq!((nameless(of_files), status_of_files), (found.clone(), status), "{tables:?}");
        }
    }
    check(&expanding_pair());
    check(&heaps_pair());
}

#[test]
fn with_starts_the_report_on_starts_is_the_same() {
    fn check<R: Rules>(rules: &[R; 2]) {
        let here = folder(rules);
        // With depths, without, with different starts, and with the same ones.
        for pair in [["a.bouton", "b.bouton"], ["b-bare.bouton", "a.toml"], ["a.bouton", "a-bare.bouton"]] {
            let (whole_report, _) = diff(here.path(), &pair);
            let ran = bouton(here.path(), &[&["diff", "--starts", "--json"], &pair[..]].concat());
            let starts: serde_json::Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
            let keys = ["game", "a", "b", "rules", "starts"];
            assert_eq!(
                starts,
                json!(std::collections::BTreeMap::from(keys.map(|key| (key, &whole_report[key]))))
            );
            assert_eq!(ran.status, Some(i32::from(whole_report["starts"]["differ"] != 0)), "{ran:?}");
        }
    }
    check(&expanding_pair());
    check(&heaps_pair());
}

#[test]
fn depths_that_one_table_lacks_are_not_compared() {
    fn check<R: Rules>(rules: &[R; 2]) {
        let here = folder(rules);
        for depths in [[true, false], [false, true], [false, false]] {
            let [a, b] = [0, 1].map(|side| {
                let bare = if depths[side] { "" } else { "-bare" };
                format!("{}{bare}.bouton", ["a", "b"][side])
            });
            let (found, status) = diff(here.path(), &[&a, &b, "--limit", "100000"]);
            assert_eq!([&found["a"]["depths"], &found["b"]["depths"]], depths);
            let pair = SolvedPair::new(&rules[0], &rules[1], depths);
            pair.check_breakdown(&found["by"]);
            for (key, expected) in pair.expected(100_000, None).as_object().expect("an object") {
                assert_eq!(found.get(key), Some(expected), "{key}, depths {depths:?}, {rules:?}");
            }
            assert_eq!(status, pair.status());
            assert!(found["depth"].is_null());
            assert_eq!(found["best"].is_null(), depths[0] != depths[1]);
            let back = diff(here.path(), &[&b, &a, "--limit", "100000"]);
            assert_eq!(back, (mirrored(&found), status));
        }
        // Missing depths in one table are not a difference.
        for tables in [["a.bouton", "a-bare.bouton"], ["b-bare.bouton", "b.bouton"]] {
            let (found, status) = diff(here.path(), &tables);
            assert_eq!((status, &found["different"]), (0, &json!(0)));
        }
    }
    check(&expanding_pair());
    check(&heaps_pair());
}

#[test]
fn a_table_does_not_differ_from_itself() {
    fn check<R: Rules>(rules: &[R; 2]) {
        let here = folder(rules);
        for name in ["a.toml", "b.toml", "a.bouton", "b-bare.bouton"] {
            let (found, status) = diff(here.path(), &[name, name]);
            assert_eq!(status, 0);
            assert_eq!(found["a"], found["b"]);
            assert_eq!(found["compared"], found["a"]["positions"]);
            for key in ["only_a", "only_b", "different", "win_to_loss", "loss_to_win", "winning", "best"] {
                assert_eq!(found[key], 0, "{key} of {name}");
            }
            let starts = &found["starts"];
            assert_eq!(
                (&starts["differ"], &starts["first"], &starts["last"]),
                (&json!(0), &json!(null), &json!(null))
            );
            assert_eq!(starts["losing_a"], starts["losing_b"]);
            assert_eq!(
                (&found["rules"], &found["first"], &found["witness"]),
                (&json!({}), &json!([]), &json!(null))
            );
        }
    }
    check(&expanding_pair());
    check(&heaps_pair());
}

#[test]
fn rules_that_differ_without_effect_are_listed_and_make_no_difference() {
    let here = tempfile::tempdir().expect("a folder can be made");
    // No heap has more than 7 stones, and no pile more than 5.
    let (found, status) = diff(here.path(), &["sticks", "sticks", "--set-b", "take=7"]);
    assert_eq!((status, &found["rules"]), (0, &json!({"take": {"a": "any", "b": 7}})));
    let settings = ["--set-a", "stones=5", "--set-b", "stones=5", "--set-b", "growth=9"];
    let base = ["--set-a", "base-limit=5", "--set-b", "base-limit=5"];
    let (found, status) = diff(here.path(), &[&["expanding", "expanding"], &settings[..], &base].concat());
    assert_eq!((status, &found["rules"]), (0, &json!({"growth": {"a": 1, "b": 9}})));
}

#[test]
fn settings_change_the_keys_of_either_ruleset() {
    let here = tempfile::tempdir().expect("a folder can be made");
    for (preset, a, b) in [
        ("expanding", &["stones=20", "resets=[2,0]"][..], &["stones=22", "play=misere", "resets=0,2"][..]),
        ("wythoff", &["size=9"], &["bounds=[3,8]", "take=[1,2]"]),
    ] {
        let file = |name: &str, settings: &[&str]| {
            let sets: Vec<&str> = settings.iter().flat_map(|&setting| ["--set", setting]).collect();
            let printed = bouton(here.path(), &[&["rules", preset][..], &sets].concat());
            std::fs::write(here.path().join(name), printed.stdout).expect("it can be written");
        };
        file("a.toml", a);
        file("b.toml", b);
        let sets = a.iter().flat_map(|&setting| ["--set-a", setting]);
        let sets: Vec<&str> = sets.chain(b.iter().flat_map(|&setting| ["--set-b", setting])).collect();
        let (of_settings, status) = diff(here.path(), &[&[preset, preset], &sets[..]].concat());
        // The names are as given, with the settings.
        let names = [a, b].map(|settings| format!("{preset} {}", settings.join(" ")));
        assert_eq!([&of_settings["a"]["name"], &of_settings["b"]["name"]], [&names[0], &names[1]]);
        let (of_files, status_of_files) = diff(here.path(), &["a.toml", "b.toml"]);
        assert_eq!((nameless(of_settings), status), (nameless(of_files), status_of_files), "{preset}");
        assert_eq!(status, 1);
    }
}

#[test]
fn a_quiet_comparison_prints_nothing() {
    let here = folder(&heaps_pair());
    for (tables, expected) in [(["a.toml", "a.bouton"], 0), (["a.bouton", "b.bouton"], 1)] {
        let ran = bouton(here.path(), &["diff", "--quiet", tables[0], tables[1]]);
        assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (Some(expected), "", ""));
        // Printed as words, the answer has the same status.
        let ran = bouton(here.path(), &["diff", tables[0], tables[1]]);
        assert_eq!((ran.status, ran.stdout.is_empty(), ran.stderr.as_str()), (Some(expected), false, ""));
    }
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    let here = tempfile::tempdir().expect("a folder can be made");
    for args in [
        &["expanding", "expanding", "--set-a", "stones=200", "--set-b", "stones=190", "--set-b", "growth=2"]
            [..],
        &[
            "expanding",
            "expanding",
            "--set-a",
            "resets=[3,1]",
            "--set-a",
            "stones=90",
            "--set-b",
            "stones=90",
        ],
        &["nim", "nim-misere", "--set-a", "size=9", "--set-b", "size=8"],
        &["moore", "nim-pass", "--set-a", "size=7", "--set-b", "size=9"],
    ] {
        for format in [&["--json"][..], &["--json", "--limit", "3000"], &[]] {
            let run_with = |threads: &str| {
                let mut command = command(program("bouton"));
                command.arg("diff").args(args).args(format).current_dir(here.path());
                output(command.env("RAYON_NUM_THREADS", threads))
            };
            let expected = run_with("1");
            assert_eq!((expected.status.code(), expected.stderr.len()), (Some(1), 0), "{args:?}");
            let ran = run_with("2");
            assert!(expected.stdout == ran.stdout && expected.status == ran.status, "{args:?} {format:?}");
        }
    }
}
