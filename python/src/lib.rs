//! What the Python package `bouton` is made of: `import bouton` gives classes of Python around these.
//!
//! Whatever takes longer than an instant runs without Python's lock, and is stopped by Ctrl-C where it can be stopped at all.

#![allow(clippy::needless_pass_by_value, reason = "what Python gives arrives by value")]

mod buffers;
mod columns;
mod drawing;
mod errors;
mod families;
mod kept;
mod long;
mod player;
mod rules;
mod sorted;
mod table;

/// What Python sees as `bouton._native`.
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
