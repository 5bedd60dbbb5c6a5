//! Different solvers of a game make equal tables, or tables with the same answers.

use bouton_tables::format::in_memory;
use bouton_tables::heaps::{Heap, HeapKeys, Heaps, Position, Take};
use bouton_tables::{FamilyTable, Game, Outcome, Play, Region, Solved, Table};

use super::*;
use crate::heaps::kernel::plain::tests::games;

#[test]
fn kernels_in_memory_and_in_blocks_make_the_same_tables_without_depths() {
    let bounds: [&[Heap]; 8] =
        [&[6000], &[70_000], &[9, 9, 9], &[2, 5, 14], &[30; 3], &[7; 4], &[1, 4, 4, 6, 9], &[2; 6]];
    let takes = [Take::Any, Take::UpTo(4), Take::exactly(vec![1, 2, 5, 12])];
    let options = GenerateOptions { depths: false };
    let mut compared = 0;
    for rules in games(&bounds, &takes) {
        let file = |solver: Solver| {
            let resources = Resources::default();
            let (SearchResult { parts, single_heap, .. }, census) =
                solver.solve(&rules, options, &resources, &()).unwrap();
            in_memory(|sink| {
                parts.write_with(single_heap, &rules, &rules, options.depths, census, sink).map(drop)
            })
        };
        let solver = Solver::of(&rules, options.depths);
        if solver == solver.in_blocks() {
            continue;
        }
        compared += 1;
        let (from_memory, from_blocks): (Result<_, GenerateError>, Result<_, _>) =
            (file(solver), file(solver.in_blocks()));
        assert!(from_memory.unwrap() == from_blocks.unwrap(), "{rules:?}");
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn a_single_heap_that_repeats_has_the_same_table_as_one_solved_position_by_position() {
    let bounds: [&[Heap]; 6] = [&[90], &[1500], &[6000], &[8191], &[70_000], &[300_000]];
    let takes = [
        Take::UpTo(1),
        Take::UpTo(4),
        Take::UpTo(700),
        Take::UpTo(5500),
        Take::exactly(vec![1, 2, 5, 12]),
        Take::exactly(vec![1, 5, 9]),
        Take::exactly(vec![2, 4, 7]),
        Take::exactly(vec![3]),
        Take::exactly(vec![4, 6]),
        Take::exactly(vec![5, 60]),
        Take::exactly(vec![1, 30, 37, 100]),
        Take::exactly(vec![7, 41, 90_000]),
    ];
    let mut compared = 0;
    for rules in games(&bounds, &takes).into_iter().filter(|rules| rules.passes() != 1) {
        // The other solvers try each amount.
        let amounts = u64::from(rules.take().count(rules.greatest_bound()));
        if amounts * u64::from(rules.greatest_bound()) > 20_000_000 {
            continue;
        }
        let rules = HeapKeys { passes: 0, ..rules.keys().clone() }.rules().unwrap();
        for depths in [false, true] {
            let options = GenerateOptions { depths };
            let file = |(found, census): (SearchResult, _)| {
                let SearchResult { parts, single_heap, .. } = found;
                in_memory(|sink| {
                    parts.write_with(single_heap, &rules, &rules, depths, census, sink).map(drop)
                })
            };
            let Some(repeated) = single_heap::make(&rules, depths, &()).unwrap() else { continue };
            compared += 1;
            let solver = Solver::of(&rules, depths);
            let expected = solver.solve(&rules, options, &Resources::default(), &()).unwrap();
            assert_eq!(repeated.1, expected.1, "{rules:?}");
            let (repeated, expected): (Result<_, GenerateError>, Result<_, _>) =
                (file(repeated), file(expected));
            assert!(repeated.unwrap() == expected.unwrap(), "{rules:?}, depths {depths}");
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn a_heap_of_a_billion_stones_is_solved_by_its_period() {
    const MOST: Heap = 1_000_000_000;
    let keys = HeapKeys { bounds: vec![MOST], take: Take::UpTo(3), play: Play::Normal, ..Default::default() };
    let ruleset = keys.rules().unwrap().into();
    let table = Table::open(crate::generate_in_memory(&ruleset, true).unwrap()).unwrap();
    assert_eq!((table.header().wins, table.header().deepest), (u64::from(MOST / 4 * 3), MOST / 2));
    let FamilyTable::Heaps(table) = table.family() else { panic!("it is a table of heap games") };
    for size in (0..3000).chain(123_456_000..123_457_000).chain(MOST - 3000..=MOST) {
        let position = Position { heaps: Heaps::from_iter([size]), passes: 0 };
        let verdict = table.answer(&position).unwrap().verdict;
        // Bachet's game: the loser takes 1, and the winner 3, until a multiple of 4 is left.
        let depth = size / 4 * 2 + u32::from(size % 4 > 0);
        assert_eq!((verdict.outcome == Outcome::Loss, verdict.depth), (size % 4 == 0, Some(depth)), "{size}");
    }
}

#[test]
fn a_game_of_few_positions_and_millions_of_moves_is_solved() {
    let keys =
        HeapKeys { bounds: vec![12; 6], heaps_per_move: 6.into(), play: Play::Normal, ..Default::default() };
    let ruleset = keys.rules().unwrap().into();
    let table = Table::open(crate::generate_in_memory(&ruleset, true).unwrap()).unwrap();
    // Whoever takes everything wins.
    assert_eq!((table.header().positions, table.header().wins), (18_564, 18_563));
    let FamilyTable::Heaps(table) = table.family() else { panic!("it is a table of heap games") };
    let start = Position { heaps: Heaps::from_iter([12; 6]), passes: 0 };
    let answer = table.answer(&start).unwrap();
    assert_eq!((answer.verdict.depth, answer.best.unwrap().stones()), (Some(1), 72));
}

#[test]
fn tables_of_the_small_solvers_give_the_same_answers() {
    let bounds: [&[Heap]; 5] = [&[9], &[3, 5, 7], &[2, 5, 14], &[4; 4], &[1, 2, 2, 3, 4]];
    let takes = [Take::Any, Take::UpTo(4), Take::exactly(vec![1, 3, 4])];
    let mut all = games(&bounds, &takes);
    for (heaps_per_move, equal_take) in [(2, false), (2, true), (3, false), (3, true), (4, true)] {
        for (bounds, passes, play) in [
            (vec![4; 3], 0, Play::Normal),
            (vec![4, 14], 1, Play::Misere),
            (vec![1, 3, 6], 1, Play::Normal),
            (vec![2, 3, 3, 4], 0, Play::Misere),
        ] {
            let heaps_per_move = heaps_per_move.min(bounds.len() as u32).into();
            let keys = HeapKeys { bounds, heaps_per_move, equal_take, passes, play, ..Default::default() };
            all.push(keys.rules().unwrap());
        }
    }
    for rules in all {
        for depths in [false, true] {
            let ruleset = rules.clone().into();
            let open = |made: Result<Vec<u8>, GenerateError>| Table::open(made.unwrap()).unwrap();
            let small = open(in_memory(|sink| {
                crate::generate_small(&ruleset, GenerateOptions { depths }, sink, &()).map(drop)
            }));
            let usual = open(crate::generate_in_memory(&ruleset, depths));
            assert_eq!(small.header().wins, usual.header().wins, "{rules:?}");
            assert_eq!(small.header().deepest, usual.header().deepest, "{rules:?}");
            let (FamilyTable::Heaps(small), FamilyTable::Heaps(usual)) = (small.family(), usual.family())
            else {
                panic!("these are tables of heap games")
            };
            let region = rules.region().unwrap();
            for position in region.walk(0).take(region.count() as usize) {
                let answers = [small.answer(&position), usual.answer(&position)].map(Result::unwrap);
                assert_eq!(answers[0], answers[1], "{rules:?}: {position:?}");
            }
        }
    }
}
