//! Positions solved in blocks are what they are move by move, however small the blocks and the memory.

use std::collections::HashSet;

use bouton_tables::heaps::{Heap, Heaps, Ranks};

use super::super::general::tests::{agree, games};
use super::super::groups::Source;
use super::super::{census, edge_of, general};
use super::cell::Code;
use super::*;

fn takes() -> [Take; 9] {
    [
        Take::UpTo(1),
        Take::UpTo(4),
        Take::UpTo(5),
        Take::UpTo(11),
        Take::UpTo(1000),
        Take::exactly(vec![1, 2, 5, 12]),
        Take::exactly(vec![2, 4, 7]),
        Take::exactly(vec![3]),
        Take::exactly(vec![5, 60]),
    ]
}

const BOUNDS: [&[Heap]; 11] = [
    &[90],
    &[1],
    &[9, 40],
    &[30, 30],
    &[9, 9, 9],
    &[2, 5, 14],
    &[7, 7, 7, 7],
    &[1, 1, 4, 6],
    &[1, 4, 4, 6, 9],
    &[4; 5],
    &[2; 6],
];

fn job() -> Job {
    Job { facts: Vec::new() }
}

/// All cells of a game, as they are solved in memory.
fn solved<C: Cell>(rules: &HeapRules, layout: &Layout) -> (Vec<Option<block::Block<C>>>, Census) {
    let solver = Solver::<C>::new(rules, layout).unwrap();
    let resources = Resources::default();
    let cut = CutPositions { layout, cells: PhantomData };
    let (mut store, before) = Store::open(cut, u64::MAX, &resources, job()).unwrap();
    let census = solve(&solver, &mut store, before, u64::MAX, &()).unwrap();
    (store.into_parts().unwrap().0, census)
}

fn agrees<C: Cell>(rules: &HeapRules, shift: u32, expected: &[general::Layer]) {
    let layout = Layout::with_shift(rules, shift).unwrap();
    let (blocks, counted) = solved::<C>(rules, &layout);
    let ranks = Ranks::try_new(rules.bounds()).unwrap();
    assert_eq!(counted, census(rules, &ranks, expected, true, &()).unwrap(), "{rules:?}");
    let code = Code::new(rules);
    for (layer, expected) in expected.iter().enumerate() {
        let cell = |rank: u64| {
            let heaps = ranks.unrank(rank);
            let stand_ins = std::iter::repeat_n(layout.bound(0), layout.stand_ins);
            let heaps: Heaps = stand_ins.chain(heaps.iter().copied()).collect();
            let ranges = [0, 1, 2].map(|place| layout.range(heaps[place]));
            let rest: u64 = (2..heaps.len()).map(|place| layout.part(place, heaps[place])).sum();
            let at =
                layout.frame(ranges).unwrap().base(&layout, heaps[0], heaps[1]).wrapping_add(rest as usize);
            let block = blocks[layout.block(ranges)].as_ref().unwrap();
            block.layer(layer as u64)[at]
        };
        agree(rules, &ranks, layer, |rank| code.read(cell(rank)).0, expected);
    }
}

#[test]
fn positions_are_solved_as_they_are_move_by_move() {
    for rules in &games(&BOUNDS, &takes()) {
        let ranks = Ranks::try_new(rules.bounds()).unwrap();
        let expected = general::solve(rules, &ranks, &()).unwrap();
        for shift in 0..5 {
            if rules.greatest() >> shift < 64 {
                agrees::<i16>(rules, shift, &expected);
            }
        }
        agrees::<i32>(rules, 2, &expected);
    }
}

#[test]
fn all_edges_come_by_rank_and_in_parts() {
    for rules in games(&BOUNDS, &[Take::UpTo(4), Take::exactly(vec![2, 5])]) {
        let ranks = Ranks::try_new(rules.bounds()).unwrap();
        let layout = Layout::with_shift(&rules, 1).unwrap();
        let (blocks, _) = solved::<i16>(&rules, &layout);
        let expected = general::solve(&rules, &ranks, &()).unwrap();
        let code = Code::new(&rules);
        let positions = Positions { layout: &layout, code, depths: true, blocks, folder: None, section: 0 };
        for layer in 0..layout.layers {
            let of = |rank| edge_of(&rules, true, expected[layer as usize].at(rank));
            let by_rank: Vec<_> = (0..ranks.count()).map(of).collect();
            for step in [1, 7, 1000] {
                let mut found = Vec::new();
                for first in (0..ranks.count()).step_by(step) {
                    let end = (first + step as u64).min(ranks.count());
                    positions.each(layer, first..end, &mut |edge| found.push(edge)).unwrap();
                }
                assert_eq!(found, by_rank, "{rules:?}");
            }
            let mut in_parts = 0;
            for part in 0..positions.parts() {
                positions.part(layer, part, &mut |_| in_parts += 1).unwrap();
            }
            assert_eq!(in_parts, ranks.count());
        }
    }
}

#[test]
fn moves_lead_only_into_the_blocks_that_a_task_reads() {
    for rules in games(&BOUNDS, &takes()) {
        let ranks = Ranks::try_new(rules.bounds()).unwrap();
        for shift in 0..4 {
            let layout = Layout::with_shift(&rules, shift).unwrap();
            let ranges = |heaps: &[Heap]| {
                let stand_ins = std::iter::repeat_n(layout.bound(0), layout.stand_ins);
                let mut all = stand_ins.chain(heaps.iter().copied());
                let ranges: Ranges = std::array::from_fn(|_| layout.range(all.next().unwrap()));
                assert!(layout.exists(ranges));
                ranges
            };
            let mut counts = vec![0; layout.blocks()];
            for rank in 0..ranks.count() {
                let heaps = ranks.unrank(rank);
                let own = ranges(&heaps);
                counts[layout.block(own)] += 1;
                let below: HashSet<Ranges> = layout.below(own).unwrap().into_iter().collect();
                for place in 0..heaps.len() {
                    for take in rules.take().amounts(heaps[place]) {
                        let mut next = heaps;
                        next[place] -= take;
                        next.sort_unstable_by(|a, b| b.cmp(a));
                        let next = ranges(&next);
                        assert!(next == own || below.contains(&next), "{rules:?}: {own:?} to {next:?}");
                        assert!(next == own || order(next) < order(own));
                        assert!(next == own || layout.above(next).any(|above| above == own));
                    }
                }
            }
            for (block, &count) in counts.iter().enumerate() {
                assert_eq!(layout.shape(block).positions, count, "{rules:?} {:?}", layout.ranges_of(block));
                assert_eq!(layout.block(layout.ranges_of(block)), block);
            }
        }
    }
}
