//! Shared code of the tests across Bouton's crates: oracles that solve games straight from their rules, comparisons
//! of tables with them, a second reader of the format, deliberately wrong tables, and a harness that runs the
//! programs as users do.

pub mod children;
pub mod communicator;
pub mod compare;
pub mod exported;
pub mod format_twin;
pub mod games;
pub mod harm;
pub mod headers;
pub mod hostile;
pub mod layouts;
pub mod match_servers;
pub mod oracle;
pub mod positions;
pub mod programs;
pub mod seal;
pub mod service;
pub mod sockets;
#[cfg(unix)]
pub mod terminal;
pub mod texts;
pub mod typed;
