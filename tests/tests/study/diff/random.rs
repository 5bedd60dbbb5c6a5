//! Compares every key of `bouton diff --json` with a naive oracle, for random rulesets that agree in some keys.

use bouton_tests::oracle::diff::Rules;
use bouton_tests::oracle::{expanding, heaps};
use proptest::prelude::*;

use super::all_pairs::{check_pair, options_of_pair};

/// Returns random rules of small games of Expanding Nim.
fn any_expanding_nim() -> impl Strategy<Value = expanding::Rules> {
    (1..30_u32, 1..7_u32, 0..5_u32, 1..7_u32, [0..3_u32, 0..3_u32], any::<bool>()).prop_map(
        |(stones, base_limit, growth, reset_limit, resets, misere)| expanding::Rules {
            stones,
            base_limit,
            growth,
            reset_limit: reset_limit.min(base_limit),
            resets,
            misere,
        },
    )
}

/// Returns random rules of small heap games.
fn any_heaps() -> impl Strategy<Value = heaps::Rules> {
    let bounds = prop::collection::vec(1..=9_u32, 1..=4).prop_map(|mut bounds| {
        // The more heaps, the smaller the bounds.
        let max = [40, 14, 6, 4][bounds.len() - 1];
        bounds.iter_mut().for_each(|bound| *bound = (*bound * max / 9).max(1));
        bounds
    });
    let amounts = prop::collection::btree_set(1..=7_u32, 1..=4);
    let take = prop_oneof![
        Just(heaps::Take::Any),
        (1..=9_u32).prop_map(heaps::Take::UpTo),
        amounts.prop_map(|amounts| heaps::Take::Exactly(amounts.into_iter().collect())),
    ];
    (bounds, take, 1..=3_usize, any::<bool>(), 0..=2_u32, any::<bool>()).prop_map(
        |(bounds, take, heaps_per_move, equal_take, passes, misere)| heaps::Rules {
            bounds,
            take,
            heaps_per_move,
            exactly: vec![],
            equal_take,
            passes,
            misere,
        },
    )
}

/// Returns a mix of two rulesets: key `i` is that of `a` if bit `i` of `keys_of_a` is set, and that of `b` otherwise.
fn mixed_expanding_nim(a: &expanding::Rules, b: &expanding::Rules, keys_of_a: u8) -> expanding::Rules {
    let source = |key: u8| if keys_of_a >> key & 1 == 1 { a } else { b };
    let base_limit = source(1).base_limit;
    expanding::Rules {
        stones: source(0).stones,
        base_limit,
        growth: source(2).growth,
        reset_limit: source(3).reset_limit.min(base_limit),
        resets: source(4).resets,
        misere: source(5).misere,
    }
}

/// Returns a mix of two rulesets, as [`mixed_expanding_nim`], with its heaps per move reduced to the number of heaps.
fn mixed_heaps(a: &heaps::Rules, b: &heaps::Rules, keys_of_a: u8) -> heaps::Rules {
    let source = |key: u8| if keys_of_a >> key & 1 == 1 { a } else { b };
    let bounds = source(0).bounds.clone();
    let heaps_per_move = source(2).heaps_per_move.min(bounds.len());
    heaps::Rules {
        bounds,
        take: source(1).take.clone(),
        heaps_per_move,
        exactly: vec![],
        equal_take: source(3).equal_take && heaps_per_move > 1,
        passes: source(4).passes,
        misere: source(5).misere,
    }
}

/// Checks a pair of rulesets, with the options of the pair with this number.
fn check_random_pair<R: Rules>(rules: [&R; 2], number: usize) {
    let here = tempfile::tempdir().expect("a folder can be made");
    for (name, rules) in ["a.toml", "b.toml"].iter().zip(rules) {
        std::fs::write(here.path().join(name), rules.toml()).expect("it can be written");
    }
    let (limit, only) = options_of_pair(number);
    check_pair(here.path(), rules, ["a.toml", "b.toml"], limit, only);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_pairs_of_expanding_nim_agree_with_the_oracle(
        a in any_expanding_nim(), b in any_expanding_nim(), keys_of_a: u8, number in 0..1000_usize
    ) {
        check_random_pair([&a, &mixed_expanding_nim(&a, &b, keys_of_a)], number);
    }

    #[test]
    fn random_pairs_of_heap_games_agree_with_the_oracle(a in any_heaps(), b in any_heaps(), keys_of_a: u8, number in 0..1000_usize) {
        // A mix of `a` with itself is `a`, with allowed heaps per move.
        check_random_pair([&mixed_heaps(&a, &a, 0), &mixed_heaps(&a, &b, keys_of_a)], number);
    }
}
