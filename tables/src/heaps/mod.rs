//! Heap games: rules, notation, and tables.

mod any_order;
mod order_check;
mod classes;
mod diagram;
mod game;
#[cfg(all(test, feature = "write"))]
mod sample_tables;
mod keys;
mod layout;
mod levels;
mod lost_positions;
mod moves;
mod sorted_heaps;
mod position;
mod ranks;
mod region;
mod rules;
mod steps;
mod table;
mod take;
pub mod theory;
mod phrases;
mod step_sources;
mod winning;
mod wins;

pub use classes::Classes;
pub use keys::{HeapKeys, MAX_PASSES};
pub use layout::Layout;
pub use moves::Moves;
pub use position::{Heap, Heaps, MAX_HEAPS, MAX_SIZE, Move, Position};
pub use ranks::Ranks;
pub use region::HeapRegion;
pub use rules::{HeapRules, MAX_MOVES, multisets_within};
pub use table::HeapTable;
pub use take::{MAX_AMOUNTS, Take};
pub use winning::Winning;
