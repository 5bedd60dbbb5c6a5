//! Solves Nim-like games completely, and proves tables right.
mod any;
pub mod expanding;

pub use any::generate;

/// Told how much more work is done, from any thread.
pub type Progress<'a> = dyn Fn(u64) + Sync + 'a;
