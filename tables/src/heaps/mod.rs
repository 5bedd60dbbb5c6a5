//! Heap games: rules, notation, and tables.

mod diagram;
#[cfg(feature = "write")]
mod encode;
mod moves;
mod notation;
mod position;
mod ranks;
mod rules;
mod steps;
mod table;
mod take;
pub mod theory;
mod winning;
mod wins;

#[cfg(feature = "write")]
pub use encode::{Census, Edge, Parts, Target};
pub use moves::Moves;
pub use position::{Heap, Heaps, Move, Position};
pub use ranks::Ranks;
pub use rules::{HeapRules, MAX_HEAPS, MAX_MOVES, MAX_PASSES, MAX_SIZE, multisets_within};
pub use table::HeapTable;
pub use take::{MAX_AMOUNTS, Take};
pub use winning::Winning;
