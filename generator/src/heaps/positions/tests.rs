//! Games solved in blocks agree with the plain solver, and have the same table with any blocks and memory.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use bouton_tables::Game;
use bouton_tables::format::in_memory;
use bouton_tables::heaps::{Heap, HeapCounts, HeapKeys, Heaps, Position, Ranks, Take};

use super::layout::MIN_RANGES;
use super::neighbourhood::Neighbourhood;
use super::partition::order;
use super::*;
use crate::control::Event;
use crate::heaps::classes::multisets::MultisetSource;
use crate::heaps::frame::block::Block;
use crate::heaps::frame::heap_ranges::{TASK_HEAPS, TaskRanges};
use crate::heaps::kernel::plain::tests::{check_depths, games};
use crate::heaps::kernel::plain::{self, edge_of};

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

/// A game with certain ranges, to be made with depths.
fn game<C: Number>(rules: &HeapRules, layout: PositionLayout) -> PositionGame<'_, C> {
    PositionGame::with_layout(rules, GenerateOptions { depths: true }, layout)
}

/// Solves a game in memory. Returns its blocks and census.
fn solved<C: Number>(game: &PositionGame<C>) -> (Vec<Option<Block>>, Census) {
    let plan = BlockPlan { needs: game.needs(0).unwrap(), memory: u64::MAX };
    let resources = Resources::default();
    let solved = game.solve(plan, &resources, &()).unwrap();
    (solved.blocks, solved.census)
}

/// Asserts that a game solved with ranges of 2^`shift` sizes agrees with the plain solver.
fn check_game<C: Number>(rules: &HeapRules, shift: u32, expected: &[plain::Layer]) {
    let game = game::<C>(rules, PositionLayout::with_shift(rules, C::BYTES, shift).unwrap());
    let (blocks, counted) = solved(&game);
    let layout = &game.layout;
    let ranks = Ranks::try_new(rules.bounds()).unwrap();
    let expected_census = expected.iter().fold(Census::default(), |all, layer| all.and(layer.census));
    assert_eq!(counted, expected_census, "{rules:?}");
    let code = PositionCode::new(rules);
    for (layer, expected) in expected.iter().enumerate() {
        let cell = |rank: u64| {
            let heaps = ranks.unrank(rank);
            let stand_ins = std::iter::repeat_n(layout.ranges.bound(0), layout.ranges.stand_ins);
            let heaps: Heaps = stand_ins.chain(heaps.iter().copied()).collect();
            let ranges = [0, 1, 2].map(|place| layout.ranges.range(heaps[place]));
            let neighbourhood = Neighbourhood::new(layout, ranges, std::iter::empty()).unwrap();
            let at = neighbourhood.locate(&heaps).at;
            let block = blocks[layout.block(ranges)].as_ref().unwrap();
            block.layer::<C>(layer as u64)[at]
        };
        check_depths(rules, &ranks, layer, |rank| code.read(cell(rank)).0, expected);
    }
}

#[test]
fn subtraction_games_agree_with_the_plain_solver() {
    for rules in &games(&BOUNDS, &takes()) {
        let ranks = Ranks::try_new(rules.bounds()).unwrap();
        let expected = plain::solve(rules, &ranks, &()).unwrap();
        for shift in 0..5 {
            if rules.greatest_bound() >> shift < 64 {
                check_game::<i16>(rules, shift, &expected);
            }
        }
        check_game::<i32>(rules, 2, &expected);
    }
}

/// Returns the games with moves from several heaps instead, with and without equal takes.
fn taking_from_several(games: Vec<HeapRules>) -> impl Iterator<Item = HeapRules> {
    games.into_iter().flat_map(|rules| {
        (2..=rules.heaps() as u32).flat_map(move |heaps_per_move| {
            let keys = HeapKeys { heaps_per_move: heaps_per_move.into(), ..rules.keys().clone() };
            [false, true].map(|equal_take| HeapKeys { equal_take, ..keys.clone() }.rules().unwrap())
        })
    })
}

/// Asserts that games agree with the plain solver, with ranges of several widths.
fn check_games(games: impl Iterator<Item = HeapRules>) {
    for rules in games {
        let ranks = Ranks::try_new(rules.bounds()).unwrap();
        let expected = plain::solve(&rules, &ranks, &()).unwrap();
        for shift in [0, 1, 3, 8] {
            if rules.greatest_bound() >> shift < 64 {
                check_game::<i32>(&rules, shift, &expected);
            }
        }
        check_game::<i64>(&rules, 2, &expected);
    }
}

