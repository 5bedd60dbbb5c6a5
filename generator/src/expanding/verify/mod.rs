//! Proof of a table of Expanding Nim.
//!
//! Nothing here is shared with the solvers. Which moves there are is said a second time; what follows from them is found in one of
//! three ways: from the lost runs of lines (`lines`), without depths; for each position from the best of its moves (`windows`), with
//! depths; or, if asked for, from each move of each position (`positions`).

mod groups;
mod lines;
mod positions;
#[cfg(test)]
mod tests;
mod windows;

use bouton_tables::expanding::{Expanding, ExpandingTable, Move, Position, Turn};
use bouton_tables::{Play, Table};

use crate::Control;
use crate::proof::{Counts, PlainRules, Provable, VerifyError, VerifyOptions};

/// Bytes that a proof position by position keeps of each.
pub(super) const KEPT: u128 = size_of::<positions::Short>() as u128;

impl PlainRules for Expanding {
    #[inline]
    fn each_move(&self, position: &Position, mut visit: impl FnMut(&Move, u64, &Position)) {
        let Position { stones, currentmax, turn, resets, imposed } = *position;
        let (player, other) = match turn {
            Turn::First => (0, Turn::Second),
            Turn::Second => (1, Turn::First),
        };
        let usual = u64::from(self.base_limit()).max(u64::from(currentmax) + u64::from(self.growth()));
        let limit = if imposed { u64::from(self.reset_limit()) } else { usual };
        let resets_left = resets[player];
        for take in 1..=limit.min(u64::from(stones)) as u32 {
            for spent in 0..=resets_left.min(1) {
                let imposed = spent == 1;
                let mut resets = resets;
                resets[player] -= spent;
                let (stones, currentmax) = (stones - take, currentmax.max(take));
                let next = Position { stones, currentmax, turn: other, resets, imposed };
                visit(&Move { take, reset: imposed }, take.into(), &next);
            }
        }
    }

    fn play(&self) -> Play {
        Expanding::play(self)
    }
}

impl<D: AsRef<[u8]> + Sync> Provable<D> for ExpandingTable<D> {
    fn verify(
        &self,
        table: &Table<D>,
        options: &VerifyOptions,
        control: &dyn Control,
    ) -> Result<Counts, VerifyError> {
        if options.every_position {
            positions::verify(self, table, options, control)
        } else if table.header().depths {
            windows::verify(self, table, options, control)
        } else {
            lines::verify(self, table.header().gaps, control)
        }
    }
}
