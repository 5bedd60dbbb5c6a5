//! `verify` finds every single wrong verdict in a table whose file is whole.

use bouton_generator::expanding::{Changes, EncodedRow, Lines, Run, SolvedRow, TableBuilder, solver};
use bouton_generator::{Census, VerifyError, verify};
use bouton_tables::expanding::{Expanding, ExpandingKeys, Layout};
use bouton_tables::format::in_memory;
use bouton_tables::{Play, Table};
use rayon::prelude::*;

fn rows(rules: &Expanding, depths: bool) -> Vec<SolvedRow> {
    let mut solver = solver(rules, depths).unwrap();
    std::iter::from_fn(|| solver.next_row(&()).unwrap()).collect()
}

/// A table of these rows, with these numbers in its header.
fn table(rules: &Expanding, rows: &[SolvedRow], census: Census) -> Table<Vec<u8>> {
    let depths = matches!(rows[0].lines, Lines::Verdicts(_));
    let mut builder = TableBuilder::new(rules, depths).unwrap();
    for row in rows {
        let row = EncodedRow::new(rules, builder.layout(), row).unwrap();
        builder.put(row);
    }
    let made = in_memory(|sink| builder.finish(census, sink).map(|_| ())).expect("there is memory");
    Table::open(made).expect("a file that is whole opens")
}

fn is_refused(table: &Table<Vec<u8>>) -> bool {
    matches!(verify(table, &|_| {}), Err(VerifyError::Wrong(_) | VerifyError::Contradictory(_)))
}

fn right_census(rules: &Expanding, depths: bool) -> Census {
    let bytes =
        bouton_generator::generate_in_memory(&bouton_tables::Ruleset::Expanding(rules.clone()), depths)
            .unwrap();
    let header = Table::open(bytes).unwrap().header().clone();
    Census { wins: header.wins, deepest: header.deepest }
}

/// The row, line and stones of each position of some rows.
fn places(rules: &Expanding, rows: &[SolvedRow]) -> Vec<(usize, usize, u32)> {
    let layout = Layout::try_new(rules).unwrap();
    let of_row = |(i, row): (usize, &SolvedRow)| {
        let length = layout.length(row.row);
        (0..layout.lines()).flat_map(move |line| (0..length).map(move |stones| (i, line, stones)))
    };
    rows.iter().enumerate().flat_map(of_row).collect()
}

/// The changes along a line of which the outcome at so many stones is another one.
fn flipped(changes: &Changes, stones: u32, length: u32) -> Changes {
    let mut all: Vec<u32> = changes.iter().collect();
    for place in (stones..=stones + 1).filter(|&place| place < length) {
        match all.binary_search(&place) {
            Ok(found) => drop(all.remove(found)),
            Err(missing) => all.insert(missing, place),
        }
    }
    let mut flipped = Changes::default();
    all.into_iter().for_each(|place| flipped.push(place).unwrap());
    flipped
}

/// The runs of a line, one for each number of stones.
fn apart(runs: &[Run], length: u32) -> Vec<Run> {
    let at = |stones| {
        let run = runs[runs.partition_point(|run| run.start <= stones) - 1];
        let take = if run.advance { run.take + (stones - run.start) } else { run.take };
        Run { start: stones, take, advance: false, ..run }
    };
    (0..length).map(at).collect()
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
        let all = places(&rules, &good);
        assert!(all.len() > 500);
        all.par_iter().for_each(|&(i, line, stones)| {
            let mut bad = good.clone();
            let length = Layout::try_new(&rules).unwrap().length(bad[i].row);
            let Lines::Outcomes(lines) = &mut bad[i].lines else { panic!("there are no depths") };
            lines[line] = flipped(&lines[line], stones, length);
            assert!(is_refused(&table(&rules, &bad, census)), "row {i}, line {line}, {stones} stones");
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
    places(&rules, &good).par_iter().for_each(|&(i, line, stones)| {
        let with = |change: &dyn Fn(&mut Run)| {
            let mut bad = good.clone();
            let length = Layout::try_new(&rules).unwrap().length(bad[i].row);
            let Lines::Verdicts(lines) = &mut bad[i].lines else { panic!("there are depths") };
            lines[line] = apart(&lines[line], length);
            change(&mut lines[line][stones as usize]);
            is_refused(&table(&rules, &bad, census))
        };
        let place = format!("row {i}, line {line}, {stones} stones");
        assert!(!with(&|_| {}), "nothing is wrong: {place}");
        assert!(with(&|run| run.depth += 2), "depth: {place}");
        assert!(with(&|run| run.depth += 1), "parity of the depth: {place}");
        assert!(with(&|run| run.take += 1), "best move: {place}");
        // A move of no stones has no reset either.
        if stones > 0 {
            assert!(with(&|run| run.reset ^= true), "reset: {place}");
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