#[test]
fn games_with_any_number_from_several_heaps_agree_with_the_plain_solver() {
    let bounds: [&[Heap]; 10] = [
        &[60, 60],
        &[3, 120],
        &[1, 1, 1],
        &[9, 9, 9],
        &[2, 5, 14],
        &[5, 5, 5, 5],
        &[1, 1, 4, 6],
        &[3, 3, 3, 3, 3],
        &[1, 2, 2, 3, 4],
        &[2, 2, 2, 2, 2, 2],
    ];
    check_games(taking_from_several(games(&bounds, &[Take::Any, Take::UpTo(120)])).inspect(|rules| {
        assert_eq!(PositionKernel::of(rules), PositionKernel::PrefixMinima);
    }));
}

#[test]
fn games_with_certain_numbers_from_several_heaps_agree_with_the_plain_solver() {
    let bounds: [&[Heap]; 6] = [&[30, 30], &[3, 60], &[7, 7, 7], &[2, 5, 14], &[1, 1, 4, 6], &[4; 5]];
    let takes = [Take::UpTo(3), Take::exactly(vec![1, 4, 6])];
    let up_to = taking_from_several(games(&bounds, &takes));
    let bounds: [&[Heap]; 4] = [&[20, 20], &[2, 5, 9], &[1, 2, 3, 4], &[3; 5]];
    let takes = [Take::Any, Take::UpTo(2), Take::exactly(vec![2, 3])];
    let counted = games(&bounds, &takes).into_iter().flat_map(|rules| {
        let counts: [&[u32]; 5] = [&[2], &[1, 3], &[2, 3], &[2, 4], &[1, 2, 4, 5]];
        let counts = counts.map(|counts| HeapCounts::exactly(counts).unwrap().within(rules.heaps()));
        counts.into_iter().filter(|counts| counts.greatest() > 1 && !counts.is_up_to()).flat_map(
            move |counts| {
                let keys = HeapKeys { heaps_per_move: counts, ..rules.keys().clone() };
                [false, true].map(|equal_take| HeapKeys { equal_take, ..keys.clone() }.rules().unwrap())
            },
        )
    });
    check_games(up_to.chain(counted).filter(|rules| PositionKernel::of(rules) == PositionKernel::HeapByHeap));
}

#[test]
fn a_source_gives_each_edge_by_rank_and_as_many_in_parts() {
    for rules in games(&BOUNDS, &[Take::UpTo(4), Take::exactly(vec![2, 5])]) {
        let ranks = Ranks::try_new(rules.bounds()).unwrap();
        let game = game::<i16>(&rules, PositionLayout::with_shift(&rules, 2, 1).unwrap());
        let (blocks, _) = solved(&game);
        let layout = &game.layout;
        let expected = plain::solve(&rules, &ranks, &()).unwrap();
        let code = PositionCode::<i16>::new(&rules);
        let positions = Positions { layout, code, depths: true, blocks: &blocks, folder: None, section: 0 };
        for layer in 0..layout.layers {
            let of = |rank| edge_of(&rules, true, expected[layer as usize].at(rank));
            let by_rank: Vec<_> = (0..ranks.count()).map(of).collect();
            for step in [1, 7, 1000] {
                let mut found = Vec::new();
                for first in (0..ranks.count()).step_by(step) {
                    let end = (first + step as u64).min(ranks.count());
                    positions.each(layer, first..end, &mut |edges| found.extend_from_slice(edges)).unwrap();
                }
                assert_eq!(found, by_rank, "{rules:?}");
            }
            let mut in_parts = 0;
            for part in 0..positions.parts() {
                positions.part(layer, part, &mut |edges| in_parts += edges.len() as u64).unwrap();
            }
            assert_eq!(in_parts, ranks.count());
        }
    }
}

