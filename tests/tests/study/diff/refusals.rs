//! `bouton diff` refuses impossible comparisons with a clear error, prints no report and writes no file.

use std::fs;

use bouton_tests::headers;
use bouton_tests::programs::{bouton, files};
use bouton_tests::seal::Parts;

use super::{diff, generate};

#[test]
fn an_impossible_comparison_gets_a_clear_error() {
    let here = tempfile::tempdir().expect("a folder can be made");
    generate(here.path(), &["sticks"]);
    generate(here.path(), &["sticks", "--no-depth", "-o", "bare.bouton"]);
    generate(here.path(), &["expanding", "--set", "stones=20", "-o", "e.bouton"]);
    let valid = fs::read(here.path().join("sticks.bouton")).expect("it was made");
    let mut damaged = valid.clone();
    *damaged.last_mut().expect("not empty") ^= 0x10;
    fs::write(here.path().join("damaged.bouton"), damaged).expect("it can be written");
    fs::write(here.path().join("cut.bouton"), &valid[..valid.len() / 2]).expect("it can be written");
    fs::write(here.path().join("empty.bouton"), "").expect("it can be written");
    fs::write(here.path().join("bad.toml"), "game = \"heaps\"\nstones = 3\n").expect("it can be written");
    let before = files(here.path());
    let cases: &[(&[&str], &[&str])] = &[
        // Two families.
        (&["sticks", "expanding"], &["expanding", "heaps"]),
        (&["e.bouton", "sticks.bouton"], &["expanding", "heaps"]),
        (&["expanding", "sticks.bouton"], &["expanding", "heaps"]),
        // Missing or damaged files.
        (&["missing.bouton", "sticks"], &["missing.bouton"]),
        (&["sticks", "missing.bouton"], &["missing.bouton"]),
        (&["missing.toml", "sticks"], &["missing.toml"]),
        (&["chess", "sticks"], &["chess"]),
        (&["damaged.bouton", "sticks.bouton"], &["damaged.bouton", "damaged"]),
        (&["sticks.bouton", "damaged.bouton"], &["damaged.bouton", "damaged"]),
        (&["cut.bouton", "sticks"], &["cut.bouton", "damaged"]),
        (&["empty.bouton", "sticks"], &["empty.bouton"]),
        (&["sticks", "bad.toml"], &["unknown key 'stones'"]),
        (&["sticks", "."], &["."]),
        // Settings do not apply to a table.
        (&["sticks.bouton", "sticks", "--set-a", "take=2"], &["sticks.bouton is a table", "take=2"]),
        (&["sticks", "sticks.bouton", "--set-b", "take=2"], &["sticks.bouton is a table", "take=2"]),
        (&["sticks", "sticks", "--set-a", "colour=red"], &["unknown key 'colour'"]),
        (&["sticks", "sticks", "--set-b", "take=0"], &["take = 0: expected"]),
        // Aspects that are not compared cannot be listed.
        (
            &["sticks.bouton", "bare.bouton", "--only", "depth"],
            &["depths are not compared", "B has no depths"],
        ),
        (&["bare.bouton", "sticks", "--only", "best"], &["best moves are not compared", "A has no depths"]),
        (&["bare.bouton", "bare.bouton", "--only", "depth"], &["neither table has depths"]),
        // Too large to solve on the spot.
        (
            &[
                "nim", "nim", "--set-a", "heaps=8", "--set-a", "size=99", "--set-b", "heaps=8", "--set-b",
                "size=99",
            ],
            &["325,949,656,825 positions"],
        ),
        (
            &[
                "expanding",
                "expanding",
                "--no-depth",
                "--set-a",
                "stones=10000000",
                "--set-b",
                "stones=10000000",
            ],
            &["A and B have 1,490,", " positions in common, and at most 1,000,000,000,000", "--starts"],
        ),
        (&["sticks"], &["required"]),
        (&["sticks", "sticks", "--only", "colour"], &["--only"]),
        (&["sticks", "sticks", "--limit", "few"], &["--limit"]),
        (&["sticks", "sticks", "--starts", "--only", "depth"], &["--only"]),
    ];
    for (args, expected) in cases {
        for format in [&[][..], &["--json"], &["--quiet"]] {
            let ran = bouton(here.path(), &[&["diff"], *args, format].concat());
            assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{args:?}: {ran:?}");
            for part in *expected {
                assert!(ran.stderr.contains(part), "{args:?}: no '{part}' in {}", ran.stderr);
            }
        }
    }
    // A comparison writes no file.
    assert_eq!(bouton(here.path(), &["diff", "sticks", "sticks"]).status, Some(0));
    assert_eq!(files(here.path()), before);
}

#[test]
fn help_names_every_option_and_the_exit_status() {
    let here = tempfile::tempdir().expect("a folder can be made");
    let help = bouton(here.path(), &["diff", "--help"]);
    assert_eq!(help.status, Some(0));
    for option in [
        "--json",
        "--limit",
        "--only",
        "--set-a",
        "--set-b",
        "--no-depth",
        "--quiet",
        "--starts",
        "xit status",
    ] {
        assert!(help.stdout.contains(option), "{option}: {}", help.stdout);
    }
}

/// An earlier version subtracted from the count in the header, and reported 18,446,744,073,709,551,573 positions only
/// in A.
#[test]
fn wrong_counts_in_a_header_do_not_change_the_comparison() {
    let here = tempfile::tempdir().expect("a folder can be made");
    generate(here.path(), &["sticks"]);
    let valid = fs::read(here.path().join("sticks.bouton")).expect("it was made");
    let Parts { header, body } = Parts::of(&valid);
    let mut entries = headers::entries(&header).expect("it is a header");
    // The counts of positions and wins.
    let counts = entries.len() - 3..entries.len() - 1;
    entries[counts].iter_mut().for_each(|entry| entry.numbers()[0] = 45);
    fs::write(here.path().join("lie.bouton"), Parts { header: headers::header(&entries), body }.seal())
        .expect("it can be written");
    let (found, status) = diff(here.path(), &["lie.bouton", "sticks"]);
    assert_eq!((&found["only_a"], &found["a"]["positions"], status), (&0.into(), &88.into(), 0));
}

#[test]
fn an_omitted_comparison_is_reported_for_equal_tables_too() {
    let here = tempfile::tempdir().expect("a folder can be made");
    generate(here.path(), &["sticks"]);
    generate(here.path(), &["sticks", "--no-depth", "-o", "bare.bouton"]);
    let ran = bouton(here.path(), &["diff", "sticks.bouton", "bare.bouton"]);
    assert_eq!(ran.status, Some(0));
    assert!(ran.stdout.contains("depths and best moves are not compared"), "{}", ran.stdout);
}
