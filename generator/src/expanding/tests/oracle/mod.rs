//! The oracle of the tests: a solver that goes from position to position, and the rulesets on which the real solvers are
//! compared with it. The oracle shares with them only the rules, the layout of lines, and the type of runs.

mod solver;
mod window;

use bouton_tables::Play;
use bouton_tables::expanding::{Expanding, ExpandingKeys};

pub(crate) use self::solver::{Oracle, OracleRow};

/// Runs `check` on a grid of rulesets, with games of 1 to `most` stones.
pub(crate) fn small_rules(most: u64, check: impl Fn(&Expanding)) {
    let mut count = 0;
    for stones in [1, 2, 5, 40, most] {
        for (base_limit, growth) in
            [(3, 3), (1, 1), (3, 1), (5, 2), (4, 0), (3, 0), (1, 7), (20, 3), (2, 400), (9, 40), (30, 30)]
        {
            for reset_limit in [1, 2, 3, 7, 30] {
                for resets in [[0, 0], [4, 4], [1, 0], [2, 3]] {
                    for play in [Play::Normal, Play::Misere] {
                        let keys = ExpandingKeys { stones, base_limit, growth, reset_limit, resets, play };
                        if let Ok(rules) = keys.rules() {
                            check(&rules);
                            count += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(count > 200, "{count}");
}

/// Runs `check` on games of `stones` stones.
pub(crate) fn long_rules(stones: u64, check: impl Fn(&Expanding)) {
    for resets in [[4, 4], [0, 0], [2, 5]] {
        for play in [Play::Normal, Play::Misere] {
            let keys = ExpandingKeys { stones, resets, play, ..Default::default() };
            check(&keys.rules().unwrap());
        }
    }
}

/// Runs `check` on `count` pseudorandom rulesets of at most `most` stones, the same ones each time.
pub(crate) fn random_rules(count: u64, most: u64, check: impl Fn(&Expanding)) {
    let mut state = 1_u64;
    let mut below = |end: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % end
    };
    for _ in 0..count {
        // Choose an upper bound of the numbers first, so that small games are frequent.
        let scale = 1 + below(most);
        let mut upto = |most: u64| (1 + below(most.max(1))) as u32;
        let stones = upto(scale);
        let base = scale.isqrt().max(8);
        let (base_limit, growth) = (upto(base), upto(base) - 1);
        let reset_limit = upto(base_limit.into());
        let resets = [upto(5) as u8 - 1, upto(5) as u8 - 1];
        let play = if upto(2) == 1 { Play::Normal } else { Play::Misere };
        let stones = stones.into();
        let keys = ExpandingKeys { stones, base_limit, growth, reset_limit, resets, play };
        check(&keys.rules().unwrap());
    }
}
