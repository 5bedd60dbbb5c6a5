//! Packed rows in few bytes, until the table is written.
//!
//! The numbers of classes, and with them the records of a table, are known only after the last row, and a game of
//! 10^12 stones has more than a million rows. So the rows of a chunk share two buffers: one of numbers, in as few bytes
//! as each needs ([`varint`]), and one of the bits of their lists. Consecutive rows with the same equal lines share one
//! [`EqualLines`].

use std::sync::Arc;

use bouton_tables::format::BitWriter;

use super::encoded_row::{EncodedRow, EqualLines};
use super::outcomes::OutcomeRecord;
use super::verdicts::RowVerdicts;
use crate::expanding::varint;
use crate::making::GenerateError;
use crate::memory::Grow;

/// Packed rows, in the order in which they are solved: from the last one down to row 0.
#[derive(Debug, Default)]
pub(in crate::expanding) struct RowStore {
    chunks: Vec<Chunk>,
}

#[derive(Debug, Default)]
struct Chunk {
    rows: Vec<RowEntry>,
    /// The records of outcome lines and of lists.
    numbers: Vec<u8>,
    /// The bits of lists.
    bits: BitWriter,
}

#[derive(Debug)]
struct RowEntry {
    lines: Arc<EqualLines>,
    /// The row's first byte in the numbers of the chunk.
    first_byte: usize,
    /// The row's first bit in the bits of the chunk.
    first_bit: u64,
    /// `None` if the table has no depths.
    verdicts: Option<Box<RowVerdicts>>,
}

/// Bytes of a row, without its share of the buffers.
pub(in crate::expanding) const BYTES_PER_ROW: usize = size_of::<RowEntry>();

/// A chunk is complete when its buffers have this many bytes. The allocator returns buffers of this size to the system.
const CHUNK_BYTES: usize = 4 << 20;

/// A row of the store.
pub(super) struct StoredRow<'a> {
    pub(super) lines: &'a Arc<EqualLines>,
    /// The distinct outcome lines.
    pub(super) outcomes: Vec<StoredRecord<'a>>,
    /// The fields of each list's record, except its first bit, and its number of bits.
    pub(super) lists: Vec<([u64; 6], u64)>,
    first_bit: u64,
    bits: &'a BitWriter,
}

/// The record of an outcome line, read from a chunk.
pub(super) struct StoredRecord<'a> {
    /// The changes before `own`, as [`changes`] reads them. Equal changes have equal bytes.
    pub(super) head: &'a [u8],
    pub(super) own: u64,
    pub(super) list: u64,
    pub(super) shift: u64,
    pub(super) run: u64,
    pub(super) tail: bool,
}

/// Returns the changes of a head, ascending.
pub(super) fn changes(mut head: &[u8]) -> impl Iterator<Item = u64> {
    let mut last = 0;
    std::iter::from_fn(move || {
        (!head.is_empty()).then(|| {
            last += varint::read(&mut head);
            last
        })
    })
}

impl RowStore {
    /// Adds rows.
    pub(in crate::expanding) fn add(
        &mut self,
        rows: impl Iterator<Item = EncodedRow>,
    ) -> Result<(), GenerateError> {
        let last_row = self.chunks.last().and_then(|chunk| chunk.rows.last());
        let mut last_lines = last_row.map(|row| row.lines.clone());
        for row in rows {
            let chunk = self.open_chunk()?;
            let (first_byte, first_bit) = (chunk.numbers.len(), chunk.bits.len());
            chunk.add_numbers(&row)?;
            row.lists.iter().try_for_each(|list| list.write(&mut chunk.bits))?;
            let lines = match last_lines {
                Some(lines) if *lines == row.lines => lines,
                _ => Arc::new(row.lines),
            };
            last_lines = Some(lines.clone());
            let verdicts = (!row.verdicts.lines.is_empty()).then(|| Box::new(row.verdicts));
            chunk.rows.grow(RowEntry { lines, first_byte, first_bit, verdicts })?;
        }
        Ok(())
    }

    /// Returns the chunk to which the next row is added.
    fn open_chunk(&mut self) -> Result<&mut Chunk, GenerateError> {
        if self.chunks.last().is_none_or(|chunk| chunk.bytes() >= CHUNK_BYTES) {
            if let Some(Chunk { rows, numbers, bits }) = self.chunks.last_mut() {
                rows.shrink();
                numbers.shrink();
                bits.shrink();
            }
            self.chunks.grow(Chunk::default())?;
        }
        Ok(self.chunks.last_mut().expect("a chunk was added"))
    }

