//! The layouts of heap tables that the header entries `greatest`, `stems`, `cuts` and `descending` describe. The tests
//! write such tables themselves (`layouts`); the twin must agree with the oracle, and the library with the twin.

use std::collections::BTreeSet;

use bouton_tests::format_twin::Layout;
use bouton_tests::format_twin::heaps::Twin;
use bouton_tests::layouts::TableSpec;
use bouton_tests::oracle::heaps::{Position, Rules, Take, Verdict, answer, legal_moves, solve};
use rayon::prelude::*;

use super::format_twin_heaps::{check_file, nim, orders};

/// Checks that the twin agrees with the oracle on each position, with the heaps in several orders.
fn check_twin_against_oracle(spec: &TableSpec) {
    let TableSpec { rules, depths, .. } = spec;
    let twin = Twin::read(&spec.write().seal()).unwrap_or_else(|refusal| panic!("{spec:?}: {refusal}"));
    let truth = solve(rules);
    for position in truth.keys() {
        for rows in orders(&position.heaps) {
            let expected = answer(rules, &truth, &rows, position.passes);
            let found = twin.answer(&rows, position.passes);
            let case = || format!("{rows:?}/{} of {spec:?}", position.passes);
            assert_eq!(found.lost, !expected.win, "{}", case());
            assert_eq!(found.depth, depths.then_some(expected.depth.into()), "{}", case());
            assert_eq!(found.winning, expected.winning, "{}", case());
            // Without depths, all winning moves tie, or all moves of a lost position.
            let first = || legal_moves(rules, &rows, position.passes).into_iter().map(|found| found.0).next();
            let best = if *depths { expected.best } else { expected.winning.first().cloned().or_else(first) };
            assert_eq!(found.best, best, "{}", case());
            let loss = twin.loss_in_order(&rows, position.passes);
            assert_eq!(loss.is_some(), found.lost, "{}", case());
        }
    }
}

/// Checks that the twin reads each of these tables as the oracle solves its game.
fn check_twin(all: &[TableSpec]) {
    assert!(!all.is_empty());
    all.par_iter().for_each(check_twin_against_oracle);
}

/// Checks that the library reads each of these tables as the twin does.
fn check_library(all: &[TableSpec]) {
    all.par_iter().for_each(|spec| check_file(&spec.write().seal(), &spec.rules, spec.depths));
}

/// Returns a table with depths and a stem of this many heaps, without layout entries.
pub(crate) fn plain(rules: Rules, stem: usize) -> TableSpec {
    TableSpec { rules, depths: true, layout: Layout::default(), stem, stem_records: true }
}

/// Adds variants of the tables: without depths, and in misère play.
fn varied(all: Vec<TableSpec>) -> Vec<TableSpec> {
    let vary = |spec: TableSpec| {
        let misere = Rules { misere: true, ..spec.rules.clone() };
        [spec.clone(), TableSpec { rules: misere, ..spec }].into_iter().flat_map(|spec| {
            let shallow = TableSpec { depths: false, ..spec.clone() };
            [spec, shallow]
        })
    };
    all.into_iter().flat_map(vary).collect()
}

/// Returns the rules of Nim with passes.
pub(crate) fn passing(passes: u32, bounds: &[u32]) -> Rules {
    Rules { passes, ..nim(bounds) }
}

/// Returns the rules of a game in which a move takes 1 or 2 stones from a heap, with passes.
pub(crate) fn up_to_2(passes: u32, bounds: &[u32]) -> Rules {
    Rules { take: Take::UpTo(2), passes, ..nim(bounds) }
}

/// Returns the allowed values of `greatest`. They are below the greatest bound, at least the second greatest (1 with one
/// heap), and above every heap of a lost position.
fn values_of_greatest(rules: &Rules) -> std::ops::Range<u32> {
    let is_lost = |found: &(&Position, &Verdict)| !found.1.win;
    let truth = solve(rules);
    let lost = truth.iter().filter(is_lost).filter_map(|(position, _)| position.heaps.last());
    let bound = |from_last| rules.bounds.iter().rev().nth(from_last).copied();
    let least = (lost.max().map_or(1, |size| size + 1)).max(bound(1).unwrap_or(1));
    // FORMAT.md (5.1) says that no heap of this size or more is in a lost position.
    let sum_of_others: u32 = rules.bounds.iter().rev().skip(1).sum();
    assert!(least <= sum_of_others + if rules.misere { 3 } else { 2 }, "{least} of {rules:?}");
    least..bound(0).expect("a heap")
}

