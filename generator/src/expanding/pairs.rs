//! Pairs of resets: how many the player to move has left, and how many the other one.

use bouton_tables::expanding::Expanding;

use crate::GenerateError;
use crate::memory::{Grow, room};

/// Resets left: of the player to move, and of the other one.
pub(super) type Resets = [u8; 2];

/// The pairs of resets of a ruleset, and their places in lists that have something for each.
///
/// What follows depends on what the player to move has left and what the other one has, not on who they are: both turns are
/// solved at once.
#[derive(Clone, Copy)]
pub(super) struct Pairs {
    /// Of player 1 and player 2, at the beginning.
    allowances: [u8; 2],
}

impl Pairs {
    pub(super) fn new(rules: &Expanding) -> Self {
        Self { allowances: rules.resets() }
    }

    fn most(self) -> u8 {
        self.allowances[0].max(self.allowances[1])
    }

    /// The length of a list with something for each pair.
    pub(super) fn places(self) -> u64 {
        u64::from(self.most() + 1).pow(2)
    }

    /// The place of a pair in such a list.
    pub(super) fn place(self, [own, others]: Resets) -> usize {
        usize::from(own) * usize::from(self.most() + 1) + usize::from(others)
    }

    /// Whether a player can have these resets left, while the other one has those.
    fn arises(self, [own, others]: Resets) -> bool {
        let [first, second] = self.allowances;
        own <= first && others <= second || own <= second && others <= first
    }

    /// The pairs that arise, those with fewer resets in all first; of two that differ in who is to move, one.
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

    /// What there is for each pair, without and with a reset in force, by the numbers of lines (FORMAT.md, section 4.1).
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
