//! The pictures of `bouton draw`: what they show, what their files are, and what is refused.

mod cells;
mod golden;
mod maps;
mod options;
mod papers;
mod pictures;
mod program;
mod refused;
pub(crate) mod sheets;