/// Returns tables with the entry `greatest`.
fn with_greatest() -> Vec<TableSpec> {
    let mut all = Vec::new();
    for (bounds, passes) in
        [&[9][..], &[2, 20], &[1, 2, 9]].into_iter().flat_map(|b| [0, 1, 2].map(|p| (b, p)))
    {
        for spec in varied(vec![plain(passing(passes, bounds), 0)]) {
            let sizes = values_of_greatest(&spec.rules);
            for greatest in [sizes.start, sizes.start + 1, sizes.end - 1] {
                let layout = Layout { greatest: Some(greatest), ..Layout::default() };
                for (stem, stem_records) in
                    (0..bounds.len()).map(|stem| (stem, true)).chain([(bounds.len() - 1, false), (0, false)])
                {
                    all.push(TableSpec { layout: layout.clone(), stem, stem_records, ..spec.clone() });
                }
            }
        }
    }
    all
}

/// Returns tables with the entry `stems`.
fn with_stems() -> Vec<TableSpec> {
    let pairs = |most: u32| (0..=most).flat_map(move |one| (0..=most).map(move |other| vec![one, other]));
    let mut all = Vec::new();
    let mut add = |rules: &Rules, stems: Vec<u32>| {
        if stems.iter().any(|&stem| stem != stems[0]) {
            let layout = Layout { stems: Some(stems), ..Layout::default() };
            all.push(TableSpec { layout, ..plain(rules.clone(), 0) });
        }
    };
    for stems in pairs(2) {
        add(&passing(1, &[1, 2, 4]), stems.clone());
        add(&Rules { heaps_per_move: 2, ..passing(1, &[1, 2, 3]) }, stems);
    }
    for stems in [[2, 1, 0], [0, 1, 2], [0, 2, 0], [1, 1, 2], [2, 1, 1]] {
        add(&passing(2, &[2, 3, 3]), stems.to_vec());
    }
    pairs(3).for_each(|stems| add(&up_to_2(1, &[2, 2, 4]), stems));
    for stems in [[3, 0, 1], [3, 3, 2], [0, 3, 3], [1, 2, 3]] {
        add(&up_to_2(2, &[1, 3, 3]), stems.to_vec());
    }
    varied(all)
}

/// Returns tables with the entry `cuts`.
fn with_cuts() -> Vec<TableSpec> {
    let mut all = Vec::new();
    let mut add = |rules: Rules, stem, cuts: [u32; 3], stem_records| {
        let layout = Layout { cuts: Some(cuts.to_vec()), ..Layout::default() };
        all.push(TableSpec { layout, stem_records, ..plain(rules, stem) });
    };
    // With 8 sizes all segment lengths but the longest divide the sizes; with 7, none does.
    for (bounds, c) in [[3, 7, 7], [2, 4, 6]].into_iter().flat_map(|bounds| [1, 2, 3, 4].map(|c| (bounds, c)))
    {
        for (stem, cuts) in [(0, [c, 0, 0]), (0, [0, c, 0]), (0, [c, 1, 0]), (1, [0, c, 0])] {
            add(passing(1, &bounds), stem, cuts, true);
        }
        add(passing(1, &bounds), 1, [0, c, 0], false);
    }
    for (bounds, c) in [[1, 3, 7], [2, 2, 6]].into_iter().flat_map(|bounds| [1, 2, 3, 4].map(|c| (bounds, c)))
    {
        for (stem, cuts) in [(0, [c; 3]), (0, [0, c, 1]), (0, [1, 0, c]), (1, [0, 1, c]), (2, [0, 0, c])] {
            add(up_to_2(1, &bounds), stem, cuts, true);
        }
        (0..3).for_each(|stem| {
            add(up_to_2(1, &bounds), stem, [0, 1, 2].map(|k| if k < stem { 0 } else { c }), false);
        });
    }
    add(Rules { heaps_per_move: 3, ..up_to_2(1, &[2, 3, 3]) }, 0, [1, 2, 1], true);
    varied(all)
}

