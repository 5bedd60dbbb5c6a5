//! Sequences of numbers, as the On-Line Encyclopedia of Integer Sequences keeps them.

use bouton_tables::expanding::Turn;
use bouton_tables::{Family, Outcome, Solved, Table};

use super::ExportError;
use super::grundy::grundy;
use crate::select::{Choose, Fields, Filter};
use crate::{Multisets, Stones};

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

/// The terms of a sequence. The filter chooses where losing numbers are looked for.
///
/// # Errors
/// If the table has no such sequence, or is damaged.
pub fn sequence<D: AsRef<[u8]> + Sync>(
    table: &Table<D>,
    filter: &Filter,
    which: Sequence,
) -> Result<Vec<u64>, ExportError> {
    match (table.family(), which) {
        (Family::Expanding(table), Sequence::Losing) => {
            let region = Stones::of(&[table.game()], &[Turn::First, Turn::Second]);
            let example = "currentmax=0 turn=1 resets=0,0 imposed=-";
            losing(table, &region, filter, example, |position| position.stones)
        }
        (Family::Heaps(table), Sequence::Losing) => {
            let rules = table.game();
            if rules.heaps() > 1 {
                return Err(ExportError::SeveralHeaps(rules.heaps()));
            }
            losing(table, &Multisets::of(rules), filter, "passes=0", |position| position.heaps[0])
        }
        (Family::Heaps(table), Sequence::Grundy) => Ok(grundy(table)?.into_iter().map(u64::from).collect()),
        (Family::Expanding(_), Sequence::Grundy) => Err(ExportError::NoHeaps),
    }
}

fn losing<S, R>(
    table: &S,
    region: &R,
    filter: &Filter,
    example: &str,
    stones: impl Fn(&<S::Game as bouton_tables::Game>::Position) -> u32,
) -> Result<Vec<u64>, ExportError>
where
    S: Solved<Game: Fields>,
    R: Choose<Game = S::Game>,
{
    let mut terms = Vec::new();
    let mut last = None;
    for group in region.groups(filter) {
        for position in region.group(filter, group) {
            let stones = u64::from(stones(&position));
            if last == Some(stones) {
                return Err(ExportError::SeveralLines { stones, example: example.to_owned() });
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
