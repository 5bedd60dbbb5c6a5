//! One module for each family of games.

pub(crate) mod expanding;
mod heaps;
