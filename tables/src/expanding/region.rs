//! The positions of Expanding Nim, numbered in the natural order.
//!
//! To find the index of a position, one must count the *pairs* of stones and currentmax before it. The maximum number
//! of stones that can remain falls as currentmax rises, evenly over whole ranges: from 1000 stones, with base limit 3
//! and growth 1, it is 1000, 999, 998 and 997 for 0 to 3, then 993, 988, 982. The region stores each range in which it
//! falls by the same number, such as 0 to 3, as a [`CurrentmaxRun`]; its pairs are an arithmetic progression.

use super::position::{Position, Turn};
use super::rules::{Expanding, first_where};
use crate::{Region, TooManyPositions};

/// The positions that one or several rulesets have in common.
#[derive(Clone, Debug)]
pub struct ExpandingRegion {
    turns: Vec<Turn>,
    /// Maximum number of resets of each player.
    resets: [u8; 2],
    /// Maximum number of stones.
    stones: u64,
    /// Sorted by descending currentmax, which is by ascending stones.
    runs: Vec<CurrentmaxRun>,
}

/// A range of values of currentmax in which the maximum number of stones that can remain falls by a constant.
#[derive(Clone, Copy, Debug)]
struct CurrentmaxRun {
    /// The least currentmax of the run.
    least: u32,
    /// The greatest currentmax of the run.
    greatest: u32,
    /// Maximum number of stones that can remain at the least currentmax.
    max_stones: u64,
    /// The decrease of that number from one currentmax to the next; at least 1.
    fall: u64,
    /// The fewest stones that can remain at a currentmax of this run and not at a greater one.
    min_stones: u64,
    /// Number of pairs with a currentmax above the greatest of the run.
    pairs_above: u64,
}

impl CurrentmaxRun {
    /// Returns the greatest currentmax at which `stones` stones can remain. It must lie in the run.
    fn most_currentmax(&self, stones: u64) -> u32 {
        let above_least = (self.max_stones - stones) / self.fall;
        self.least + above_least.min(u64::from(self.greatest - self.least)) as u32
    }

    /// Returns the number of pairs with fewer than `stones` stones. The greatest currentmax at which `stones - 1`
    /// stones can remain must lie in the run.
    fn pairs_below(&self, stones: u64) -> u64 {
        let Some(fewer) = stones.checked_sub(1) else { return 0 };
        // Each currentmax up to `level` has a pair for each of these numbers of stones; above it, all pairs count.
        let level = self.most_currentmax(fewer);
        stones * (u64::from(level) + 1) + self.pairs_of_run_above(level) as u64 + self.pairs_above
    }

    /// Returns the number of pairs with a currentmax of the run above `level`.
    fn pairs_of_run_above(&self, level: u32) -> u128 {
        let count = u128::from(self.greatest - level);
        let pairs = |currentmax: u32| u128::from(self.stones_at(currentmax)) + 1;
        if count == 0 { 0 } else { (pairs(level + 1) + pairs(self.greatest)) * count / 2 }
    }

    /// Returns the maximum number of stones that can remain at a currentmax of the run.
    fn stones_at(&self, currentmax: u32) -> u64 {
        self.max_stones - u64::from(currentmax - self.least) * self.fall
    }
}

impl ExpandingRegion {
    /// Returns the positions common to all of these rulesets, with these players to move, in ascending order.
    /// There must be a ruleset and a turn.
    pub fn common(rules: &[&Expanding], turns: &[Turn]) -> Result<Self, TooManyPositions> {
        let least = |of: &dyn Fn(&Expanding) -> u64| {
            rules.iter().map(|rules| of(rules)).min().expect("at least one ruleset")
        };
        let stones = least(&|rules| rules.stones());
        let resets = [0, 1].map(|player| least(&|rules| rules.resets()[player].into()) as u8);
        let greatest = least(&|rules| rules.greatest_currentmax().into()) as u32;
        let runs = runs(rules, greatest).ok_or(TooManyPositions)?;
        let region = Self { turns: turns.to_vec(), resets, stones, runs };
        let pairs = region.pairs_below(u64::MAX);
        pairs.checked_mul(region.positions_per_pair()).ok_or(TooManyPositions)?;
        Ok(region)
    }

    /// Returns the maximum number of stones.
    pub fn stones(&self) -> u64 {
        self.stones
    }

    /// Returns the greatest currentmax.
    pub fn greatest_currentmax(&self) -> u32 {
        self.runs[0].greatest
    }

    /// Returns the maximum number of resets of each player.
    pub fn resets(&self) -> [u8; 2] {
        self.resets
    }

    /// Returns the players to move.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Returns the greatest currentmax with this number of stones left, at most [`stones`](Self::stones).
    pub fn max_currentmax(&self, stones: u64) -> u32 {
        self.run(stones).most_currentmax(stones)
    }

    /// Returns the run of the greatest currentmax at which `stones` stones can remain.
    fn run(&self, stones: u64) -> &CurrentmaxRun {
        &self.runs[self.runs.partition_point(|run| run.min_stones <= stones) - 1]
    }

