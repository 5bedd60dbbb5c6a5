//! The policy `adapt` wins at least 99.9 % of what is possible without knowing the opponent's kind (the Bayes optimum).

use bouton_match::Solution;
use bouton_match::models::Model;
use bouton_match::players::{LosingPolicy, TablePlayer, usual_opponents};
use bouton_tests::compare::learning::GameTree;
use bouton_tests::compare::models::{PlayableOracle, mixture_of};
use bouton_tests::oracle::expanding::{Position, Rules};
use bouton_tests::oracle::expectimax::{BayesOptimum, Habit, SolvedExpanding, SolvedGame, SolvedHeaps};
use bouton_tests::oracle::heaps::{Rules as HeapRules, Take};
use rayon::prelude::*;

/// Numbers with at most this difference are equal up to rounding.
const ROUNDING: f64 = 1e-9;
/// The least fraction of the optimum that `adapt` must win.
const MIN_FRACTION: f64 = 0.999;

/// Returns the tested games of Expanding Nim.
fn expanding_games() -> Vec<SolvedExpanding> {
    let of = |stones, [base_limit, growth, reset_limit]: [u32; 3], resets, misere| {
        SolvedExpanding::new(Rules { stones, base_limit, growth, reset_limit, resets, misere })
    };
    vec![
        of(36, [3, 1, 3], [4, 4], false),
        of(24, [3, 1, 3], [2, 1], true),
        of(24, [4, 1, 2], [2, 2], false),
        of(20, [2, 3, 1], [1, 3], false),
    ]
}

/// Returns the tested heap games.
fn heap_games() -> Vec<SolvedHeaps> {
    let (take, heaps_per_move, equal_take, passes) = (Take::Any, 1, false, 0);
    let nim = HeapRules {
        bounds: vec![4, 4],
        take,
        heaps_per_move,
        exactly: vec![],
        equal_take,
        passes,
        misere: false,
    };
    let passing = HeapRules { bounds: vec![3, 3], passes: 1, misere: true, ..nim.clone() };
    [nim, passing].map(SolvedHeaps::new).to_vec()
}

/// Checks that `adapt`, playing the losing side of each start against a mixture of kinds of opponents, wins nearly as
/// often as is possible.
fn check_adapt<T: PlayableOracle>(oracle: &T, model: &str, starts: &[T::Position]) {
    let model: Model = model.parse().unwrap();
    let (prior, kinds): (Vec<f64>, Vec<Habit>) = mixture_of(&model).into_iter().unzip();
    let solution = Solution::solve(&oracle.rules()).unwrap();
    let policy = LosingPolicy::Adapt(Some(model.clone()));
    let player = TablePlayer::new(solution, &policy, &()).expect("a small game");
    let game_tree = GameTree::new(oracle, &kinds);
    let mut optimum = BayesOptimum::new(oracle, &kinds);
    let weighed =
        |chances: &[f64]| prior.iter().zip(chances).map(|(share, chance)| share * chance).sum::<f64>();
    let (mut possible, mut found) = (0.0, 0.0);
    for p in starts {
        let lost = oracle.winning(p).is_empty();
        let best = weighed(&if lost { optimum.to_move(p, &prior) } else { optimum.waiting(p, &prior) });
        let chance = weighed(&game_tree.chances(&player, p));
        assert!(chance <= best + ROUNDING, "{p:?}, {model}: {chance}, and at most {best} can be won");
        possible += best;
        found += chance;
    }
    assert!(possible > 1.0, "{model}: only {possible} games can be won");
    assert!(
        found >= MIN_FRACTION * possible,
        "{model}: {found} of {} games, and {possible} can be won",
        starts.len()
    );
}

#[test]
fn adapt_is_nearly_optimal_from_the_starts_of_expanding_nim() {
    let usual = usual_opponents(true).to_string();
    let several = "0.5*misread:0.05+0.3*err:0.05+0.2*err:0.5/random";
    let slow = "0.3*misread/last+0.3*err:0.2/fastest+0.4*takes-one";
    expanding_games().par_iter().for_each(|oracle| {
        let resets = oracle.rules.resets;
        let start = |stones| Position { stones, currentmax: 0, turn: 1, resets, imposed: false };
        let starts: Vec<Position> = (1..=oracle.rules.stones).map(start).collect();
        for model in [&usual, several, slow] {
            check_adapt(oracle, model, &starts);
        }
    });
}

#[test]
fn adapt_is_nearly_optimal_from_every_position_of_a_heap_game() {
    heap_games().par_iter().for_each(|oracle| {
        let mut positions = oracle.positions();
        positions.retain(|p| !oracle.moves(p).is_empty());
        for model in ["0.6*err:0.05+0.4*err:0.5/random", "takes-one+random+err:0.1/last"] {
            check_adapt(oracle, model, &positions);
        }
    });
}
