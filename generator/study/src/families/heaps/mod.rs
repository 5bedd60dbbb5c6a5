//! Heap games.

mod analyze;
mod diff;
mod export;
mod grundy;
mod map;
mod select;
mod theory;
mod words;
