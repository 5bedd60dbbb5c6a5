//! `bouton diff`, compared with naive oracles of both game families.

mod all_pairs;
mod files;
mod random;
mod refusals;

use std::path::Path;

use bouton_tests::programs::bouton;
use serde_json::Value;

/// Returns the output of `bouton diff --json`, and its exit status, which must be 0 or 1.
fn diff(here: &Path, args: &[&str]) -> (Value, i32) {
    let ran = bouton(here, &[&["diff", "--json"], args].concat());
    assert_eq!(ran.stderr, "", "{args:?}");
    let status = ran.status.filter(|status| [0, 1].contains(status));
    let status = status.unwrap_or_else(|| panic!("{args:?}: {:?}", ran.status));
    assert!(ran.stdout.ends_with('\n'), "{args:?}");
    let found: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}"));
    // The status is 0 exactly if the output counts no difference.
    let is_zero = |key: &str| found.get(key).is_none_or(|number| *number == 0);
    let no_difference = ["different", "only_a", "only_b", "turn_2"].into_iter().all(is_zero);
    assert_eq!(status, i32::from(!no_difference), "{args:?}: {found}");
    (found, status)
}

/// Returns the output to expect if the two tables are named in the other order: keys about A and B change places.
fn mirrored(found: &Value) -> Value {
    const PAIRS: [[&str; 2]; 4] =
        [["a", "b"], ["only_a", "only_b"], ["win_to_loss", "loss_to_win"], ["losing_a", "losing_b"]];
    let mirrored_key = |key: &str| {
        let pair = PAIRS.iter().find(|pair| pair.contains(&key));
        pair.map_or(key, |[left, right]| if *left == key { right } else { left }).to_owned()
    };
    match found {
        Value::Object(keys) => keys.iter().map(|(key, value)| (mirrored_key(key), mirrored(value))).collect(),
        Value::Array(elements) => elements.iter().map(mirrored).collect(),
        bare => bare.clone(),
    }
}

/// Removes the names, which may differ for the same table.
fn nameless(mut found: Value) -> Value {
    for side in ["a", "b"] {
        found[side].as_object_mut().expect("the facts about a table").remove("name");
    }
    found
}

/// Makes the table of a ruleset.
fn generate(here: &Path, args: &[&str]) {
    let ran = bouton(here, &[&["generate", "--quiet"], args].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
}
