//! Positions of Expanding Nim.

use std::ops::Range;

use bouton_tables::expanding::{Expanding, Position, Turn};

use super::select::selected_at;
use crate::region::{Region, TooManyPositions};
use crate::select::{Filter, Span};

/// The most values of currentmax, each of which takes 16 bytes here. A table with more of them has more positions
/// than can be gone through in weeks.
const MOST_VALUES: u32 = 1 << 22;

/// The positions of a ruleset, or those that two of them have.
#[derive(Clone, Debug)]
pub(super) struct PileRegion {
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

impl PileRegion {
    /// The positions that all of these rulesets have, with these players to move.
    ///
    /// # Errors
    /// If they are too many.
    pub(super) fn new(rules: &[&Expanding], turns: &[Turn]) -> Result<Self, TooManyPositions> {
        let least = |of: &dyn Fn(&Expanding) -> u32| rules.iter().map(|rules| of(rules)).min().unwrap_or(0);
        let (stones, greatest) = (least(&Expanding::stones), least(&Expanding::greatest_currentmax));
        if greatest >= MOST_VALUES {
            let positions = rules.iter().map(|rules| rules.positions()).min().unwrap_or(0);
            return Err(TooManyPositions { positions });
        }
        // The most stones that can be left with a currentmax, if it arises: the greater it is, the fewer.
        let left = |currentmax| {
            let left = rules.iter().map(|rules| rules.most_stones(currentmax));
            left.collect::<Option<Vec<_>>>().map(|left| left.into_iter().min().unwrap_or(0))
        };
        let mut steps: Vec<Step> = Vec::new();
        for most in (0..=greatest).rev() {
            let from = if most == greatest { 0 } else { left(most + 1).map_or(0, |left| left + 1) };
            let before = steps.last().map_or(0, |step| step.pairs(from));
            steps.push(Step { from, most, before });
        }
        let resets = [0, 1].map(|player| least(&|rules| rules.resets()[player].into()) as u8);
        Ok(Self { turns: turns.to_vec(), resets, steps, stones })
    }

    /// The most stones.
    pub(super) fn stones(&self) -> u32 {
        self.stones
    }

    /// The greatest currentmax.
    pub(super) fn greatest_currentmax(&self) -> u32 {
        self.step(0).most
    }

    /// The most resets that each player has.
    pub(super) fn resets(&self) -> [u8; 2] {
        self.resets
    }

    fn step(&self, stones: u32) -> &Step {
        &self.steps[self.steps.partition_point(|step| step.from <= stones) - 1]
    }

    /// How many pairs of stones and currentmax have fewer stones than so many.
    fn pairs_below(&self, stones: u32) -> u64 {
        match stones.checked_sub(1) {
            None => 0,
            Some(fewer) => self.step(fewer.min(self.stones)).pairs(stones.min(self.stones + 1)),
        }
    }

    /// The stones and the currentmax of a pair, by its number: by stones, then by currentmax.
    fn pair(&self, number: u64) -> (u32, u32) {
        let step = &self.steps[self.steps.partition_point(|step| step.before <= number) - 1];
        let (number, each) = (number - step.before, u64::from(step.most) + 1);
        (step.from + (number / each) as u32, (number % each) as u32)
    }

    /// Positions with the same stones and currentmax.
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
        if next.currentmax < self.step(next.stones).most {
            next.currentmax += 1;
            return Some(next);
        }
        next.currentmax = 0;
        next.stones += 1;
        (next.stones <= self.stones).then_some(next)
    }
}

impl Region for PileRegion {
    type Game = Expanding;

    fn count(&self) -> u64 {
        // Below 2^62: at most 2^22 values of currentmax, 2^30 stones, and 2^10 positions of each pair.
        self.pairs_below(self.stones + 1) * self.each()
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
        let pair = self.step(position.stones).pairs(position.stones) + u64::from(position.currentmax);
        let turn = self.turns.iter().position(|&turn| turn == position.turn).unwrap_or(0) as u64;
        let [firsts, seconds] = self.resets.map(|most| u64::from(most) + 1);
        let [first, second] = position.resets.map(u64::from);
        let place = ((turn * firsts + first) * seconds + second) * 2 + u64::from(position.imposed);
        pair * self.each() + place
    }

