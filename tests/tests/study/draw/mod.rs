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

use bouton_draw::PlaneOptions;

/// Returns the options for a plane with a filter, and cells of the usual shape.
fn plane_options(filter: &str) -> PlaneOptions<'_> {
    PlaneOptions { filter, aspect: None, progress: &|_| Ok(()) }
}
