//! Solves Nim-like games completely, ahead of time, proves tables right, and tells what is in them.
//!
//! [`generate`] makes the table of a ruleset, [`estimate`] tells beforehand what that takes, and [`verify`]
//! checks a table position by position against the plain rules. [`diff`] compares two tables, [`export`]
//! writes positions as rows, chosen by a [`select::Filter`], and [`analyze`] looks for order. Each works for
//! every family of games; the families' own solvers are the modules [`expanding`] and [`heaps`]. Nothing here
//! opens files or knows of progress bars: that is the program `bouton`.
//!
//! The feature `draw` (default) adds the module `draw`, which makes pictures, as SVG and PNG.
//!
//! ```
//! use bouton_generator::{generate, verify};
//! use bouton_tables::{Family, Game, Solved, Table, rulesets};
//!
//! let ruleset = rulesets::find("expanding", &["stones=50".to_owned()])?.ruleset;
//! let table = Table::open(generate(&ruleset, true, &|_| {}))?;
//! verify(&table, &|_| {})?;
//!
//! let Family::Expanding(expanding) = table.family() else { panic!("it is another game") };
//! let answer = expanding.answer(&expanding.game().parse_position("50")?)?;
//! println!("50 stones: {} in {:?} plies", answer.verdict.outcome, answer.verdict.depth);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod analyze;
pub mod diff;
#[cfg(feature = "draw")]
pub mod draw;
mod estimate;
pub mod expanding;
pub mod export;
mod generate;
pub mod heaps;
mod keys;
mod numbers;
mod region;
pub mod select;
mod verify;

pub use estimate::{Estimate, estimate};
pub use generate::generate;
pub use numbers::grouped;
pub use verify::{Counts, Flaw, VerifyError, verify};

pub(crate) use region::{Multisets, Region, Stones};

/// Told how much more work is done, from any thread.
pub type Progress<'a> = dyn Fn(u64) + Sync + 'a;
