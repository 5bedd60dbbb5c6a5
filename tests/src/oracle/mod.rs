//! Naive solvers of every game. They share nothing with the real solvers, not even a type.

pub mod analysis;
pub mod diff;
pub mod expanding;
pub mod expectimax;
pub mod heaps;
