//! Tests that the proof finds single wrong verdicts, other rules and wrong counts in a table whose file is undamaged.

use std::sync::Arc;

use bouton_tables::expanding::{Expanding, ExpandingKeys, ExpandingLayout};
use bouton_tables::format::in_memory;
use bouton_tables::{Outcome, Play, Ruleset, Table};

use super::super::depths::verdict_line::VerdictLine;
use super::super::outcome_line::{OutcomeLine, OutcomeLineBuilder};
use super::super::pack::{EncodedRow, RowStore, write_table};
use super::super::row::SolvedRow;
use super::super::run::Run;
use super::super::solver;
use crate::census::Census;
use crate::generate::generate_in_memory;
use crate::making::GenerateError;
use crate::proof::{VerifyError, VerifyOptions};
use crate::verify::verify_with;

fn rows(rules: &Expanding, depths: bool) -> Vec<SolvedRow> {
    let mut solver = solver(rules, depths).unwrap();
    let rows = ExpandingLayout::for_table(rules).unwrap().rows();
    (0..rows).rev().map(|row| solver.solve(row, &()).unwrap()).collect()
}

/// Returns a table of these rows, with this census in its header.
fn table(rules: &Expanding, rows: &[SolvedRow], census: Census) -> Table {
    let layout = &ExpandingLayout::for_table(rules).unwrap();
    let packed = || {
        let mut store = RowStore::default();
        for batch in rows.chunks(3) {
            store.add(batch.iter().map(|row| EncodedRow::new(rules, layout, row).unwrap()))?;
        }
        Ok::<_, GenerateError>(store)
    };
    let header = census.header(rules.clone().into(), !rows[0].verdicts.is_empty());
    let made = in_memory(|sink| write_table(layout, packed()?, header.clone(), sink).map(|_| ()));
    let made = made.expect("there is memory");
    Table::open(made).expect("a file that is whole opens")
}

/// Verifies the table by lines (with depths, by windows), and by positions.
fn verify_twice(table: &Table) -> [Result<(), VerifyError>; 2] {
    [false, true].map(|every_position| {
        let options = VerifyOptions { every_position, ..Default::default() };
        verify_with(table, &options, &()).map(|_| ())
    })
}

fn is_right(table: &Table) -> bool {
    verify_twice(table).iter().all(Result::is_ok)
}

fn is_refused(table: &Table) -> bool {
    verify_twice(table).iter().all(is_wrong)
}

fn is_wrong<T>(found: &Result<T, VerifyError>) -> bool {
    matches!(found, Err(VerifyError::Wrong(_) | VerifyError::Contradictory(_)))
}

fn census_of(rules: &Expanding, depths: bool) -> Census {
    let bytes = generate_in_memory(&Ruleset::Expanding(rules.clone()), depths).unwrap();
    let header = Table::open(bytes).unwrap().header().clone();
    Census { wins: header.wins, deepest: header.deepest }
}

/// Returns row, line and stones of each position of some rows.
fn positions(rules: &Expanding, rows: &[SolvedRow]) -> Vec<(usize, usize, u64)> {
    let layout = ExpandingLayout::for_table(rules).unwrap();
    let positions_of_row = |(i, row): (usize, &SolvedRow)| {
        let length = layout.length(row.row);
        (0..layout.lines()).flat_map(move |line| (0..length).map(move |stones| (i, line, stones)))
    };
    rows.iter().enumerate().flat_map(positions_of_row).collect()
}

/// Returns for each place below `length` whether it is lost.
fn lost_places(line: &OutcomeLine, length: u64) -> Vec<bool> {
    let (mut runs, mut lost) = (line.runs(), vec![false; length as usize]);
    loop {
        let [start, end] = runs.next_run().map(|place| place.min(length) as usize);
        if start == length as usize {
            return lost;
        }
        lost[start..end].fill(true);
    }
}

/// Returns the line with these lost places.
fn outcome_line(lost: &[bool]) -> Arc<OutcomeLine> {
    let mut line = OutcomeLineBuilder::new(false);
    for (start, _) in (0..).zip(lost).filter(|(_, lost)| **lost) {
        line.push(start, start + 1).unwrap();
    }
    let mut line = line.finish_all(lost.len() as u64).unwrap();
    line.trim();
    Arc::new(line)
}

/// Returns a line with these runs.
fn verdict_line(runs: Vec<Run>) -> Arc<VerdictLine> {
    Arc::new(VerdictLine::whole(runs))
}

/// Replaces the lines by equal ones that share no runs.
fn unshare(rules: &Expanding, rows: &mut [SolvedRow]) {
    let layout = ExpandingLayout::for_table(rules).unwrap();
    for row in rows {
        let mut replaced: Vec<(Arc<VerdictLine>, Arc<VerdictLine>)> = Vec::new();
        for line in &mut row.verdicts {
            if let Some((_, whole)) = replaced.iter().find(|(before, _)| Arc::ptr_eq(before, line)) {
                *line = whole.clone();
                continue;
            }
            let whole = verdict_line(line.expanded(layout.length(row.row) as u32));
            replaced.push((std::mem::replace(line, whole.clone()), whole));
        }
    }
}

