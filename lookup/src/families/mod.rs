//! How the positions of each family are explained.

mod expanding;
mod heaps;
