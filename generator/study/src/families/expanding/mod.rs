//! Expanding Nim.

mod analyze;
mod diff;
mod export;
mod map;
mod region;
mod select;
mod words;
