//! The positions of a table of Expanding Nim.

use bouton_tables::expanding::{Expanding, Position, Turn, WinningMoves};
use bouton_tables::{Ruleset, Solved, Table};

use super::{Dice, GameUnderTest};
use crate::compare;

impl GameUnderTest for Expanding {
    type WinningMoves = WinningMoves;

    fn ruleset(&self) -> Ruleset {
        Ruleset::Expanding(self.clone())
    }

    fn table_of(table: &Table) -> &impl Solved<Game = Self, WinningMoves = Self::WinningMoves> {
        compare::expanding(table)
    }

    fn every(&self) -> impl Iterator<Item = Self::Position> {
        every(self)
    }

    fn random_position(&self, dice: &mut Dice) -> Self::Position {
        random_position(self, dice)
    }

    fn outside(&self) -> Vec<Self::Position> {
        outside(self)
    }

    fn effort(&self, position: &Self::Position) -> u64 {
        self.max_take(position).into()
    }
}

/// Returns every position of a table of these rules.
pub fn every(rules: &Expanding) -> impl Iterator<Item = Position> {
    (0..=rules.greatest_currentmax()).flat_map(|currentmax| every_at(rules, currentmax))
}

/// Returns every position of a table of these rules with this currentmax.
pub fn every_at(rules: &Expanding, currentmax: u32) -> impl Iterator<Item = Position> + use<> {
    let [first, second] = rules.resets();
    let of_turn = move |turn| (0..=first).flat_map(move |a| (0..=second).map(move |b| (turn, [a, b])));
    let stones = rules.max_stones(currentmax).map(|most| 0..=most).into_iter().flatten();
    stones.flat_map(move |stones| {
        [Turn::First, Turn::Second].into_iter().flat_map(of_turn).flat_map(move |(turn, resets)| {
            [false, true].map(|imposed| Position { stones, currentmax, turn, resets, imposed })
        })
    })
}

/// Returns a random position of a table of these rules, often near an edge.
pub fn random_position(rules: &Expanding, dice: &mut Dice) -> Position {
    let currentmax = dice.near_an_edge(rules.greatest_currentmax());
    let most = rules.max_stones(currentmax).expect("it arises");
    let stones = dice.near_an_edge(most.try_into().expect("a small game")).into();
    let turn = if dice.up_to(1) == 0 { Turn::First } else { Turn::Second };
    let resets = rules.resets().map(|most| dice.up_to(most.into()) as u8);
    Position { stones, currentmax, turn, resets, imposed: dice.up_to(1) == 0 }
}

/// Returns positions that no table of these rules covers.
#[must_use]
pub fn outside(rules: &Expanding) -> Vec<Position> {
    let inside = rules.start(rules.stones());
    let [first, second] = rules.resets();
    vec![
        Position { stones: rules.stones() + 1, ..inside.clone() },
        Position { stones: u64::MAX / 2, ..inside.clone() },
        Position { currentmax: rules.greatest_currentmax() + 1, stones: 0, ..inside.clone() },
        Position { currentmax: u32::MAX, stones: 0, ..inside.clone() },
        Position {
            currentmax: u32::MAX,
            stones: u64::MAX / 2,
            turn: Turn::Second,
            imposed: true,
            ..inside.clone()
        },
        Position { resets: [first + 1, second], ..inside.clone() },
        Position { resets: [first, u8::MAX], ..inside },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_tables::Game;
    use bouton_tables::expanding::ExpandingKeys;

    #[test]
    fn every_position_is_listed_once_and_random_ones_are_among_them() {
        let rules = ExpandingKeys { stones: 30, reset_limit: 2, resets: [2, 1], ..Default::default() }
            .rules()
            .unwrap();
        let all: Vec<Position> = every(&rules).collect();
        let distinct: std::collections::HashSet<&Position> = all.iter().collect();
        assert_eq!(all.len() as u64, 2 * rules.positions());
        assert_eq!(distinct.len(), all.len());
        let mut dice = Dice::new(1);
        for _ in 0..10_000 {
            let position = random_position(&rules, &mut dice);
            assert!(distinct.contains(&position), "{position}");
        }
        for position in outside(&rules) {
            assert!(rules.check(&position).is_err(), "{position}");
        }
    }
}
