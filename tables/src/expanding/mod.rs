//! Expanding Nim: rules, notation, and tables.

#[cfg(feature = "write")]
mod encode;
mod game;
mod keys;
mod layout;
mod mask;
mod outcomes;
mod position;
mod region;
mod rules;
mod table;
mod verdicts;

#[cfg(feature = "write")]
pub use encode::{EncodedRow, SolvedRow, Step, TableBuilder};
pub use keys::{ExpandingKeys, MAX_RESETS, MAX_STONES};
pub use layout::Layout;
pub use mask::Winning;
pub use position::{Move, Position, Turn};
pub use region::ExpandingRegion;
pub use rules::Expanding;
pub use table::ExpandingTable;