/// Returns tables with all three entries `greatest`, `stems` and `cuts`.
fn with_greatest_stems_and_cuts() -> Vec<TableSpec> {
    let mut all = Vec::new();
    for spec in varied([1, 2].map(|passes| plain(passing(passes, &[1, 2, 9]), 0)).to_vec()) {
        let sizes = values_of_greatest(&spec.rules);
        for greatest in [sizes.start, sizes.end - 1] {
            for (stems, cuts) in [
                ([0, 2, 1], [1, 2, 0]),
                ([2, 0, 0], [3, 1, 0]),
                ([1, 2, 1], [0, 2, 0]),
                ([1, 0, 2], [4, 0, 0]),
            ] {
                let stems = Some(stems[..=spec.rules.passes as usize].to_vec());
                let cuts = Some(cuts.to_vec());
                let layout = Layout { greatest: Some(greatest), stems, cuts, ..Layout::default() };
                all.push(TableSpec { layout, ..spec.clone() });
            }
        }
    }
    all
}

/// Returns games without targets: `take` is not `any`. A move takes from one heap or several; bounds are equal or not.
fn games_without_targets() -> Vec<Rules> {
    let exactly = |passes, amounts: &[u32], bounds: &[u32]| Rules {
        take: Take::Exactly(amounts.to_vec()),
        ..passing(passes, bounds)
    };
    let several = |heaps_per_move, rules| Rules { heaps_per_move, ..rules };
    vec![
        exactly(1, &[1, 3, 4], &[9]),
        up_to_2(0, &[4, 4, 4]),
        up_to_2(2, &[1, 3, 6]),
        exactly(0, &[2, 3], &[7, 7]),
        exactly(1, &[1, 3, 4], &[2, 5, 7]),
        several(2, up_to_2(0, &[3, 3, 3])),
        several(2, up_to_2(1, &[1, 2, 5])),
        several(3, up_to_2(1, &[2, 3, 3])),
        Rules { equal_take: true, ..several(2, up_to_2(1, &[3, 3, 4])) },
        several(2, up_to_2(0, &[1, 2, 2, 3])),
    ]
}

/// Returns tables with the entry `descending`.
fn with_descending() -> Vec<TableSpec> {
    let descending = Layout { descending: true, ..Layout::default() };
    let mut all = Vec::new();
    for rules in games_without_targets() {
        let heaps = rules.bounds.len();
        let stems = (0..=heaps).map(|stem| (stem, true)).chain((0..heaps).map(|stem| (stem, false)));
        all.extend(stems.map(|(stem, stem_records)| TableSpec {
            layout: descending.clone(),
            stem_records,
            ..plain(rules.clone(), stem)
        }));
    }
    varied(all)
}

/// Returns tables with the entry `descending`, and `stems` or `cuts` or both.
fn with_descending_stems_and_cuts() -> Vec<TableSpec> {
    let mut all = Vec::new();
    let mut add = |rules: &Rules, stem, stem_records, stems: &[u32], cuts: &[u32]| {
        let some = |list: &[u32]| (!list.is_empty()).then(|| list.to_vec());
        let layout = Layout { stems: some(stems), cuts: some(cuts), descending: true, ..Layout::default() };
        all.push(TableSpec { layout, stem_records, ..plain(rules.clone(), stem) });
    };
    for rules in games_without_targets().iter().filter(|rules| rules.bounds.len() == 3) {
        // Segments of 2, 4 and 8 sizes; most levels have fewer than 8 sizes.
        for c in [1, 2, 3] {
            for (stem, cuts) in [(0, [c; 3]), (0, [0, c, 1]), (1, [0, 1, c]), (2, [0, 0, c])] {
                add(rules, stem, true, &[], &cuts);
                add(rules, stem, false, &[], &cuts);
            }
        }
        let stems = [[3, 0, 1], [1, 2, 3], [3, 3, 2], [0, 3, 3], [2, 0, 2]];
        for stems in stems.iter().map(|stems| &stems[..=rules.passes as usize]) {
            if let Some(&least) = stems.iter().min().filter(|&&least| stems.iter().any(|&stem| stem != least))
            {
                add(rules, 0, true, stems, &[]);
                add(
                    rules,
                    0,
                    true,
                    stems,
                    &[0, 1, 2].map(|level| if level < least { 0 } else { level.max(1) }),
                );
            }
        }
    }
    varied(all)
}

