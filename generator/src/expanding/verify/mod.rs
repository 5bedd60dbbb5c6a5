//! Proof of a table of Expanding Nim.
//!
//! Nothing here is shared with the solvers. Which moves there are is said a second time; what follows from them is found in one of
//! three ways: from the lost runs of lines (`lines`), without depths; for each position from the best of its moves (`windows`), with
//! depths; or, if asked for, from each move of each position (`positions`).

mod best;
mod groups;
mod lines;
mod positions;
mod rows;
#[cfg(test)]
mod tests;
mod windows;

use bouton_tables::expanding::{Expanding, ExpandingTable, Move, Position, Turn};
use bouton_tables::{Play, Solved, Table};

use self::groups::{Group, Kind};
use crate::Control;
use crate::proof::{Counts, PlainRules, Provable, VerifyError, VerifyOptions, check_position};

/// The most bytes that a proof holds at the same time, whichever it is, for so many lines.
pub(super) fn held(rules: &Expanding, lines: u128) -> u128 {
    positions::held(rules, lines) + windows::held_besides(rules, lines)
}

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

impl Provable for ExpandingTable {
    fn verify(
        &self,
        table: &Table,
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

/// Asks a table about a position of a line of a group, some one or other, that differs from group to group.
fn ask_somewhere(table: &ExpandingTable, group: &Group, kind: Kind) -> Result<(), VerifyError> {
    let stones =
        (u64::from(group.first) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) % (u64::from(group.most) + 1);
    ask(table, &groups::position(kind, stones as u32, group.first))
}

/// Asks a table about a position, and compares the whole answer with what it says of where moves lead.
fn ask(table: &ExpandingTable, position: &Position) -> Result<(), VerifyError> {
    let answer = table.answer(position)?;
    let mut trouble = None;
    let own = table.verdict(position)?;
    let checked = check_position(table, position, &answer, own, |_, _, next| {
        table.verdict(next).unwrap_or_else(|error| {
            trouble = Some(error);
            own
        })
    });
    trouble.map_or(checked, |error| Err(error.into()))
}
