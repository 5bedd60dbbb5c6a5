//! Every key, of every two of some rulesets, in both orders.

use std::fs;
use std::path::Path;

use bouton_tables::{Table, hex, rulesets};
use bouton_tests::oracle::diff::{Aspect, Pair, Rules};
use bouton_tests::oracle::{expanding, heaps};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::{diff, mirrored};

/// What is said of one of the two by itself.
fn about<R: Rules>(rules: &R, name: &str, depths: bool) -> Value {
    let ruleset = rulesets::from_toml(&rules.toml()).expect("allowed rules");
    let bytes = bouton_generator::generate(&ruleset, depths, &|_| {});
    json!({
        "name": name,
        "rules": rules.keys(),
        "depths": depths,
        "positions": rules.positions().iter().filter(|position| R::is_counted(position)).count(),
        "digest": hex(&Table::open(bytes).expect("a fresh table opens").digest()),
    })
}

/// Compares what the program says of two rulesets, in files of these names, with the oracle.
fn agrees<R: Rules>(here: &Path, rules: [&R; 2], names: [&str; 2], limit: usize, only: Option<Aspect>) {
    let place = || format!("{:?} against {:?}, limit {limit}, only {only:?}", rules[0], rules[1]);
    let text = limit.to_string();
    let mut args = vec![names[0], names[1], "--limit", &text];
    args.extend(only.iter().flat_map(|aspect| ["--only", aspect.name()]));
    let (found, status) = diff(here, &args);

    let pair = Pair::new(rules[0], rules[1], [true; 2]);
    let mut left = found.as_object().expect("an object").clone();
    for (side, name) in [0, 1].map(|side| (side, ["a", "b"][side])) {
        assert_eq!(left.remove(name), Some(about(rules[side], names[side], true)), "{}", place());
    }
    pair.check_breakdown(&left.remove("by").expect("a breakdown"));
    // First what a witness is, then that it is the shortest, then that it is the first of these.
    let expected = pair.expected(limit, only);
    pair.check_replay(&left["witness"]);
    let length = |witness: &Value| witness["moves"].as_array().map(Vec::len);
    assert_eq!(length(&left["witness"]), length(&expected["witness"]), "{}", place());
    // Key by key, so that what is wrong is told by name.
    for (key, expected) in expected.as_object().expect("an object") {
        assert_eq!(left.remove(key).as_ref(), Some(expected), "{key} of {}", place());
    }
    assert!(left.is_empty(), "{left:?} of {}", place());
    assert_eq!(status, pair.status(), "{}", place());

    args.swap(0, 1);
    assert_eq!(diff(here, &args), (mirrored(&found), status), "{}", place());
}

/// Compares every two of the rulesets.
fn every_two_agree<R: Rules + Sync>(all: &[R]) {
    let here = tempfile::tempdir().expect("a folder can be made");
    let name = |number: usize| format!("{number}.toml");
    for (number, rules) in all.iter().enumerate() {
        fs::write(here.path().join(name(number)), rules.toml()).expect("it can be written");
    }
    let pairs: Vec<(usize, usize)> = (0..all.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    pairs.par_iter().enumerate().for_each(|(number, &(a, b))| {
        // Each list of the first that differ is asked for with some of the pairs.
        let limit = [10, 3, 100_000, 0, 1][number % 5];
        let only = [None, None, Some(Aspect::Outcome), Some(Aspect::Depth), None, Some(Aspect::Winning)]
            .into_iter()
            .chain([Some(Aspect::Best)])
            .nth(number % 7)
            .expect("the remainder is less than 7");
        agrees(here.path(), [&all[a], &all[b]], [&name(a), &name(b)], limit, only);
    });
}

#[test]
fn every_key_is_as_the_oracle_says_in_expanding_nim() {
    let games = [
        (24, 3, 1, 3, [1, 1], false),
        (24, 3, 1, 3, [1, 1], true),
        (20, 3, 2, 3, [1, 1], false),
        // A limit that stays.
        (26, 3, 0, 3, [1, 1], false),
        // Resets of one player, or of the other: neither is the mirror image of what they have in common.
        (24, 3, 3, 2, [1, 0], false),
        (24, 2, 1, 2, [0, 1], false),
        (22, 4, 1, 1, [2, 0], false),
        (22, 4, 1, 3, [0, 2], false),
        (18, 3, 1, 3, [0, 0], false),
        (24, 3, 1, 3, [0, 0], true),
        (1, 3, 1, 3, [1, 1], false),
        (24, 1, 1, 1, [1, 2], false),
        (23, 5, 2, 4, [2, 1], true),
        // Only a reset tells these two from the first.
        (24, 3, 1, 2, [1, 1], false),
        (24, 3, 1, 3, [3, 2], false),
        (30, 7, 0, 5, [1, 0], false),
        // One stone a move.
        (24, 1, 0, 1, [0, 0], false),
        // As many as there are after the first move.
        (24, 3, 1000, 3, [1, 1], false),
    ];
    let rules = |(stones, base_limit, growth, reset_limit, resets, misere)| expanding::Rules {
        stones,
        base_limit,
        growth,
        reset_limit,
        resets,
        misere,
    };
    every_two_agree(&games.map(rules));
}

#[test]
fn every_key_is_as_the_oracle_says_in_games_of_heaps() {
    use heaps::Take::{Any, Exactly, UpTo};
    let games = [
        (vec![3, 5, 7], Any, 1, false, 0, false),
        (vec![3, 5, 7], Any, 1, false, 0, true),
        (vec![3, 5, 7], UpTo(2), 1, false, 0, false),
        // Two with no move in common.
        (vec![3, 5, 7], Exactly(vec![1, 3]), 1, false, 0, false),
        (vec![4, 6], Exactly(vec![4, 2]), 1, false, 0, false),
        (vec![4, 3, 3, 3], Any, 1, false, 0, false),
        (vec![7, 2], Any, 2, true, 0, false),
        (vec![5, 5], Any, 2, false, 0, false),
        (vec![4, 4, 4], Any, 1, false, 1, false),
        (vec![4, 4, 4], Any, 1, false, 2, true),
        (vec![12], Exactly(vec![1, 3, 4]), 1, false, 0, false),
        (vec![12], Exactly(vec![2, 5]), 1, false, 2, false),
        (vec![1; 5], Any, 1, false, 0, true),
        (vec![2, 3, 4], UpTo(2), 3, false, 1, false),
        (vec![9, 9], UpTo(3), 1, false, 0, false),
        (vec![6], Any, 1, false, 0, false),
        (vec![3, 4, 5], Exactly(vec![1, 3]), 2, true, 0, true),
        (vec![2, 6, 6], Any, 1, false, 1, false),
        // More sizes and totals than an axis has parts.
        (vec![15, 16], Exactly(vec![1, 2, 7]), 2, false, 1, false),
    ];
    let rules = |(bounds, take, heaps_per_move, equal_take, passes, misere)| heaps::Rules {
        bounds,
        take,
        heaps_per_move,
        equal_take,
        passes,
        misere,
    };
    every_two_agree(&games.map(rules));
}
