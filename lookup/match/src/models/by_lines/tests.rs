//! Checks that both inductions, by lines and by layers, find the same chances.

use bouton_tables::Play;
use bouton_tables::expanding::{Expanding, ExpandingKeys};

use super::chances;
use crate::Solution;
use crate::families::{Playable, PositionNumbering};
use crate::models::induction::by_layers;
use crate::models::responses::plans;
use crate::models::stored_chance::{Opponents, StoredChance};
use crate::models::{Habit, Intention, Model, Preference, WhenLost};
use crate::players::usual_opponents;

fn model(text: &str) -> Model {
    text.parse().expect("it is a model")
}

/// Returns the chances computed by lines and by layers.
fn by_lines_and_layers<T: StoredChance>(
    rules: &Expanding,
    kinds: &[Model],
    weights: &[Vec<f64>],
) -> [Vec<T>; 2] {
    let solution = Solution::solve(rules).expect("a small game");
    let (table, numbers) = (solution.get(), rules.numbering().expect("a small game"));
    let opponents = Opponents { kinds, weights };
    // Start from a number that is never stored, so that an unwritten entry shows.
    let mut results =
        [(); 2].map(|()| vec![T::from_f64(7.0); numbers.count() as usize * opponents.chances_per_position()]);
    let lines = numbers.position_lines().expect("Expanding Nim has lines");
    chances::<Expanding, T>(table, lines, opponents, &mut results[0], &()).expect("the table is whole");
    by_layers::<Expanding, T>(table, &numbers, opponents, &mut results[1], &()).expect("the table is whole");
    results
}

/// Computes the chances against the kinds of a mixture, with the plans of the adaptive player and one plan against
/// all kinds alike.
fn against_kinds(rules: &Expanding, mixture: &Model) -> [Vec<f32>; 2] {
    let kinds: Vec<Model> = mixture.terms().iter().map(|&(_, habit)| habit.into()).collect();
    let mut weights = plans(mixture);
    weights.push(vec![1.0; kinds.len()]);
    by_lines_and_layers(rules, &kinds, &weights)
}

fn for_each_game(stones: u64, resets: &[[u8; 2]], mut check: impl FnMut(&Expanding)) {
    // Growth above and below the base limit, and none; reset limits from one stone up to the base limit.
    let limits =
        [[3, 1, 3], [3, 1, 1], [4, 1, 2], [1, 1, 1], [2, 0, 1], [5, 3, 4], [1, 3, 1], [4, 7, 3], [20, 1, 19]];
    for [base_limit, growth, reset_limit] in limits {
        for &resets in resets {
            for play in [Play::Normal, Play::Misere] {
                let keys = ExpandingKeys { stones, base_limit, growth, reset_limit, resets, play };
                check(&keys.rules().expect("allowed rules"));
            }
        }
    }
}

#[test]
fn chances_against_several_kinds_agree_to_the_last_bit() {
    let models = [
        "0.5*misread:0.05+0.5*err:0.2/random",
        "0.2*takes-one+0.2*random+0.2*perfect/fastest+0.2*misread/fastest/random+0.2*misread:0.1/last/random",
        // Alike, so that plans tie.
        "0.3*err:0.05+0.3*err:0.05+0.4*perfect",
    ]
    .map(model);
    let models = [&[usual_opponents(true)], &models[..]].concat();
    for (stones, resets) in [(1, vec![[0, 0], [1, 1]]), (44, vec![[0, 0], [2, 2], [1, 3], [2, 0], [0, 1]])] {
        for_each_game(stones, &resets, |rules| {
            for model in &models {
                let [lines, layers] = against_kinds(rules, model);
                let bits = |chances: Vec<f32>| chances.into_iter().map(f32::to_bits).collect::<Vec<_>>();
                assert!(bits(lines) == bits(layers), "{rules:?} against {model}");
            }
        });
    }
}

#[test]
fn chances_agree_in_a_longer_game() {
    for resets in [[2, 2], [1, 2]] {
        let rules =
            ExpandingKeys { stones: 250, resets, ..Default::default() }.rules().expect("allowed rules");
        let [lines, layers] = against_kinds(&rules, &usual_opponents(true));
        assert!(lines == layers, "{resets:?}");
    }
}

#[test]
fn chances_against_one_model_agree_up_to_rounding() {
    let mut models = vec![model("0.25*misread:0.5/fastest/random+0.5*takes-one+0.25*err:0.05")];
    for intention in [Intention::Perfect, Intention::Misread, Intention::FirstMove, Intention::Random] {
        for prefers in [Preference::Any, Preference::First, Preference::Last, Preference::Fastest] {
            for (slip, when_lost) in
                [(0.0, WhenLost::FirstMove), (0.3, WhenLost::Random), (1.0, WhenLost::FirstMove)]
            {
                models.push(Habit { intention, slip, when_lost, prefers }.into());
            }
        }
    }
    for_each_game(33, &[[0, 0], [2, 2], [3, 1]], |rules| {
        for model in &models {
            let [lines, layers] =
                by_lines_and_layers::<f64>(rules, std::slice::from_ref(model), &[vec![1.0]]);
            for (number, (one, other)) in lines.iter().zip(&layers).enumerate() {
                let same = (one - other).abs() <= 1e-12 * other.abs()
                    && one.is_sign_negative() == other.is_sign_negative();
                assert!(same, "{rules:?} against {model}, number {number}: {one}, and {other} by layers");
            }
        }
    });
}

#[test]
fn chances_do_not_depend_on_the_number_of_threads() {
    let rules =
        ExpandingKeys { stones: 60, resets: [2, 2], ..Default::default() }.rules().expect("allowed rules");
    let with_threads = |threads: usize| {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
        let [chances, _] = pool.install(|| {
            by_lines_and_layers::<f64>(&rules, &[model("0.5*misread:0.05+0.5*err:0.3/random")], &[vec![1.0]])
        });
        chances.into_iter().map(f64::to_bits).collect::<Vec<_>>()
    };
    let one = with_threads(1);
    assert!([2, 3, 7].into_iter().all(|threads| with_threads(threads) == one));
}
