//! Positions of Expanding Nim.

use bouton_tables::expanding::{Expanding, Position, Turn};

use super::Region;

/// Positions of one ruleset, or those that several have.
#[derive(Clone, Debug)]
pub(crate) struct Stones {
    turns: Vec<Turn>,
    resets: [u8; 2],
    /// From the fewest stones up.
    steps: Vec<Step>,
    stones: u32,
}

/// Numbers of stones with the same greatest currentmax.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The least of them.
    from: u32,
    /// The greatest currentmax.
    most: u32,
    /// How many pairs of stones and currentmax have fewer stones.
    before: u64,
}

impl Step {
    /// How many pairs there are with fewer stones than so many, which are of this step or one more.
    fn pairs(&self, stones: u32) -> u64 {
        self.before + u64::from(stones - self.from) * (u64::from(self.most) + 1)
    }
}

impl Stones {
    /// The positions that all of these rulesets have, with these players to move.
    ///
    /// # Panics
    /// If there is no ruleset.
    pub(crate) fn of(rules: &[&Expanding], turns: &[Turn]) -> Self {
        let least = |of: &dyn Fn(&Expanding) -> u32| rules.iter().map(|rules| of(rules)).min();
        let stones = least(&|rules| rules.stones()).expect("at least one ruleset");
        let resets =
            [0, 1].map(|player| least(&|rules| rules.resets()[player].into()).map_or(0, |n| n as u8));
        // The most stones that can be left with a currentmax, if it arises: the greater it is, the fewer.
        let left = |currentmax| {
            let left = rules.iter().map(|rules| rules.most_stones(currentmax));
            left.collect::<Option<Vec<_>>>().map(|left| left.into_iter().min().unwrap_or(0))
        };
        let greatest = least(&|rules| rules.greatest_currentmax()).unwrap_or(0);
        let mut steps: Vec<Step> = Vec::new();
        for most in (0..=greatest).rev() {
            let from = if most == greatest { 0 } else { left(most + 1).map_or(0, |left| left + 1) };
            let before = steps.last().map_or(0, |step| step.pairs(from));
            steps.push(Step { from, most, before });
        }
        Self { turns: turns.to_vec(), resets, steps, stones }
    }

    /// The most stones.
    pub(crate) fn stones(&self) -> u32 {
        self.stones
    }

    /// The greatest currentmax.
    pub(crate) fn greatest_currentmax(&self) -> u32 {
        self.most_currentmax(0)
    }

    /// The most resets that each player has.
    pub(crate) fn resets(&self) -> [u8; 2] {
        self.resets
    }

    /// The players to move.
    pub(crate) fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The greatest currentmax with so many stones left.
    pub(crate) fn most_currentmax(&self, stones: u32) -> u32 {
        self.step(stones).most
    }

    fn step(&self, stones: u32) -> &Step {
        &self.steps[self.steps.partition_point(|step| step.from <= stones) - 1]
    }

    /// How many pairs of stones and currentmax have fewer stones than so many.
    pub(crate) fn pairs_below(&self, stones: u32) -> u64 {
        match stones.checked_sub(1) {
            None => 0,
            Some(fewer) => self.step(fewer.min(self.stones)).pairs(stones.min(self.stones + 1)),
        }
    }

    /// The stones and the currentmax of a pair, by its number: by stones, then by currentmax.
    pub(crate) fn pair(&self, number: u64) -> (u32, u32) {
        let step = &self.steps[self.steps.partition_point(|step| step.before <= number) - 1];
        let (number, each) = (number - step.before, u64::from(step.most) + 1);
        (step.from + (number / each) as u32, (number % each) as u32)
    }

    /// Positions with the same stones and currentmax.
    fn each(&self) -> u64 {
        let [first, second] = self.resets.map(|most| u64::from(most) + 1);
        self.turns.len() as u64 * first * second * 2
    }
}

impl Region for Stones {
    type Game = Expanding;

    fn count(&self) -> u64 {
        self.steps[self.steps.len() - 1].pairs(self.stones + 1) * self.each()
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
        let (stones, currentmax) = self.pair(pair);
        let at = (from < self.count()).then(|| Position {
            stones,
            currentmax,
            turn: self.turns[usize::from(turn)],
            resets: [first, second],
            imposed,
        });
        std::iter::successors(at, |position| self.next(position))
    }

    fn number(&self, position: &Position) -> u64 {
        let pair = self.step(position.stones).pairs(position.stones) + u64::from(position.currentmax);
        let turn = self.turns.iter().position(|&turn| turn == position.turn).unwrap_or(0) as u64;
        let [firsts, seconds] = self.resets.map(|most| u64::from(most) + 1);
        let [first, second] = position.resets.map(u64::from);
        let place = ((turn * firsts + first) * seconds + second) * 2 + u64::from(position.imposed);
        pair * self.each() + place
    }
}

impl Stones {
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
        (next.stones <= self.stones()).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_tables::expanding::ExpandingKeys;

    #[test]
    fn positions_are_those_of_a_table_each_once_in_natural_order() {
        for (stones, base, growth, resets) in
            [(30, 3, 1, [2, 1]), (9, 4, 0, [0, 0]), (1, 1, 5, [1, 3]), (40, 2, 3, [1, 1])]
        {
            let rules = ExpandingKeys {
                stones,
                base_limit: base,
                growth,
                reset_limit: 1,
                resets,
                ..Default::default()
            }
            .rules()
            .unwrap();
            let one = Stones::of(&[&rules], &[Turn::First]);
            assert_eq!(one.count(), rules.positions());
            let both = Stones::of(&[&rules], &[Turn::First, Turn::Second]);
            let all: Vec<Position> = both.walk(0).collect();
            assert_eq!(all.len() as u64, 2 * rules.positions());
            assert!(all.is_sorted_by(|a, b| a < b), "{rules:?}");
            for (number, position) in (0..).zip(&all) {
                assert!(rules.check(position).is_ok());
                assert_eq!(both.number(position), number);
                assert_eq!(both.walk(number).next().as_ref(), Some(position));
            }
            assert_eq!(both.walk(both.count()).next(), None);
        }
    }

    #[test]
    fn what_two_rulesets_have_is_what_each_has() {
        let rules = |stones, base, growth, resets| {
            ExpandingKeys { stones, base_limit: base, growth, reset_limit: 1, resets, ..Default::default() }
                .rules()
                .unwrap()
        };
        let (a, b) = (rules(30, 3, 1, [2, 1]), rules(25, 2, 4, [0, 3]));
        let region = |rules: &[&Expanding]| Stones::of(rules, &[Turn::First]);
        let both: Vec<Position> = region(&[&a, &b]).walk(0).collect();
        let expected: Vec<Position> =
            region(&[&a]).walk(0).filter(|position| b.check(position).is_ok()).collect();
        assert_eq!(both, expected);
    }
}
