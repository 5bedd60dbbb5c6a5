//! The explanations of each family.

mod expanding;
mod heaps;
