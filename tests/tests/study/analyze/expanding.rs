//! `bouton analyze` on Expanding Nim: its reports on lines agree with their definitions. A line consists of the
//! positions that differ only in the number of stones.

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

use super::{analyze, generate, nearly_equal};

/// Compares the reported lines with the expected lines, one by one.
fn check_lines(found: &Value, expected: &Value, context: &str) {
    let [found, expected] = [found, expected].map(|lines| lines.as_array().expect("an array of lines"));
    for (found, expected) in found.iter().zip(expected) {
        for (key, value) in expected.as_object().expect("an object") {
            assert!(
                found.get(key).is_some_and(|found| nearly_equal(found, value)),
                "{key} of {found}\n{expected}\n{context}"
            );
        }
        assert!(nearly_equal(found, expected), "{found}\n{expected}\n{context}");
    }
    assert_eq!(found.len(), expected.len(), "{context}");
}

/// Compares the report on a game's lines with the oracle's.
fn check_report(rules: &Rules) {
    let here = tempfile::tempdir().expect("a folder can be made");
    fs::write(here.path().join("t.toml"), rules.toml()).expect("it can be written");
    let digest = generate(here.path(), "t.bouton", &["t.toml"]);
    // A ruleset is solved without depths, which the report does not use.
    let bare = generate(here.path(), "bare.bouton", &["t.toml", "--no-depth"]);
    let verdicts = solve(rules);
    let expected_reports =
        |lines: &[Position]| lines::reports(rules, lines, &|position| !verdicts[position].win);
    let expected = expected_reports(&lines::start_lines(rules));
    for (table, digest) in [("t.toml", &bare), ("bare.bouton", &bare), ("t.bouton", &digest)] {
        let found = analyze(here.path(), &[table]);
        assert_eq!((&found["game"], &found["digest"]), (&json!("expanding"), digest));
        assert_eq!(found["rules"], Value::Object(rules.keys()));
        assert_eq!(found.as_object().map(serde_json::Map::len), Some(4), "{found}");
        check_lines(&found["lines"], &expected, &format!("{rules:?}"));
    }
    // Filters, each with the same condition in Rust.
    type LineFilter = (&'static str, fn(&Position) -> bool);
    let filters: [LineFilter; 6] = [
        ("currentmax=*", |_| true),
        ("currentmax=2..4", |line| (2..=4).contains(&line.currentmax)),
        ("currentmax=..1 turn=2 imposed=r", |line| line.currentmax <= 1 && line.turn == 2 && line.imposed),
        ("turn=1 resets=0,* imposed=-", |line| line.turn == 1 && line.resets[0] == 0 && !line.imposed),
        ("resets=*,0", |line| line.resets[1] == 0),
        ("currentmax=3.. resets=0..1,0..1", |line| {
            line.currentmax >= 3 && line.resets.iter().all(|&resets| resets <= 1)
        }),
    ];
    let all_lines = lines::all_lines(rules);
    let expected_of_all = expected_reports(&all_lines);
    let expected_of_all = expected_of_all.as_array().expect("an array of lines");
    for (filter, is_selected) in filters {
        let selected = all_lines.iter().zip(expected_of_all).filter(|(line, _)| is_selected(line));
        let selected: Vec<Value> = selected.map(|(_, report)| report.clone()).collect();
        if !selected.is_empty() {
            let found = analyze(here.path(), &["t.bouton", "--where", filter]);
            check_lines(&found["lines"], &selected.into(), &format!("{filter} of {rules:?}"));
        }
    }
}

#[test]
fn the_report_on_each_line_agrees_with_its_definition() {
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
    games.par_iter().for_each(|&keys| check_report(&Rules::from(keys)));
}

/// Returns random rules of small games of Expanding Nim.
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
        check_report(&Rules::from(keys));
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
    let expected = lines::reports(&rules, &lines::start_lines(&rules), &is_lost);
    assert_eq!(expected.as_array().map(Vec::len), Some(25));
    let found = analyze(here.path(), &["bare.bouton"]);
    check_lines(&found["lines"], &expected, "of the starts");
    assert_eq!(found, analyze(here.path(), &["expanding"]), "solved on the spot it is the same");
    let mut selected = lines::all_lines(&rules);
    selected.retain(|line| {
        line.currentmax % 7 == 0 && (line.turn, line.resets, line.imposed) == (2, [3, 1], true)
    });
    for line in selected {
        let filter = format!("currentmax={} turn=2 resets=3,1 imposed=r", line.currentmax);
        let found = analyze(here.path(), &["bare.bouton", "--where", &filter]);
        check_lines(&found["lines"], &lines::reports(&rules, &[line], &is_lost), &filter);
    }
}

#[test]
fn a_line_is_named_by_its_positions_with_a_star_for_the_stones() {
    let here = tempfile::tempdir().expect("a folder can be made");
    let ran =
        bouton(here.path(), &["analyze", "expanding", "--set", "stones=30", "--set", "resets=0,0", "-q"]);
    assert!(ran.stdout.contains("\n  */0/1/0,0/-  "), "{}", ran.stdout);
}
