//! If a table, position or key belongs to the wrong family, the error says which family was expected.

use std::fs;
use std::path::Path;

use bouton_tables::{OpenError, Table};
use bouton_tests::hostile::{self, BASES, HEAPS};
use bouton_tests::programs::{bouton, files, lookup};
use bouton_tests::seal::Parts;
use serde_json::Value;
use tempfile::TempDir;

/// Makes a folder with a table of each family, and one of a heap game with passes.
fn tables() -> TempDir {
    let here = tempfile::tempdir().expect("a folder can be made");
    for (file, preset, setting) in [
        ("e.bouton", "expanding", "stones=60"),
        ("h.bouton", "sticks", "bounds=3,5,7"),
        ("p.bouton", "nim-pass", "size=5"),
    ] {
        let args = ["generate", preset, "--set", setting, "--quiet", "-o", file];
        assert_eq!(bouton(here.path(), &args).status, Some(0));
    }
    here
}

/// A table, a position of the other family, and the expected error.
const MISTAKES: &[(&str, &str, &str)] = &[
    ("h.bouton", "17/9/1/4,3/-", "end: found '9/1/4,3/-', expected nothing after the heaps"),
    ("h.bouton", "7/3", "end: found '3', expected nothing after the heaps"),
    ("h.bouton", "60", "heaps: found 60,0,0, but the table covers heaps of at most 3,5,7 stones"),
    ("p.bouton", "5/3/1/4,3/-", "passes: found '3/1/4,3/-', expected the passes left"),
    ("p.bouton", "5/3", "passes: found 3, but the table covers 0 to 1 passes left"),
    ("e.bouton", "3,5,7", "stones: found '3,5,7', expected a whole number from 0 to 60"),
    ("e.bouton", "3,5/1", "stones: found '3,5', expected a whole number from 0 to 60"),
];

#[test]
fn a_position_of_the_other_family_gets_a_clear_error() {
    let here = tables();
    for (file, position, expected) in MISTAKES {
        for more in [&[][..], &["--json"], &["--moves", "--policy", "trap"]] {
            let ran = lookup(here.path(), &[&[*file, *position], more].concat(), b"");
            assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{file} {position}");
            assert!(ran.stderr.contains(expected), "{file} {position}: {}", ran.stderr);
        }
    }
}

#[test]
fn a_batch_continues_after_a_position_of_the_other_family() {
    let here = tables();
    for (file, position, expected) in MISTAKES {
        let ran = lookup(here.path(), &[*file, "--batch"], format!("{position}\n3\n").as_bytes());
        let lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((ran.status, lines.len()), (Some(2), 2), "{file} {position}");
        assert_eq!(lines[0]["position"], *position);
        assert!(lines[0]["error"].as_str().unwrap().contains(expected), "{}", lines[0]);
        assert_eq!(lines[1]["outcome"], "win", "{file}: {}", lines[1]);
    }
}

#[test]
fn a_table_of_the_other_family_is_replaced_only_with_force() {
    let here = tables();
    let all = files(here.path());
    let generate = |preset: &str, file: &str, more: &[&str]| {
        bouton(here.path(), &[&["generate", preset, "-o", file], more].concat())
    };
    for (preset, file) in [("sticks", "e.bouton"), ("expanding", "h.bouton")] {
        let before = fs::read(here.path().join(file)).unwrap();
        for more in [&[][..], &["--no-depth"]] {
            let ran = generate(preset, file, more);
            assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{preset}: {}", ran.stderr);
            let expected = format!("{file} exists and is not this table; --force replaces it");
            assert!(ran.stderr.contains(&expected), "{preset}: {}", ran.stderr);
            assert_eq!(fs::read(here.path().join(file)).unwrap(), before, "{preset}");
        }
        assert_eq!(generate(preset, "new.bouton", &[]).status, Some(0));
        let new = fs::read(here.path().join("new.bouton")).unwrap();
        assert_eq!(generate(preset, file, &["--force", "--quiet"]).status, Some(0));
        assert_eq!(fs::read(here.path().join(file)).unwrap(), new, "{preset}");
        // Without --force, the table is now found in its place.
        assert!(generate(preset, file, &[]).stdout.contains("exists already"), "{preset}");
        fs::remove_file(here.path().join("new.bouton")).unwrap();
        fs::write(here.path().join(file), before).unwrap();
    }
    assert_eq!(files(here.path()), all, "nothing is left behind");
}

#[test]
fn keys_of_the_other_family_are_unknown() {
    let here = tables();
    let all = files(here.path());
    for (args, expected) in [
        (["sticks", "stones=60"], "unknown key 'stones'; the keys of game \"heaps\" are: game, bounds,"),
        (
            ["expanding", "bounds=3,5,7"],
            "unknown key 'bounds'; the keys of game \"expanding\" are: game, stones,",
        ),
        (
            ["expanding", "game=heaps"],
            "makes this another game, to which no other key of the ruleset applies: the key 'bounds' is \
            missing",
        ),
        (["sticks", "game=expanding"], "the key 'stones' is missing"),
    ] {
        for command in ["generate", "rules"] {
            let ran = bouton(here.path(), &[command, args[0], "--set", args[1]]);
            assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}");
            assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
        }
    }
    assert_eq!(files(here.path()), all);
}

/// Returns the output of `bouton` with `--json`.
fn json(here: &Path, args: &[&str]) -> Value {
    let ran = bouton(here, &[args, &["--json"]].concat());
    assert_eq!(ran.status, Some(0), "{args:?}: {}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("it is JSON")
}

#[test]
fn info_and_verify_accept_tables_of_both_families() {
    let here = tables();
    for (file, game, key) in [
        ("e.bouton", "expanding", "stones"),
        ("h.bouton", "heaps", "bounds"),
        ("p.bouton", "heaps", "passes"),
    ] {
        let (info, verified) = (json(here.path(), &["info", file]), json(here.path(), &["verify", file]));
        assert_eq!((&info["game"], &verified["right"]), (&game.into(), &true.into()), "{file}");
        assert!(!info["rules"][key].is_null(), "{file}: {info}");
        assert_eq!((&info["digest"], &info["positions"]), (&verified["digest"], &verified["positions"]));
    }
}

#[test]
fn a_body_under_the_header_of_the_other_family_is_refused() {
    for header in 0..BASES {
        for body in (0..BASES).filter(|body| HEAPS.contains(body) != HEAPS.contains(&header)) {
            let mixed = Parts {
                header: hostile::base(header).header.clone(),
                body: hostile::base(body).body.clone(),
            };
            let found = Table::open(mixed.seal());
            assert!(matches!(found, Err(OpenError::Damaged(_))), "{body} as {header}: {found:?}");
        }
    }
}
