//! The numbered set of positions of Expanding Nim.
//!
//! The most stones that can remain falls as currentmax rises, and in stretches it falls evenly. The region stores
//! each stretch as a [`CurrentmaxRun`]; the sum of an arithmetic progression gives the number of pairs in a run.

use super::position::{Position, Turn};
use super::rules::Expanding;
use crate::{Region, TooManyPositions};

/// The positions that one or several rulesets have in common.
#[derive(Clone, Debug)]
pub struct ExpandingRegion {
    turns: Vec<Turn>,
    resets: [u8; 2],
    stones: u32,
    /// Sorted by descending currentmax, which is by ascending stones.
    runs: Vec<CurrentmaxRun>,
}

/// A range of values of currentmax, within which the most stones that can remain falls by a constant.
#[derive(Clone, Copy, Debug)]
struct CurrentmaxRun {
    /// The least currentmax of the run.
    least: u32,
    /// The greatest currentmax of the run.
    greatest: u32,
    /// The most stones that can remain at the least currentmax.
    most: u32,
    /// The decrease of `most` per currentmax; at least 1.
    fall: u32,
    /// The fewest stones that can remain at a currentmax of this run and not at a greater one.
    from: u32,
    /// Number of pairs of stones and currentmax with fewer stones than [`from`](Self::from).
    before: u64,
    /// Number of pairs with a currentmax above the greatest of the run.
    above: u64,
}

impl CurrentmaxRun {
    /// Returns the greatest currentmax at which `stones` stones can remain. It must lie in the run.
    fn most_currentmax(&self, stones: u32) -> u32 {
        self.greatest.min(self.least + (self.most - stones) / self.fall)
    }

    /// Returns the number of pairs with fewer than `stones` stones. The run must be that of `stones - 1`.
    fn pairs_below(&self, stones: u32) -> u64 {
        let Some(fewer) = stones.checked_sub(1) else { return 0 };
        // Each currentmax up to `level` has a pair for each of these numbers of stones; above it, all pairs count.
        let level = self.most_currentmax(fewer);
        u64::from(stones) * (u64::from(level) + 1) + self.above_in_run(level) + self.above
    }

    /// Returns the number of pairs with a currentmax of the run above `level`.
    fn above_in_run(&self, level: u32) -> u64 {
        let count = u64::from(self.greatest - level);
        let pairs = |currentmax: u32| u64::from(self.most - (currentmax - self.least) * self.fall) + 1;
        if count == 0 { 0 } else { (pairs(level + 1) + pairs(self.greatest)) * count / 2 }
    }
}

impl ExpandingRegion {
    /// Returns the positions common to all of these rulesets, with these players to move, in ascending order.
    ///
    /// # Panics
    /// If `rules` or `turns` is empty.
    pub fn common(rules: &[&Expanding], turns: &[Turn]) -> Result<Self, TooManyPositions> {
        let least = |of: &dyn Fn(&Expanding) -> u32| {
            rules.iter().map(|rules| of(rules)).min().expect("at least one ruleset")
        };
        let stones = least(&|rules| rules.stones());
        let resets = [0, 1].map(|player| least(&|rules| rules.resets()[player].into()) as u8);
        let greatest = least(&|rules| rules.greatest_currentmax());
        let region = Self { turns: turns.to_vec(), resets, stones, runs: runs(rules, greatest) };
        let pairs = region.pairs_below(u32::MAX);
        pairs.checked_mul(region.each()).ok_or(TooManyPositions)?;
        Ok(region)
    }

    /// Returns the most stones.
    pub fn stones(&self) -> u32 {
        self.stones
    }

    /// Returns the greatest currentmax.
    pub fn greatest_currentmax(&self) -> u32 {
        self.runs[0].greatest
    }

    /// Returns the most resets of each player.
    pub fn resets(&self) -> [u8; 2] {
        self.resets
    }

    /// Returns the players to move.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Returns the greatest currentmax with this number of stones left, at most [`stones`](Self::stones).
    pub fn most_currentmax(&self, stones: u32) -> u32 {
        self.run(stones).most_currentmax(stones)
    }

    fn run(&self, stones: u32) -> &CurrentmaxRun {
        &self.runs[self.runs.partition_point(|run| run.from <= stones) - 1]
    }

