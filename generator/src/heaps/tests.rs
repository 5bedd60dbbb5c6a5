//! Different solvers of a game make equal tables, or tables with the same answers.

use bouton_tables::format::in_memory;
use bouton_tables::heaps::{Heap, HeapKeys, Take};
use bouton_tables::{FamilyTable, Game, Play, Region, Solved, Table};

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
