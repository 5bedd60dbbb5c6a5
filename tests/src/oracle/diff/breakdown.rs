//! Checks the breakdown of the differences by axes, such as the number of stones. The program chooses how to split an
//! axis into parts; this module checks the counts of each part.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{Rules, SolvedPair};

impl<R: Rules> SolvedPair<R> {
    /// Checks a breakdown against the positions.
    ///
    /// # Panics
    /// At the first wrong figure.
    pub fn check_breakdown(&self, found: &Value) {
        let axes: BTreeMap<&R::Position, Vec<(&str, Value)>> = self
            .counted()
            .into_iter()
            .map(|position| (position, self.rules[0].axes(&self.rules[1], position)))
            .collect();
        let (_, axes_of_first) = axes.first_key_value().expect("both have the end of a game");
        let names: BTreeSet<&str> = axes_of_first.iter().map(|(axis, _)| *axis).collect();
        let found = found.as_object().expect("an object of axes");
        assert_eq!(found.keys().map(String::as_str).collect::<BTreeSet<_>>(), names);
        for (number, (axis, _)) in axes_of_first.iter().enumerate() {
            let elements = found[*axis].as_array().expect("an axis is an array");
            let mut uncounted = self.counted();
            let mut last_value: Option<Value> = None;
            for element in elements {
                let at = |position: &R::Position| &axes[position][number].1;
                let (label, last) = label(element, axis);
                assert!(
                    last_value
                        .as_ref()
                        .is_none_or(|last_value| is_less(last_value, &first_value(&label, axis))),
                    "{axis} is in order: {found:?}"
                );
                let (inside, rest): (Vec<_>, Vec<_>) =
                    uncounted.into_iter().partition(|position| is_within(at(position), &label, axis));
                assert!(!inside.is_empty(), "{axis} has no part without positions: {element}");
                let mut expected = self.counts(&inside);
                expected.extend(label);
                assert_eq!(element, &Value::Object(expected), "{axis}");
                (uncounted, last_value) = (rest, Some(last));
            }
            assert!(uncounted.is_empty(), "{axis} lacks the positions {uncounted:?}");
            assert!(elements.len() <= 20 || elements.iter().all(|element| element.get("from").is_none()));
        }
    }
}

/// Returns the label of an element, which is its range of values on the axis, and the last value in this range.
fn label(element: &Value, axis: &str) -> (Map<String, Value>, Value) {
    let keys: &[&str] = match axis {
        "resets" | "imposed" => &[axis],
        _ => &["from", "to"],
    };
    let value = |key: &&str| element.get(*key).unwrap_or_else(|| panic!("{axis}: no {key} in {element}"));
    let label = keys.iter().map(|key| ((*key).to_owned(), value(key).clone())).collect();
    (label, value(&keys[keys.len() - 1]).clone())
}

/// Returns the first value in the range of an element.
fn first_value(label: &Map<String, Value>, axis: &str) -> Value {
    label.get("from").unwrap_or_else(|| &label[axis]).clone()
}

/// Returns whether a value on an axis is in the part of the axis with this label.
fn is_within(at: &Value, label: &Map<String, Value>, axis: &str) -> bool {
    match (label.get("from"), label.get("to")) {
        (Some(from), Some(to)) => at.as_u64() >= from.as_u64() && at.as_u64() <= to.as_u64(),
        _ => *at == label[axis],
    }
}

/// Compares two values of an axis: numbers, pairs of numbers, or `false` before `true`.
fn is_less(value: &Value, other: &Value) -> bool {
    let numbers = |value: &Value| match value {
        Value::Array(numbers) => numbers.iter().map(Value::as_u64).collect(),
        Value::Bool(flag) => vec![Some(u64::from(*flag))],
        number => vec![number.as_u64()],
    };
    numbers(value) < numbers(other)
}
