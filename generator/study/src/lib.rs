//! What is in solved games.
//!
//! [`diff`] compares two tables, [`export`] writes positions as rows, chosen by a [`select::Filter`], [`analyze`]
//! looks for order, and [`game_map`] lays a small game out whole. Each works for every family of games.

pub mod analyze;
pub mod diff;
pub mod export;
pub mod game_map;
mod keys;
mod region;
pub mod select;
mod spread;
pub mod words;

pub use spread::spread;

pub(crate) use region::{Multisets, Region, Stones};

/// Told how much more work is done, from any thread.
pub type Progress<'a> = dyn Fn(u64) + Sync + 'a;
