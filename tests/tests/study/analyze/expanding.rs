//! The reports on lines of Expanding Nim.

use std::fs;

use bouton_tables::{Outcome, Solved, Table};
use bouton_tests::compare;
use bouton_tests::oracle::analysis::lines;
use bouton_tests::oracle::diff::Rules as _;
use bouton_tests::oracle::expanding::{Keys, Position, Rules, solve};
use proptest::prelude::*;
use rayon::prelude::*;
use serde_json::{Value, json};

use bouton_tests::programs::bouton;

use super::{analyze, generate, same};

/// Compares the reported lines with the expected ones, one by one.
fn are_the_lines(found: &Value, expected: &Value, place: &str) {
    let [found, expected] = [found, expected].map(|lines| lines.as_array().expect("an array of lines"));
    for (found, expected) in found.iter().zip(expected) {
        for (key, value) in expected.as_object().expect("an object") {
            assert!(
                found.get(key).is_some_and(|found| same(found, value)),
                "{key} of {found}\n{expected}\n{place}"
            );
        }
        assert!(same(found, expected), "{found}\n{expected}\n{place}");
    }
    assert_eq!(found.len(), expected.len(), "{place}");
}

/// Compares the report on a game's lines with the oracle's.
fn agrees(rules: &Rules) {
    let here = tempfile::tempdir().expect("a folder can be made");
    fs::write(here.path().join("t.toml"), rules.toml()).expect("it can be written");
    let digest = generate(here.path(), "t.bouton", &["t.toml"]);
    // A ruleset is solved without depths, which the report does not use.
    let bare = generate(here.path(), "bare.bouton", &["t.toml", "--no-depth"]);
    let verdicts = solve(rules);
    let reports = |lines: &[Position]| lines::reports(rules, lines, &|position| !verdicts[position].win);
    let expected = reports(&lines::start_lines(rules));
    for (table, digest) in [("t.toml", &bare), ("bare.bouton", &bare), ("t.bouton", &digest)] {
        let found = analyze(here.path(), &[table]);
        assert_eq!((&found["game"], &found["digest"]), (&json!("expanding"), digest));
        assert_eq!(found["rules"], Value::Object(rules.keys()));
        assert_eq!(found.as_object().map(serde_json::Map::len), Some(4), "{found}");
        are_the_lines(&found["lines"], &expected, &format!("{rules:?}"));
    }
    // Options for the lines that a selection omits.
    type Choice = (&'static str, fn(&Position) -> bool);
    let choices: [Choice; 6] = [
        ("currentmax=*", |_| true),
        ("currentmax=2..4", |line| (2..=4).contains(&line.currentmax)),
        ("currentmax=..1 turn=2 imposed=r", |line| line.currentmax <= 1 && line.turn == 2 && line.imposed),
        ("turn=1 resets=0,* imposed=-", |line| line.turn == 1 && line.resets[0] == 0 && !line.imposed),
        ("resets=*,0", |line| line.resets[1] == 0),
        ("currentmax=3.. resets=0..1,0..1", |line| {
            line.currentmax >= 3 && line.resets.iter().all(|&resets| resets <= 1)
        }),
    ];
    let every = lines::all_lines(rules);
    let of_every = reports(&every);
    let of_every = of_every.as_array().expect("an array of lines");
    for (choice, is_chosen) in choices {
        let chosen = every.iter().zip(of_every).filter(|(line, _)| is_chosen(line));
        let chosen: Vec<Value> = chosen.map(|(_, reports)| reports.clone()).collect();
        if !chosen.is_empty() {
            let found = analyze(here.path(), &["t.bouton", "--where", choice]);
            are_the_lines(&found["lines"], &chosen.into(), &format!("{choice} of {rules:?}"));
        }
    }
}

#[test]
fn every_line_agrees_with_its_definition() {
    let games: [Keys; 13] = [
        (40, 3, 1, 3, [1, 1], false),
        (40, 3, 1, 3, [1, 1], true),
        (70, 3, 0, 3, [0, 0], false),
        (35, 4, 0, 2, [2, 1], true),
        (40, 3, 2, 1, [1, 0], false),
        (35, 2, 1, 2, [0, 2], false),
        (30, 1, 0, 1, [1, 1], false),
        (35, 5, 3, 4, [0, 0], true),
        (40, 1, 1, 1, [1, 2], false),
        (24, 3, 1000, 2, [1, 1], false),
        (20, 9, 1, 9, [3, 2], false),
        (1, 3, 1, 3, [1, 0], false),
        (2, 3, 1, 3, [0, 1], true),
    ];
    games.par_iter().for_each(|&keys| agrees(&Rules::from(keys)));
}

fn any_keys() -> impl Strategy<Value = Keys> {
    (1..45_u32, 1..9_u32, 0..4_u32, 1..9_u32, [0..3_u32, 0..2_u32], any::<bool>()).prop_map(
        |(stones, base_limit, growth, reset_limit, resets, misere)| {
            (stones, base_limit, growth, reset_limit.min(base_limit), resets, misere)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lines_of_random_games_agree_with_their_definitions(keys in any_keys()) {
        agrees(&Rules::from(keys));
    }
}

#[test]
fn the_lines_of_the_preset_agree_with_their_definitions() {
    let here = tempfile::tempdir().expect("a folder can be made");
    generate(here.path(), "bare.bouton", &["--no-depth"]);
    let bytes = fs::read(here.path().join("bare.bouton")).expect("it was made");
    let table = Table::open(bytes).expect("a fresh table opens");
    let rules = Rules::from((1000, 3, 1, 3, [4, 4], false));
    let is_lost = |position: &Position| {
        let position = compare::expanding::position(position);
        let verdict = compare::expanding(&table).verdict(&position).expect("the table has the position");
        verdict.outcome == Outcome::Loss
    };
    let of_starts = lines::reports(&rules, &lines::start_lines(&rules), &is_lost);
    assert_eq!(of_starts.as_array().map(Vec::len), Some(25));
    let found = analyze(here.path(), &["bare.bouton"]);
    are_the_lines(&found["lines"], &of_starts, "of the starts");
    assert_eq!(found, analyze(here.path(), &["expanding"]), "solved on the spot it is the same");
    let mut chosen = lines::all_lines(&rules);
    chosen.retain(|line| {
        line.currentmax % 7 == 0 && (line.turn, line.resets, line.imposed) == (2, [3, 1], true)
    });
    for line in chosen {
        let choice = format!("currentmax={} turn=2 resets=3,1 imposed=r", line.currentmax);
        let found = analyze(here.path(), &["bare.bouton", "--where", &choice]);
        are_the_lines(&found["lines"], &lines::reports(&rules, &[line], &is_lost), &choice);
    }
}

#[test]
fn a_line_is_named_by_its_positions_with_a_star_for_the_stones() {
    let here = tempfile::tempdir().expect("a folder can be made");
    let ran =
        bouton(here.path(), &["analyze", "expanding", "--set", "stones=30", "--set", "resets=0,0", "-q"]);
    assert!(ran.stdout.contains("\n  */0/1/0,0/-  "), "{}", ran.stdout);
}
