//! What a player needs at the board without a computer: which positions to leave the opponent, short enough for a sheet of paper.
//!
//! Everything on a sheet is computed from the table. Lists are shortened, but they say exactly which positions are lost.

pub(crate) mod lists;

use std::fmt::Display;

use bouton_tables::{AskError, Ruleset, Solved, Table, TooManyPositions, hex, with_table};
use thiserror::Error;

use crate::analyze::AnalyzeError;
use crate::words::{InWords, grouped};

/// The most positions whose outcomes are asked for one sheet.
const MOST_POSITIONS: u64 = 100_000_000;

/// A sheet for one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The game, what is particular to it, and who wins.
    pub title: String,
    /// The digest of the table that it was made of, and whether that table holds depths.
    pub source: String,
    /// What is on it, from top to bottom.
    pub blocks: Vec<Block>,
}

/// A part of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// What follows.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A table of two columns: what is looked up, and what stands there.
    Rows(Vec<Row>),
    /// The same below a heading of its own, at the end: as many of the first rows as there is room for on a page that is begun, as
    /// everything in them is above too.
    Extra(String, Vec<Row>),
}

/// A row of a table on a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What is looked up.
    pub label: String,
    /// What stands there.
    pub text: String,
}

/// Why there is no sheet.
#[derive(Debug, Error)]
pub enum SheetError {
    /// The table is damaged.
    #[error(transparent)]
    Damaged(#[from] AskError),
    /// The table cannot be held against the theorem that decides its game.
    #[error(transparent)]
    Theorem(#[from] AnalyzeError),
    /// Its game has more positions than can be looked at.
    #[error(
        "a sheet of {} positions takes too long, and would be too long for paper: at most {}; make one of a smaller game, for example \
         with --set",
        grouped(*.0),
        grouped(MOST_POSITIONS)
    )]
    Long(u64),
    /// Too many positions to number.
    #[error(transparent)]
    TooMany(#[from] TooManyPositions),
    /// The table contradicts itself, or the theorem that decides its game.
    #[error("the table is wrong at {0}; generate it again")]
    Wrong(String),
}

/// A family that a sheet can be made for.
pub(crate) trait OnPaper: InWords {
    /// What a sheet of its table has below its title.
    ///
    /// # Errors
    /// If the table is damaged or wrong.
    fn blocks<S: Solved<Game = Self> + Sync>(table: &S) -> Result<Vec<Block>, SheetError>;
}

/// Whether [`sheet`] could be made of a ruleset's table, before there is one.
///
/// # Errors
/// If the game has too many positions.
pub fn sheet_fits(ruleset: &Ruleset) -> Result<(), SheetError> {
    match ruleset.positions() {
        positions if positions > MOST_POSITIONS => Err(SheetError::Long(positions)),
        _ => Ok(()),
    }
}

/// Makes the sheet of a table.
///
/// # Errors
/// If the table has too many positions, is damaged, or contradicts itself.
pub fn sheet(table: &Table) -> Result<Sheet, SheetError> {
    let header = table.header();
    sheet_fits(&header.ruleset)?;
    let (title, blocks) =
        with_table!(table.family(), |table| (table.game().in_words(), OnPaper::blocks(table)?));
    let depths = if header.depths { "with depths" } else { "without depths" };
    Ok(Sheet {
        title,
        source: format!("Made from the table {depths} of digest {}", hex(&table.digest())),
        blocks,
    })
}

/// So many winning moves are named.
const MAX_NAMED_MOVES: usize = 6;

/// Winning moves, by name: `move is 3`, or `moves are 1, 2r and 5 more`.
pub(crate) fn moves_in_words<M: Display>(moves: impl Iterator<Item = M>) -> String {
    let mut all: Vec<String> = moves.map(|chosen| chosen.to_string()).collect();
    let word = if all.len() == 1 { "move is" } else { "moves are" };
    let others = all.len().saturating_sub(MAX_NAMED_MOVES);
    all.truncate(MAX_NAMED_MOVES);
    let more = if others > 0 { format!(" and {others} more") } else { String::new() };
    format!("{word} {}{more}", all.join(", "))
}
