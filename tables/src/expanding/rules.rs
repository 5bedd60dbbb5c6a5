//! The rules of Expanding Nim, and the number of positions that its tables cover.

use std::ops::{Range, RangeInclusive};

use super::keys::{ExpandingKeys, MAX_STONES_WITH_DEPTHS};
use super::position::{Position, Turn};
use crate::keys::bad_value;
use crate::{Play, RulesetError};

/// The rules of Expanding Nim: one pile, and a limit of stones a move that grows with the most ever taken at once.
///
/// Constructed from [`ExpandingKeys`] by a check, so the values are always valid.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expanding {
    keys: ExpandingKeys,
}

impl ExpandingKeys {
    /// Checks the keys, and returns their rules.
    pub fn rules(self) -> Result<Expanding, RulesetError> {
        self.check()?;
        let rules = Expanding { keys: self };
        rules.check_limits()?;
        Ok(rules)
    }
}

impl Expanding {
    /// Checks that a table of these rules can have depths: its stones must be at most [`MAX_STONES_WITH_DEPTHS`].
    ///
    /// # Errors
    /// [`RulesetError::BadValue`] names the stones found and the stones allowed.
    pub fn check_depths(&self) -> Result<(), RulesetError> {
        if self.keys.stones <= MAX_STONES_WITH_DEPTHS {
            return Ok(());
        }
        let allowed = format!("at most {MAX_STONES_WITH_DEPTHS} in a table with depths");
        Err(bad_value("stones", &self.keys.stones, allowed))
    }

    /// Returns the keys.
    pub fn keys(&self) -> &ExpandingKeys {
        &self.keys
    }

    /// Returns the maximum number of stones of a game, N.
    pub fn stones(&self) -> u64 {
        self.keys.stones
    }

    /// Returns the least limit without a reset.
    pub fn base_limit(&self) -> u32 {
        self.keys.base_limit
    }

    /// Returns the growth: the limit is currentmax plus growth, if that exceeds the base limit.
    pub fn growth(&self) -> u32 {
        self.keys.growth
    }

    /// Returns the limit under a reset.
    pub fn reset_limit(&self) -> u32 {
        self.keys.reset_limit
    }

    /// Returns the number of resets of each player.
    pub fn resets(&self) -> [u8; 2] {
        self.keys.resets
    }

    /// Returns the kind of play, normal or misère.
    pub fn play(&self) -> Play {
        self.keys.play
    }

    /// Returns the maximum number of stones that the player to move may take, regardless of the stones left.
    pub fn limit(&self, currentmax: u32, imposed: bool) -> u32 {
        if imposed {
            self.keys.reset_limit
        } else {
            self.keys.base_limit.max(currentmax.saturating_add(self.keys.growth))
        }
    }

    /// Returns least(m): the fewest stones gone if m is the currentmax. `None` if no move can take m stones (growth 0).
    ///
    /// Before a move can take m > base-limit stones, another must have taken m - growth, and so on. So least(m) is the
    /// sum of the terms m, m - growth, m - 2 growth, ... above base-limit, and of the next term, if positive. With
    /// base-limit 3 and growth 1, least(5) is 5 + 4 + 3 = 12.
    pub fn least(&self, currentmax: u32) -> Option<u64> {
        let (m, base, growth) =
            (u64::from(currentmax), u64::from(self.keys.base_limit), u64::from(self.keys.growth));
        if m <= base {
            return Some(m);
        }
        if growth == 0 {
            return None;
        }
        let terms = (m - base).div_ceil(growth);
        // m and the number of terms are below 2^32, so the sum fits into 64 bits.
        let sum = terms * m - growth * (terms * (terms - 1) / 2);
        Some(sum + m.saturating_sub(terms * growth))
    }

    /// Returns true if a currentmax can arise.
    fn arises(&self, currentmax: u32) -> bool {
        self.max_stones(currentmax).is_some()
    }

    /// Checks that every limit is less than 2^32, so that the stones of a move fit into 32 bits.
    fn check_limits(&self) -> Result<(), RulesetError> {
        // From this currentmax on, the limit is 2^32 or more. Without growth, it is at most the base limit.
        let too_great = self.keys.growth.wrapping_neg();
        if self.keys.growth > 0 && self.arises(too_great) {
            let allowed =
                "fewer stones, or a lower growth or base-limit: the limit of a move could reach 2^32 stones";
            return Err(bad_value("stones", &self.keys.stones, allowed));
        }
        Ok(())
    }

    /// Returns the greatest currentmax that can arise in a game of at most N stones.
    pub fn greatest_currentmax(&self) -> u32 {
        // `least` grows with m, and is at least m.
        let end = u32::try_from(self.keys.stones + 1).unwrap_or(u32::MAX);
        first_where(1..end, |m| !self.arises(m)) - 1
    }

    /// Returns the maximum number of stones that can remain at a currentmax; `None` if the currentmax cannot arise.
    pub fn max_stones(&self, currentmax: u32) -> Option<u64> {
        self.keys.stones.checked_sub(self.least(currentmax)?)
    }

