//! The players.

mod policy;
mod simple;
mod table;

pub use policy::{Policy, PolicyError};
pub use simple::{GreedyPlayer, HabitPlayer, RandomPlayer};
pub use table::{TableMaker, TablePlayer};
