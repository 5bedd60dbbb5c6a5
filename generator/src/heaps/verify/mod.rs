//! Proof of a heap table: each position follows from its successors, by the plain rules; and heaps may be looked up in any
//! order (`orders`).
//!
//! The proof shares only the numbering of positions with the solvers. As every move takes a stone or a pass, a table
//! whose every verdict follows from those of the successors is right, by induction. There are two ways to check this:
//!
//! - `line_proof` visits the positions by rank, and keeps the best of each line of successors (`lines`): a few steps for
//!   each position.
//! - `every_move` tries every move of every position, on request.

mod every_move;
mod line_proof;
mod lines;
mod orders;
mod plain;

use bouton_tables::heaps::HeapTable;
use bouton_tables::{Solved, Table};

use self::lines::Lines;
use self::orders::check_orders;
use crate::control::Control;
use crate::estimate::proof_memory;
use crate::proof::{Counts, Provable, VerifyError, VerifyOptions};

/// Progress is counted in positions.
impl Provable for HeapTable {
    fn verify(
        &self,
        table: &Table,
        options: &VerifyOptions,
        control: &dyn Control,
    ) -> Result<Counts, VerifyError> {
        let rules = self.game();
        // Check before allocating. No table has u64::MAX positions, which stands for any greater number.
        let (positions, stated) = (rules.positions(), table.header().positions);
        if positions != stated || positions == u64::MAX {
            let or_more = if positions == u64::MAX { " or more" } else { "" };
            return Err(VerifyError::Miscounted {
                stated: format!("{stated} positions"),
                counted: format!("{positions}{or_more}"),
            });
        }
        let bytes = if options.every_position { every_move::least_bytes(rules) } else { Lines::bytes(rules) };
        let least = proof_memory(bytes, table.file_len() as u64);
        let Some(room) = options.memory.checked_sub(least) else {
            return Err(VerifyError::TooLittle { least, limit: options.memory });
        };
        let counts = if options.every_position {
            every_move::check(self, room, control)?
        } else {
            line_proof::check(self, control)?
        };
        check_orders(self, control)?;
        Ok(counts)
    }
}
