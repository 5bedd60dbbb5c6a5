//! `bouton analyze`, compared with definitions, theorems and naive oracles.

mod expanding;
mod heaps;
mod refusals;

use std::path::Path;

use bouton_tests::programs::bouton;
use serde_json::Value;

/// Returns the output of `bouton analyze --json`.
fn analyze(here: &Path, args: &[&str]) -> Value {
    let ran = bouton(here, &[&["analyze", "--json"], args].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
    assert!(ran.stdout.ends_with('\n'), "{args:?}");
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}"))
}

/// Makes the table of a ruleset, and returns its digest.
fn generate(here: &Path, file: &str, args: &[&str]) -> Value {
    let ran = bouton(here, &[&["generate", "--quiet", "-o", file], args].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
    let info = bouton(here, &["info", "--json", file]).stdout;
    serde_json::from_str::<Value>(&info).expect("JSON")["digest"].clone()
}

/// Returns whether two values are equal; fractions may differ in the last digits.
fn nearly_equal(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            found.len() == expected.len()
                && found
                    .iter()
                    .all(|(key, value)| expected.get(key).is_some_and(|other| nearly_equal(value, other)))
        }
        (Value::Array(found), Value::Array(expected)) => {
            found.len() == expected.len()
                && found.iter().zip(expected).all(|(found, other)| nearly_equal(found, other))
        }
        (Value::Number(found), Value::Number(expected)) if found.is_f64() || expected.is_f64() => {
            let [found, expected] = [found, expected].map(|number| number.as_f64().expect("a number"));
            (found - expected).abs() <= 1e-12 * expected.abs()
        }
        _ => found == expected,
    }
}
