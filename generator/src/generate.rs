//! Making a table, for every family.

use bouton_tables::Ruleset;
use bouton_tables::format::in_memory;

use crate::{Progress, expanding, heaps};

/// Solves a ruleset, and gives the bytes of its table's file.
///
/// The bytes depend on nothing but the arguments: not on the number of threads, nor on the machine.
#[must_use]
pub fn generate(ruleset: &Ruleset, depths: bool, progress: &Progress) -> Vec<u8> {
    let made = in_memory(|sink| match ruleset {
        Ruleset::Expanding(rules) => expanding::generate(rules, depths, progress, sink),
        Ruleset::Heaps(rules) => heaps::generate(rules, depths, progress, sink),
    });
    made.expect("there is memory for the table")
}