    /// Returns the number of pairs of stones and currentmax that can arise.
    pub fn pairs(&self) -> u128 {
        self.pairs_up_to(self.greatest_currentmax())
    }

    /// Returns the number of pairs that can arise with at most this currentmax.
    pub fn pairs_up_to(&self, currentmax: u32) -> u128 {
        let last = currentmax.min(self.greatest_currentmax());
        // Where `least` grows evenly, the number of pairs falls evenly: add arithmetic progressions.
        let (mut sum, mut first) = (0, 0);
        while first <= last {
            let end = self.even_until(first).min(last);
            let pairs = |m| u128::from(self.max_stones(m).expect("it arises")) + 1;
            sum += (pairs(first) + pairs(end)) * u128::from(end - first + 1) / 2;
            first = end + 1;
        }
        sum
    }

    /// Returns the number of pairs with fewer than `stones` stones and a currentmax in a range that can arise.
    pub fn pairs_below(&self, currentmax: RangeInclusive<u32>, stones: u64) -> u128 {
        let (first, last) = currentmax.into_inner();
        // At a greater currentmax, fewer stones can remain.
        let has_all = |m: u32| self.max_stones(m).is_some_and(|most| most + 1 >= stones);
        let middle = first_where(first..last + 1, |m| !has_all(m));
        // Each currentmax before `middle` has a pair for each of these numbers of stones; add all pairs of the others.
        let before = |end: u32| end.checked_sub(1).map_or(0, |last| self.pairs_up_to(last));
        u128::from(stones) * u128::from(middle - first) + before(last + 1) - before(middle)
    }

    /// Returns the last currentmax up to which [`least`](Self::least) grows evenly from `currentmax`, which can
    /// arise. The even stretch ends before each further term, and where the last term becomes positive.
    pub(super) fn even_until(&self, currentmax: u32) -> u32 {
        let base = self.keys.base_limit;
        let terms = if currentmax <= base { 0 } else { (currentmax - base).div_ceil(self.keys.growth) };
        let subtracted = terms.saturating_mul(self.keys.growth);
        if currentmax <= subtracted { subtracted } else { base.saturating_add(subtracted) }
    }

    /// Returns the number of positions for each pair of stones and currentmax, with one player to move: one for each
    /// pair of reset counts and each value of the reset flag.
    pub fn positions_per_pair(&self) -> u64 {
        2 * (u64::from(self.keys.resets[0]) + 1) * (u64::from(self.keys.resets[1]) + 1)
    }

    /// Returns the number of positions of a table, both turns counted as one. Saturates at `u64::MAX`.
    pub fn positions(&self) -> u64 {
        let positions = self.pairs() * u128::from(self.positions_per_pair());
        u64::try_from(positions).unwrap_or(u64::MAX)
    }

    /// Returns the first position of a game of `stones` stones.
    pub fn start(&self, stones: u64) -> Position {
        Position { stones, currentmax: 0, turn: Turn::First, resets: self.keys.resets, imposed: false }
    }
}

/// Returns the first number of a range for which `holds` is true, by bisection; the range's end if there is none. `holds`
/// must be true for all later numbers, too.
pub fn first_where<T: Copy + Into<u64> + TryFrom<u64>>(range: Range<T>, holds: impl Fn(T) -> bool) -> T {
    let (mut low, mut high) = (range.start.into(), range.end.into());
    let number = |number| T::try_from(number).unwrap_or(range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(number(middle)) { high = middle } else { low = middle + 1 }
    }
    number(low)
}

#[cfg(test)]
mod tests {
    use super::super::keys::{MAX_BASE_LIMIT, MAX_STONES};
    use super::*;

    fn rules(stones: u64, base_limit: u32, growth: u32) -> Expanding {
        let keys = ExpandingKeys { stones, base_limit, growth, reset_limit: 1, ..Default::default() };
        keys.rules().unwrap()
    }

    #[test]
    fn least_is_the_sum_of_the_moves_that_lead_up_to_a_currentmax() {
        for (base, growth) in [(1, 1), (3, 1), (3, 2), (3, 5), (4, 0), (10, 3), (1, 7)] {
            let rules = rules(1000, base, growth);
            for m in 0..200_u32 {
                // The recursive definition.
                fn least(m: i64, base: i64, growth: i64) -> i64 {
                    match m {
                        _ if m <= 0 => 0,
                        _ if m <= base => m,
                        _ => m + least(m - growth, base, growth),
                    }
                }
                let expected = (growth > 0 || m <= base)
                    .then(|| least(i64::from(m), i64::from(base), i64::from(growth)).unsigned_abs());
                assert_eq!(rules.least(m), expected, "base {base} growth {growth} m {m}");
            }
        }
    }

    #[test]
    fn greatest_currentmax_is_the_last_that_arises() {
        for (stones, base, growth) in
            [(1, 1, 1), (1000, 3, 1), (60, 3, 5), (60, 4, 0), (2, 9, 1), (50, 100, 3)]
        {
            let rules = rules(stones, base, growth);
            let last = (0..=stones as u32).rfind(|&m| rules.max_stones(m).is_some()).unwrap();
            assert_eq!(rules.greatest_currentmax(), last);
        }
    }

