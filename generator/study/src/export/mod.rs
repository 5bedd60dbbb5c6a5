//! A table's positions as rows that other programs read.
//!
//! `docs/outputs.md` describes the columns.

mod bfile;
pub(crate) mod columns;
mod exported;
mod rows;

use std::io::{self, Write};

use bouton_tables::{AskError, Table, TooManyPositions, with_table};
use thiserror::Error;

pub use self::bfile::{Sequence, sequence};
pub(crate) use self::exported::Exported;
use self::rows::Rows;
use crate::Progress;
use crate::select::Filter;

/// The format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values, with a line of column names.
    Csv,
    /// A line of JSON per position.
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
        "the selection has {stones} stones more than once, and a sequence takes one line; select one, for example with \
         --starts or --where '{example}'"
    )]
    SeveralLines {
        /// The number of stones.
        stones: u64,
        /// A filter that selects a line.
        example: &'static str,
    },
    /// The losing numbers of stones are of one heap.
    #[error(
        "a sequence of losing numbers takes a game of one heap, and this table has {0}; make a table of one heap, for example \
         with --set 'bounds=[100]', or use --sequence grundy"
    )]
    SeveralHeaps(usize),
    /// Not of such a game.
    #[error(
        "heaps have Grundy values only in normal play, without passes and with one heap per move; this is a game {0}"
    )]
    NoValues(&'static str),
    /// The table does not hold what the values say.
    #[error("the table is wrong at {0}: it contradicts the Grundy values; `bouton verify` says more")]
    Wrong(String),
    /// Only heaps have Grundy values.
    #[error(
        "only heaps have Grundy values, and this is a table of game \"{game}\"; --sequence losing lists its losing numbers"
    )]
    NoHeaps {
        /// The family.
        game: &'static str,
    },
    /// There are too many positions.
    #[error(transparent)]
    TooMany(#[from] TooManyPositions),
}

/// How many rows there are, and how wide the widest is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Rows.
    pub rows: u64,
    /// Characters of the longest best move.
    pub(crate) best: usize,
}

/// How many positions a filter selects by their own fields: going through them reports so many steps of progress.
///
/// # Errors
/// If the table has too many positions.
pub fn positions<D: AsRef<[u8]> + Sync>(table: &Table<D>, filter: &Filter) -> Result<u64, TooManyPositions> {
    with_table!(table.family(), |table| Ok(Rows::new(table, filter)?.positions()))
}

/// The extent of the rows that a filter selects. Goes through all of them.
///
/// # Errors
/// If the table is damaged, or has too many positions.
pub fn extent<D: AsRef<[u8]> + Sync>(
    table: &Table<D>,
    filter: &Filter,
    progress: &Progress,
) -> Result<Extent, ExportError> {
    with_table!(table.family(), |table| Ok(Rows::new(table, filter)?.extent(progress)?))
}

/// Writes the rows that a filter selects, and gives their number. An array begins with its extent, which must
/// be the right one; it does not matter for other formats.
///
/// # Errors
/// If the table is damaged or has too many positions, or the rows cannot be written.
pub fn write<D: AsRef<[u8]> + Sync>(
    table: &Table<D>,
    filter: &Filter,
    extent: Extent,
    format: Format,
    out: &mut dyn Write,
    progress: &Progress,
) -> Result<u64, ExportError> {
    with_table!(table.family(), |table| Rows::new(table, filter)?.write(extent, format, out, progress))
}
