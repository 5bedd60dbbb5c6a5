//! `verify` finds every single wrong verdict in a table whose file is whole.

use bouton_generator::{VerifyError, verify};
use bouton_tables::expanding::{Expanding, ExpandingKeys};
use bouton_tables::{Play, Table};
use bouton_tests::headers::Entry;
use bouton_tests::written::{Place, Written};
use rayon::prelude::*;

fn table(written: &Written) -> Table<Vec<u8>> {
    Table::open(written.seal()).expect("a file that is whole opens")
}

fn is_right(written: &Written) -> bool {
    verify(&table(written), &|_| {}).is_ok()
}

fn is_refused(written: &Written) -> bool {
    matches!(verify(&table(written), &|_| {}), Err(VerifyError::Wrong(_) | VerifyError::Contradictory(_)))
}

/// The table with something else at one place.
fn with(good: &Written, [row, line, stones]: [usize; 3], change: impl Fn(&mut Place)) -> Written {
    let mut bad = good.clone();
    change(&mut bad.rows[row][line][stones]);
    bad
}

#[test]
fn one_wrong_outcome_anywhere_is_found() {
    for play in [Play::Normal, Play::Misere] {
        let rules = ExpandingKeys { stones: 24, reset_limit: 2, resets: [1, 0], play, ..Default::default() }
            .rules()
            .unwrap();
        let good = Written::of(&rules, false);
        assert!(is_right(&good));
        let all = good.places();
        assert!(all.len() > 500);
        all.par_iter().for_each(|&place| {
            let bad = with(&good, place, |place| place.is_lost ^= true);
            assert!(is_refused(&bad), "row, line and stones: {place:?}");
        });
    }
}

#[test]
fn one_wrong_depth_or_best_move_anywhere_is_found() {
    let rules =
        ExpandingKeys { stones: 12, reset_limit: 2, resets: [1, 0], ..Default::default() }.rules().unwrap();
    let good = Written::of(&rules, true);
    assert!(is_right(&good));
    good.places().par_iter().for_each(|&place| {
        let is_found = |change: &dyn Fn(&mut Place)| is_refused(&with(&good, place, change));
        let shown = format!("row, line and stones: {place:?}");
        assert!(!is_found(&|_| {}), "nothing is wrong: {shown}");
        assert!(is_found(&|place| place.depth += 2), "depth: {shown}");
        assert!(is_found(&|place| place.depth += 1), "parity of the depth: {shown}");
        assert!(is_found(&|place| place.take += 1), "best move: {shown}");
        // A move of no stones has no reset either.
        if place[2] > 0 {
            assert!(is_found(&|place| place.reset ^= true), "reset: {shown}");
        }
    });
}

#[test]
fn a_table_of_other_rules_under_this_name_is_found() {
    let rules = |play, reset_limit| -> Expanding {
        ExpandingKeys { stones: 100, reset_limit, resets: [2, 1], play, ..Default::default() }
            .rules()
            .unwrap()
    };
    let named = rules(Play::Normal, 3);
    for other in [rules(Play::Misere, 3), rules(Play::Normal, 2)] {
        for depths in [false, true] {
            let header = Written::of(&named, depths).header;
            assert!(is_refused(&Written { header, ..Written::of(&other, depths) }));
        }
    }
}

#[test]
fn a_header_that_counts_wrong_is_found() {
    let rules = ExpandingKeys { stones: 40, resets: [1, 1], ..Default::default() }.rules().unwrap();
    let good = Written::of(&rules, true);
    let counting = |name: &str, change: fn(u64) -> u64| {
        let mut bad = good.clone();
        let number = bad.header.iter_mut().filter(|entry| entry.name == name).flat_map(Entry::numbers);
        number.for_each(|number| *number = change(*number));
        bad
    };
    for wrong in [counting("wins", |wins| wins + 1), counting("deepest", |deepest| deepest - 1)] {
        let found = verify(&table(&wrong), &|_| {});
        assert!(matches!(found, Err(VerifyError::Miscounted { .. })), "{found:?}");
    }
}
