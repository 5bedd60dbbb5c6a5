//! Expanding Nim: rules, notation, and tables.
//!
//! A table has a row for each currentmax (the first and the last one may serve several, see `layout`). A row has lines:
//! `outcomes` reads those that say which positions are lost, `verdicts` those with depths and best moves. `region`
//! numbers the positions.

mod bitmaps;
mod game;
mod keys;
mod layout;
mod lost_runs;
mod marks;
mod mask;
mod outcomes;
mod phrases;
mod position;
mod region;
mod rules;
mod table;
mod unpacked_table;
mod verdict_runs;
mod verdicts;

pub use keys::{ExpandingKeys, MAX_BASE_LIMIT, MAX_RESETS, MAX_STONES, MAX_STONES_WITH_DEPTHS};
pub use layout::ExpandingLayout;
pub use lost_runs::{LostRuns, LostTrain, LostTrains};
pub use marks::MAX_PROGRESSIONS;
pub use mask::WinningMoves;
pub use outcomes::visits_few_gaps;
pub use position::{Move, Position, Turn};
pub use region::ExpandingRegion;
pub use rules::{Expanding, first_where};
pub use table::{ExpandingTable, min_body_len};
pub use verdict_runs::VerdictRuns;
pub use verdicts::{MAX_DRIFT, MAX_RISE, MAX_STEPS_OF_FLIGHT, VerdictRun};