/// Returns a line as runs of one place each.
fn single_place_runs(line: &VerdictLine, length: u64) -> Vec<Run> {
    let length = length as u32;
    let runs = line.expanded(length);
    let at = |stones| {
        let run = runs[runs.partition_point(|run| run.start <= stones) - 1];
        Run { start: stones, take: run.take_at(stones), advance: false, ..run }
    };
    (0..length).map(at).collect()
}

/// Returns a copy of the rows with one verdict changed: at row, line and stones.
fn changed_at(
    rules: &Expanding,
    good: &[SolvedRow],
    (row, number, stones): (usize, usize, u64),
    change: &dyn Fn(&mut Run),
) -> Vec<SolvedRow> {
    let mut bad = good.to_vec();
    let length = ExpandingLayout::for_table(rules).unwrap().length(bad[row].row);
    let mut runs = single_place_runs(&bad[row].verdicts[number], length);
    change(&mut runs[stones as usize]);
    // Outcomes agree with depths.
    let is_lost = |run: &Run| rules.play().outcome_at_depth(run.depth) == Outcome::Loss;
    bad[row].outcomes[number] = outcome_line(&runs.iter().map(is_lost).collect::<Vec<_>>());
    bad[row].verdicts[number] = verdict_line(runs);
    bad
}

#[test]
fn one_wrong_outcome_anywhere_is_found() {
    let games = [
        ExpandingKeys { stones: 24, reset_limit: 2, resets: [1, 0], ..Default::default() },
        ExpandingKeys { stones: 24, resets: [1, 0], play: Play::Misere, ..Default::default() },
        ExpandingKeys {
            stones: 30,
            base_limit: 1,
            growth: 2,
            reset_limit: 1,
            resets: [0, 1],
            ..Default::default()
        },
        ExpandingKeys {
            stones: 25,
            base_limit: 6,
            growth: 1,
            reset_limit: 3,
            resets: [0, 0],
            ..Default::default()
        },
        ExpandingKeys {
            stones: 20,
            base_limit: 4,
            growth: 0,
            reset_limit: 2,
            resets: [1, 1],
            ..Default::default()
        },
        ExpandingKeys { stones: 12, growth: 20, resets: [1, 1], ..Default::default() },
    ];
    for keys in games {
        let rules = keys.rules().unwrap();
        let good = rows(&rules, false);
        let census = census_of(&rules, false);
        let found = verify_twice(&table(&rules, &good, census));
        assert!(found.iter().all(Result::is_ok), "{found:?}");
        let all = positions(&rules, &good);
        assert!(all.len() > 100);
        for (i, number, stones) in all {
            let mut bad = good.clone();
            let length = ExpandingLayout::for_table(&rules).unwrap().length(bad[i].row);
            let mut lost = lost_places(&bad[i].outcomes[number], length);
            // With the same outcomes, built anew, the table is right.
            bad[i].outcomes[number] = outcome_line(&lost);
            if stones == 0 {
                assert!(is_right(&table(&rules, &bad, census)), "row {i}, line {number}");
            }
            lost[stones as usize] ^= true;
            bad[i].outcomes[number] = outcome_line(&lost);
            assert!(
                is_refused(&table(&rules, &bad, census)),
                "{rules:?}: row {i}, line {number}, {stones} stones"
            );
        }
    }
}

#[test]
fn one_wrong_mark_of_a_long_line_is_found() {
    let rules = ExpandingKeys { stones: 3000, resets: [1, 1], ..Default::default() }.rules().unwrap();
    let good = rows(&rules, false);
    let census = census_of(&rules, false);
    assert!(is_right(&table(&rules, &good, census)));
    let layout = ExpandingLayout::for_table(&rules).unwrap();
    let mut changed = 0;
    for row in (0..good.len()).step_by(7) {
        let length = layout.length(good[row].row);
        for number in (0..layout.lines()).step_by(3) {
            let lost = lost_places(&good[row].outcomes[number], length);
            for place in (0..length as usize - 1).filter(|&place| lost[place] != lost[place + 1]).step_by(11)
            {
                let mut other = lost.clone();
                other.swap(place, place + 1);
                let mut bad = good.clone();
                bad[row].outcomes[number] = outcome_line(&other);
                let found = verify_with(&table(&rules, &bad, census), &VerifyOptions::default(), &());
                assert!(found.is_err(), "row {row}, line {number}, {place}");
                changed += 1;
            }
        }
    }
    assert!(changed > 200, "{changed}");
}

