//! `verify` finds every single wrong verdict in a table whose file is whole.

use bouton_generator::expanding::{EncodedRow, SolvedRow, Step, TableBuilder, solver};
use bouton_generator::{Census, VerifyError, verify};
use bouton_tables::expanding::{Expanding, ExpandingKeys};
use bouton_tables::format::in_memory;
use bouton_tables::{Play, Table};
use rayon::prelude::*;

fn rows(rules: &Expanding, depths: bool) -> Vec<SolvedRow> {
    let mut solver = solver(rules, depths);
    std::iter::from_fn(|| solver.next_row()).collect()
}

/// A table of these rows, with these numbers in its header.
fn table(rules: &Expanding, rows: &[SolvedRow], census: Census) -> Table<Vec<u8>> {
    let depths = !rows[0].steps.is_empty();
    let mut builder = TableBuilder::new(rules, depths);
    for row in rows {
        let row = EncodedRow::new(builder.layout(), row);
        builder.put(row);
    }
    let made = in_memory(|sink| builder.finish(census, sink)).expect("there is memory");
    Table::open(made).expect("a file that is whole opens")
}

fn is_refused(table: &Table<Vec<u8>>) -> bool {
    matches!(verify(table, &|_| {}), Err(VerifyError::Wrong(_) | VerifyError::Contradictory(_)))
}

fn right_census(rules: &Expanding, depths: bool) -> Census {
    let bytes =
        bouton_generator::generate(&bouton_tables::Ruleset::Expanding(rules.clone()), depths, &|_| {});
    let header = Table::open(bytes).unwrap().header().clone();
    Census { wins: header.wins, deepest: header.deepest }
}

#[test]
fn one_wrong_outcome_anywhere_is_found() {
    for play in [Play::Normal, Play::Misere] {
        let rules = ExpandingKeys { stones: 24, reset_limit: 2, resets: [1, 0], play, ..Default::default() }
            .rules()
            .unwrap();
        let good = rows(&rules, false);
        let census = right_census(&rules, false);
        assert!(verify(&table(&rules, &good, census), &|_| {}).is_ok());
        // One word holds the cells of a group: here there are two cells.
        let places =
            good.iter().enumerate().flat_map(|(i, row)| (0..row.lost.len()).map(move |word| (i, word)));
        let all: Vec<(usize, usize, u32)> =
            places.flat_map(|(i, word)| [(i, word, 0), (i, word, 1)]).collect();
        assert!(all.len() > 500);
        all.par_iter().for_each(|&(i, word, bit)| {
            let mut bad = good.clone();
            bad[i].lost[word] ^= 1 << bit;
            assert!(is_refused(&table(&rules, &bad, census)), "row {i}, word {word}, bit {bit}");
        });
    }
}

#[test]
fn one_wrong_depth_or_best_move_anywhere_is_found() {
    let rules =
        ExpandingKeys { stones: 12, reset_limit: 2, resets: [1, 0], ..Default::default() }.rules().unwrap();
    let good = rows(&rules, true);
    let census = right_census(&rules, true);
    assert!(verify(&table(&rules, &good, census), &|_| {}).is_ok());
    let all: Vec<(usize, usize)> = good
        .iter()
        .enumerate()
        .flat_map(|(i, row)| (0..row.steps.len()).map(move |step| (i, step)))
        .collect();
    all.par_iter().for_each(|&(i, step)| {
        let with = |change: &dyn Fn(&mut Step)| {
            let mut bad = good.clone();
            change(&mut bad[i].steps[step]);
            is_refused(&table(&rules, &bad, census))
        };
        assert!(with(&|step| step.depth += 2), "depth of row {i}, step {step}");
        assert!(with(&|step| step.depth += 1), "parity of the depth of row {i}, step {step}");
        assert!(with(&|step| step.take += 1), "best move of row {i}, step {step}");
        // A move of no stones has no reset either.
        if good[i].steps[step].take > 0 {
            assert!(with(&|step| step.reset ^= true), "reset of row {i}, step {step}");
        }
    });
}

#[test]
fn a_table_of_other_rules_under_this_name_is_found() {
    let rules = |play, reset_limit| {
        ExpandingKeys { stones: 100, reset_limit, resets: [2, 1], play, ..Default::default() }
            .rules()
            .unwrap()
    };
    let named = rules(Play::Normal, 3);
    for other in [rules(Play::Misere, 3), rules(Play::Normal, 2)] {
        for depths in [false, true] {
            assert!(is_refused(&table(&named, &rows(&other, depths), right_census(&named, depths))));
        }
    }
}

#[test]
fn a_header_that_counts_wrong_is_found() {
    let rules = ExpandingKeys { stones: 40, resets: [1, 1], ..Default::default() }.rules().unwrap();
    let good = rows(&rules, true);
    let census = right_census(&rules, true);
    for wrong in
        [Census { wins: census.wins + 1, ..census }, Census { deepest: census.deepest - 1, ..census }]
    {
        let found = verify(&table(&rules, &good, wrong), &|_| {});
        assert!(matches!(found, Err(VerifyError::Miscounted { .. })), "{found:?}");
    }
}