    /// Returns the number of pairs of stones and currentmax with fewer than `stones` stones.
    pub fn pairs_below(&self, stones: u64) -> u64 {
        let stones = stones.min(self.stones + 1);
        self.run(stones.saturating_sub(1)).pairs_below(stones)
    }

    /// Returns the number of pairs with fewer than `stones` stones and a currentmax of at most `currentmax`.
    pub fn pairs_up_to(&self, stones: u64, currentmax: u32) -> u64 {
        let stones = stones.min(self.stones + 1);
        if currentmax >= self.greatest_currentmax() {
            return self.pairs_below(stones);
        }
        // Below `all` stones every currentmax up to the given one arises; from there on, only lesser ones.
        let all = stones.min(self.most_stones(currentmax) + 1);
        all * (u64::from(currentmax) + 1) + self.pairs_below(stones) - self.pairs_below(all)
    }

    /// Returns the maximum number of stones that can remain at a currentmax of the region.
    fn most_stones(&self, currentmax: u32) -> u64 {
        self.runs[self.runs.partition_point(|run| run.least > currentmax)].stones_at(currentmax)
    }

    /// Returns the pair of stones and currentmax with an index. Pairs sort by stones, then by currentmax.
    fn pair(&self, index: u64) -> (u64, u32) {
        let stones = first_where(0..self.stones, |stones| self.pairs_below(stones + 1) > index);
        (stones, (index - self.pairs_below(stones)) as u32)
    }

    /// Returns the number of positions with the same stones and currentmax.
    fn positions_per_pair(&self) -> u64 {
        let [first, second] = self.resets.map(|most| u64::from(most) + 1);
        self.turns.len() as u64 * first * second * 2
    }

    /// Returns the position after this one in the natural order.
    fn next(&self, position: &Position) -> Option<Position> {
        let mut next = position.clone();
        if !next.imposed {
            next.imposed = true;
            return Some(next);
        }
        next.imposed = false;
        for player in [1, 0] {
            if next.resets[player] < self.resets[player] {
                next.resets[player] += 1;
                return Some(next);
            }
            next.resets[player] = 0;
        }
        if let Some(turn) = self.turns.iter().find(|&&turn| turn > next.turn) {
            next.turn = *turn;
            return Some(next);
        }
        next.turn = self.turns[0];
        if next.currentmax < self.max_currentmax(next.stones) {
            next.currentmax += 1;
            return Some(next);
        }
        next.currentmax = 0;
        next.stones += 1;
        (next.stones <= self.stones).then_some(next)
    }
}

/// Returns the runs of all values of currentmax up to `greatest`, which must arise in all rulesets. `None` if the number
/// of pairs exceeds 64 bits.
fn runs(rules: &[&Expanding], greatest: u32) -> Option<Vec<CurrentmaxRun>> {
    let max_stones = |currentmax| {
        let stones = rules.iter().map(|rules| rules.max_stones(currentmax).expect("it arises"));
        stones.min().expect("at least one ruleset")
    };
    let mut runs: Vec<CurrentmaxRun> = Vec::new();
    let mut least = 0;
    while least <= greatest {
        let most = max_stones(least);
        // Up to `end`, the stones that can remain fall evenly in each ruleset. Their minimum then falls ever faster, so
        // bisection finds how far it falls evenly.
        let end = rules.iter().map(|rules| rules.even_until(least)).min().unwrap_or(greatest).min(greatest);
        let fall = if least == end { 1 } else { most - max_stones(least + 1) };
        let falls_evenly_to =
            |currentmax: u32| u64::from(currentmax - least) * fall == most - max_stones(currentmax);
        let last = first_where(least + 1..end + 1, |currentmax| !falls_evenly_to(currentmax)) - 1;
        let min_stones = if last == greatest { 0 } else { max_stones(last + 1) + 1 };
        runs.push(CurrentmaxRun {
            least,
            greatest: last,
            max_stones: most,
            fall,
            min_stones,
            pairs_above: 0,
        });
        least = last + 1;
    }
    runs.reverse();
    let mut above = 0;
    for run in &mut runs {
        run.pairs_above = u64::try_from(above).ok()?;
        above += run.pairs_of_run_above(run.least) + u128::from(run.max_stones) + 1;
    }
    u64::try_from(above).ok()?;
    Some(runs)
}

impl Region for ExpandingRegion {
    type Game = Expanding;

    fn count(&self) -> u64 {
        self.pairs_below(u64::MAX) * self.positions_per_pair()
    }

    fn walk(&self, from: u64) -> impl Iterator<Item = Position> {
        let (pair, mut rest) = (from / self.positions_per_pair(), from % self.positions_per_pair());
        let mut digit = |base: u64| {
            let digit = rest % base;
            rest /= base;
            digit as u8
        };
        let [first, second] = self.resets;
        let (imposed, second) = (digit(2) == 1, digit(u64::from(second) + 1));
        let (first, turn) = (digit(u64::from(first) + 1), digit(self.turns.len() as u64));
        let at = (from < self.count()).then(|| {
            let (stones, currentmax) = self.pair(pair);
            let turn = self.turns[usize::from(turn)];
            Position { stones, currentmax, turn, resets: [first, second], imposed }
        });
        std::iter::successors(at, |position| self.next(position))
    }

