//! Tests of `bouton draw`: the contents of its pictures, their file formats, and its refusals.

mod cells;
mod golden;
mod maps;
mod options;
mod papers;
mod pictures;
mod program;
mod refused;
pub(crate) mod sheets;
