//! The studies of solved games, as users meet them: `bouton analyze`, `diff`, `draw` and `export`.

mod analyze;
mod diff;
mod draw;
mod export;
