//! Makes a sheet of paper for a player without a computer: it lists the positions to leave the opponent.
//!
//! Everything on a sheet comes from the table. Lists are shortened, but still give exactly the lost positions.

pub(crate) mod lists;

use std::fmt::Display;

use bouton_tables::{AskError, Ruleset, Solved, Table, TooManyPositions, hex, with_table};
use thiserror::Error;

use crate::analyze::AnalyzeError;
use crate::words::{InWords, grouped};

/// Maximum number of positions of a game with a sheet, which looks up each of them.
const MAX_POSITIONS: u64 = 100_000_000;

/// A sheet for one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The ruleset in words.
    pub title: String,
    /// The digest of the table, and whether it has depths.
    pub source: String,
    /// The parts of the sheet, from top to bottom.
    pub blocks: Vec<SheetBlock>,
}

/// A part of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SheetBlock {
    /// A heading.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A table of two columns.
    Rows(Vec<SheetRow>),
    /// A heading and a table that repeat earlier content on the rest of the last page. Rows that do not fit are omitted.
    Extra(String, Vec<SheetRow>),
}

/// A row of a table on a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetRow {
    /// The entry to look up.
    pub label: String,
    /// The text for this entry.
    pub text: String,
}

/// The result of work on a sheet.
pub(crate) type Result<T, E = SheetError> = std::result::Result<T, E>;

/// Why there is no sheet.
#[derive(Debug, Error)]
pub enum SheetError {
    /// The table is damaged.
    #[error(transparent)]
    Damaged(#[from] AskError),
    /// The table cannot be checked against the theorem that decides its game.
    #[error(transparent)]
    Theorem(#[from] AnalyzeError),
    /// The game has too many positions to look up.
    #[error(
        "a sheet of {} positions takes too long, and would be too long for paper: at most {}; make one of a smaller game, for example \
         with --set",
        grouped(*.0),
        grouped(MAX_POSITIONS)
    )]
    Long(u64),
    /// The game has too many positions to number.
    #[error(transparent)]
    TooMany(#[from] TooManyPositions),
    /// The table contradicts itself, or the theorem that decides its game.
    #[error("the table is wrong at {0}; generate it again")]
    Wrong(String),
}

/// A family of games with sheets.
pub(crate) trait OnPaper: InWords {
    /// Makes the parts of a sheet. It is an error if the table is damaged or wrong.
    fn blocks<S: Solved<Game = Self> + Sync>(table: &S) -> Result<Vec<SheetBlock>>;
}

/// Checks, before a table is made, that [`sheet`] accepts the table of a ruleset.
///
/// # Errors
/// If the game has too many positions.
pub fn sheet_fits(ruleset: &Ruleset) -> Result<()> {
    let positions = ruleset.positions();
    if positions > MAX_POSITIONS { Err(SheetError::Long(positions)) } else { Ok(()) }
}

/// Makes the sheet of a table.
///
/// # Errors
/// If the table has too many positions, is damaged, or contradicts itself.
pub fn sheet(table: &Table) -> Result<Sheet> {
    let header = table.header();
    sheet_fits(&header.ruleset)?;
    let (title, blocks) =
        with_table!(table.family(), |table| (table.game().in_words(), OnPaper::blocks(table)?));
    let depths = if header.has_depths { "with depths" } else { "without depths" };
    let source = format!("Made from the table {depths} of digest {}", hex(&table.digest()));
    Ok(Sheet { title, source, blocks })
}

/// Maximum number of winning moves that [`moves_in_words`] names.
const MAX_NAMED_MOVES: usize = 6;

/// Lists winning moves: `move is 3`, or `moves are 1, 2r and 5 more`.
pub(crate) fn moves_in_words<M: Display>(moves: impl Iterator<Item = M>) -> String {
    let mut named: Vec<String> = moves.map(|chosen| chosen.to_string()).collect();
    let verb = if named.len() == 1 { "move is" } else { "moves are" };
    let others = named.len().saturating_sub(MAX_NAMED_MOVES);
    named.truncate(MAX_NAMED_MOVES);
    let more = if others > 0 { format!(" and {others} more") } else { String::new() };
    format!("{verb} {}{more}", named.join(", "))
}
