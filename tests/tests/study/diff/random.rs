//! Every key of the report, for random rulesets that agree in some keys.

use bouton_tests::oracle::diff::Rules;
use bouton_tests::oracle::{expanding, heaps};
use proptest::prelude::*;

use super::grid::{agrees, asked};

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

fn any_heaps() -> impl Strategy<Value = heaps::Rules> {
    let bounds = prop::collection::vec(1..=9_u32, 1..=4).prop_map(|mut bounds| {
        // The more heaps, the smaller the bounds.
        let most = [40, 14, 6, 4][bounds.len() - 1];
        bounds.iter_mut().for_each(|bound| *bound = (*bound * most / 9).max(1));
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
            equal_take,
            passes,
            misere,
        },
    )
}

/// Returns `a` with the keys of `b` whose bit in `from` is 0.
fn mixed_expanding_nim(a: &expanding::Rules, b: &expanding::Rules, from: u8) -> expanding::Rules {
    let of = |key: u8| if from >> key & 1 == 1 { a } else { b };
    let base_limit = of(1).base_limit;
    expanding::Rules {
        stones: of(0).stones,
        base_limit,
        growth: of(2).growth,
        reset_limit: of(3).reset_limit.min(base_limit),
        resets: of(4).resets,
        misere: of(5).misere,
    }
}

/// Returns `a` with the keys of `b` whose bit in `from` is 0, adjusted to be allowed.
fn mixed_heaps(a: &heaps::Rules, b: &heaps::Rules, from: u8) -> heaps::Rules {
    let of = |key: u8| if from >> key & 1 == 1 { a } else { b };
    let bounds = of(0).bounds.clone();
    let heaps_per_move = of(2).heaps_per_move.min(bounds.len());
    heaps::Rules {
        bounds,
        take: of(1).take.clone(),
        heaps_per_move,
        equal_take: of(3).equal_take && heaps_per_move > 1,
        passes: of(4).passes,
        misere: of(5).misere,
    }
}

fn agree<R: Rules>(rules: [&R; 2], number: usize) {
    let here = tempfile::tempdir().expect("a folder can be made");
    for (name, rules) in ["a.toml", "b.toml"].iter().zip(rules) {
        std::fs::write(here.path().join(name), rules.toml()).expect("it can be written");
    }
    let (limit, only) = asked(number);
    agrees(here.path(), rules, ["a.toml", "b.toml"], limit, only);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_games_of_expanding_nim_agree(
        a in any_expanding_nim(), b in any_expanding_nim(), from: u8, number in 0..1000_usize
    ) {
        agree([&a, &mixed_expanding_nim(&a, &b, from)], number);
    }

    #[test]
    fn random_games_of_heaps_agree(a in any_heaps(), b in any_heaps(), from: u8, number in 0..1000_usize) {
        agree([&mixed_heaps(&a, &a, 0), &mixed_heaps(&a, &b, from)], number);
    }
}