    /// Returns the number of pairs of stones and currentmax with fewer than `stones` stones.
    pub fn pairs_below(&self, stones: u32) -> u64 {
        let stones = stones.min(self.stones + 1);
        self.run(stones.saturating_sub(1)).pairs_below(stones)
    }

    /// Returns the number of pairs with fewer than `stones` stones and a currentmax of at most `currentmax`.
    pub fn pairs_up_to(&self, stones: u32, currentmax: u32) -> u64 {
        let stones = stones.min(self.stones + 1);
        if currentmax >= self.greatest_currentmax() {
            return self.pairs_below(stones);
        }
        // Below `all` stones every currentmax up to the given one arises; from there on, only lesser ones.
        let all = stones.min(self.most_stones(currentmax) + 1);
        u64::from(all) * (u64::from(currentmax) + 1) + self.pairs_below(stones) - self.pairs_below(all)
    }

    /// Returns the most stones that can remain at a currentmax of the region.
    fn most_stones(&self, currentmax: u32) -> u32 {
        let run = &self.runs[self.runs.partition_point(|run| run.least > currentmax)];
        run.most - (currentmax - run.least) * run.fall
    }

    /// Returns the pair of stones and currentmax with a number. Pairs sort by stones, then by currentmax.
    fn pair(&self, number: u64) -> (u32, u32) {
        let place = self.runs.partition_point(|run| run.before <= number) - 1;
        let run = &self.runs[place];
        let end = self.runs.get(place + 1).map_or(self.stones + 1, |next| next.from);
        // Bisect for the last number of stones whose first pair has at most this number.
        let (mut low, mut high) = (run.from, end);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if run.pairs_below(middle) <= number { low = middle } else { high = middle }
        }
        let before = if low == run.from { run.before } else { run.pairs_below(low) };
        (low, (number - before) as u32)
    }

    /// Returns the number of positions with the same stones and currentmax.
    fn each(&self) -> u64 {
        let [first, second] = self.resets.map(|most| u64::from(most) + 1);
        self.turns.len() as u64 * first * second * 2
    }

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
        if next.currentmax < self.most_currentmax(next.stones) {
            next.currentmax += 1;
            return Some(next);
        }
        next.currentmax = 0;
        next.stones += 1;
        (next.stones <= self.stones).then_some(next)
    }
}

/// Returns the runs of all values of currentmax up to `greatest`, which arises in all rulesets.
fn runs(rules: &[&Expanding], greatest: u32) -> Vec<CurrentmaxRun> {
    let left = |currentmax| {
        let left = rules.iter().map(|rules| rules.most_stones(currentmax).expect("it arises"));
        left.min().expect("at least one ruleset")
    };
    let mut runs: Vec<CurrentmaxRun> = Vec::new();
    let mut least = 0;
    while least <= greatest {
        let most = left(least);
        // Up to `end`, the stones left fall evenly in each ruleset. Their minimum then falls ever faster, so
        // bisection finds how far it falls evenly.
        let end = rules.iter().map(|rules| rules.even_until(least)).min().unwrap_or(greatest).min(greatest);
        let fall = if least == end { 1 } else { most - left(least + 1) };
        let even = |currentmax: u32| {
            u64::from(currentmax - least) * u64::from(fall) == u64::from(most - left(currentmax))
        };
        let (mut low, mut high) = (least, end + 1);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if even(middle) { low = middle } else { high = middle }
        }
        let from = if low == greatest { 0 } else { left(low + 1) + 1 };
        runs.push(CurrentmaxRun { least, greatest: low, most, fall, from, before: 0, above: 0 });
        least = low + 1;
    }
    runs.reverse();
    let mut above = 0;
    for place in 0..runs.len() {
        runs[place].above = above;
        runs[place].before = match place.checked_sub(1) {
            None => 0,
            Some(below) => runs[below].pairs_below(runs[place].from),
        };
        let run = &runs[place];
        above += run.above_in_run(run.least) + u64::from(run.most) + 1;
    }
    runs
}

impl Region for ExpandingRegion {
    type Game = Expanding;

    fn count(&self) -> u64 {
        self.pairs_below(u32::MAX) * self.each()
    }

