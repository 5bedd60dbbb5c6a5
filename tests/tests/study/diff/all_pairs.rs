//! Compares every field of the report of `bouton diff --json` with a naive oracle, for all pairs of fixed
//! rulesets, in both orders.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bouton_tables::{Table, hex, rulesets};
use bouton_tests::oracle::diff::{Aspect, Rules, SolvedPair};
use bouton_tests::oracle::{expanding, heaps};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::{diff, mirrored};

/// Returns the facts about one of the two tables that the report must state.
fn expected_table_facts<R: Rules>(rules: &R, name: &str, depths: bool) -> Value {
    let ruleset = rulesets::from_toml(&rules.toml()).expect("allowed rules");
    let bytes = bouton_generator::generate_in_memory(&ruleset, depths).unwrap();
    json!({
        "name": name,
        "rules": rules.keys(),
        "depths": depths,
        "positions": rules.positions().iter().filter(|position| R::is_counted(position)).count(),
        "digest": hex(&Table::open(bytes).expect("a fresh table opens").digest()),
    })
}

/// Compares the program's report on two ruleset files with the oracle's report. Returns the number of moves of the
/// witness (a shortest line of play to a position with different outcomes); `None` if there is no witness.
pub(crate) fn check_pair<R: Rules>(
    here: &Path,
    rules: [&R; 2],
    names: [&str; 2],
    limit: usize,
    only: Option<Aspect>,
) -> Option<usize> {
    let context = || format!("{:?} against {:?}, limit {limit}, only {only:?}", rules[0], rules[1]);
    let text = limit.to_string();
    let mut args = vec![names[0], names[1], "--limit", &text];
    args.extend(only.iter().flat_map(|aspect| ["--only", aspect.name()]));
    let (found, status) = diff(here, &args);

    let pair = SolvedPair::new(rules[0], rules[1], [true; 2]);
    let mut unchecked = found.as_object().expect("an object").clone();
    for (side, name) in [0, 1].map(|side| (side, ["a", "b"][side])) {
        assert_eq!(
            unchecked.remove(name),
            Some(expected_table_facts(rules[side], names[side], true)),
            "{}",
            context()
        );
    }
    pair.check_breakdown(&unchecked.remove("by").expect("a breakdown"));
    // Checks the witness in three steps, so that the error names the step: it is valid, it is shortest, it is the first
    // of that length.
    let expected = pair.expected(limit, only);
    pair.check_replay(&unchecked["witness"]);
    let length = |witness: &Value| witness["moves"].as_array().map(Vec::len);
    assert_eq!(length(&unchecked["witness"]), length(&expected["witness"]), "{}", context());
    // Compares field by field, so that the error names the field.
    for (field, expected) in expected.as_object().expect("an object") {
        assert_eq!(unchecked.remove(field).as_ref(), Some(expected), "{field} of {}", context());
    }
    assert!(unchecked.is_empty(), "{unchecked:?} of {}", context());
    assert_eq!(status, pair.status(), "{}", context());

    args.swap(0, 1);
    assert_eq!(diff(here, &args), (mirrored(&found), status), "{}", context());
    length(&found["witness"])
}

/// Returns the options for the pair with this number: the limit of the list of differences, and the aspect to list.
pub(crate) fn options_of_pair(number: usize) -> (usize, Option<Aspect>) {
    let limit = [10, 3, 100_000, 0, 1][number % 5];
    // Every other pair lists differences of any aspect.
    (limit, if number.is_multiple_of(2) { None } else { Some(Aspect::ALL[number / 2 % 4]) })
}

