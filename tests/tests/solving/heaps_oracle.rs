//! Tables of heap games agree with the naive oracle at every position: in outcome, depth, best move and winning
//! moves.

use bouton_tests::compare::heaps::check_against_oracle;
use bouton_tests::oracle::heaps::{Rules, Take};
use proptest::prelude::*;
use rayon::prelude::*;

/// Returns the tested amounts that a move may take.
fn takes() -> [Take; 4] {
    [Take::Any, Take::UpTo(2), Take::Exactly(vec![1, 3, 4]), Take::Exactly(vec![2])]
}

/// Returns every combination of the grid.
fn grid(bounds: &[&[u32]]) -> Vec<Rules> {
    let mut all = Vec::new();
    for bounds in bounds {
        for take in takes() {
            for heaps_per_move in 1..=bounds.len().min(3) {
                for equal_take in [false, true].into_iter().filter(|&equal| !equal || heaps_per_move > 1) {
                    for passes in 0..=2 {
                        for misere in [false, true] {
                            let (bounds, take) = (bounds.to_vec(), take.clone());
                            all.push(Rules {
                                bounds,
                                take,
                                heaps_per_move,
                                exactly: vec![],
                                equal_take,
                                passes,
                                misere,
                            });
                        }
                    }
                }
            }
        }
    }
    all
}

#[test]
fn games_with_equal_bounds_agree_with_the_oracle() {
    let bounds: Vec<Vec<u32>> =
        (1..=4).flat_map(|heaps| (1..=6).map(move |size| vec![size; heaps])).collect();
    let bounds: Vec<&[u32]> = bounds.iter().map(Vec::as_slice).collect();
    grid(&bounds).par_iter().for_each(check_against_oracle);
}

#[test]
fn games_with_unequal_bounds_agree_with_the_oracle() {
    let bounds: &[&[u32]] =
        &[&[1, 6], &[3, 5], &[2, 3, 6], &[3, 5, 5], &[4, 4, 6], &[1, 3, 5, 6], &[2, 2, 5, 5], &[1, 1, 1, 6]];
    grid(bounds).par_iter().for_each(check_against_oracle);
}

#[test]
fn games_with_rows_wider_than_a_word_agree_with_the_oracle() {
    // Except in the game of one heap, the least heap has more than 64 sizes, so a row takes two words.
    let rules = |bounds: &[u32], take: &Take, passes, misere| Rules {
        bounds: bounds.to_vec(),
        take: take.clone(),
        heaps_per_move: 1,
        exactly: vec![],
        equal_take: false,
        passes,
        misere,
    };
    let takes = [Take::Any, Take::UpTo(3), Take::Exactly(vec![1, 64, 65]), Take::Exactly(vec![2, 63])];
    let mut all = Vec::new();
    for take in &takes {
        for (passes, misere) in [(0, false), (0, true), (1, false)] {
            all.extend([&[66, 67][..], &[130]].map(|bounds| rules(bounds, take, passes, misere)));
        }
    }
    all.push(rules(&[64, 64, 65], &takes[1], 0, true));
    all.push(rules(&[64, 64, 64], &takes[2], 1, false));
    all.par_iter().for_each(check_against_oracle);
}

#[test]
fn games_with_listed_numbers_of_heaps_agree_with_the_oracle() {
    let bounds: [&[u32]; 6] =
        [&[5, 7], &[3, 4, 5], &[4, 4, 4], &[1, 2, 3, 3], &[2, 2, 2, 2], &[1, 1, 1, 2, 2]];
    let takes = [Take::Any, Take::UpTo(1), Take::UpTo(2), Take::Exactly(vec![1, 3])];
    let mut all = Vec::new();
    for bounds in bounds {
        for exactly in [vec![2], vec![1, 3], vec![2, 3], vec![3], vec![4], vec![1, 4], vec![2, 5]] {
            if exactly[exactly.len() - 1] > bounds.len() {
                continue;
            }
            for take in &takes {
                for (equal_take, passes, misere) in [
                    (false, 0, false),
                    (false, 0, true),
                    (true, 0, false),
                    (false, 2, false),
                    (true, 1, true),
                ] {
                    let (bounds, take, exactly) = (bounds.to_vec(), take.clone(), exactly.clone());
                    let heaps_per_move = exactly[exactly.len() - 1];
                    all.push(Rules { bounds, take, heaps_per_move, exactly, equal_take, passes, misere });
                }
            }
        }
    }
    all.par_iter().for_each(check_against_oracle);
}

#[test]
fn games_with_passes_in_which_stones_can_remain_agree_with_the_oracle() {
    let takes = [vec![2, 3], vec![3], vec![3, 5, 7], vec![4, 6], vec![5, 70]].map(Take::Exactly);
    let bounds: &[&[u32]] = &[
        &[20],
        &[140],
        &[4, 9],
        &[7, 7],
        &[66, 70],
        &[3, 5, 7],
        &[6, 6, 6],
        &[2, 4, 4, 5],
        &[1, 3, 3, 3, 4],
    ];
    let mut all = Vec::new();
    for (bounds, take) in bounds.iter().flat_map(|bounds| takes.iter().map(move |take| (bounds, take))) {
        for (heaps_per_move, equal_take) in [(1, false), (2, false), (2, true), (3, true)] {
            // The oracle tries every move of every position, so the games are small.
            let is_small = heaps_per_move == 1 || (2..=4).contains(&bounds.len()) && bounds[0] < 10;
            if is_small && heaps_per_move <= bounds.len() {
                for (passes, misere) in [(1, false), (1, true), (3, false), (3, true)] {
                    let (bounds, take) = (bounds.to_vec(), take.clone());
                    all.push(Rules {
                        bounds,
                        take,
                        heaps_per_move,
                        exactly: vec![],
                        equal_take,
                        passes,
                        misere,
                    });
                }
            }
        }
    }
    assert!(all.len() > 300, "{}", all.len());
    all.par_iter().for_each(check_against_oracle);
}

/// Generates a ruleset with few enough positions and moves for the oracle.
fn random_rules() -> impl Strategy<Value = Rules> {
    let bounds = prop::collection::vec(1..=9_u32, 1..=5).prop_map(|mut bounds| {
        // The more heaps, the smaller the bounds.
        let most = [60, 20, 9, 6, 4][bounds.len() - 1];
        bounds.iter_mut().for_each(|bound| *bound = (*bound * most / 9).max(1));
        bounds
    });
    let amounts = prop::collection::btree_set(1..=9_u32, 1..=4);
    let take = prop_oneof![
        Just(Take::Any),
        (1..=12_u32).prop_map(Take::UpTo),
        amounts.prop_map(|amounts| Take::Exactly(amounts.into_iter().collect())),
    ];
    (bounds, take, 1..=3_usize, any::<bool>(), 0..=3_u32, any::<bool>()).prop_map(
        |(bounds, take, heaps_per_move, equal_take, passes, misere)| {
            let heaps_per_move = heaps_per_move.min(bounds.len());
            let equal_take = equal_take && heaps_per_move > 1;
            Rules { bounds, take, heaps_per_move, exactly: vec![], equal_take, passes, misere }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_heap_games_agree_with_the_oracle(rules in random_rules()) {
        check_against_oracle(&rules);
    }
}