    fn index_of(&self, position: &Position) -> u64 {
        let pair = self.pairs_below(position.stones) + u64::from(position.currentmax);
        let turn = self.turns.iter().position(|&turn| turn == position.turn).unwrap_or(0) as u64;
        let [firsts, seconds] = self.resets.map(|most| u64::from(most) + 1);
        let [first, second] = position.resets.map(u64::from);
        let index_in_pair = ((turn * firsts + first) * seconds + second) * 2 + u64::from(position.imposed);
        pair * self.positions_per_pair() + index_in_pair
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ExpandingKeys, MAX_BASE_LIMIT, MAX_STONES};
    use super::*;
    use crate::Game;

    fn rules(stones: u64, base_limit: u32, growth: u32, resets: [u8; 2]) -> Expanding {
        ExpandingKeys { stones, base_limit, growth, reset_limit: 1, resets, ..Default::default() }
            .rules()
            .unwrap()
    }

    fn region(rules: &[&Expanding]) -> ExpandingRegion {
        ExpandingRegion::common(rules, &[Turn::First]).unwrap()
    }

    #[test]
    fn a_region_has_each_position_of_a_table_once_and_in_natural_order() {
        for (stones, base, growth, resets) in [
            (30, 3, 1, [2, 1]),
            (9, 4, 0, [0, 0]),
            (1, 1, 5, [1, 3]),
            (40, 2, 3, [1, 1]),
            (300, 1, 1, [0, 0]),
            (50, 60, 2, [0, 1]),
        ] {
            let rules = rules(stones, base, growth, resets);
            assert_eq!(region(&[&rules]).count(), rules.positions());
            let region = ExpandingRegion::common(&[&rules], &[Turn::First, Turn::Second]).unwrap();
            let all: Vec<Position> = region.walk(0).collect();
            assert_eq!(all.len() as u64, 2 * rules.positions());
            assert!(all.is_sorted_by(|a, b| a < b), "{rules:?}");
            for (index, position) in (0..).zip(&all) {
                assert!(rules.check(position).is_ok());
                assert_eq!(region.index_of(position), index);
                assert_eq!(region.walk(index).next().as_ref(), Some(position));
            }
            assert_eq!(region.walk(region.count()).next(), None);
            let greatest = all.iter().map(|position| position.currentmax).max();
            assert_eq!((region.stones(), Some(region.greatest_currentmax())), (stones, greatest));
            assert_eq!((region.resets(), region.turns()), (resets, &[Turn::First, Turn::Second][..]));
            for stones in 0..=stones {
                let most = all.iter().filter(|position| position.stones == stones);
                assert_eq!(
                    most.map(|position| position.currentmax).max(),
                    Some(region.max_currentmax(stones))
                );
            }
            let mut pairs: Vec<_> =
                all.iter().map(|position| (position.stones, position.currentmax)).collect();
            pairs.dedup();
            for (stones, currentmax) in (0..=stones + 1).flat_map(|stones| (0..=70).map(move |m| (stones, m)))
            {
                let fewer = pairs.iter().filter(|pair| pair.0 < stones && pair.1 <= currentmax);
                assert_eq!(region.pairs_up_to(stones, currentmax), fewer.count() as u64);
            }
        }
    }

    #[test]
    fn the_common_region_has_the_positions_of_both_rulesets() {
        for (a, b) in [
            (rules(30, 3, 1, [2, 1]), rules(25, 2, 4, [0, 3])),
            (rules(90, 3, 1, [0, 0]), rules(80, 20, 9, [0, 0])),
            (rules(60, 3, 0, [0, 0]), rules(300, 2, 2, [0, 0])),
        ] {
            let common: Vec<Position> = region(&[&a, &b]).walk(0).collect();
            let expected: Vec<Position> =
                region(&[&a]).walk(0).filter(|position| b.check(position).is_ok()).collect();
            assert_eq!(common, expected);
        }
    }

    #[test]
    fn the_greatest_rules_take_few_runs_and_do_not_overflow() {
        let most = MAX_BASE_LIMIT;
        let billion = u64::from(most);
        for (stones, base, growth) in [
            (billion, most, most),
            (billion, most, 0),
            (MAX_STONES, 1, 0),
            (MAX_STONES, 3, 1),
            (billion, 1, 1),
            (billion, most / 2, 7),
        ] {
            let rules = rules(stones, base, growth, [0, 0]);
            let region = region(&[&rules]);
            assert!(region.runs.len() < 3_000_000, "{} runs", region.runs.len());
            assert_eq!(region.count(), rules.positions());
            let number = region.count() / 3;
            assert_eq!(region.walk(number).next().map(|position| region.index_of(&position)), Some(number));
        }
        for (stones, base, growth, resets) in
            [(billion, most, most, [15, 15]), (MAX_STONES, most, 0, [0, 0]), (MAX_STONES, 3, 1, [4, 4])]
        {
            let many = rules(stones, base, growth, resets);
            assert_eq!(ExpandingRegion::common(&[&many], &[Turn::First]).unwrap_err(), TooManyPositions);
        }
    }
}
