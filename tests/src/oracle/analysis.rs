//! The expected report of `bouton analyze`, recomputed from outcomes by the definitions alone.
//!
//! The command's output is compared with this oracle, which is written from `docs/outputs.md`. It tries every period
//! with every preperiod, and takes its theorems from the literature. Keep it this naive.

pub mod heaps;
pub mod lines;
mod theorems;

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Returns the preperiod and the period of a sequence, found by trying all pairs: the least period that fits twice
/// and covers half of the sequence, with its least preperiod.
#[must_use]
pub fn period<T: PartialEq>(values: &[T]) -> Option<(usize, usize)> {
    let holds =
        |period: usize, from: usize| (from..values.len() - period).all(|s| values[s] == values[s + period]);
    for period in 1..=values.len() / 2 {
        for preperiod in 0..=(values.len() - 2 * period).min(values.len() / 2) {
            if holds(period, preperiod) {
                return Some((preperiod, period));
            }
        }
    }
    None
}

/// Returns the report on a line. `lost[n]` says whether the position with `n` stones is lost.
#[must_use]
pub fn line(lost: &[bool]) -> Value {
    let losing: Vec<usize> = (0..lost.len()).filter(|&stones| lost[stones]).collect();
    let distances: Vec<usize> = losing.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mut gaps: BTreeMap<usize, usize> = BTreeMap::new();
    for distance in &distances {
        *gaps.entry(*distance).or_default() += 1;
    }
    // The length of the run of won numbers that begins at each number.
    let run = |from: usize| lost[from..].iter().take_while(|lost| !**lost).count();
    let runs: Vec<(usize, usize)> = (0..lost.len()).map(|from| (from, run(from))).collect();
    let longest = runs.iter().map(|run| run.1).max().filter(|&length| length > 0);
    let longest = longest.and_then(|length| runs.iter().find(|run| run.1 == length));
    let period = period(lost);
    let quasi_period = if period.is_none() && distances.len() >= 2 {
        json!(distances.iter().sum::<usize>() as f64 / distances.len() as f64)
    } else {
        Value::Null
    };
    json!({
        "stones": lost.len() - 1,
        "losing": losing.len(),
        "density": losing.len() as f64 / lost.len() as f64,
        "first": losing.first(),
        "last": losing.last(),
        "gaps": Vec::from_iter(gaps),
        "longest_wins": longest.map(|(from, length)| json!({"from": from, "length": length})),
        "period": period.map(|(preperiod, period)| json!({"preperiod": preperiod, "period": period})),
        "quasi_period": quasi_period,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the report on a line written with `o` for a lost number and `.` for a won one.
    fn report_on(text: &str) -> Value {
        line(&text.bytes().map(|letter| letter == b'o').collect::<Vec<_>>())
    }

    #[test]
    fn a_line_with_a_period_is_reported_with_its_preperiod() {
        let expected = json!({
            "stones": 12, "losing": 4, "density": 4.0 / 13.0, "first": 0, "last": 11,
            "gaps": [[3, 2], [5, 1]], "longest_wins": {"from": 1, "length": 4},
            "period": {"preperiod": 3, "period": 3}, "quasi_period": null,
        });
        assert_eq!(report_on("o....o..o..o."), expected);
    }

    #[test]
    fn a_line_without_a_period_is_reported_with_its_mean_gap() {
        let line = report_on("o..o...o....o");
        assert_eq!(line["period"], Value::Null);
        assert_eq!(line["quasi_period"], 4.0);
        assert_eq!(line["longest_wins"], json!({"from": 8, "length": 4}));
        // A single gap has no mean worth reporting, and a stretch that does not repeat has no period.
        let line = report_on("..o...o");
        assert_eq!([&line["period"], &line["quasi_period"]], [&Value::Null; 2]);
        // If several runs are the longest, the report names the first one.
        assert_eq!(report_on("..o..")["longest_wins"], json!({"from": 0, "length": 2}));
    }

    #[test]
    fn short_and_constant_lines_have_the_period_of_the_definition() {
        let line = report_on("....");
        assert_eq!(line["period"], json!({"preperiod": 0, "period": 1}));
        assert_eq!((&line["first"], &line["last"], &line["gaps"]), (&json!(null), &json!(null), &json!([])));
        assert_eq!(line["longest_wins"], json!({"from": 0, "length": 4}));
        assert_eq!(report_on("oo")["longest_wins"], Value::Null);
        // A single number cannot be two whole periods.
        assert_eq!(report_on("o")["period"], Value::Null);
        assert_eq!(period(&[0, 1, 0, 1, 2, 3, 2, 0, 1, 0, 1, 2, 3, 2]), Some((0, 7)));
        assert_eq!(period(&[0, 1, 0, 1, 2, 3, 2, 0, 1, 0, 1, 2, 3]), None);
        // Two whole periods that cover less than half of the sequence do not count.
        assert_eq!(period(&[1, 2, 3, 4, 0, 0]), None);
        assert_eq!(period(&[1, 2, 3, 0, 0, 0]), Some((3, 1)));
    }
}
