//! Tables of Expanding Nim agree with the naive oracle at every position: in outcome, depth, best move and winning
//! moves.

use bouton_tests::compare::expanding::check_against_oracle;
use bouton_tests::oracle::expanding::Rules;
use proptest::prelude::*;
use rayon::prelude::*;

/// Returns every combination of the grid, with reset-limit less than base-limit and equal to it.
fn grid(stones: &[u32], resets: u32) -> Vec<Rules> {
    let mut rules = Vec::new();
    for &stones in stones {
        for (base_limit, reset_limit) in [(1, 1), (3, 3), (3, 1), (4, 4), (4, 2)] {
            for growth in [0, 1, 2, 5] {
                for first in 0..=resets {
                    for second in 0..=resets {
                        for misere in [false, true] {
                            let resets = [first, second];
                            rules.push(Rules { stones, base_limit, growth, reset_limit, resets, misere });
                        }
                    }
                }
            }
        }
    }
    rules
}

#[test]
fn every_position_of_the_grid_agrees_with_the_oracle() {
    grid(&[60], 3).par_iter().for_each(check_against_oracle);
}

#[test]
fn games_of_1_to_25_stones_agree_with_the_oracle() {
    let stones: Vec<u32> = (1..=25).collect();
    grid(&stones, 1).par_iter().for_each(check_against_oracle);
}

#[test]
fn games_with_more_pairs_of_resets_than_a_word_has_bits_agree_with_the_oracle() {
    // 81, 144 and 256 pairs of reset counts: two, three and four words.
    for resets in [[8, 8], [11, 11], [15, 15], [15, 0], [1, 15]] {
        check_against_oracle(&Rules {
            stones: 24,
            base_limit: 3,
            growth: 1,
            reset_limit: 2,
            resets,
            misere: false,
        });
    }
}

#[test]
fn games_with_limits_above_64_stones_agree_with_the_oracle() {
    // Winning moves up to 70 and 150 stones: masks of two and three words.
    for (base_limit, growth) in [(70, 1), (2, 75), (150, 150), (70, 70)] {
        for misere in [false, true] {
            let reset_limit = base_limit.min(66);
            let rules = Rules { stones: 160, base_limit, growth, reset_limit, resets: [1, 0], misere };
            check_against_oracle(&rules);
        }
    }
}

#[test]
fn games_of_400_stones_agree_with_the_oracle() {
    // Long enough for lines that are nearly periodic, and for shifted lines.
    for (growth, misere) in [(0, false), (1, false), (1, true), (2, false)] {
        check_against_oracle(&Rules {
            stones: 400,
            base_limit: 3,
            growth,
            reset_limit: 3,
            resets: [1, 1],
            misere,
        });
    }
}

/// Returns random rules of Expanding Nim with fewer than 90 stones.
fn random_rules() -> impl Strategy<Value = Rules> {
    (1..90_u32, 1..12_u32, 0..12_u32, 0..4_u32, 0..4_u32, any::<bool>()).prop_flat_map(
        |(stones, base_limit, growth, first, second, misere)| {
            (1..=base_limit).prop_map(move |reset_limit| Rules {
                stones,
                base_limit,
                growth,
                reset_limit,
                resets: [first, second],
                misere,
            })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn random_games_of_expanding_nim_agree_with_the_oracle(rules in random_rules()) {
        check_against_oracle(&rules);
    }
}
