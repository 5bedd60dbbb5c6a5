//! Packs solved rows into the body of a table (FORMAT.md, section 4).
//!
//! Each row is packed independently: equal lines are stored once ([`EncodedRow`]). Lines that are equal in every row
//! form a class, and [`write_table`] stores one line of each class. For example, if the lines 0 and 5 are equal in row
//! 0 but not in row 1, they are two classes.

mod count;
mod lists;
mod outcomes;
mod verdicts;

use std::hash::Hash;
use std::sync::Arc;

use bouton_tables::Header;
use bouton_tables::expanding::{Expanding, ExpandingLayout, min_body_len};
use bouton_tables::format::{BitWriter, Content, FileWriter, Shape, Sink};
use rustc_hash::FxHashMap;

use self::count::LostCounter;
use self::verdicts::StairStep;
use super::depths::verdict_line::deepest as deepest_of;
use super::outcome_line::{OutcomeLine, ShiftedMarks, Tail};
use super::row::SolvedRow;
use crate::census::Census;
use crate::making::{GenerateError, Summary};
use crate::memory::{Grow, collected};

/// A packed row that has no place in the table yet.
#[derive(Debug)]
pub(super) struct EncodedRow {
    /// For each line its number among the row's distinct lines.
    distinct: Vec<u32>,
    /// For each distinct line the number of its outcomes among the row's distinct outcome lines.
    outcome_numbers: Vec<u32>,
    outcomes: Vec<outcomes::OutcomeRecord>,
    lists: Vec<lists::PackedList>,
    verdicts: verdicts::RowVerdicts,
    /// Statistics of the row's positions.
    pub(super) census: Census,
}

impl EncodedRow {
    /// Packs a row.
    pub(super) fn new(
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
            (outcome_numbers, (0..first.len() as u32).collect(), verdicts::RowVerdicts::default())
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
        Ok(Self { distinct, outcome_numbers, outcomes: records, lists, verdicts, census })
    }

    /// Returns the outcome record of a line.
    fn record(&self, line: usize) -> &outcomes::OutcomeRecord {
        &self.outcomes[self.outcome_numbers[self.distinct[line] as usize] as usize]
    }

