//! The native module `bouton._native`, whose classes and functions the Python package `bouton` wraps.
//!
//! Long work releases the GIL, and stops on Ctrl-C if the library can stop it.

#![allow(clippy::needless_pass_by_value, reason = "PyO3 passes arguments by value")]

mod answer_cache;
mod any_order_cache;
mod buffers;
mod columns;
mod drawing;
mod errors;
mod families;
mod long_work;
mod player;
mod rules;
mod table;

/// The contents of `bouton._native`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use super::drawing::{Picture, draw_diff, draw_heatmap, draw_map};
    #[pymodule_export]
    use super::player::Player;
    #[pymodule_export]
    use super::rules::{presets, read_rules};
    #[pymodule_export]
    use super::table::{Table, generate, open, read, solve, verify, write_file};

    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
