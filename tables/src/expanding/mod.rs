//! Expanding Nim: rules, notation, and tables.
//!
//! A table has a row for each currentmax (`layout`), and lines in it: `outcomes` reads which positions are lost,
//! `verdicts` reads depths and best moves. `region` numbers the positions.

mod bitmaps;
mod game;
mod keys;
mod layout;
mod lost_runs;
mod mask;
mod outcomes;
mod phrases;
mod position;
mod region;
mod rules;
mod table;
mod unpacked_table;
mod verdicts;

pub use keys::{ExpandingKeys, MAX_RESETS, MAX_STONES};
pub use layout::ArrayLayout;
pub use lost_runs::LostRuns;
pub use mask::WinningMoves;
pub use outcomes::{MAX_BUCKET_BITS, within_reach};
pub use position::{Move, Position, Turn};
pub use region::ExpandingRegion;
pub use rules::Expanding;
pub use table::{ExpandingTable, least_body};
pub use verdicts::{MAX_CODE, MAX_SCALE, most_starts};
