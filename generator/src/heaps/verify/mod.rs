//! Proof of a heap table: every position follows from its successors, as the plain rules enumerate them.
//!
//! Nothing here is shared with the solvers but the numbering of positions. As every move takes a stone or a pass, a
//! table in which this holds everywhere is right everywhere.
//!
//! What a position should be follows from the verdicts of its successors, as the table tells them. To ask the table for each would
//! take long: verdicts are made once for a block of positions (`cut`), and held in memory as long as there is room (`held`). A
//! block that is not held costs time, and nothing else: the table is asked then.

mod blocks;
mod distributed;
mod partition;
mod plain;
mod recorder;
mod successor_ranks;
mod verdict_cache;

use bouton_tables::Table;
use bouton_tables::heaps::HeapTable;

pub use self::blocks::BlockProof;
pub(crate) use self::blocks::memory;
use self::recorder::Recorder;
use crate::Control;
use crate::proof::{Counts, Provable, VerifyError, VerifyOptions};

/// Progress is counted in positions.
impl Provable for HeapTable {
    fn verify(
        &self,
        table: &Table,
        options: &VerifyOptions,
        control: &dyn Control,
    ) -> Result<Counts, VerifyError> {
        let mut proof = BlockProof::of(self, table, options)?;
        Recorder::open(&proof, options)?.run(&mut proof, options.peers, control)
    }
}
