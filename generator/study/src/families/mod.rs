//! Implementations of the other modules' traits, in a folder for each family of games.

mod expanding;
mod heaps;
