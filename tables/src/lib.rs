//! The common base of Bouton's programs: rulesets, positions and moves, the table file, and answers from it.
//!
//! A [`Table`] is opened from a file, which is mapped unless it is small, or from bytes in memory. It has a
//! [`Ruleset`], and answers questions through the trait [`Solved`]: the outcome of a position, its depth, the best move
//! and all winning moves. The rules themselves, without any table, are the trait [`Game`]. Both traits are implemented
//! for each family of games; [`with_table!`] and [`with_rules!`] evaluate an expression for the family at hand.
//!
//! `FORMAT.md` in this crate's folder describes the file byte by byte. The module [`mod@format`] reads and writes the
//! parts common to all files: a header, checksums, and arrays of packed records. This crate knows how to read the
//! records of a table; the crate `bouton-generator` knows how to compute them.
//!
//! ```no_run
//! use bouton_tables::{Game, Solved, Table, with_table};
//!
//! let table = Table::map("expanding.bouton".as_ref())?;
//! with_table!(table.family(), |table| {
//!     let position = table.game().parse_position("217/9/1/4,3/-")?;
//!     let answer = table.answer(&position)?;
//!     println!("{}, best move {:?}", answer.verdict.outcome, answer.best);
//! });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A program that only looks positions up needs none of the features, which `Cargo.toml` describes.
//!
//! # Errors
//!
//! [`RulesetError`]: an invalid ruleset. [`OpenError`]: a file that cannot be used as a table. [`AskError`]: a
//! question without an answer, because the question is invalid ([`PositionError`]) or the file is damaged
//! ([`Damage`]). No file, however damaged or hostile, makes this crate panic, read out of bounds or loop.

mod answer_text;
mod dispatch;
mod error;
pub mod expanding;
#[cfg(feature = "files")]
mod file_lock;
pub mod format;
mod game;
pub mod genus;
pub mod grundy;
mod header;
pub mod heaps;
pub mod input;
mod keys;
mod lazy_after;
mod map;
mod notation;
mod outcome;
#[cfg(feature = "files")]
mod part_file;
mod prefetch;
pub mod printable;
pub mod program;
mod ruleset;
#[cfg(feature = "rulesets")]
pub mod rulesets;
#[cfg(feature = "signals")]
mod signals;
mod spelling;
#[cfg(feature = "rulesets")]
mod suggestions;
mod table;
mod word_cursor;

pub use answer_text::AnswerText;
pub use error::{AskError, Damage, OpenError, PositionError, RulesetError, TooManyPositions};
#[cfg(feature = "files")]
pub use file_lock::FileLock;
pub use format::FORMAT_VERSION;
pub use game::{AnswerOf, Game, MoveOf, MoveSet, PositionOf, Region, Solved, why_illegal};
pub use header::Header;
pub use keys::{KeyValue, RulesetKeys};
pub use map::Map;
#[cfg(feature = "return-memory")]
pub use map::return_freed_memory;
pub use outcome::{Answer, Outcome, Play, Verdict};
#[cfg(feature = "files")]
pub use part_file::{
    PartFile, PlacementError, can_write_beside, is_left_behind, write_whole, write_whole_by,
};
pub use ruleset::Ruleset;
#[cfg(feature = "signals")]
pub use signals::when_asked_to_end;
pub use table::{FamilyTable, Table, hex};
