//! Proof of a heap table: each position follows from its successors, which the plain rules enumerate; and heaps may be
//! looked up in any order (`orders`).
//!
//! The proof shares only the numbering of positions with the solvers. As every move takes a stone or a pass, a table
//! whose every verdict follows from those of the successors is right, by induction. Looking up each successor in the
//! table would be slow: the proof reads the verdicts of whole blocks of positions (`partition`), and caches as many
//! blocks as fit into memory (`verdict_cache`). Verdicts that are not cached are looked up. Several ranks can share the
//! work (`distributed`), and a record of the checked blocks lets an interrupted proof resume (`recorder`).

mod blocks;
mod distributed;
mod orders;
mod partition;
mod plain;
mod recorder;
mod successor_ranks;
mod verdict_cache;

use bouton_tables::Table;
use bouton_tables::heaps::HeapTable;

use self::blocks::BlockProof;
pub(crate) use self::blocks::memory;
use self::orders::check_orders;
use crate::control::Control;
use crate::proof::{Counts, Provable, VerifyError, VerifyOptions};

/// Progress is counted in positions.
impl Provable for HeapTable {
    fn verify(
        &self,
        table: &Table,
        options: &VerifyOptions,
        control: &dyn Control,
    ) -> Result<Counts, VerifyError> {
        let counts = recorder::run(BlockProof::new(self, table, options)?, options, control)?;
        // Each rank does this by itself: all get the same result, without messages.
        check_orders(self, control)?;
        Ok(counts)
    }
}
