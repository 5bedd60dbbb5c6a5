//! Pairs of resets: the player to move has the first number left, the opponent the second.

use bouton_tables::expanding::Expanding;

use crate::GenerateError;
use crate::memory::{Grow, room};

/// Resets left: of the player to move, and of the opponent.
pub(super) type Resets = [u8; 2];

/// The pairs of resets of a ruleset, each with an index into lists that have one entry for each pair.
///
/// A position's outcome depends on the resets of the player to move and of the opponent, not on which of them is player
/// 1. Both turns are therefore solved at once.
#[derive(Clone, Copy)]
pub(super) struct ResetPairs {
    /// Resets of player 1 and player 2 at the beginning.
    allowances: [u8; 2],
}

impl ResetPairs {
    pub(super) fn new(rules: &Expanding) -> Self {
        Self { allowances: rules.resets() }
    }

    fn most(self) -> u8 {
        self.allowances[0].max(self.allowances[1])
    }

    /// Length of a list with one entry for each pair.
    pub(super) fn places(self) -> u64 {
        u64::from(self.most() + 1).pow(2)
    }

    /// Index of a pair in such a list.
    pub(super) fn place(self, [own, others]: Resets) -> usize {
        usize::from(own) * usize::from(self.most() + 1) + usize::from(others)
    }

    /// Returns whether some turn of the game can have this pair.
    fn arises(self, [own, others]: Resets) -> bool {
        let [first, second] = self.allowances;
        own <= first && others <= second || own <= second && others <= first
    }

    /// Returns the pairs that arise, by ascending sum. Of the pairs [a, b] and [b, a], only the one with a >= b is
    /// listed.
    pub(super) fn all(self) -> Result<Vec<Resets>, GenerateError> {
        let mut pairs = Vec::new();
        for all in 0..=2 * self.most() {
            for own in all.div_ceil(2)..=all.min(self.most()) {
                let pair = [own, all - own];
                if self.arises(pair) {
                    pairs.grow(pair)?;
                }
            }
        }
        Ok(pairs)
    }

    /// Arranges the entries of each pair, `free` for positions without a reset in force and `bound` for those under
    /// one, by the numbers of lines (FORMAT.md, section 4.1).
    pub(super) fn by_lines<T: Clone>(self, free: &[T], bound: &[T]) -> Result<Vec<T>, GenerateError> {
        let [firsts, seconds] = self.allowances;
        let mut lines = room(4 * (u64::from(firsts) + 1) * (u64::from(seconds) + 1))?;
        for turn in 0..2 {
            for first in 0..=firsts {
                for second in 0..=seconds {
                    let place = self.place(if turn == 0 { [first, second] } else { [second, first] });
                    lines.extend([free, bound].map(|lines| lines[place].clone()));
                }
            }
        }
        Ok(lines)
    }
}