    #[test]
    fn the_number_of_pairs_is_as_counted_one_by_one() {
        for stones in [1, 2, 7, 60, 333] {
            for base in [1, 2, 3, 10, 400] {
                for growth in [0, 1, 2, 5, 9, 11, 400] {
                    let rules = rules(stones, base, growth);
                    let one_by_one = (0..=stones as u32)
                        .filter_map(|m| rules.max_stones(m))
                        .map(|most| u128::from(most) + 1);
                    assert_eq!(rules.pairs(), one_by_one.sum(), "{stones} {base} {growth}");
                }
            }
        }
        let huge = rules(1_000_000_000, 1, MAX_BASE_LIMIT);
        assert_eq!(huge.pairs(), (1_000_000_001 * 1_000_000_002_u128) / 2);
        let flat = rules(MAX_STONES, MAX_BASE_LIMIT, 0);
        let [most, base] = [MAX_STONES, MAX_BASE_LIMIT.into()].map(u128::from);
        assert_eq!(flat.pairs(), (base + 1) * (2 * most + 2 - base) / 2);
    }

    #[test]
    fn the_number_of_pairs_of_few_stones_is_as_counted_one_by_one() {
        for (stones, base, growth) in [(40, 3, 1), (40, 1, 3), (40, 7, 0), (40, 5, 50), (60, 20, 9)] {
            let rules = rules(stones, base, growth);
            let greatest = rules.greatest_currentmax();
            for first in 0..=greatest {
                for last in first..=greatest {
                    for below in 0..=stones + 2 {
                        let pairs = |m| u128::from((rules.max_stones(m).unwrap() + 1).min(below));
                        let expected: u128 = (first..=last).map(pairs).sum();
                        assert_eq!(
                            rules.pairs_below(first..=last, below),
                            expected,
                            "{first} {last} {below}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn the_greatest_values_do_not_overflow() {
        let most = MAX_BASE_LIMIT;
        for (stones, base, growth) in
            [(1_000_000_000, most, most), (MAX_STONES, most, 1), (MAX_STONES, most, 0), (MAX_STONES, 1, 1)]
        {
            let keys = ExpandingKeys { resets: [15, 15], ..rules(stones, base, growth).keys };
            let rules = keys.rules().unwrap();
            let positions = rules.pairs() * u128::from(rules.positions_per_pair());
            assert_eq!(rules.positions(), u64::try_from(positions).unwrap_or(u64::MAX));
            assert!(rules.limit(u32::MAX, false) >= most);
            assert!(rules.least(u32::MAX).is_none_or(|least| least >= u64::from(u32::MAX)));
        }
    }

    #[test]
    fn limits_of_2_to_the_32nd_are_refused() {
        // The limits are 10^9, then twice as much, and so on: 5 × 10^9 after moves of 1, 2, 3 and 4 × 10^9 stones.
        let keys = |stones, growth| ExpandingKeys {
            stones,
            base_limit: MAX_BASE_LIMIT,
            growth,
            ..Default::default()
        };
        let error = keys(MAX_STONES, MAX_BASE_LIMIT).rules().unwrap_err().to_string();
        assert_eq!(
            error,
            "stones = 1000000000000: expected fewer stones, or a lower growth or base-limit: the limit of a move could \
             reach 2^32 stones"
        );
        // Limits of less than 2^32 need a currentmax below 2^32 - growth, which takes these stones to arise.
        let least =
            [1_u64, 2, 3].iter().map(|&times| (1 << 32) - times * 1_000_000_000).sum::<u64>() + 294_967_296;
        assert!(keys(least, MAX_BASE_LIMIT).rules().is_err());
        let greatest = keys(least - 1, MAX_BASE_LIMIT).rules().unwrap();
        assert_eq!(greatest.limit(greatest.greatest_currentmax(), false), u32::MAX);
        assert!(keys(MAX_STONES, 1_000_000).rules().is_ok());
    }

    #[test]
    fn few_enough_stones_can_have_depths() {
        let most = MAX_STONES_WITH_DEPTHS;
        assert_eq!(rules(most, 3, 1).check_depths(), Ok(()));
        assert_eq!(
            rules(most + 1, 3, 1).check_depths().unwrap_err().to_string(),
            "stones = 1000000001: expected at most 1000000000 in a table with depths"
        );
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let allowed = ExpandingKeys::default();
        for (keys, expected) in [
            (
                ExpandingKeys { stones: 0, ..allowed.clone() },
                "stones = 0: expected a whole number from 1 to 1000000000000",
            ),
            (ExpandingKeys { stones: MAX_STONES + 1, ..allowed.clone() }, "stones = 1000000000001:"),
            (ExpandingKeys { base_limit: 0, ..allowed.clone() }, "base-limit = 0:"),
            (
                ExpandingKeys { reset_limit: 4, ..allowed.clone() },
                "reset-limit = 4: expected a whole number from 1 to 3, the base-limit",
            ),
            (ExpandingKeys { resets: [16, 4], ..allowed.clone() }, "resets = [16, 4]:"),
        ] {
            let error = keys.rules().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
