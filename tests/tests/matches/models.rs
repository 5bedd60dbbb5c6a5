//! Models of opponents and the chances against them agree with a naive expectimax, position by position.

use bouton_match::Solution;
use bouton_match::models::Chances;
use bouton_tests::compare::models::{
    ModelCase, PlayableOracle, check_chances, check_likelihoods, misreading_models, order_dependent_models,
    order_free_models,
};
use bouton_tests::oracle::expanding::Rules;
use bouton_tests::oracle::expectimax::{SolvedExpanding, SolvedGame, SolvedHeaps, likelihoods};
use bouton_tests::oracle::heaps::{Rules as HeapRules, Take};
use rayon::prelude::*;

/// Base limit, growth and reset limit, including growth above the base limit, and reset limits from one stone up to the
/// base limit.
const LIMITS: [(u32, u32, u32); 9] =
    [(3, 1, 3), (3, 1, 1), (4, 1, 2), (1, 1, 1), (2, 0, 1), (5, 3, 4), (1, 3, 1), (4, 7, 3), (3, 3, 2)];

/// Returns all games of Expanding Nim with these stones, resets and the tested limits, in normal and misère play.
fn expanding_games(stones: &[u32], resets: &[[u32; 2]]) -> Vec<Rules> {
    let mut games = Vec::new();
    for &stones in stones {
        for &resets in resets {
            for (base_limit, growth, reset_limit) in LIMITS {
                for misere in [false, true] {
                    games.push(Rules { stones, base_limit, growth, reset_limit, resets, misere });
                }
            }
        }
    }
    games
}

/// Returns the models that are tested in Expanding Nim.
fn expanding_models() -> Vec<ModelCase> {
    [order_free_models(), order_dependent_models(), misreading_models()].concat()
}

/// Returns heap games, to be played with the rows in any order.
fn heap_games() -> Vec<HeapRules> {
    let game = |bounds: &[u32], take: Take, heaps_per_move: usize, equal_take, passes, misere| HeapRules {
        bounds: bounds.to_vec(),
        take,
        heaps_per_move,
        exactly: vec![],
        equal_take,
        passes,
        misere,
    };
    let listed = || Take::Exactly(vec![1, 3, 4]);
    vec![
        game(&[3, 5, 7], Take::Any, 1, false, 0, true),
        game(&[4, 4, 4], Take::Any, 1, false, 0, false),
        game(&[2, 2, 2, 1], Take::Any, 1, false, 0, true),
        game(&[25], listed(), 1, false, 0, false),
        game(&[25], listed(), 1, false, 2, true),
        game(&[9, 7], listed(), 1, false, 0, false),
        game(&[3, 4, 3], Take::Any, 2, false, 0, false),
        game(&[3, 3, 2], Take::UpTo(2), 2, false, 1, true),
        game(&[9, 9], Take::Any, 2, true, 0, false),
        game(&[6, 7], Take::Any, 2, true, 0, true),
        game(&[5, 4], Take::Any, 1, false, 2, false),
        // The game may end with stones that no move can take.
        game(&[9, 8], Take::Exactly(vec![2, 5]), 1, false, 1, true),
    ]
}

#[test]
fn chances_in_small_games_of_expanding_nim_agree_with_the_oracle() {
    let resets = [[0, 0], [1, 1], [2, 0], [0, 2], [1, 3]];
    let games = expanding_games(&[1, 5, 12], &resets);
    games.into_par_iter().for_each(|rules| {
        let context = rules.clone();
        check_chances(&SolvedExpanding::new(rules), &expanding_models(), &context);
    });
}

#[test]
fn chances_in_longer_games_of_expanding_nim_agree_with_the_oracle() {
    let games = expanding_games(&[25], &[[2, 1], [2, 2]]);
    games.into_par_iter().for_each(|rules| {
        let context = rules.clone();
        check_chances(&SolvedExpanding::new(rules), &expanding_models(), &context);
    });
}

/// The positions have their rows in every order.
#[test]
fn chances_in_small_heap_games_agree_with_the_oracle() {
    heap_games().into_par_iter().for_each(|rules| {
        let context = rules.clone();
        check_chances(
            &SolvedHeaps::new(rules),
            &[order_free_models(), order_dependent_models()].concat(),
            &context,
        );
    });
}

#[test]
fn likelihoods_of_all_moves_agree_with_the_oracle_and_add_up_to_1() {
    let games = expanding_games(&[4, 14], &[[1, 2]]);
    games.into_par_iter().for_each(|rules| {
        let context = rules.clone();
        check_likelihoods(&SolvedExpanding::new(rules), &expanding_models(), &context);
    });
    heap_games().into_par_iter().for_each(|rules| {
        let context = rules.clone();
        check_likelihoods(
            &SolvedHeaps::new(rules),
            &[order_free_models(), order_dependent_models()].concat(),
            &context,
        );
    });
}

