//! How much a table takes, before it is made.

use bouton_tables::Ruleset;

use crate::{expanding, heaps};

/// What making a table takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Positions of the table: exact.
    pub positions: u64,
    /// Steps of progress that [`generate`](crate::generate) reports.
    pub steps: u64,
    /// Steps of progress that [`verify`](crate::verify) reports.
    pub checks: u64,
    /// Memory that [`generate`](crate::generate) takes at the most, in bytes.
    pub memory: u64,
    /// Memory that [`verify`](crate::verify) takes at the most, in bytes.
    pub proof_memory: u64,
    /// Length of the file, in bytes: a guess, from tables of similar rules.
    pub file: u64,
}

/// Estimates a ruleset.
#[must_use]
pub fn estimate(ruleset: &Ruleset, depths: bool) -> Estimate {
    match ruleset {
        Ruleset::Expanding(rules) => expanding::estimate(rules, depths),
        Ruleset::Heaps(rules) => heaps::estimate(rules, depths),
    }
}
