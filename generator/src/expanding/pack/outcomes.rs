//! Packs outcome lines (FORMAT.md, section 4.3): heads, tails, and lists of marks.

use std::sync::Arc;

use bouton_tables::expanding::visits_few_gaps;
use rustc_hash::FxHashMap;

use super::lists::{BlockLayout, PackedList};
use crate::expanding::marks::Marks;
use crate::expanding::outcome_line::{OutcomeLine, ShiftedMarks, Tail};
use crate::making::GenerateError;
use crate::memory::{Grow, collected};

/// The record of an outcome line.
#[derive(Clone, Debug)]
pub(super) struct OutcomeRecord {
    /// The changes before `own`. Positions before the first change are won.
    pub(super) head: Vec<u64>,
    /// Number of places that the head describes.
    pub(super) own: u64,
    /// Number of the row's list, counted from 1; 0 for none.
    pub(super) list: u32,
    pub(super) shift: u64,
    pub(super) run: u32,
    /// True if the places from `own` on that no mark covers are lost.
    pub(super) tail: bool,
}

impl OutcomeRecord {
    /// Returns the record of a line below `length` without marks: its changes, and a constant tail after the last one.
    fn without_marks(line: &OutcomeLine, length: u64) -> Result<Self, GenerateError> {
        let mut head = line.changes(length)?;
        let tail = head.len() % 2 == 1;
        let own = head.pop().unwrap_or(0);
        Ok(Self { head, own, list: 0, shift: 0, run: 0, tail })
    }
}

/// Estimated bits of a list's record.
const LIST_RECORD_BITS: u64 = 64;

/// Packs the distinct lines of a row. Returns the record of each line, and the lists. A move that stays in the row takes at
/// most `stay` stones.
pub(super) fn encode(
    lines: &[Arc<OutcomeLine>],
    length: u64,
    stay: u32,
) -> Result<(Vec<OutcomeRecord>, Vec<PackedList>), GenerateError> {
    // The lists of marks, each with the lines that use it; and by a list's address its index.
    let mut used_lists: Vec<(&Arc<Marks>, Vec<usize>)> = Vec::new();
    let mut indexes: FxHashMap<usize, usize> = FxHashMap::default();
    for (number, line) in lines.iter().enumerate() {
        if let Tail::Marks(ShiftedMarks { list, .. }) = &line.tail {
            let index = *indexes.entry(Arc::as_ptr(list).addr()).or_insert(used_lists.len());
            if index == used_lists.len() {
                used_lists.grow((list, Vec::new()))?;
            }
            used_lists[index].1.grow(number)?;
        }
    }
    let mut records: Vec<Option<OutcomeRecord>> = vec![None; lines.len()];
    let mut lists = Vec::new();
    for (marks, users) in used_lists {
        let blocks = BlockLayout::new(marks, length);
        let cost = blocks.bits() + LIST_RECORD_BITS;
        // Without marks, a line takes one bit for each place up to its last mark: fewer bits if the line is short.
        let mut bits_without_marks = 0;
        for &user in &users {
            let line = &lines[user];
            let Tail::Marks(ShiftedMarks { shift, .. }) = line.tail else { continue };
            bits_without_marks += marks.last() + shift;
        }
        if bits_without_marks <= cost || !blocks.fits() {
            continue;
        }
        let mut is_used = false;
        for user in users {
            let line = &lines[user];
            let Tail::Marks(ShiftedMarks { shift, run, is_lost, .. }) = line.tail else { continue };
            if let Ok(run) = u32::try_from(run)
                && visits_few_gaps(stay, run, blocks.least())
            {
                let head = collected(line.head.iter().copied())?;
                let list = lists.len() as u32 + 1;
                records[user] =
                    Some(OutcomeRecord { head, own: line.from, list, shift, run, tail: !is_lost });
                is_used = true;
            }
        }
        if is_used {
            lists.grow(blocks.pack()?)?;
        }
    }
    let mut complete = Vec::new();
    for (record, line) in records.into_iter().zip(lines) {
        complete.grow(match record {
            Some(record) => record,
            None => OutcomeRecord::without_marks(line, length)?,
        })?;
    }
    Ok((complete, lists))
}
