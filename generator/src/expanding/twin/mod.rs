//! The solvers' twins, for tests: position by position, all lines of a row side by side.
//!
//! They share nothing with the solvers that make tables but the rules, and where lines lie.

pub(super) mod depths;
mod growth;
pub(super) mod outcomes;
mod window;

use bouton_tables::Play;
use bouton_tables::expanding::{Expanding, ExpandingKeys};

/// Checks every ruleset of a grid, with games of a few to `most` stones.
pub(super) fn small_rules(most: u32, check: impl Fn(&Expanding)) {
    let mut many = 0;
    for stones in [1, 2, 5, 40, most] {
        for (base_limit, growth) in
            [(3, 3), (1, 1), (3, 1), (5, 2), (4, 0), (1, 7), (20, 3), (2, 400), (9, 40), (30, 30)]
        {
            for reset_limit in [1, 2, 3, 7, 30] {
                for resets in [[0, 0], [4, 4], [1, 0], [2, 3]] {
                    for play in [Play::Normal, Play::Misere] {
                        let keys = ExpandingKeys { stones, base_limit, growth, reset_limit, resets, play };
                        if let Ok(rules) = keys.rules() {
                            check(&rules);
                            many += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(many > 200, "{many}");
}

/// Checks long games of so many stones.
pub(super) fn long_rules(stones: u32, check: impl Fn(&Expanding)) {
    for resets in [[4, 4], [0, 0], [2, 5]] {
        for play in [Play::Normal, Play::Misere] {
            let keys = ExpandingKeys { stones, resets, play, ..Default::default() };
            check(&keys.rules().unwrap());
        }
    }
}

/// Checks so many rulesets at random, of up to so many stones: the same each time.
pub(super) fn random_rules(many: u64, most: u64, check: impl Fn(&Expanding)) {
    let mut state = 1_u64;
    let mut below = |end: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % end
    };
    for _ in 0..many {
        // Small numbers as often as great ones.
        let scale = 1 + below(most);
        let mut upto = |most: u64| (1 + below(most.max(1))) as u32;
        let stones = upto(scale);
        let base = scale.isqrt().max(8);
        let (base_limit, growth) = (upto(base), upto(base) - 1);
        let reset_limit = upto(base_limit.into());
        let resets = [upto(5) as u8 - 1, upto(5) as u8 - 1];
        let play = if upto(2) == 1 { Play::Normal } else { Play::Misere };
        let keys = ExpandingKeys { stones, base_limit, growth, reset_limit, resets, play };
        check(&keys.rules().unwrap());
    }
}
