//! Packs solved rows into the body of a table (FORMAT.md, section 4).
//!
//! Each row is packed independently: equal lines are stored once ([`EncodedRow`]). Lines that are equal in every row
//! form a class, and [`write_table`] stores one line of each class. For example, if the lines 0 and 5 are equal in row
//! 0 but not in row 1, they are two classes.

mod count;
mod encoded_row;
mod flights;
mod line_steps;
mod lists;
mod outcomes;
mod row_store;
mod verdicts;

use std::sync::Arc;

use bouton_tables::Header;
use bouton_tables::expanding::{ExpandingLayout, min_body_len};
use bouton_tables::format::{BitWriter, Content, FileWriter, Shape, Sink};
use rustc_hash::FxHashMap;

pub(super) use self::encoded_row::EncodedRow;
use self::encoded_row::{EqualLines, number_distinct};
use self::flights::Flights;
pub(super) use self::row_store::{BYTES_PER_ROW, RowStore};
use self::row_store::{StoredRecord, StoredRow, changes};
use self::verdicts::RowVerdicts;
use crate::making::{GenerateError, Summary};
use crate::memory::Grow;

/// Writes the table of the packed rows. Also returns the estimated memory of the packed rows, in bytes.
pub(super) fn write_table(
    layout: &ExpandingLayout,
    mut rows: RowStore,
    header: Header,
    sink: &mut dyn Sink,
) -> Result<(Summary, u64), GenerateError> {
    // Lines form a class if they are equal in every row.
    let mut classes = vec![0; layout.lines()];
    // For each class, its first line.
    let mut representatives = Vec::new();
    let mut last: Option<&Arc<EqualLines>> = None;
    for lines in rows.lines().rev() {
        if last.is_none_or(|last| !Arc::ptr_eq(last, lines)) {
            let pairs: Vec<(u32, u32)> =
                classes.iter().copied().zip(lines.distinct.iter().copied()).collect();
            (classes, representatives) = number_distinct(&pairs);
        }
        last = Some(lines);
    }
    let [outcome_bytes, verdict_bytes] = rows.bytes();
    let mut verdicts = PackedVerdicts::default();
    // Free the verdicts of each row as the arrays grow.
    for (lines, row) in rows.take_verdicts() {
        verdicts.add_row(&row, lines, &classes, &representatives)?;
    }
    let outcomes = PackedOutcomes::new(&rows, &representatives)?;
    // Half of the verdicts: those of a row are freed once they are copied, while the growing arrays are reallocated.
    let packed = outcome_bytes + outcomes.bytes() + verdicts.bytes() + verdict_bytes / 2;
    let summary =
        write_file(&outcomes, &verdicts, header, &classes, min_body_len(layout.rows() as u64), sink)?;
    Ok((summary, packed as u64))
}

/// The arrays of outcomes. Their records are made anew whenever they are read.
struct PackedOutcomes<'a> {
    rows: &'a RowStore,
    /// For each class, its first line.
    representatives: &'a [usize],
    /// The bits of all heads, with which the pool begins.
    head_bits: BitWriter,
    /// For each head, by the bytes of its changes, its first bit in the pool and its number of bits.
    heads: FxHashMap<&'a [u8], (u64, u64)>,
    /// Number of bits of all lists.
    list_bits: u64,
}

impl<'a> PackedOutcomes<'a> {
    fn new(rows: &'a RowStore, representatives: &'a [usize]) -> Result<Self, GenerateError> {
        let (head_bits, heads) = (BitWriter::default(), FxHashMap::default());
        let mut arrays = Self { rows, representatives, head_bits, heads, list_bits: 0 };
        // A head is often the beginning of a head in a later row, so the last row comes first.
        for row in rows.rows() {
            arrays.add_heads(&row)?;
            arrays.list_bits += row.lists.iter().map(|(_, bits)| bits).sum::<u64>();
        }
        arrays.head_bits.shrink();
        Ok(arrays)
    }

    /// Adds the heads of a row to the pool, except those it has already.
    fn add_heads(&mut self, row: &StoredRow<'a>) -> Result<(), GenerateError> {
        for &line in self.representatives {
            let &StoredRecord { head, own, .. } = row.record(line);
            if own == 0 || self.heads.get(head).is_some_and(|&(_, bits)| bits >= own) {
                continue;
            }
            let first = self.head_bits.len();
            let (mut start, mut lost) = (0, false);
            for end in changes(head).chain([own]) {
                self.head_bits.push_same(lost, end - start)?;
                (start, lost) = (end, !lost);
            }
            self.heads.try_reserve(1)?;
            self.heads.insert(head, (first, own));
        }
        Ok(())
    }

