//! Proof of a heap table: each position follows from its successors, by the plain rules; and heaps may be looked up in any
//! order (`orders`).
//!
//! The proof shares only the numbering of positions with the solvers. As every move takes a stone or a pass, a table
//! whose every verdict follows from those of the successors is right, by induction. There are two ways to check this:
//!
//! - `line_proof` visits the positions by rank, and keeps the best of each line of successors (`lines`): a few steps for
//!   each position.
//! - `blocks` tries every move of every position, and so needs other verdicts. Looking up each successor in the
//!   table would be slow: the proof reads the verdicts of whole blocks of positions (`partition`), and caches as many
//!   blocks as fit into memory (`verdict_cache`). Verdicts that are not cached are looked up. Several ranks can share the
//!   work (`distributed`), and a record of the checked blocks lets an interrupted proof resume (`recorder`).

mod blocks;
mod distributed;
mod line_proof;
mod lines;
mod orders;
mod partition;
mod plain;
mod recorder;
mod successor_ranks;
mod verdict_cache;

use std::path::Path;

use bouton_tables::heaps::{HeapRules, HeapTable};
use bouton_tables::{Solved, Table};

use self::blocks::BlockProof;
use self::lines::Lines;
use self::orders::check_orders;
use crate::control::Control;
use crate::estimate::proof_memory;
use crate::proof::{Counts, Provable, VerifyError, VerifyOptions};

/// Returns the bytes with which the proof of a table is fastest, and the fewest with which it is possible.
pub(crate) fn memory(rules: &HeapRules) -> [u128; 2] {
    let lines = Lines::bytes(rules);
    [lines, lines.min(blocks::least_memory(rules, None))]
}

/// Reports whether a proof must be one in blocks. If an interrupted one has left a record, it resumes.
fn needs_blocks(options: &VerifyOptions) -> bool {
    options.every_position
        || options.block.is_some()
        || options.communicator.is_some()
        || options.record.is_some_and(Path::exists)
}

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
        let file = table.file_len() as u64;
        let [lines, blocks] = [Lines::bytes(rules), blocks::least_memory(rules, options.block)]
            .map(|bytes| proof_memory(bytes, file));
        let needs_blocks = needs_blocks(options);
        let least = if needs_blocks { blocks } else { blocks.min(lines) };
        if least > options.memory {
            return Err(VerifyError::TooLittle { least, limit: options.memory });
        }
        let counts = if needs_blocks || lines > options.memory {
            recorder::run(BlockProof::new(self, table, options)?, options, control)?
        } else {
            line_proof::check(self, control)?
        };
        // Each rank does this by itself: all get the same result, without messages.
        check_orders(self, control)?;
        Ok(counts)
    }
}
