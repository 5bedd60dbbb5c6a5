//! The traits of the other modules, implemented in a folder for each family of games.

mod expanding;
mod heaps;