/// Returns games of one to six heaps, whose positions are in tens of blocks or more.
fn in_many_blocks() -> Vec<HeapRules> {
    let bounds: [&[Heap]; 9] = [
        &[300],
        &[40, 60],
        &[20, 20, 20],
        &[5, 30, 40],
        &[15; 4],
        &[2, 9, 20, 33],
        &[11; 5],
        &[1, 3, 3, 8, 17],
        &[1, 2, 3, 4, 8, 9],
    ];
    games(&bounds, &[Take::UpTo(5), Take::exactly(vec![1, 2, 5, 12])])
}

/// Returns the least memory of a process that leaves `bytes` for solving.
fn memory_for(bytes: u64) -> u64 {
    let (mut less, mut enough) = (0, 2 * bytes + (1 << 30));
    while enough - less > 1 {
        let middle = u64::midpoint(less, enough);
        if bytes_for_solving(middle) >= bytes { enough = middle } else { less = middle }
    }
    enough
}

/// Cancels after a number of polls; records events.
#[derive(Default)]
struct Watch {
    left: Option<AtomicU64>,
    resumed: AtomicBool,
    read_from_folder: AtomicBool,
}

impl Control for Watch {
    fn report_event(&self, event: Event) {
        match event {
            Event::Resumed { done, all } => self.resumed.store(0 < done && done <= all, Relaxed),
            Event::FolderUsed { read, .. } => self.read_from_folder.store(read > 0, Relaxed),
            _ => {}
        }
    }