    /// Returns the records of outcome lines.
    fn lines(&self) -> impl Iterator<Item = [u64; 6]> {
        let mut first_list = 0;
        self.rows.rows().rev().flat_map(move |row| {
            let record = |&line: &usize| {
                let record = row.record(line);
                let head = if record.own == 0 { 0 } else { self.heads[record.head].0 };
                let list = if record.list == 0 { 0 } else { first_list + record.list };
                [head, record.own, list, record.shift, record.run, record.tail.into()]
            };
            let records: Vec<[u64; 6]> = self.representatives.iter().map(record).collect();
            first_list += row.lists.len() as u64;
            records
        })
    }

    /// Returns the records of lists of marks.
    fn lists(&self) -> impl Iterator<Item = [u64; 7]> {
        let mut first = self.head_bits.len();
        self.rows.rows().rev().flat_map(move |row| row.lists).map(move |(fields, bits)| {
            let [blocks, start, begun, least, spread, order] = fields;
            first += bits;
            [first - bits, blocks, start, begun, least, spread, order]
        })
    }

    /// Returns the bits of the pool: those of all heads, and then those of all lists.
    fn pool(&self) -> impl Iterator<Item = (u64, u32)> {
        let lists = self.rows.rows().rev().flat_map(|row| row.list_bits());
        self.head_bits.fields(0..self.head_bits.len()).chain(lists)
    }

    /// Returns the estimated bytes in memory, without the rows.
    fn bytes(&self) -> usize {
        self.head_bits.len() as usize / 8 + 64 * self.heads.len()
    }
}

/// Number of arrays of depths and best moves.
const VERDICT_ARRAYS: usize = 3;

/// The arrays of depths and best moves.
#[derive(Default)]
struct PackedVerdicts {
    lines: Vec<[u64; 6]>,
    flights: Flights,
}

impl PackedVerdicts {
    fn add_row(
        &mut self,
        verdicts: &RowVerdicts,
        lines: &EqualLines,
        classes: &[u32],
        representatives: &[usize],
    ) -> Result<(), GenerateError> {
        // A line refers to another line of the row by a class. If several classes have its verdicts, any will do.
        let mut class_of = vec![0; verdicts.lines.len()];
        for (line, &number) in lines.distinct.iter().enumerate() {
            class_of[number as usize] = classes[line];
        }
        // For each distinct line, its first flight in the table. Several classes may have equal lines in this row.
        let mut first_flights = vec![None; verdicts.lines.len()];
        for &line in representatives {
            let distinct = lines.distinct[line] as usize;
            let record = &verdicts.lines[distinct];
            let class = class_of[record.other as usize];
            let [flights, own, shift, deeper] =
                [record.flights, record.own, record.shift, record.deeper].map(u64::from);
            let first = match first_flights[distinct] {
                Some(first) => first,
                None if flights == 0 => 0,
                None => {
                    let first = self.flights.count() as u64;
                    let range = record.first as usize..(record.first + record.flights) as usize;
                    self.flights.append(&verdicts.flights, range)?;
                    *first_flights[distinct].insert(first)
                }
            };
            self.lines.grow([first, flights, own, class.into(), shift, deeper])?;
        }
        Ok(())
    }

    /// Returns the estimated bytes in memory.
    fn bytes(&self) -> usize {
        size_of::<[u64; 6]>() * self.lines.capacity() + self.flights.bytes()
    }
}

/// Writes the file, padded to a body of at least `least_body` bytes.
fn write_file(
    outcomes: &PackedOutcomes,
    verdicts: &PackedVerdicts,
    header: Header,
    classes: &[u32],
    least_body: u64,
    sink: &mut dyn Sink,
) -> Result<Summary, GenerateError> {
    let classes = classes.iter().map(|&class| [class.into()]);
    let mut shapes = vec![
        Shape::of(classes.clone())?,
        Shape::of(outcomes.lines())?,
        Shape::of(outcomes.lists())?,
        Shape::of_single_bits(outcomes.head_bits.len() + outcomes.list_bits),
    ];
    if header.has_depths {
        shapes.extend([
            Shape::of(verdicts.lines.iter().copied())?,
            Shape::of(verdicts.flights.flights())?,
            Shape::of(verdicts.flights.steps())?,
        ]);
    } else {
        shapes.extend([Shape::of::<1>([])?; VERDICT_ARRAYS]);
    }
    let mut file = FileWriter::new(sink, Content::Table, &header, shapes, least_body)?;
    file.array(classes)?;
    file.array(outcomes.lines())?;
    file.array(outcomes.lists())?;
    file.fields(outcomes.pool())?;
    if header.has_depths {
        file.array(verdicts.lines.iter().copied())?;
        file.array(verdicts.flights.flights())?;
        file.array(verdicts.flights.steps())?;
    } else {
        (0..VERDICT_ARRAYS).try_for_each(|_| file.array::<1>([]))?;
    }
    Ok(Summary::new(header, file.finish()?))
}