    /// Iterates over the rows.
    pub(super) fn rows(&self) -> impl DoubleEndedIterator<Item = StoredRow<'_>> {
        self.chunks.iter().flat_map(|chunk| chunk.rows.iter().map(|row| chunk.row(row)))
    }

    /// Iterates over the equal lines of the rows.
    pub(super) fn lines(&self) -> impl DoubleEndedIterator<Item = &Arc<EqualLines>> {
        self.chunks.iter().flat_map(|chunk| chunk.rows.iter().map(|row| &row.lines))
    }

    /// Takes the verdicts out of the rows, row 0 first.
    pub(super) fn take_verdicts(&mut self) -> impl Iterator<Item = (&EqualLines, Box<RowVerdicts>)> {
        let rows = self.chunks.iter_mut().rev().flat_map(|chunk| chunk.rows.iter_mut().rev());
        rows.filter_map(|row| Some((&*row.lines, row.verdicts.take()?)))
    }

    /// Returns the estimated bytes of the outcomes and of the verdicts in memory.
    pub(super) fn bytes(&self) -> [usize; 2] {
        let mut bytes = [0; 2];
        for chunk in &self.chunks {
            bytes[0] += size_of_val(&chunk.rows[..]) + chunk.bytes();
            let verdicts = chunk.rows.iter().flat_map(|row| &row.verdicts);
            bytes[1] += verdicts.map(|verdicts| verdicts.bytes()).sum::<usize>();
        }
        bytes
    }
}

impl Chunk {
    /// Returns the bytes of the buffers.
    fn bytes(&self) -> usize {
        self.numbers.len() + self.bits.len() as usize / 8
    }

    /// Appends the numbers of a row.
    fn add_numbers(&mut self, row: &EncodedRow) -> Result<(), GenerateError> {
        let mut head = Vec::new();
        varint::push(&mut self.numbers, row.outcomes.len() as u64)?;
        for OutcomeRecord { head: changes, own, list, shift, run, tail } in &row.outcomes {
            head.clear();
            let mut last = 0;
            for &change in changes {
                varint::push(&mut head, change - last)?;
                last = change;
            }
            for number in [*own, (*list).into(), *shift, (*run).into(), (*tail).into(), head.len() as u64] {
                varint::push(&mut self.numbers, number)?;
            }
            self.numbers.grow_by(head.iter().copied())?;
        }
        varint::push(&mut self.numbers, row.lists.len() as u64)?;
        for list in &row.lists {
            list.fields.iter().try_for_each(|&field| varint::push(&mut self.numbers, field))?;
            varint::push(&mut self.numbers, list.len())?;
        }
        Ok(())
    }

    /// Decodes a row.
    fn row<'a>(&'a self, row: &'a RowEntry) -> StoredRow<'a> {
        let mut rest = &self.numbers[row.first_byte..];
        let outcomes = (0..varint::read(&mut rest)).map(|_| {
            let [own, list, shift, run, tail, bytes] = [(); 6].map(|()| varint::read(&mut rest));
            let (head, after) = rest.split_at(bytes as usize);
            rest = after;
            StoredRecord { head, own, list, shift, run, tail: tail == 1 }
        });
        let outcomes = outcomes.collect();
        let lists = (0..varint::read(&mut rest))
            .map(|_| ([(); 6].map(|()| varint::read(&mut rest)), varint::read(&mut rest)));
        let lists = lists.collect();
        StoredRow { lines: &row.lines, outcomes, lists, first_bit: row.first_bit, bits: &self.bits }
    }
}

impl<'a> StoredRow<'a> {
    /// Returns the outcome record of a line.
    pub(super) fn record(&self, line: usize) -> &StoredRecord<'a> {
        let EqualLines { distinct, outcome_numbers } = &**self.lines;
        &self.outcomes[outcome_numbers[distinct[line] as usize] as usize]
    }

    /// Returns the bits of all lists, as fields with their widths.
    pub(super) fn list_bits(&self) -> impl Iterator<Item = (u64, u32)> + use<'a> {
        let bits = self.lists.iter().map(|(_, bits)| bits).sum::<u64>();
        self.bits.fields(self.first_bit..self.first_bit + bits)
    }
}