    fn is_cancelled(&self) -> bool {
        let Some(left) = &self.left else { return false };
        left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

/// Calls a function with a game that is cut into many blocks.
macro_rules! in_many_blocks {
    ($rules:expr, $options:expr, $function:ident($($argument:expr),*)) => {
        match cell_bytes($rules) {
            2 => $function(&game_in_many_blocks::<i16>($rules, $options), $($argument),*),
            4 => $function(&game_in_many_blocks::<i32>($rules, $options), $($argument),*),
            _ => $function(&game_in_many_blocks::<i64>($rules, $options), $($argument),*),
        }
    };
}

/// Returns a game that is cut into many blocks.
fn game_in_many_blocks<C: Number>(rules: &HeapRules, options: GenerateOptions) -> PositionGame<'_, C> {
    let layout = PositionLayout::with_ranges(rules, C::BYTES, MIN_RANGES).unwrap();
    PositionGame::with_layout(rules, options, layout)
}

/// Makes the file of a table. With `is_short`, memory may not be enough without a folder.
fn file<C: Number>(
    game: &PositionGame<C>,
    is_short: bool,
    resources: &Resources,
    control: &dyn Control,
) -> Result<Vec<u8>, GenerateError> {
    let (needs, memory) = match is_short {
        true => (game.memory(u64::MAX)?.0, bytes_for_solving(resources.memory)),
        false => (game.needs(0)?, u64::MAX),
    };
    let (found, census) = game.make_with(BlockPlan { needs, memory }, resources, control)?;
    let depths = game.options.depths;
    in_memory(|sink| found.parts.write(game.rules, game.rules, depths, census, sink).map(drop))
}

/// Asserts that a game has the same table in minimum memory and in a little more. With `polls_per_run`, the run is
/// interrupted again and again, each time after that many polls more.
fn check_table(rules: &HeapRules, depths: bool, polls_per_run: Option<u64>) {
    in_many_blocks!(rules, GenerateOptions { depths }, check_table_of(polls_per_run));
}

fn check_table_of<C: Number>(game: &PositionGame<C>, polls_per_run: Option<u64>) {
    let (rules, depths) = (game.rules, game.options.depths);
    let is_interrupted = polls_per_run.is_some();
    let expected = file(game, false, &Resources::default(), &()).unwrap();
    let least = game.memory(u64::MAX).unwrap().0.least();
    // `plan` considers a folder only below four times this memory, so the test uses no more.
    let least = least.min(4 * game.needs(0).unwrap().without_folder() - 40_001);
    for bytes in [least, least + 40_000] {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().join("t.work");
        let memory = memory_for(bytes);
        let checkpoint_interval = Some(Duration::from_secs(if is_interrupted { 0 } else { 3600 }));
        let resources = Resources { memory, folder: Some(&folder), checkpoint_interval, communicator: None };
        let (mut runs, mut resumed) = (0, 0);
        loop {
            let left = polls_per_run.map(|polls| AtomicU64::new(3 + polls * runs));
            let watch = Watch { left, ..Watch::default() };
            let made = file(game, true, &resources, &watch);
            resumed += u64::from(watch.resumed.load(Relaxed));
            match made {
                Ok(made) => {
                    assert!(made == expected, "{rules:?}, depths {depths}, {bytes} bytes, {runs} runs");
                    let small = rules.heaps() < TASK_HEAPS;
                    assert!(small || watch.read_from_folder.load(Relaxed), "{rules:?}, {bytes} bytes");
                    break;
                }
                Err(error) => assert!(matches!(error, GenerateError::Cancelled), "{rules:?}: {error}"),
            }
            runs += 1;
        }
        assert!(
            !is_interrupted || runs > 3 && resumed + 2 > runs,
            "{rules:?}: {resumed} of {runs} runs resumed"
        );
    }
}

#[test]
fn little_memory_makes_the_same_table() {
    for (number, rules) in in_many_blocks().iter().enumerate().step_by(5) {
        check_table(rules, number % 4 != 3, None);
    }
}

#[test]
fn interrupted_runs_with_little_memory_resume() {
    for (number, rules) in
        in_many_blocks().iter().enumerate().filter(|(_, rules)| rules.heaps() > 2).step_by(11)
    {
        check_table(rules, number % 2 == 0, Some(150));
    }
}

/// Returns games in many blocks in which a move takes from several heaps.
fn from_several_in_many_blocks() -> Vec<HeapRules> {
    let bounds: [&[Heap]; 5] = [&[20, 20, 20], &[5, 30, 40], &[12; 4], &[2, 9, 15, 20], &[7; 5]];
    taking_from_several(games(&bounds, &[Take::Any, Take::exactly(vec![1, 3])])).collect()
}

#[test]
fn little_memory_makes_the_same_table_if_moves_take_from_several_heaps() {
    for (number, rules) in from_several_in_many_blocks().iter().enumerate().step_by(13) {
        check_table(rules, number % 4 != 3, None);
    }
}

#[test]
fn interrupted_runs_resume_if_moves_take_from_several_heaps() {
    for (number, rules) in from_several_in_many_blocks().iter().enumerate().step_by(17) {
        check_table(rules, number % 2 == 0, Some(90));
    }
}

#[test]
fn moves_lead_only_into_the_blocks_that_a_task_reads() {
    let several = taking_from_several(games(&[&[40, 60], &[9, 9, 9], &[2, 5, 14]], &[Take::UpTo(4)]));
    for rules in games(&BOUNDS, &takes()).into_iter().chain(several) {
        let ranks = Ranks::try_new(rules.bounds()).unwrap();
        // Unless all takes are equal, a task reads positions after the first take of a move only.
        let first_takes = match rules.equal_take() {
            true => rules.clone(),
            false => HeapKeys { heaps_per_move: 1.into(), ..rules.keys().clone() }.rules().unwrap(),
        };
        for shift in 0..4 {
            let layout = PositionLayout::with_shift(&rules, 2, shift).unwrap();
            let ranges = |heaps: &[Heap]| {
                let stand_ins = std::iter::repeat_n(layout.ranges.bound(0), layout.ranges.stand_ins);
                let mut all = stand_ins.chain(heaps.iter().copied());
                let ranges: TaskRanges = std::array::from_fn(|_| layout.ranges.range(all.next().unwrap()));
                assert!(layout.ranges.exists(&ranges));
                ranges
            };
            let mut counts = vec![0; layout.cell_blocks()];
            for rank in 0..ranks.count() {
                let heaps = ranks.unrank(rank);
                let own = ranges(&heaps);
                counts[layout.block(own)] += 1;
                let below: HashSet<TaskRanges> = layout.below(own).unwrap().into_iter().collect();
                let position = Position { heaps, passes: 0 };
                for chosen in first_takes.moves(&position) {
                    let next = ranges(&rules.after(&position, chosen).heaps.descending());
                    assert!(next == own || below.contains(&next), "{rules:?}: {own:?} to {next:?}");
                    assert!(next == own || order(next) < order(own));
                    assert!(next == own || layout.above(next).any(|above| above == own));
                }
            }
            for (block, &count) in counts.iter().enumerate() {
                assert_eq!(layout.shape(block).cells, count, "{rules:?} {:?}", layout.ranges_of(block));
                assert_eq!(layout.block(layout.ranges_of(block)), block);
            }
        }
    }
}
