//! Heap games: rules, notation, and tables.

mod any_order;
mod automaton;
mod classes;
mod edge_sources;
mod edges;
mod game;
mod heap_counts;
mod keys;
mod layout;
mod levels;
mod lost_positions;
mod moves;
mod order_check;
mod phrases;
mod position;
mod ranks;
mod region;
mod rules;
mod sorted_heaps;
mod table;
mod take;
#[cfg(all(test, feature = "write"))]
mod tests;
pub mod theory;
mod winning;
mod wins;

pub use classes::Classes;
pub use edges::ClassNode;
pub use heap_counts::HeapCounts;
pub use keys::{HeapKeys, MAX_PASSES};
pub use layout::ArrayLayout;
pub use moves::Moves;
pub use position::{Heap, Heaps, MAX_HEAPS, MAX_SIZE, Move, Position};
pub use ranks::Ranks;
pub use region::HeapRegion;
pub use rules::{HeapRules, MoveKind, multisets_within};
pub use table::HeapTable;
pub use take::{MAX_AMOUNTS, Take};
pub use winning::WinningMoves;
