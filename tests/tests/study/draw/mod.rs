//! Tests of `bouton draw`: the contents of its pictures, their file formats, and its refusals.

mod cells;
mod golden;
mod maps;
mod options;
mod pdf_and_tikz;
pub(crate) mod picture_files;
mod pictures;
mod program;
mod refusals;