    fn walk(&self, from: u64) -> impl Iterator<Item = Position> {
        let (pair, mut rest) = (from / self.each(), from % self.each());
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

    fn number(&self, position: &Position) -> u64 {
        let pair = self.pairs_below(position.stones) + u64::from(position.currentmax);
        let turn = self.turns.iter().position(|&turn| turn == position.turn).unwrap_or(0) as u64;
        let [firsts, seconds] = self.resets.map(|most| u64::from(most) + 1);
        let [first, second] = position.resets.map(u64::from);
        let place = ((turn * firsts + first) * seconds + second) * 2 + u64::from(position.imposed);
        pair * self.each() + place
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ExpandingKeys, MAX_STONES};
    use super::*;
    use crate::Game;

    fn rules(stones: u32, base_limit: u32, growth: u32, resets: [u8; 2]) -> Expanding {
        ExpandingKeys { stones, base_limit, growth, reset_limit: 1, resets, ..Default::default() }
            .rules()
            .unwrap()
    }

    fn region(rules: &[&Expanding]) -> ExpandingRegion {
        ExpandingRegion::common(rules, &[Turn::First]).unwrap()
    }

    #[test]
    fn positions_are_those_of_a_table_each_once_in_natural_order() {
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
            let both = ExpandingRegion::common(&[&rules], &[Turn::First, Turn::Second]).unwrap();
            let all: Vec<Position> = both.walk(0).collect();
            assert_eq!(all.len() as u64, 2 * rules.positions());
            assert!(all.is_sorted_by(|a, b| a < b), "{rules:?}");
            for (number, position) in (0..).zip(&all) {
                assert!(rules.check(position).is_ok());
                assert_eq!(both.number(position), number);
                assert_eq!(both.walk(number).next().as_ref(), Some(position));
            }
            assert_eq!(both.walk(both.count()).next(), None);
            let greatest = all.iter().map(|position| position.currentmax).max();
            assert_eq!((both.stones(), Some(both.greatest_currentmax())), (stones, greatest));
            assert_eq!((both.resets(), both.turns()), (resets, &[Turn::First, Turn::Second][..]));
            for stones in 0..=stones {
                let most = all.iter().filter(|position| position.stones == stones);
                assert_eq!(
                    most.map(|position| position.currentmax).max(),
                    Some(both.most_currentmax(stones))
                );
            }
            let mut pairs: Vec<_> =
                all.iter().map(|position| (position.stones, position.currentmax)).collect();
            pairs.dedup();
            for (stones, currentmax) in (0..=stones + 1).flat_map(|stones| (0..=70).map(move |m| (stones, m)))
            {
                let fewer = pairs.iter().filter(|pair| pair.0 < stones && pair.1 <= currentmax);
                assert_eq!(both.pairs_up_to(stones, currentmax), fewer.count() as u64);
            }
        }
    }

    #[test]
    fn common_positions_are_those_of_both_rulesets() {
        for (a, b) in [
            (rules(30, 3, 1, [2, 1]), rules(25, 2, 4, [0, 3])),
            (rules(90, 3, 1, [0, 0]), rules(80, 20, 9, [0, 0])),
            (rules(60, 3, 0, [0, 0]), rules(300, 2, 2, [0, 0])),
        ] {
            let both: Vec<Position> = region(&[&a, &b]).walk(0).collect();
            let expected: Vec<Position> =
                region(&[&a]).walk(0).filter(|position| b.check(position).is_ok()).collect();
            assert_eq!(both, expected);
        }
    }

    #[test]
    fn the_greatest_rules_take_little_memory_and_overflow_nothing() {
        let most = MAX_STONES;
        for (base, growth) in [(most, most), (most, 0), (1, 0), (1, 1), (most / 2, 7)] {
            let rules = rules(most, base, growth, [0, 0]);
            let region = region(&[&rules]);
            assert!(region.runs.len() < 100_000, "{} runs", region.runs.len());
            assert_eq!(region.count(), rules.positions());
            let number = region.count() / 3;
            assert_eq!(region.walk(number).next().map(|position| region.number(&position)), Some(number));
        }
        let many = ExpandingKeys { resets: [15, 15], ..rules(most, most, most, [0, 0]).keys().clone() };
        let many = many.rules().unwrap();
        assert_eq!(ExpandingRegion::common(&[&many], &[Turn::First]).unwrap_err(), TooManyPositions);
    }
}
