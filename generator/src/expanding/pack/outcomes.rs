//! Packs outcome lines (FORMAT.md, section 4.3): heads, tails, and lists of marks.
//!
//! A list of marks is cut into buckets of equal length, as in an Elias-Fano code: a bucket stores the offset of its
//! first mark, then the excess of each further gap over the least gap. For example, with a least gap of 4 and buckets
//! of 12 places, the marks 2, 7, 11, 15, 19, 23 become two buckets: offset 2 with the excesses 1 and 0, and offset 3
//! with 0 and 0. A reader finds the bucket by a division.

use std::collections::HashMap;
use std::sync::Arc;

use bouton_tables::expanding::{MAX_BUCKET_BITS, visits_few_gaps};
use bouton_tables::format::{BitWriter, MAX_WIDTH, low_bits, width_of};

use crate::expanding::marks::Marks;
use crate::expanding::outcome_line::{OutcomeLine, ShiftedMarks, Tail};
use crate::making::GenerateError;
use crate::memory::{Grow, collected};

/// The record of an outcome line.
#[derive(Clone, Debug)]
pub(super) struct OutcomeRecord {
    /// The changes before `own`. Positions before the first change are won.
    pub(super) head: Vec<u32>,
    /// Number of places that the head describes.
    pub(super) own: u32,
    /// Number of the row's list, counted from 1; 0 for none.
    pub(super) list: u32,
    pub(super) shift: u32,
    pub(super) run: u32,
    /// Whether the places from `own` on that no mark covers are lost.
    pub(super) tail: bool,
}

impl OutcomeRecord {
    /// Returns the estimated bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + 4 * self.head.capacity()
    }

    /// Returns the record of a line below `length` without marks: its changes, and a constant tail after the last one.
    fn without_marks(line: &OutcomeLine, length: u32) -> Result<Self, GenerateError> {
        let mut head = line.changes(length)?;
        let tail = head.len() % 2 == 1;
        let own = head.pop().unwrap_or(0);
        Ok(Self { head, own, list: 0, shift: 0, run: 0, tail })
    }
}

/// A packed list of marks.
#[derive(Debug)]
pub(super) struct PackedList {
    bits: BitWriter,
    /// The fields of its record, except its first bit in the pool.
    pub(super) record: [u64; 5],
}

/// The division of a list of marks into buckets, with the names of FORMAT.md.
#[derive(Clone, Copy, Debug)]
struct BucketLayout {
    /// Number of places of a bucket.
    bucket: u64,
    /// Bits of the offset of a bucket's first mark.
    width: u32,
    /// The least gap.
    least: u64,
    /// Bits of the excess of a gap over the least gap.
    gap: u32,
    /// Number of gaps in a bucket.
    gaps: u64,
    /// Number of buckets.
    count: u64,
}

impl BucketLayout {
    /// Returns the buckets with the fewest bits.
    fn best(marks: &Arc<Marks>, length: u64) -> Self {
        let first = marks.iter().next;
        let (least, greatest) =
            marks.gaps().map_or((length, 0), |(least, greatest)| (least.into(), greatest.into()));
        let last = u64::from(marks.last());
        // After the last mark the line ends.
        let greatest = greatest.max(length.saturating_sub(last)).max(least);
        let offset = greatest.max(first);
        let gap = width_of(greatest - least);
        let layout = |gaps: u64, gap: u32| {
            let has_all = gaps + 1 >= marks.count().into();
            let bucket = if has_all { length } else { (gaps + 1) * least };
            let gaps = if has_all { u64::from(marks.count()) - 1 } else { gaps };
            // A list has at least one bit.
            let width = width_of(if has_all { first } else { offset.min(bucket) }).max(1);
            Self { bucket, width, least, gap, gaps, count: length.div_ceil(bucket) }
        };
        let max_gaps = match gap {
            0 => u64::from(marks.count()),
            gap => u64::from((MAX_BUCKET_BITS - width_of(offset)) / gap),
        };
        // If gaps differ much, buckets of one mark without gaps are smaller.
        let [several, single] = [layout(max_gaps, gap), layout(0, 0)];
        if several.bits() <= single.bits() { several } else { single }
    }

