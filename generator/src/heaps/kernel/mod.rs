//! Solvers that work in memory only.

pub(crate) mod atomic_size;
pub(crate) mod nim_outcomes;
pub(crate) mod pairs;
pub(crate) mod plain;
pub(crate) mod planes;
pub(crate) mod subtraction_outcomes;
pub(crate) mod wythoff;
