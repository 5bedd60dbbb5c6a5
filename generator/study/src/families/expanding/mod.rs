//! Expanding Nim.

mod analyze;
mod diff;
mod export;
mod map;
mod select;
mod words;