    fn bits(&self) -> u64 {
        self.count.saturating_mul(u64::from(self.width) + self.gaps * u64::from(self.gap))
    }

    fn record(&self) -> [u64; 5] {
        [self.bucket, self.width.into(), self.least, self.gap.into(), self.gaps]
    }

    fn write(&self, marks: &Arc<Marks>) -> Result<BitWriter, GenerateError> {
        let mut bits = BitWriter::default();
        let mut places = marks.iter();
        for number in 0..self.count {
            let start = number * self.bucket;
            let end = start + self.bucket;
            let first = places.next.saturating_sub(start);
            let mut fields = u128::from(first.min(self.bucket).min(low_bits(self.width)));
            let mut filled = self.width;
            let mut last = places.next;
            if last < end {
                places.advance();
            }
            for _ in 0..if self.gap == 0 { 0 } else { self.gaps } {
                let next = places.next;
                if last < end && next < end {
                    fields |= u128::from(next - last - self.least) << filled;
                    last = next;
                    places.advance();
                } else {
                    // The next mark lies beyond the bucket. The greatest excess leads beyond it too.
                    fields |= u128::from(low_bits(self.gap)) << filled;
                }
                filled += self.gap;
            }
            if self.gap == 0 {
                while places.next < end {
                    places.advance();
                }
            }
            for start in (0..filled).step_by(MAX_WIDTH as usize) {
                let width = MAX_WIDTH.min(filled - start);
                bits.push((fields >> start) as u64 & low_bits(width), width)?;
            }
        }
        Ok(bits)
    }
}

impl PackedList {
    /// Returns the estimated bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.bits.len() as usize / 8
    }

    pub(super) fn write(&self, pool: &mut BitWriter) -> Result<(), GenerateError> {
        Ok(pool.append(&self.bits)?)
    }
}

/// Estimated bits of a list's record.
const LIST_RECORD_BITS: u64 = 64;

/// Packs the distinct lines of a row. Returns the record of each line, and the lists. A move that stays in the row takes at
/// most `stay` stones.
pub(super) fn encode(
    lines: &[Arc<OutcomeLine>],
    length: u32,
    stay: u32,
) -> Result<(Vec<OutcomeRecord>, Vec<PackedList>), GenerateError> {
    // The lists of marks, each with the lines that use it; and by a list's address its index.
    let mut used_lists: Vec<(&Arc<Marks>, Vec<usize>)> = Vec::new();
    let mut indexes: HashMap<usize, usize> = HashMap::new();
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
        let buckets = BucketLayout::best(marks, length.into());
        let cost = buckets.bits() + LIST_RECORD_BITS;
        // Without marks, a line takes one bit for each place up to its last mark: fewer bits if the line is short.
        let mut bits_without_marks = 0;
        for &user in &users {
            let line = &lines[user];
            let Tail::Marks(ShiftedMarks { shift, .. }) = line.tail else { continue };
            bits_without_marks += u64::from(marks.last()) + u64::from(shift);
        }
        if bits_without_marks <= cost {
            continue;
        }
        let mut is_used = false;
        for user in users {
            let line = &lines[user];
            let Tail::Marks(ShiftedMarks { shift, run, is_lost, .. }) = line.tail else { continue };
            if visits_few_gaps(stay, run, buckets.least) {
                let head = collected(line.head.iter().copied())?;
                let list = lists.len() as u32 + 1;
                records[user] =
                    Some(OutcomeRecord { head, own: line.from, list, shift, run, tail: !is_lost });
                is_used = true;
            }
        }
        if is_used {
            lists.grow(PackedList { bits: buckets.write(marks)?, record: buckets.record() })?;
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
