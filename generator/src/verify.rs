//! Proof that a table is right, for every family.

use bouton_tables::{Table, with_table};

use crate::Progress;
use crate::proof::{Counts, Provable, VerifyError};

/// Checks the whole file, and every position of it against its successors.
///
/// # Errors
/// Names the first thing found wrong.
pub fn verify<D: AsRef<[u8]> + Sync>(table: &Table<D>, progress: &Progress) -> Result<Counts, VerifyError> {
    table.check_whole()?;
    let counts = with_table!(table.family(), |of_family| of_family.verify(table.header(), progress))?;
    counts.agree_with(table.header())?;
    Ok(counts)
}
