//! What each family looks like.

mod expanding;
mod heaps;
