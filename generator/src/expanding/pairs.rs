//! Pairs of resets: the player to move has the first number left, the opponent the second.

use bouton_tables::expanding::Expanding;

use crate::making::GenerateError;
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

    fn greatest(self) -> u8 {
        self.allowances[0].max(self.allowances[1])
    }

    /// Returns the length of a list with an entry for each pair.
    pub(super) fn len(self) -> u64 {
        u64::from(self.greatest() + 1).pow(2)
    }

    /// Returns the index of a pair in a list with an entry for each pair.
    pub(super) fn index(self, [own, theirs]: Resets) -> usize {
        usize::from(own) * usize::from(self.greatest() + 1) + usize::from(theirs)
    }

    /// Returns whether some turn of the game can have this pair.
    fn arises(self, [own, theirs]: Resets) -> bool {
        let [first, second] = self.allowances;
        own <= first && theirs <= second || own <= second && theirs <= first
    }

    /// Returns the pairs that arise, in the order in which their lines are solved: by ascending sum. Of the pairs [a, b]
    /// and [b, a], only the one with a >= b is listed, since their lines are solved together.
    pub(super) fn in_solving_order(self) -> Result<Vec<Resets>, GenerateError> {
        let mut pairs = Vec::new();
        for sum in 0..=2 * self.greatest() {
            for own in sum.div_ceil(2)..=sum.min(self.greatest()) {
                let pair = [own, sum - own];
                if self.arises(pair) {
                    pairs.grow(pair)?;
                }
            }
        }
        Ok(pairs)
    }

    /// Arranges the entries of each pair, `free` without a reset in force and `bound` under one, by the numbers of lines
    /// (FORMAT.md, section 4.1).
    pub(super) fn by_line_number<T: Clone>(self, free: &[T], bound: &[T]) -> Result<Vec<T>, GenerateError> {
        let [firsts, seconds] = self.allowances;
        let mut lines = room(4 * (u64::from(firsts) + 1) * (u64::from(seconds) + 1))?;
        for turn in 0..2 {
            for first in 0..=firsts {
                for second in 0..=seconds {
                    let index = self.index(if turn == 0 { [first, second] } else { [second, first] });
                    lines.extend([free, bound].map(|lines| lines[index].clone()));
                }
            }
        }
        Ok(lines)
    }
}
