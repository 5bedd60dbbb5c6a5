//! Packs lists of marks (FORMAT.md, section 4.3): progressions in buckets.
//!
//! A list is cut into buckets of equal length. A bucket stores its first mark, the gap after it, and the *changes* of gap
//! within it: after how many gaps, and the new gap. For example, with buckets of 16 places the marks 2, 5, 8, 12, 16, 20
//! become two buckets: mark 2, gap 3, and after two gaps the gap 4; then mark 16 and gap 4. The larger the buckets, the
//! fewer bits they take, and the longer an answer takes, so the buckets are as large as the format allows.

use std::sync::Arc;

use bouton_tables::expanding::{MAX_ENTRY_BITS, MAX_PROGRESSIONS};
use bouton_tables::format::{BitWriter, width_of};

use crate::expanding::marks::{EqualGaps, Marks};
use crate::making::GenerateError;

/// Maximum order of the code of a number of gaps, so that the code of any number below 2^31 can be read.
const MAX_ORDER: u32 = 30;

/// A packed list of marks.
#[derive(Debug)]
pub(super) struct PackedList {
    bits: BitWriter,
    /// The fields of the list's record, except its first bit in the pool.
    fields: [u64; 7],
}

impl PackedList {
    /// Returns the estimated bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + self.bits.len() as usize / 8
    }

    /// Returns the record of the list, whose bits begin at bit `first` of the pool.
    pub(super) fn record(&self, first: u64) -> [u64; 8] {
        let [buckets, scale, begun, base, least, spread, order] = self.fields;
        [first, buckets, scale, begun, base, least, spread, order]
    }

    pub(super) fn write(&self, pool: &mut BitWriter) -> Result<(), GenerateError> {
        Ok(pool.append(&self.bits)?)
    }
}

/// The division of a list of marks into buckets, with the names of FORMAT.md.
pub(super) struct BucketLayout<'a> {
    marks: &'a Marks,
    length: u64,
    least: u64,
    spread: u64,
    scale: u32,
    order: u32,
    /// Greatest field `base`.
    base: u64,
    /// Number of bits of all changes.
    changes: u64,
}

/// An item of a packed list. Each bucket has an entry, followed by the bucket's changes.
enum Item {
    /// The first mark at or after the bucket's beginning, counted from there, and the gap after this mark. If the bucket
    /// has no marks, the first mark lies after the bucket.
    Entry { base: u64, gap: u64 },
    /// After this number of gaps, the gap changes from one value to another.
    Change { gaps: u64, from: u64, to: u64 },
}

/// Returns the gap after the last mark, which must lead beyond the line. If the last gap leads beyond it, this gap is
/// repeated, so that no change is needed.
fn closing_gap(marks: &Marks, length: u64) -> u32 {
    let beyond = length.saturating_sub(marks.last().into()) as u32;
    marks.last_gap().max(beyond).max(1)
}

impl<'a> BucketLayout<'a> {
    /// Returns the division with the largest buckets, for the places below `length`.
    pub(super) fn best(marks: &'a Arc<Marks>, length: u64) -> Self {
        // For each width, how many progressions have a number of gaps, less one, of this width.
        let mut widths = [0_u64; 33];
        let mut progressions = 1;
        for EqualGaps { gaps, .. } in marks.progressions() {
            widths[width_of(u64::from(gaps) - 1) as usize] += 1;
            progressions += 1;
        }
        let bits = |order: u32| {
            let cost =
                |(width, count): (u32, &u64)| count * u64::from(order + 1 + 2 * width.saturating_sub(order));
            (0..).zip(&widths).map(cost).sum::<u64>()
        };
        let order = (0..=MAX_ORDER).min_by_key(|&order| bits(order)).unwrap_or(0);
        let closing = closing_gap(marks, length);
        let (least, greatest) = marks.gaps().unwrap_or((closing, closing));
        let (least, spread) = (u64::from(least), u64::from(greatest.max(closing) - least));
        // A bucket is at least as large as the least gap.
        let min_scale = width_of(least - 1);
        let mean = progressions / u64::from(MAX_PROGRESSIONS);
        let scale = width_of((length - 1) / mean.max(1)).max(min_scale);
        let mut layout = Self { marks, length, least, spread, scale, order, base: 0, changes: 0 };
        while !layout.measure() && layout.scale > min_scale {
            layout.scale -= 1;
        }
        layout
    }