    fn groups(&self, filter: &Filter) -> Range<u64> {
        let Span { from, to } = filter.span("stones", 0);
        let most = u64::from(self.stones);
        let end = self.pairs_below(to.min(most) as u32 + 1);
        if from > most { end..end } else { self.pairs_below(from as u32).min(end)..end }
    }

    /// A group has the positions with one number of stones and one currentmax.
    fn group(&self, filter: &Filter, group: u64) -> impl Iterator<Item = Position> {
        let (stones, currentmax) = self.pair(group);
        let selected = filter.span("currentmax", 0).has(currentmax.into());
        let turns = if selected { &self.turns[..] } else { &[] };
        selected_at(filter, (stones, currentmax), turns, self.resets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::tests::{walked, walked_in_groups};
    use bouton_tables::expanding::ExpandingKeys;

    const BOTH: [Turn; 2] = [Turn::First, Turn::Second];

    fn rules(stones: u32, base: u32, growth: u32, resets: [u8; 2]) -> Expanding {
        let keys = ExpandingKeys { stones, growth, resets, ..Default::default() };
        ExpandingKeys { base_limit: base, reset_limit: 1, ..keys }.rules().unwrap()
    }

    #[test]
    fn positions_are_those_of_a_table_each_once_in_natural_order() {
        for (stones, base, growth, resets) in
            [(30, 3, 1, [2, 1]), (9, 4, 0, [0, 0]), (1, 1, 5, [1, 3]), (40, 2, 3, [1, 1])]
        {
            let rules = rules(stones, base, growth, resets);
            let one = PileRegion::new(&[&rules], &[Turn::First]).unwrap();
            assert_eq!(one.count(), rules.positions());
            let both = PileRegion::new(&[&rules], &BOTH).unwrap();
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
        let (a, b) = (rules(30, 3, 1, [2, 1]), rules(25, 2, 4, [0, 3]));
        let region = |rules: &[&Expanding]| PileRegion::new(rules, &[Turn::First]).unwrap();
        let both: Vec<Position> = region(&[&a, &b]).walk(0).collect();
        let expected: Vec<Position> =
            region(&[&a]).walk(0).filter(|position| b.check(position).is_ok()).collect();
        assert_eq!(both, expected);
    }

    #[test]
    fn groups_have_the_positions_that_a_walk_finds_in_order() {
        let rules = rules(30, 3, 1, [2, 1]);
        let region = PileRegion::new(&[&rules], &BOTH).unwrap();
        for text in [
            "",
            "stones=3..7 currentmax=2..",
            "resets=1..,*",
            "turn=2 imposed=r",
            "stones=40..",
            "resets=2,1 currentmax=0 turn=1 imposed=-",
            "stones=30",
            "turn=3",
        ] {
            let filter = Filter::parse(&rules, true, text).unwrap();
            assert_eq!(walked_in_groups(&region, &filter), walked(&region, &filter), "{text}");
        }
    }

    #[test]
    fn starts_are_chosen_besides_what_else_is_asked_for() {
        let rules = rules(30, 3, 1, [2, 1]);
        let filter = Filter::parse(&rules, true, "stones=..4").unwrap().starts(&rules);
        let starts = walked_in_groups(&PileRegion::new(&[&rules], &BOTH).unwrap(), &filter);
        let texts: Vec<String> = starts.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["1/0/1/2,1/-", "2/0/1/2,1/-", "3/0/1/2,1/-", "4/0/1/2,1/-"]);
    }

    #[test]
    fn more_positions_than_can_be_numbered_are_refused_before_room_is_made_for_them() {
        const BILLION: u32 = 1_000_000_000;
        let refused =
            |base, growth| PileRegion::new(&[&rules(BILLION, base, growth, [15, 15])], &BOTH).is_err();
        assert!(refused(BILLION, 0), "16 GB were made");
        assert!(!refused(1, 1));
    }
}