#[test]
fn the_twin_reads_tables_without_the_greatest_sizes() {
    check_twin(&with_greatest());
}

#[test]
fn both_readers_agree_on_tables_without_the_greatest_sizes() {
    check_library(&with_greatest());
}

#[test]
fn the_twin_reads_tables_with_a_stem_for_each_number_of_passes() {
    check_twin(&with_stems());
}

#[test]
fn both_readers_agree_on_tables_with_a_stem_for_each_number_of_passes() {
    check_library(&with_stems());
}

#[test]
fn the_twin_reads_tables_with_cut_levels() {
    check_twin(&with_cuts());
}

#[test]
fn both_readers_agree_on_tables_with_cut_levels() {
    check_library(&with_cuts());
}

#[test]
fn the_twin_reads_tables_with_greatest_stems_and_cuts() {
    check_twin(&with_greatest_stems_and_cuts());
}

#[test]
fn both_readers_agree_on_tables_with_greatest_stems_and_cuts() {
    check_library(&with_greatest_stems_and_cuts());
}

#[test]
fn the_twin_reads_tables_with_descending_heaps() {
    check_twin(&with_descending());
}

#[test]
fn both_readers_agree_on_tables_with_descending_heaps() {
    check_library(&with_descending());
}

#[test]
fn the_twin_reads_tables_with_descending_heaps_stems_and_cuts() {
    check_twin(&with_descending_stems_and_cuts());
}

#[test]
fn both_readers_agree_on_tables_with_descending_heaps_stems_and_cuts() {
    check_library(&with_descending_stems_and_cuts());
}

/// Checks the test data: heaps of different sizes share a class, and lookups in another order give wrong answers.
#[test]
fn descending_heaps_share_classes_and_another_order_is_wrong() {
    let (mut shared, mut wrong) = (0, 0);
    for spec in with_descending() {
        let mut table = spec.write();
        let bounds: Vec<u32> = spec.rules.bounds.iter().rev().copied().collect();
        if bounds.len() > 1 && spec.stem == 0 && spec.stem_records {
            let classes = table.arrays[1].records.iter().take(bounds[1] as usize + 1);
            let distinct: BTreeSet<u64> = classes.clone().map(|record| record[0]).collect();
            shared += u32::from(distinct.len() < classes.len());
        }
        // With equal bounds the table opens without the entry too. With depths the twin would panic at a wrong depth.
        let equal = bounds.iter().all(|&bound| bound == bounds[0]);
        if equal && spec.stem < bounds.len() && !spec.depths {
            table.header.retain(|entry| entry.name != "descending");
            let twin = Twin::read(&table.seal()).expect("the same number of records");
            let truth = solve(&spec.rules);
            let is_wrong = |(position, verdict): (&Position, &Verdict)| {
                twin.loss_in_order(&position.heaps, position.passes).is_some() == verdict.win
            };
            wrong += u32::from(truth.iter().any(is_wrong));
        }
    }
    assert!(shared > 10 && wrong > 10, "in {shared} tables heaps share classes, {wrong} give wrong answers");
}

/// Checks the test data: classes share segments, and depths are split between the edges of a segment and the cut records
/// that lead to it.
#[test]
fn segments_are_shared_and_depths_are_split() {
    let (with_targets, others): (Vec<_>, Vec<_>) =
        with_cuts().into_iter().partition(|spec| spec.rules.take == Take::Any);
    for all in [with_targets, others, with_descending_stems_and_cuts()] {
        let (mut shared, mut split) = (0, 0);
        for spec in all {
            let arrays = spec.write().arrays;
            let cuts = spec.layout.cuts.into_iter().flatten();
            let cut = cuts.enumerate().filter(|&(_, cut)| cut > 0).zip(1 + spec.rules.bounds.len()..);
            for ((level, cut), array) in cut {
                let (edges, cut_records) = (&arrays[1 + level].records, &arrays[array].records);
                let deep = |records: &[Vec<u64>]| records.iter().any(|record| record[1] > 0);
                shared += u32::from(edges.len() >> cut < cut_records.len());
                split += u32::from(deep(edges) && deep(cut_records));
            }
        }
        assert!(shared > 10 && split > 10, "{shared} levels share segments, {split} split depths");
    }
}