/// Checks every pair of the rulesets. Returns the numbers of moves of their witnesses.
fn check_all_pairs<R: Rules + Sync>(all: &[R]) -> BTreeSet<Option<usize>> {
    let here = tempfile::tempdir().expect("a folder can be made");
    let name = |number: usize| format!("{number}.toml");
    for (number, rules) in all.iter().enumerate() {
        fs::write(here.path().join(name(number)), rules.toml()).expect("it can be written");
    }
    let pairs: Vec<(usize, usize)> = (0..all.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let compare = |(number, &(a, b)): (usize, &(usize, usize))| {
        let (limit, only) = options_of_pair(number);
        check_pair(here.path(), [&all[a], &all[b]], [&name(a), &name(b)], limit, only)
    };
    pairs.par_iter().enumerate().map(compare).collect()
}

#[test]
fn every_field_agrees_with_the_oracle_in_expanding_nim() {
    // Stones, base limit, growth, reset limit, resets of the two players, misère.
    let games = [
        (24, 3, 1, 3, [1, 1], false),
        (24, 3, 1, 3, [1, 1], true),
        (20, 3, 2, 3, [1, 1], false),
        // Growth 0: the limit stays at 3 stones.
        (26, 3, 0, 3, [1, 1], false),
        // Only one player has resets, so the resets that both games allow differ by player, and positions with player 2
        // to move count separately.
        (24, 3, 3, 2, [1, 0], false),
        (24, 2, 1, 2, [0, 1], false),
        (22, 4, 1, 1, [2, 0], false),
        (22, 4, 1, 3, [0, 2], false),
        (18, 3, 1, 3, [0, 0], false),
        (24, 3, 1, 3, [0, 0], true),
        (1, 3, 1, 3, [1, 1], false),
        (24, 1, 1, 1, [1, 2], false),
        (23, 5, 2, 4, [2, 1], true),
        // The next two differ from the first ruleset in one key each: the limit under a reset, and the resets.
        (24, 3, 1, 2, [1, 1], false),
        (24, 3, 1, 3, [3, 2], false),
        (30, 7, 0, 5, [1, 0], false),
        // The witness of these two has two moves.
        (13, 4, 3, 3, [2, 2], false),
        (13, 4, 3, 2, [0, 2], false),
        // One stone a move.
        (24, 1, 0, 1, [0, 0], false),
        // After the first move any number of stones may be taken, except under a reset.
        (24, 3, 1000, 3, [1, 1], false),
    ];
    let lengths = check_all_pairs(&games.map(expanding::Rules::from));
    assert!(lengths.is_superset(&[None, Some(0), Some(1), Some(2)].into()), "{lengths:?}");
}

#[test]
fn every_field_agrees_with_the_oracle_in_heap_games() {
    use heaps::Take::{Any, Exactly, UpTo};
    // Bounds of the heaps, amounts to take, heaps per move, equal take, passes, misère.
    let games = [
        (vec![3, 5, 7], Any, 1, false, 0, false),
        (vec![3, 5, 7], Any, 1, false, 0, true),
        (vec![3, 5, 7], UpTo(2), 1, false, 0, false),
        // Two games with no move in common.
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
        // Positions have 0 to 31 stones: more numbers than the 20 parts into which the breakdown cuts an axis at most.
        (vec![15, 16], Exactly(vec![1, 2, 7]), 2, false, 1, false),
    ];
    let lengths = check_all_pairs(&games.map(heaps::Rules::from));
    assert!(lengths.is_superset(&[None, Some(0), Some(1), Some(2), Some(3)].into()), "{lengths:?}");
}

#[test]
fn every_field_agrees_with_the_oracle_with_more_moves_than_a_word_has_bits() {
    use heaps::Take::{Any, Exactly, UpTo};
    check_all_pairs(
        &[
            (90, 70, 1, 66, [1, 0], false),
            (85, 70, 1, 65, [1, 0], false),
            (80, 70, 2, 66, [0, 1], false),
            (90, 3, 70, 3, [1, 1], true),
        ]
        .map(expanding::Rules::from),
    );
    check_all_pairs(
        &[
            (vec![130], Exactly(vec![1, 64, 65]), 1, false, 2, false),
            (vec![135], Any, 1, false, 2, false),
            (vec![66, 67], UpTo(64), 1, false, 0, false),
            (vec![65, 70], Exactly(vec![1, 3, 64, 65, 66]), 1, false, 0, true),
        ]
        .map(heaps::Rules::from),
    );
}

#[test]
fn every_field_agrees_with_the_oracle_in_larger_games() {
    use heaps::Take::{Any, Exactly};
    let games = [(400, 3, 1, 3, [1, 1], false), (380, 3, 2, 3, [2, 0], false)];
    check_all_pairs(&games.map(expanding::Rules::from));
    let games = [
        (vec![31, 31, 31], Any, 1, false, 1, false),
        (vec![28, 30, 31, 2], Any, 1, false, 1, true),
        (vec![10; 5], Exactly(vec![1, 3, 4, 9]), 1, false, 1, false),
    ];
    check_all_pairs(&games.map(heaps::Rules::from));
}
