//! What the tests across Bouton's crates share: oracles that solve games straight from their rules, and the comparison of tables with them.

pub mod compare;
pub mod format_twin;
pub mod oracle;
pub mod programs;
