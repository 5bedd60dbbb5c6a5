//! What each family looks like.

pub(crate) mod expanding;
mod heaps;
