//! Heap games.

mod analyze;
mod diff;
mod export;
mod grundy;
mod map;
mod region;
mod select;
mod theory;
mod words;