#[test]
fn one_wrong_depth_or_best_move_anywhere_is_found() {
    let small = ExpandingKeys { stones: 12, reset_limit: 2, resets: [1, 0], ..Default::default() };
    let games = [
        (small.clone(), 1),
        (ExpandingKeys { play: Play::Misere, ..small.clone() }, 3),
        // Moves lead to many rows, or to one row in which a move may take everything.
        (ExpandingKeys { stones: 20, growth: 4, base_limit: 2, ..small.clone() }, 11),
        (ExpandingKeys { growth: 20, resets: [1, 1], ..small.clone() }, 3),
        // A long window along a line.
        (ExpandingKeys { stones: 150, base_limit: 70, growth: 0, ..small.clone() }, 17),
        // Several blocks of rows, with more rows within reach under a reset than without, and with equally many.
        (ExpandingKeys { stones: 40, growth: 5, base_limit: 3, reset_limit: 3, ..small.clone() }, 23),
        (ExpandingKeys { stones: 40, growth: 3, base_limit: 9, reset_limit: 9, ..small.clone() }, 23),
        (
            ExpandingKeys {
                stones: 40,
                growth: 2,
                base_limit: 1,
                reset_limit: 1,
                play: Play::Misere,
                ..small
            },
            23,
        ),
    ];
    for (keys, step) in games {
        let rules = keys.clone().rules().unwrap();
        let mut good = rows(&rules, true);
        unshare(&rules, &mut good);
        let census = census_of(&rules, true);
        let found = verify_twice(&table(&rules, &good, census));
        assert!(found.iter().all(Result::is_ok), "{keys:?}: {found:?}");
        let mut changed = 0;
        for (i, number, stones) in positions(&rules, &good).into_iter().step_by(step) {
            let is_found = |change: &dyn Fn(&mut Run)| {
                let bad = changed_at(&rules, &good, (i, number, stones), change);
                is_refused(&table(&rules, &bad, census))
            };
            let place = format!("{keys:?}: row {i}, line {number}, {stones} stones");
            assert!(!is_found(&|_| {}), "nothing is wrong: {place}");
            assert!(is_found(&|run| run.depth += 2), "depth: {place}");
            assert!(is_found(&|run| run.depth += 1), "parity of the depth: {place}");
            assert!(is_found(&|run| run.take += 1), "best move: {place}");
            // A move of no stones has no reset either.
            if stones > 0 {
                assert!(is_found(&|run| run.reset ^= true), "reset: {place}");
            }
            changed += 1;
        }
        assert!(changed > 50, "{keys:?}: {changed}");
    }
}

#[test]
fn one_wrong_depth_at_the_border_of_two_tasks_is_found() {
    let border = u64::from(super::windows::MIN_PIECE);
    let rules = ExpandingKeys { stones: border + 40, resets: [0, 0], ..Default::default() }.rules().unwrap();
    let mut good = rows(&rules, true);
    unshare(&rules, &mut good);
    let census = census_of(&rules, true);
    let by_windows = |table: &Table| verify_with(table, &VerifyOptions::default(), &());
    let counts = by_windows(&table(&rules, &good, census)).expect("nothing is wrong");
    assert_eq!(counts.deepest, census.deepest);
    // The row of the least currentmax.
    let last = good.len() - 1;
    assert!(ExpandingLayout::for_table(&rules).unwrap().length(good[last].row) > border + 4);
    for stones in border - 3..border + 4 {
        for more in [1, 2] {
            let bad = changed_at(&rules, &good, (last, 0, stones), &|run| run.depth += more);
            let found = by_windows(&table(&rules, &bad, census));
            assert!(is_wrong(&found), "{stones} {more}: {found:?}");
        }
    }
}

#[test]
fn a_table_of_other_rules_is_found() {
    let rules = |play, reset_limit| {
        ExpandingKeys { stones: 100, reset_limit, resets: [2, 1], play, ..Default::default() }
            .rules()
            .unwrap()
    };
    let named = rules(Play::Normal, 3);
    for other in [rules(Play::Misere, 3), rules(Play::Normal, 2)] {
        for depths in [false, true] {
            assert!(is_refused(&table(&named, &rows(&other, depths), census_of(&named, depths))));
        }
    }
}

#[test]
fn wrong_counts_in_the_header_are_found() {
    let rules = ExpandingKeys { stones: 40, resets: [1, 1], ..Default::default() }.rules().unwrap();
    for depths in [false, true] {
        let good = rows(&rules, depths);
        let census = census_of(&rules, depths);
        let deepest = census.deepest + 1;
        for wrong in [Census { wins: census.wins + 1, ..census }, Census { deepest, ..census }] {
            let is_miscounted = |found: &Result<_, _>| matches!(found, Err(VerifyError::Miscounted { .. }));
            let found = verify_twice(&table(&rules, &good, wrong));
            assert!(found.iter().all(is_miscounted), "{found:?}");
        }
    }
}
