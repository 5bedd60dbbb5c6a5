//! The meaning of `current_max`, in which the servers of different years differ.

use bouton_tables::expanding::{Expanding, Position};

use crate::protocol::tcp::{Dialect, GameState, Init};

/// `current_max` of the server of 2018 while a reset is in force.
const CURRENT_MAX_UNDER_RESET: u32 = 2;

/// The possible meanings of `current_max` (2025 agrees with 2017).
///
/// The servers differ in which messages have `init_max`: none in 2017 and 2020, every state in 2018, the first
/// message in 2025. If these fields fit two dialects, a state without a reset decides. A state under a reset does not:
/// 2 may be the constant of 2018, or a limit of 2. Until a state decides, the lowest possible limit counts.
#[derive(Clone, Debug)]
pub(super) struct Dialects {
    /// `None` before the first state.
    possible: Option<Vec<Dialect>>,
    /// Two flags: the first message has `init_max`; the first message has `game_time`.
    init: [bool; 2],
}

impl Dialects {
    pub(super) fn new(init: &Init) -> Self {
        Self { possible: None, init: [init.init_max.is_some(), init.game_time.is_some()] }
    }

    /// Excludes dialects by the state after a move that led to `position`. Returns the lowest limit that
    /// `current_max` may mean, if that is below ours or the value fits no dialect.
    pub(super) fn learn(&mut self, state: &GameState, rules: &Expanding, position: &Position) -> Option<u32> {
        let possible = self.possible.get_or_insert_with(|| match (self.init, state.init_max.is_some()) {
            ([false, _], true) => vec![Dialect::Y2018],
            ([true, _], true) | ([true, false], false) => vec![Dialect::Y2017, Dialect::Y2018],
            ([true, true] | [false, _], false) => vec![Dialect::Y2017],
        });
        let (shown, our_limit) = (state.current_max, rules.limit(position.currentmax, position.imposed));
        let fits = |&dialect: &Dialect| {
            dialect.current_max(rules, position) == shown
                || dialect == Dialect::Y2018 && position.imposed && shown == CURRENT_MAX_UNDER_RESET
        };
        let any_fits = possible.iter().any(fits);
        if any_fits && !position.imposed {
            possible.retain(fits);
            return None;
        }
        let limit = |dialect: &Dialect| match dialect {
            _ if fits(dialect) => our_limit,
            Dialect::Y2017 | Dialect::Y2025 => shown,
            Dialect::Y2018 if position.imposed => shown.saturating_add(1),
            Dialect::Y2018 => rules.limit(shown, false),
        };
        let lowest = possible.iter().map(limit).min()?;
        (lowest < our_limit || !any_fits).then_some(lowest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::tcp::PlayerState;
    use bouton_tables::Game;
    use bouton_tables::expanding::ExpandingKeys;

    /// The fields that a server sends: `init_max` and `game_time` in its first message, `init_max` in each state.
    #[derive(Clone, Copy, Debug)]
    struct Fields {
        init: bool,
        time: bool,
        state: bool,
    }

    const Y2017: Fields = Fields { init: false, time: false, state: false };
    const Y2018: Fields = Fields { init: false, time: false, state: true };
    const Y2025: Fields = Fields { init: true, time: true, state: false };
    const UNKNOWN: Fields = Fields { init: true, time: false, state: false };

    /// Returns the lowered limits that `learn` returns before a reset, under a reset, and after it.
    fn limits_learned(fields: Fields, shown: [u32; 3]) -> [Option<u32>; 3] {
        let rules = ExpandingKeys { stones: 100, ..Default::default() }.rules().unwrap();
        let init = Init {
            init_stones: 100,
            init_resets: 4,
            game_time: fields.time.then_some(120),
            init_max: fields.init.then_some(3),
        };
        let player = || PlayerState { resets_left: 4, time_taken: 0.0, name: String::new() };
        let mut dialects = Dialects::new(&init);
        let mut shown = shown.into_iter();
        ["97/3/2", "90/4/1/4,3/r", "80/5/2"].map(|position| {
            let state = GameState {
                finished: false,
                winner: None,
                reason: None,
                current_max: shown.next().unwrap(),
                stones_left: 0,
                stones_removed: 1,
                reset_used: false,
                init_max: fields.state.then_some(3),
                player_0: player(),
                player_1: player(),
            };
            dialects.learn(&state, &rules, &rules.parse_position(position).unwrap())
        })
    }

    #[test]
    fn the_usual_values_of_each_year_do_not_lower_our_limit() {
        for (fields, shown) in [
            (Y2017, [4, 3, 6]),
            (Y2025, [4, 3, 6]),
            (Y2018, [3, 2, 5]),
            (UNKNOWN, [4, 3, 6]),
            (UNKNOWN, [3, 2, 5]),
        ] {
            assert_eq!(limits_learned(fields, shown), [None; 3], "{fields:?} {shown:?}");
        }
    }

    #[test]
    fn a_low_limit_under_a_reset_is_respected() {
        assert_eq!(limits_learned(Y2017, [4, 2, 6]), [None, Some(2), None]);
        assert_eq!(limits_learned(Y2025, [4, 2, 6]), [None, Some(2), None]);
        assert_eq!(limits_learned(UNKNOWN, [4, 2, 6]), [None, Some(2), None]);
        assert_eq!(limits_learned(Y2018, [3, 1, 5]), [None, Some(2), None]);
        // Before a state without a reset decides, both dialects are possible.
        let mut first = limits_learned(UNKNOWN, [9, 2, 5]);
        assert_eq!((first[0], first[1]), (Some(9), Some(2)));
        first = limits_learned(UNKNOWN, [9, 3, 6]);
        assert_eq!(first[1..], [None, None]);
    }

    #[test]
    fn a_value_that_fits_no_dialect_counts_as_the_lowest_limit_that_it_may_mean() {
        assert_eq!(limits_learned(Y2017, [9, 3, 6])[0], Some(9));
        assert_eq!(limits_learned(UNKNOWN, [1, 3, 6])[0], Some(1));
        // No server of 2017 shows the most taken so far: the value is read as a limit.
        assert_eq!(limits_learned(Y2017, [3, 2, 5]), [Some(3), Some(2), Some(5)]);
    }
}
