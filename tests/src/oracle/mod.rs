//! Games solved as naively as can be, sharing nothing with the solvers: not even a type.

pub mod analysis;
pub mod diff;
pub mod expanding;
pub mod expectimax;
pub mod heaps;
