//! Sequences of numbers, as the On-Line Encyclopedia of Integer Sequences keeps them.

use bouton_tables::{Game, Outcome, Solved, Table, with_table};

use super::{ExportError, Exported};
use crate::groups::Groups;
use crate::select::Filter;

/// Which sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// The losing numbers of stones, from the least on; n counts from 1.
    Losing,
    /// The Grundy values of heaps of n stones, n from 0.
    Grundy,
}

impl Sequence {
    /// The number of its first term.
    #[must_use]
    pub fn first(self) -> u64 {
        match self {
            Self::Losing => 1,
            Self::Grundy => 0,
        }
    }
}

/// The terms of a sequence. The filter selects where losing numbers are looked for.
///
/// # Errors
/// If the table has no such sequence, or is damaged.
pub fn sequence<D: AsRef<[u8]> + Sync>(
    table: &Table<D>,
    filter: &Filter,
    which: Sequence,
) -> Result<Vec<u64>, ExportError> {
    with_table!(table.family(), |table| match which {
        Sequence::Losing => losing(table, filter),
        Sequence::Grundy => Ok(Exported::grundy_values(table)?.into_iter().map(u64::from).collect()),
    })
}

fn losing<S: Solved<Game: Exported>>(table: &S, filter: &Filter) -> Result<Vec<u64>, ExportError> {
    let example = table.game().one_line()?;
    let region = table.game().region()?;
    let mut terms = Vec::new();
    let mut last = None;
    for group in region.groups(filter) {
        for position in region.group(filter, group) {
            let stones = u64::from(S::Game::stones(&position));
            if last == Some(stones) {
                return Err(ExportError::SeveralLines { stones, example });
            }
            last = Some(stones);
            let answer = table.answer(&position)?;
            if answer.verdict.outcome == Outcome::Loss && filter.has_answer(&answer) {
                terms.push(stones);
            }
        }
    }
    Ok(terms)
}