    /// Measures `base` and `changes`. Returns false if a bucket has too many progressions.
    fn measure(&mut self) -> bool {
        let (mut base_max, mut bits, mut progressions) = (0, 0, 0);
        let measured = self.each(|item| {
            match item {
                Item::Entry { base, .. } => {
                    base_max = base_max.max(base);
                    progressions = 1;
                }
                Item::Change { gaps, .. } => {
                    bits += u64::from(self.bits_of(gaps));
                    progressions += 1;
                }
            }
            if progressions <= MAX_PROGRESSIONS { Ok(()) } else { Err(()) }
        });
        (self.base, self.changes) = (base_max, bits);
        measured.is_ok()
    }

    pub(super) fn least(&self) -> u64 {
        self.least
    }

    fn buckets(&self) -> u64 {
        self.length.div_ceil(1 << self.scale)
    }

    /// Returns the widths of the fields of an entry, which has at least one bit.
    fn widths(&self) -> [u32; 3] {
        [self.changes, self.base.max(1), self.spread].map(width_of)
    }

    /// Returns the number of bits of the code of a gap that differs from the gap before.
    fn next_code(&self) -> u32 {
        width_of(self.spread.saturating_sub(1))
    }

    /// Returns the number of zeros with which the code of this number of gaps begins.
    fn zeros(&self, gaps: u64) -> u32 {
        width_of(((gaps - 1) >> self.order) + 1) - 1
    }

    /// Returns the number of bits of a change after this number of gaps.
    fn bits_of(&self, gaps: u64) -> u32 {
        2 * self.zeros(gaps) + 1 + self.order + self.next_code()
    }

    /// Returns the number of bits of the list; the greatest u64 if its entries would be too wide.
    pub(super) fn bits(&self) -> u64 {
        let [begun, base, code] = self.widths();
        if 2 * begun + base + code > MAX_ENTRY_BITS {
            return u64::MAX;
        }
        (self.buckets() + 1) * u64::from(begun + base + code) + self.changes
    }

    /// Calls `visit` with each item, until it returns an error.
    fn each<E>(&self, mut visit: impl FnMut(Item) -> Result<(), E>) -> Result<(), E> {
        let size = 1_u64 << self.scale;
        // The end of the current bucket, and the last mark in it whose gap is stored.
        let (mut end, mut stated) = (0, 0);
        let mut start = u64::from(self.marks.first());
        let mut before = 0;
        let closing = EqualGaps { gap: closing_gap(self.marks, self.length), gaps: 1 };
        for EqualGaps { gap, gaps } in self.marks.progressions().chain([closing]) {
            let (gap, gaps) = (u64::from(gap), u64::from(gaps));
            let last = start + (gaps - 1) * gap;
            if start < end && gap != before {
                visit(Item::Change { gaps: (start - stated) / before, from: before, to: gap })?;
                stated = start;
            }
            // The buckets whose first mark lies in this progression, and those without marks before it.
            while last >= end {
                let mark = start + end.saturating_sub(start).div_ceil(gap) * gap;
                visit(Item::Entry { base: (mark - end).min(size), gap })?;
                (stated, end) = (mark, end + size);
            }
            (start, before) = (last + gap, gap);
        }
        let buckets_left = self.buckets() - end / size;
        (0..buckets_left).try_for_each(|_| visit(Item::Entry { base: size, gap: self.least }))
    }

    /// Packs the list.
    pub(super) fn pack(&self) -> Result<PackedList, GenerateError> {
        let (mut bits, mut changes) = (BitWriter::default(), BitWriter::default());
        let [begun, base_width, code] = self.widths();
        self.each(|item| -> Result<(), GenerateError> {
            match item {
                Item::Entry { base, gap } => {
                    bits.push(changes.len(), begun)?;
                    bits.push(base, base_width)?;
                    bits.push(gap - self.least, code)?;
                }
                Item::Change { gaps, from, to } => {
                    let zeros = self.zeros(gaps);
                    changes.push(1 << zeros, zeros + 1)?;
                    changes.push(gaps - 1 - (((1 << zeros) - 1) << self.order), zeros + self.order)?;
                    let next = to - self.least - u64::from(to > from);
                    changes.push(next, self.next_code())?;
                }
            }
            Ok(())
        })?;
        bits.push(changes.len(), begun)?;
        bits.push_same(false, u64::from(base_width + code))?;
        bits.append(&changes)?;
        let fields = [
            self.buckets(),
            self.scale.into(),
            begun.into(),
            base_width.into(),
            self.least,
            self.spread,
            self.order.into(),
        ];
        Ok(PackedList { bits, fields })
    }
}
