//! Makes a sheet of paper for a player without a computer: it lists the positions to leave the opponent.
//!
//! Everything on a sheet comes from the table. Lists are shortened, but still give exactly the lost positions.

pub(crate) mod lists;

use bouton_tables::{AskError, MoveSet, Outcome, PositionOf, Ruleset, Solved, Table, hex, with_table};

use crate::error::{Result, StudyError, check_count};
use crate::words::{InWords, abridged};

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

/// A table of a family of games with sheets.
pub(crate) trait OnPaper: Solved<Game: InWords> {
    /// Makes the parts of a sheet. It is an error if the table is damaged or wrong.
    fn blocks(&self) -> Result<Vec<SheetBlock>>;
}

/// Checks, before a table is made, that [`sheet`] accepts the table of a ruleset.
///
/// # Errors
/// If the game has too many positions.
pub fn sheet_fits(ruleset: &Ruleset) -> Result<()> {
    let too_long = |positions: &str, most: &str| {
        format!(
            "a sheet of {positions} positions takes too long, and would be too long for paper: at most {most}; make one of a smaller \
             game, for example with --set"
        )
    };
    check_count(ruleset.positions(), MAX_POSITIONS, too_long).map(drop)
}

/// Makes the sheet of a table.
///
/// # Errors
/// If the table has too many positions, is damaged, or contradicts itself.
pub fn sheet(table: &Table) -> Result<Sheet> {
    let header = table.header();
    sheet_fits(&header.ruleset)?;
    let (title, blocks) = with_table!(table.family(), |table| (table.game().in_words(), table.blocks()?));
    let depths = if header.has_depths { "with depths" } else { "without depths" };
    let source = format!("Made from the table {depths} of digest {}", hex(&table.digest()));
    Ok(Sheet { title, source, blocks })
}

/// Returns the error for a table that contradicts itself, or the theorem that decides its game, at a position.
pub(crate) fn wrong_at(position: &str) -> StudyError {
    StudyError::Wrong(format!("the table is wrong at {position}; generate it again"))
}

/// Returns a sentence: who wins from a start, and by which first moves. `legend` returns an explanation of these moves, given as text.
pub(crate) fn winner_from<S: Solved>(
    table: &S,
    start: &PositionOf<S>,
    legend: fn(&str) -> &'static str,
) -> Result<String, AskError> {
    let answer = table.answer(start)?;
    Ok(match answer.verdict.outcome {
        Outcome::Loss => "player 2 wins: let your opponent begin".to_owned(),
        Outcome::Win if answer.winning.is_empty() => "player 1 wins: there is no move".to_owned(),
        Outcome::Win => {
            let moves = abridged(answer.winning.iter(), ", ", MAX_NAMED_MOVES);
            let verb = if answer.winning.len() == 1 { "move is" } else { "moves are" };
            format!("player 1 wins: the winning first {verb} {moves}{}", legend(&moves))
        }
    })
}

/// Maximum number of winning moves that [`winner_from`] names.
const MAX_NAMED_MOVES: usize = 6;
