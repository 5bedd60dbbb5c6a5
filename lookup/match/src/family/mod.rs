//! What playing needs of each family of games beyond its rules: a folder for each family, and three traits.
//!
//! [`Playable`] is what players ask, [`Numbered`] stores a value for every position, and [`Illustrated`] is for a person at
//! the keyboard. Everything else in this crate is generic over them.

mod expanding;
mod heaps;
mod illustrated;
mod numbered;
mod playable;

pub use illustrated::Illustrated;
pub use numbered::{Numbered, Numbers};
pub use playable::{AnswerOf, Playable};
