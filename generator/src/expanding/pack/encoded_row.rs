//! A row, packed independently of others: equal lines are stored once.

use std::hash::Hash;
use std::sync::Arc;

use bouton_tables::expanding::{Expanding, ExpandingLayout};
use rustc_hash::FxHashMap;

use super::count::LostCounter;
use super::lists::PackedList;
use super::outcomes::{self, OutcomeRecord};
use super::verdicts::{self, RowVerdicts};
use crate::census::Census;
use crate::expanding::depths::verdict_line::deepest as deepest_of;
use crate::expanding::outcome_line::{OutcomeLine, ShiftedMarks, Tail};
use crate::expanding::row::SolvedRow;
use crate::making::GenerateError;
use crate::memory::collected;

/// Which lines of a row are equal.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct EqualLines {
    /// For each line its number among the row's distinct lines.
    pub(super) distinct: Vec<u32>,
    /// For each distinct line the number of its outcomes among the row's distinct outcome lines.
    pub(super) outcome_numbers: Vec<u32>,
}

/// A packed row that has no place in the table yet.
#[derive(Debug)]
pub(in crate::expanding) struct EncodedRow {
    pub(super) lines: EqualLines,
    pub(super) outcomes: Vec<OutcomeRecord>,
    pub(super) lists: Vec<PackedList>,
    pub(super) verdicts: RowVerdicts,
    /// Statistics of the row's positions.
    pub(in crate::expanding) census: Census,
}

impl EncodedRow {
    /// Packs a row.
    pub(in crate::expanding) fn new(
        rules: &Expanding,
        layout: &ExpandingLayout,
        solved: &SolvedRow,
    ) -> Result<Self, GenerateError> {
        let SolvedRow { row, outcomes: lines, verdicts } = solved;
        let (row, length) = (*row, layout.length(*row));
        let identities: Vec<_> = lines.iter().map(|line| identity(line)).collect();
        let (outcome_numbers, first) = number_distinct(&identities);
        let outcomes = collected(first.iter().map(|&line| lines[line].clone()))?;
        let counter = LostCounter::new(rules, layout, row);
        let lost = collected(outcomes.iter().map(|line| counter.lost(line)))?;
        // Count positions with player 1 to move, whose lines come first.
        let lost: u128 =
            outcome_numbers[..layout.lines() / 2].iter().map(|&number| lost[number as usize]).sum();
        let (records, lists) = outcomes::encode(&outcomes, length, layout.stay(row))?;
        let mut deepest = 0;
        let (distinct, outcome_numbers, verdicts) = if verdicts.is_empty() {
            (outcome_numbers, (0..first.len() as u32).collect(), RowVerdicts::default())
        } else {
            let length = u32::try_from(length).expect("few stones, as a table has depths");
            deepest = deepest_of(verdicts, length);
            // Equal depths imply equal outcomes.
            let identities: Vec<_> = verdicts.iter().map(|line| line.identity()).collect();
            let (distinct, first) = number_distinct(&identities);
            let outcome_numbers = first.iter().map(|&line| outcome_numbers[line]).collect();
            let lines: Vec<_> = first.iter().map(|&line| &*verdicts[line]).collect();
            (distinct, outcome_numbers, verdicts::encode(length, &lines)?)
        };
        let census = Census { wins: u64::try_from(counter.positions() - lost).unwrap_or(u64::MAX), deepest };
        let lines = EqualLines { distinct, outcome_numbers };
        Ok(Self { lines, outcomes: records, lists, verdicts, census })
    }
}

/// Head, `from`, the tail's list (address, shift, run), and whether covered places are lost.
type Identity<'a> = (&'a [u64], u64, Option<(usize, u64, u64)>, bool);

/// Returns the data that distinguish a line from others of its row.
fn identity(line: &OutcomeLine) -> Identity<'_> {
    match &line.tail {
        Tail::Constant(lost) => (&line.head, line.from, None, *lost),
        Tail::Marks(ShiftedMarks { list, shift, run, is_lost }) => {
            (&line.head, line.from, Some((Arc::as_ptr(list).addr(), *shift, *run)), *is_lost)
        }
    }
}

/// Gives equal items the same number, by first appearance. Returns each item's number, and for each number the index of
/// its first item. There is one item for each line, so at most 1024.
pub(super) fn number_distinct<T: Eq + Hash>(items: &[T]) -> (Vec<u32>, Vec<usize>) {
    let mut numbers = FxHashMap::default();
    let mut first = Vec::new();
    let number = |(index, item)| {
        *numbers.entry(item).or_insert_with(|| {
            first.push(index);
            first.len() as u32 - 1
        })
    };
    let numbered = items.iter().enumerate().map(number).collect();
    (numbered, first)
}
