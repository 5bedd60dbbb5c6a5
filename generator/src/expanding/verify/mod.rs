//! Proves a table of Expanding Nim.
//!
//! The proof shares nothing with the solvers, and states the moves a second time ([`PlainRules`]). Every move takes a
//! stone, and the rules decide positions without stones. If every position agrees with the stored verdicts of its
//! successors, the whole table is right, by induction over the stones. For example, if place 0 is lost and moves take 1 to
//! 3 stones, then the places 1 to 3 must be won, therefore place 4 lost, and so on.
//!
//! There are three methods. Tables without depths are checked line by line, by runs of lost places ([`lines`]). Tables
//! with depths are checked position by position, by the best move of each ([`windows`]). On request, each position of
//! any table is checked by all of its moves ([`positions`]).

mod answers;
mod best_move;
mod groups;
mod line_array;
mod lines;
mod positions;
mod score_rows;
#[cfg(test)]
mod tests;
mod windows;

use bouton_tables::expanding::{Expanding, ExpandingTable, Move, Position};
use bouton_tables::{Play, Table};

use crate::control::Control;
use crate::proof::{Counts, PlainRules, Provable, VerifyError, VerifyOptions};

impl PlainRules for Expanding {
    #[inline]
    fn each_move(&self, position: &Position, mut visit: impl FnMut(&Move, u64, &Position)) {
        let Position { stones, currentmax, turn, resets, imposed } = *position;
        let usual = u64::from(self.base_limit()).max(u64::from(currentmax) + u64::from(self.growth()));
        let limit = if imposed { u64::from(self.reset_limit()) } else { usual };
        let resets_left = resets[turn.index()];
        for take in 1..=limit.min(stones) as u32 {
            for resets_used in 0..=resets_left.min(1) {
                let imposed = resets_used == 1;
                let mut resets = resets;
                resets[turn.index()] -= resets_used;
                let (stones, currentmax) = (stones - u64::from(take), currentmax.max(take));
                let next = Position { stones, currentmax, turn: turn.other(), resets, imposed };
                visit(&Move { take, reset: imposed }, take.into(), &next);
            }
        }
    }

    fn play(&self) -> Play {
        Expanding::play(self)
    }
}

impl Provable for ExpandingTable {
    fn verify(
        &self,
        table: &Table,
        options: &VerifyOptions,
        control: &dyn Control,
    ) -> Result<Counts, VerifyError> {
        if options.every_position {
            positions::verify(self, table, options, control)
        } else if table.header().has_depths {
            windows::verify(self, table, options, control)
        } else {
            lines::verify(self, control)
        }
    }
}