    /// Returns the estimated bytes in memory.
    fn bytes(&self) -> usize {
        let outcomes = self.outcomes.iter().map(outcomes::OutcomeRecord::bytes).sum::<usize>();
        let lists = self.lists.iter().map(lists::PackedList::bytes).sum::<usize>();
        4 * (self.distinct.len() + self.outcome_numbers.len()) + outcomes + lists + self.verdicts.bytes()
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
fn number_distinct<T: Eq + Hash>(items: &[T]) -> (Vec<u32>, Vec<usize>) {
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

/// Writes the table of the packed rows, which come from the last one down to row 0. Also returns the estimated memory of
/// the packed rows, in bytes.
pub(super) fn write_table(
    layout: &ExpandingLayout,
    rows: Vec<EncodedRow>,
    header: Header,
    sink: &mut dyn Sink,
) -> Result<(Summary, u64), GenerateError> {
    // Lines form a class if they are equal in every row.
    let mut classes = vec![0; layout.lines()];
    // For each class, its first line.
    let mut representatives = Vec::new();
    for row in rows.iter().rev() {
        let pairs: Vec<(u32, u32)> = classes.iter().copied().zip(row.distinct.iter().copied()).collect();
        (classes, representatives) = number_distinct(&pairs);
    }
    let mut body = BodyBuilder::default();
    // A head is often the beginning of a head in a later row, so the last row comes first.
    for row in &rows {
        body.add_heads(row, &representatives)?;
    }
    let bytes = rows.iter().map(EncodedRow::bytes).sum::<usize>();
    // Free each row as the body grows.
    for row in rows.into_iter().rev() {
        body.add_row(&row, &classes, &representatives)?;
    }
    // While the body grows, it is copied to larger allocations, and the rows are freed.
    let packed = body.bytes() + bytes / 2;
    Ok((body.write(header, &classes, min_body_len(layout.rows() as u64), sink)?, packed as u64))
}

/// Number of arrays without records in a table without depths.
const EMPTY_WITHOUT_DEPTHS: usize = 5;

/// The arrays of a table's body.
#[derive(Default)]
struct BodyBuilder {
    outcomes: Vec<[u64; 6]>,
    lists: Vec<[u64; 7]>,
    pool: BitWriter,
    /// For each head, by its changes, its first bit in the pool and its number of bits.
    heads: FxHashMap<Vec<u64>, (u64, u64)>,
    verdicts: Vec<[u64; 5]>,
    stairs: Vec<[u64; 6]>,
    blocks: BitWriter,
    steps: Vec<StairStep>,
    /// For each list of steps, the index of its first step in `steps`.
    steps_at: FxHashMap<Vec<StairStep>, u64>,
}

impl BodyBuilder {
    fn add_row(
        &mut self,
        row: &EncodedRow,
        classes: &[u32],
        representatives: &[usize],
    ) -> Result<(), GenerateError> {
        let first_list = self.lists.len() as u64;
        for list in &row.lists {
            self.lists.grow(list.record(self.pool.len()))?;
            list.write(&mut self.pool)?;
        }
        for &line in representatives {
            let record = row.record(line);
            let head = if record.own == 0 { 0 } else { self.heads[&record.head].0 };
            let list = if record.list == 0 { 0 } else { first_list + u64::from(record.list) };
            self.outcomes.grow([
                head,
                record.own,
                list,
                record.shift,
                record.run.into(),
                record.tail.into(),
            ])?;
        }
        let verdicts = &row.verdicts;
        if verdicts.lines.is_empty() {
            return Ok(());
        }
        // A line refers to another line of the row by a class. If several classes have its verdicts, any will do.
        let mut class_of = vec![0; verdicts.lines.len()];
        for (line, &number) in row.distinct.iter().enumerate() {
            class_of[number as usize] = classes[line];
        }
        let first_staircase = self.stairs.len() as u64;
        for &line in representatives {
            let record = &verdicts.lines[row.distinct[line] as usize];
            let class = class_of[record.other as usize];
            let [stairs, own, shift, deeper] =
                [record.stairs, record.own, record.shift, record.deeper].map(u64::from);
            let stairs = if own == 0 { 0 } else { first_staircase + stairs };
            self.verdicts.grow([stairs, own, class.into(), shift, deeper])?;
        }
        for staircase in &verdicts.stairs {
            let first = self.blocks.len() + staircase.first;
            let [scale, begun, base, code] =
                [staircase.scale, staircase.begun, staircase.base, staircase.code].map(u64::from);
            let steps = match self.steps_at.get(&staircase.steps) {
                Some(&steps) => steps,
                None => {
                    let steps = self.steps.len() as u64;
                    self.steps.grow_by(staircase.steps.iter().copied())?;
                    self.steps_at.try_reserve(1)?;
                    self.steps_at.insert(collected(staircase.steps.iter().copied())?, steps);
                    steps
                }
            };
            self.stairs.grow([first, scale, begun, base, code, steps])?;
        }
        self.blocks.append(&verdicts.bits)?;
        Ok(())
    }

    /// Returns the estimated bytes in memory.
    fn bytes(&self) -> usize {
        let heads = self.heads.keys().map(|changes| 64 + 8 * changes.len()).sum::<usize>();
        let records = self.outcomes.capacity() + self.lists.capacity() + self.stairs.capacity();
        let records = 48 * records + 40 * self.verdicts.capacity();
        let steps = 24 * self.steps.capacity() + 64 * self.steps_at.capacity();
        let bits = (self.pool.len() + self.blocks.len()) as usize / 8;
        heads + records + steps + bits
    }

    /// Adds the heads of a row to the pool, except those it has already.
    fn add_heads(&mut self, row: &EncodedRow, representatives: &[usize]) -> Result<(), GenerateError> {
        for &line in representatives {
            let outcomes::OutcomeRecord { head, own, .. } = row.record(line);
            if *own == 0 || self.heads.get(head).is_some_and(|&(_, bits)| bits >= *own) {
                continue;
            }
            let first = self.pool.len();
            let mut changes = head.iter().copied().chain([*own]);
            let (mut start, mut lost) = (0, false);
            while start < *own {
                let end = changes.next().unwrap_or(*own);
                self.pool.push_same(lost, end - start)?;
                (start, lost) = (end, !lost);
            }
            self.heads.try_reserve(1)?;
            self.heads.insert(collected(head.iter().copied())?, (first, *own));
        }
        Ok(())
    }

    /// Writes the file, padded to a body of at least `least_body` bytes.
    fn write(
        &self,
        header: Header,
        classes: &[u32],
        least_body: u64,
        sink: &mut dyn Sink,
    ) -> Result<Summary, GenerateError> {
        let classes = classes.iter().map(|&class| [class.into()]);
        let steps = self.steps.iter().map(|step| step.record());
        let mut shapes = vec![
            Shape::of(classes.clone())?,
            Shape::of(self.outcomes.iter().copied())?,
            Shape::of(self.lists.iter().copied())?,
            Shape::of_bits(&self.pool, 1),
        ];
        if header.has_depths {
            shapes.extend([
                Shape::of(self.verdicts.iter().copied())?,
                Shape::of(self.stairs.iter().copied())?,
                Shape::of_bits(&self.blocks, 1),
                Shape::of(steps.clone())?,
            ]);
        } else {
            shapes.extend([Shape::of::<1>([])?; EMPTY_WITHOUT_DEPTHS]);
        }
        let mut file = FileWriter::new(sink, Content::Table, &header, shapes, least_body)?;
        file.array(classes)?;
        file.array(self.outcomes.iter().copied())?;
        file.array(self.lists.iter().copied())?;
        file.bits(&self.pool)?;
        if header.has_depths {
            file.array(self.verdicts.iter().copied())?;
            file.array(self.stairs.iter().copied())?;
            file.bits(&self.blocks)?;
            file.array(steps)?;
        } else {
            (0..EMPTY_WITHOUT_DEPTHS).try_for_each(|_| file.array::<1>([]))?;
        }
        Ok(Summary::new(header, file.finish()?))
    }
}
