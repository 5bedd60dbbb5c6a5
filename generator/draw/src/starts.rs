//! Winning and losing starts, as far as a family has a picture of them.

use bouton_study::words;
use bouton_tables::{Ruleset, Table, with_rules, with_table};

use crate::drawn::Drawn;
use crate::error::DrawError;
use crate::scene::Scene;

/// Draws which starts are won and lost; in Expanding Nim, for every pair of resets. `None` if the filter leaves none.
///
/// # Errors
/// If the table is not of Expanding Nim, the filter does not parse, there are too many starts, or the table is
/// damaged.
pub fn starts<D: AsRef<[u8]>>(table: &Table<D>, filter: &str) -> Result<Option<Scene>, DrawError> {
    let title = words::ruleset(&table.header().ruleset);
    with_table!(table.family(), |table| Drawn::starts(table, filter, &title))
}

/// Whether [`starts`] could draw those of a ruleset's table, before there is one.
///
/// # Errors
/// If the ruleset is not of Expanding Nim, the filter does not parse, or there are too many starts.
pub fn starts_fit(ruleset: &Ruleset, filter: &str) -> Result<(), DrawError> {
    with_rules!(ruleset, |rules| rules.starts_fit(filter))
}
