//! The boards of the families.

mod expanding;
mod heaps;