/// Returns a random mixture of two to five habits. The weights have two decimals; in floating point their sum may
/// differ slightly from 1.
fn random_mixture(rng: &mut fastrand::Rng, habits: &[ModelCase]) -> ModelCase {
    let terms = rng.usize(2..=5);
    let mut cuts: Vec<u32> = std::iter::repeat_with(|| rng.u32(1..100)).take(20).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts.truncate(terms - 1);
    let ends = [cuts.clone(), vec![100]].concat();
    let (mut text, mut mixture, mut before) = (String::new(), Vec::new(), 0);
    for end in ends {
        let weight = end - before;
        before = end;
        let habit = &habits[rng.usize(..habits.len())];
        let plus = if text.is_empty() { "" } else { "+" };
        text += &format!("{plus}{}*{}", f64::from(weight) / 100.0, habit.text);
        mixture.push((f64::from(weight), habit.mixture[0].1));
    }
    ModelCase { text: text.leak(), mixture }
}

#[test]
fn chances_against_random_mixtures_agree_with_the_oracle_and_can_be_stored() {
    let habits: Vec<ModelCase> =
        expanding_models().into_iter().filter(|case| case.mixture.len() == 1).collect();
    let rules = Rules { stones: 17, base_limit: 3, growth: 1, reset_limit: 3, resets: [1, 2], misere: false };
    let solution = Solution::solve(&SolvedExpanding::new(rules.clone()).rules()).unwrap();
    let mut rng = fastrand::Rng::with_seed(19);
    let mut cases: Vec<ModelCase> =
        std::iter::repeat_with(|| random_mixture(&mut rng, &habits)).take(150).collect();
    // One habit in three terms, whose weights have the sum 1.0000000000000002 in floating point.
    let takes_one = habits.iter().find(|case| case.text == "takes-one").expect("it is there").mixture[0].1;
    let text = "0.34*takes-one+0.56*takes-one/last+0.1*takes-one/first";
    cases.push(ModelCase { text, mixture: vec![(34.0, takes_one), (56.0, takes_one), (10.0, takes_one)] });
    cases.into_par_iter().for_each(|case| {
        let oracle = SolvedExpanding::new(rules.clone());
        check_chances(&oracle, std::slice::from_ref(&case), &case.text);
        let chances = Chances::compute(&solution, &case.model(), &()).unwrap();
        for p in oracle.positions() {
            let position = oracle.position(&p);
            let asked =
                [chances.chance_to_move(&position), chances.chance_waiting(solution.get(), &position)];
            assert!(
                asked.map(Result::unwrap).iter().all(|chance| (0.0..=1.0).contains(chance)),
                "{}",
                case.text
            );
        }
        assert!(!chances.to_file(&solution).unwrap().is_empty());
    });
}

/// Draws moves in some positions, and counts how often each one occurs.
fn check_draws<T: PlayableOracle>(oracle: &T, cases: &[ModelCase], every: usize) {
    const DRAWS: u32 = 20_000;
    let solution = Solution::solve(&oracle.rules()).unwrap();
    let positions: Vec<_> = oracle.positions().into_iter().filter(|p| oracle.moves(p).len() > 1).collect();
    let sampled: Vec<_> = positions.into_iter().step_by(every).collect();
    sampled.par_iter().enumerate().for_each(|(number, p)| {
        let position = oracle.position(p);
        let legal: Vec<_> = oracle.moves(p).iter().map(|(chosen, _)| oracle.chosen(chosen)).collect();
        for (kind, case) in cases.iter().enumerate() {
            for ((_, found), (_, habit)) in case.model().terms().iter().zip(&case.mixture) {
                // With these seeds, none of several thousand counts fails by chance.
                let mut rng = fastrand::Rng::with_seed((1000 * number + kind) as u64);
                let mut drawn = vec![0_u32; legal.len()];
                for _ in 0..DRAWS {
                    let chosen = found.draw::<T::Game>(solution.get(), &position, &mut rng).expect("covered");
                    let index = legal.iter().position(|&mv| mv == chosen).expect("a legal move");
                    drawn[index] += 1;
                }
                for ((chosen, &drawn), likely) in legal.iter().zip(&drawn).zip(likelihoods(oracle, habit, p))
                {
                    let difference = (f64::from(drawn) / f64::from(DRAWS) - likely).abs();
                    let error = (likely * (1.0 - likely) / f64::from(DRAWS)).max(0.0).sqrt();
                    assert!(
                        difference <= 4.5 * error + 1e-12,
                        "{chosen} in {p:?}, {found:?}: {drawn}, not {likely}"
                    );
                }
            }
        }
    });
}

#[test]
fn moves_are_drawn_as_often_as_they_are_likely() {
    for (resets, misere) in [([1, 1], false), ([2, 0], true)] {
        let rules = Rules { stones: 20, base_limit: 3, growth: 1, reset_limit: 3, resets, misere };
        check_draws(&SolvedExpanding::new(rules), &expanding_models(), 401);
    }
    for rules in heap_games() {
        check_draws(&SolvedHeaps::new(rules), &[order_free_models(), order_dependent_models()].concat(), 97);
    }
}
