//! Tests of studies of solved games, as users run them: `bouton analyze`, `check`, `diff`, `draw`, `export` and
//! `sheet`.

mod analyze;
mod check;
mod diff;
mod draw;
mod export;
mod progress;
mod sheet;
