//! A table's positions as rows that other programs read.
//!
//! `docs/outputs.md` says what stands in them.

mod bfile;
mod columns;
pub(crate) mod grundy;
mod rows;

use std::io::{self, Write};

use bouton_tables::expanding::{Expanding, ExpandingTable, Turn};
use bouton_tables::heaps::{HeapRules, HeapTable};
use bouton_tables::{AskError, Family, Solved, Table};
use thiserror::Error;

pub use self::bfile::{Sequence, sequence};
use self::rows::Rows;
use crate::select::{Choose, Filter};
use crate::{Multisets, Progress, Stones};

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values, with a line of column names.
    Csv,
    /// A line of JSON for each.
    Jsonl,
    /// A structured array of `NumPy`.
    Npy,
}

/// Why rows cannot be written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The table is damaged.
    #[error(transparent)]
    Damaged(#[from] AskError),
    /// They could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A sequence has each number of stones once.
    #[error(
        "the selection has {stones} stones more than once: a sequence is along one line; choose one, for example --starts or \
         --where '{example}'"
    )]
    SeveralLines {
        /// The number of stones.
        stones: u64,
        /// A filter that chooses a line.
        example: String,
    },
    /// The losing numbers of stones are of one heap.
    #[error(
        "losing numbers of stones are those of one heap, and this table has {0}; make a table of one, for example with --set \
         'bounds=[100]', or --sequence grundy"
    )]
    SeveralHeaps(usize),
    /// Not of such a game.
    #[error(
        "heaps have Grundy values in normal play, without passes, and with one heap a move; this is a game {0}"
    )]
    NoValues(&'static str),
    /// The table does not hold what the values say.
    #[error("the table is wrong at {0}: Grundy values say otherwise; `bouton verify` tells more")]
    Wrong(String),
    /// Only heaps have Grundy values.
    #[error(
        "Grundy values are those of heaps, and this is a table of Expanding Nim; --sequence losing lists its losing numbers"
    )]
    NoHeaps,
}

/// How many rows there are, and how wide the widest is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Rows.
    pub rows: u64,
    /// Characters of the longest best move.
    pub(crate) best: usize,
}

/// How many positions a filter chooses by their own fields: so many steps of progress are reported when they
/// are gone through.
#[must_use]
pub fn positions<D: AsRef<[u8]> + Sync>(table: &Table<D>, filter: &Filter) -> u64 {
    match table.family() {
        Family::Expanding(table) => Rows { table, region: both_turns(table), filter }.positions(),
        Family::Heaps(table) => Rows { table, region: multisets(table), filter }.positions(),
    }
}

/// The extent of the rows that a filter chooses. Goes through all of them.
///
/// # Errors
/// If the table is damaged.
pub fn extent<D: AsRef<[u8]> + Sync>(
    table: &Table<D>,
    filter: &Filter,
    progress: &Progress,
) -> Result<Extent, AskError> {
    match table.family() {
        Family::Expanding(table) => Rows { table, region: both_turns(table), filter }.extent(progress),
        Family::Heaps(table) => Rows { table, region: multisets(table), filter }.extent(progress),
    }
}

/// Writes the rows that a filter chooses, and gives their number. An array begins with its extent, which must
/// be the right one; it does not matter for other formats.
///
/// # Errors
/// If the table is damaged, or they cannot be written.
pub fn write<D: AsRef<[u8]> + Sync>(
    table: &Table<D>,
    filter: &Filter,
    extent: Extent,
    format: Format,
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<u64, ExportError> {
    match table.family() {
        Family::Expanding(table) => {
            Rows { table, region: both_turns(table), filter }.write(extent, format, out, progress)
        }
        Family::Heaps(table) => {
            Rows { table, region: multisets(table), filter }.write(extent, format, out, progress)
        }
    }
}

fn both_turns<D: AsRef<[u8]>>(table: &ExpandingTable<D>) -> impl Choose<Game = Expanding> {
    Stones::of(&[table.game()], &[Turn::First, Turn::Second])
}

fn multisets<D: AsRef<[u8]>>(table: &HeapTable<D>) -> impl Choose<Game = HeapRules> {
    Multisets::of(table.game())
}
