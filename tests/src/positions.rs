//! The positions that a table covers, and some that none does.

use bouton_tables::expanding::{Expanding, Position, Turn};

/// Numbers that look random and are the same each time (xorshift64*).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The numbers of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number from 0 to `most`.
    pub fn up_to(&mut self, most: u32) -> u32 {
        ((u128::from(self.bits()) * (u128::from(most) + 1)) >> 64) as u32
    }
}

/// Every position of a table of these rules.
pub fn every(rules: &Expanding) -> impl Iterator<Item = Position> {
    (0..=rules.greatest_currentmax()).flat_map(|currentmax| every_at(rules, currentmax))
}

/// Every position of a table of these rules that has this currentmax.
pub fn every_at(rules: &Expanding, currentmax: u32) -> impl Iterator<Item = Position> + use<> {
    let [first, second] = rules.resets();
    let of_turn = move |turn| (0..=first).flat_map(move |a| (0..=second).map(move |b| (turn, [a, b])));
    let stones = rules.most_stones(currentmax).map(|most| 0..=most).into_iter().flatten();
    stones.flat_map(move |stones| {
        [Turn::First, Turn::Second].into_iter().flat_map(of_turn).flat_map(move |(turn, resets)| {
            [false, true].map(|imposed| Position { stones, currentmax, turn, resets, imposed })
        })
    })
}

/// A position of a table of these rules: often one at an edge, mostly one far from all.
pub fn any(rules: &Expanding, dice: &mut Dice) -> Position {
    let near_an_edge = |dice: &mut Dice, most: u32| match dice.up_to(7) {
        0 => most,
        1 => dice.up_to(most.min(3)),
        2 => most - dice.up_to(most.min(3)),
        3 => dice.up_to(most.min(70)),
        _ => dice.up_to(most),
    };
    let currentmax = near_an_edge(dice, rules.greatest_currentmax());
    let stones = near_an_edge(dice, rules.most_stones(currentmax).expect("it arises"));
    let turn = if dice.up_to(1) == 0 { Turn::First } else { Turn::Second };
    let resets = rules.resets().map(|most| dice.up_to(most.into()) as u8);
    Position { stones, currentmax, turn, resets, imposed: dice.up_to(1) == 0 }
}

/// Positions that no table of these rules covers.
#[must_use]
pub fn outside(rules: &Expanding) -> Vec<Position> {
    let inside = rules.start(rules.stones());
    let [first, second] = rules.resets();
    vec![
        Position { stones: rules.stones() + 1, ..inside.clone() },
        Position { stones: u32::MAX, ..inside.clone() },
        Position { currentmax: rules.greatest_currentmax() + 1, stones: 0, ..inside.clone() },
        Position { currentmax: u32::MAX, stones: 0, ..inside.clone() },
        Position {
            currentmax: u32::MAX,
            stones: u32::MAX,
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
    use bouton_tables::Play;

    #[test]
    fn every_position_is_there_once_and_any_is_among_them() {
        let rules = Expanding::new(30, 3, 1, 2, [2, 1], Play::Normal).unwrap();
        let all: Vec<Position> = every(&rules).collect();
        let distinct: std::collections::HashSet<&Position> = all.iter().collect();
        assert_eq!(all.len() as u64, 2 * rules.positions());
        assert_eq!(distinct.len(), all.len());
        let mut dice = Dice::new(1);
        for _ in 0..10_000 {
            let position = any(&rules, &mut dice);
            assert!(distinct.contains(&position), "{position}");
        }
        for position in outside(&rules) {
            assert!(rules.check(&position).is_err(), "{position}");
        }
    }
}
