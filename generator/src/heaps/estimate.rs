//! How much a table of a heap game takes.

use bouton_tables::heaps::HeapRules;

use crate::Estimate;

/// Estimates a ruleset.
#[must_use]
pub(crate) fn estimate(rules: &HeapRules, _depths: bool) -> Estimate {
    let positions = rules.positions();
    Estimate {
        positions,
        steps: positions,
        checks: positions,
        memory: positions.saturating_mul(64),
        proof_memory: positions.saturating_mul(8),
        file: positions,
    }
}
