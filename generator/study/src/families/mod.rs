//! What each family of games is made of: the traits of the other modules, implemented in a folder per family.

mod expanding;
mod heaps;
