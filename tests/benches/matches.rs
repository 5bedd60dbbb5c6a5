//! Speed of playing: the chances against a model, a move from the table, a tournament.
//!
//! `cargo bench -p bouton-tests --bench matches -- chances`, or `move`, or `tournament`.

use std::ops::ControlFlow;

use bouton_match::models::{Chances, Model};
use bouton_match::players::{LosingPolicy, PlayerPreparation, PlayerSpec, TablePlayer};
use bouton_match::tournament::{Conditions, Schedule, play_games};
use bouton_match::{GameInfo, MoveRequest, Player, Side, Solution};
use bouton_tables::expanding::{Expanding, ExpandingKeys, Position};
use bouton_tables::{Game, Outcome, Solved};
use criterion::{Criterion, criterion_group, criterion_main};

/// Returns the rules of the preset `expanding`: 1000 stones, 4 resets each.
fn preset() -> Expanding {
    ExpandingKeys::default().rules().expect("the preset is allowed")
}

/// Measures the computation of the chances against a model of the opponent, in all positions.
fn chances(criterion: &mut Criterion) {
    let solution = Solution::solve(&preset()).unwrap();
    let mut group = criterion.benchmark_group("chances");
    group.sample_size(10);
    for text in ["misread", "misread:0.05", "err:0.05", "0.5*misread:0.05+0.5*err:0.3/random"] {
        let model: Model = text.parse().expect("it is a model");
        group.bench_function(text, |bencher| {
            bencher.iter(|| Chances::compute(&solution, &model, &()).expect("the table is whole"));
        });
    }
}

/// Measures a move in lost positions with currentmax 30, taken in turn. There, every policy except `longest` must
/// compute its move.
fn moves(criterion: &mut Criterion) {
    let (rules, solution) = (preset(), Solution::solve(&preset()).unwrap());
    let is_lost = |position: &Position| {
        solution.get().verdict(position).expect("it is covered").outcome == Outcome::Loss
    };
    let positions: Vec<Position> = (1..1000)
        .map(|stones| Position { currentmax: 30, ..rules.start(stones) })
        .filter(|position| rules.check(position).is_ok() && is_lost(position))
        .collect();
    let mut group = criterion.benchmark_group("move");
    for policy in ["longest", "trap", "swindle:misread:0.05", "adapt"] {
        let parsed: LosingPolicy = policy.parse().expect("it is a policy");
        let mut player = TablePlayer::new(solution.clone(), &parsed, &()).expect("it fits").with_seed(1);
        player.begin(&GameInfo::new(&rules, Side::First, &positions[0])).expect("the table covers it");
        let mut all = positions.iter().cycle();
        group.bench_function(policy, |bencher| {
            bencher.iter(|| {
                let position = all.next().expect("a cycle never ends");
                let request =
                    MoveRequest { game: &rules, position, plies: &[], deadline: None, clocks: None };
                player.choose(&request).expect("the table covers it")
            });
        });
    }
}

/// Measures 10,000 games of two table players from 1000 stones.
fn tournament(criterion: &mut Criterion) {
    let rules = preset();
    let starts = [rules.start(1000)];
    let mut preparation = PlayerPreparation::new(rules.clone(), starts.to_vec(), None, &());
    let mut group = criterion.benchmark_group("tournament");
    group.sample_size(10);
    for policy in ["longest", "adapt"] {
        let spec: PlayerSpec = format!("table:{policy}").parse().expect("it is a player");
        let factories = [(); 2].map(|()| preparation.factory(&spec).expect("it is solved"));
        let names = ["a".to_owned(), "b".to_owned()];
        let conditions = Conditions::new(&rules, &starts, &names);
        let schedule = Schedule::new(2, 1, 5000);
        group.bench_function(policy, |bencher| {
            bencher.iter(|| {
                play_games(&conditions, &factories, &schedule, &|_| false, 2, &mut |_| {
                    ControlFlow::Continue(())
                });
            });
        });
    }
}

criterion_group!(benches, chances, moves, tournament);
criterion_main!(benches);
