//! Packs lists of marks (FORMAT.md, section 4.3): progressions in blocks.
//!
//! A list is cut into blocks of up to [`MAX_PROGRESSIONS`] progressions. A block stores its first mark, the gap after it,
//! and the *changes* of gap within it: after how many gaps, and the new gap. For example, with blocks of two progressions
//! the marks 2, 5, 8, 12, 16, 19 become two blocks: mark 2, gap 3, and after two gaps the gap 4; then mark 16 and gap 3.

use std::convert::Infallible;
use std::sync::Arc;

use bouton_tables::expanding::MAX_PROGRESSIONS;
use bouton_tables::format::{BitWriter, width_of};

use crate::expanding::marks::{EqualGaps, Marks};
use crate::making::GenerateError;

/// Maximum order of the code of a number of gaps, so that the code of any number below 2^40 can be read.
const MAX_ORDER: u32 = 39;

/// A packed list of marks.
#[derive(Debug)]
pub(super) struct PackedList {
    bits: BitWriter,
    /// The fields of the list's record, except its first bit in the pool.
    pub(super) fields: [u64; 6],
}

impl PackedList {
    /// Returns the number of bits.
    pub(super) fn len(&self) -> u64 {
        self.bits.len()
    }

    pub(super) fn write(&self, pool: &mut BitWriter) -> Result<(), GenerateError> {
        Ok(pool.append(&self.bits)?)
    }
}

/// The division of a list of marks into blocks, with the names of FORMAT.md.
pub(super) struct BlockLayout<'a> {
    marks: &'a Marks,
    /// The gap after the last mark, which leads beyond the line, unless the last gap does so too.
    closing: Option<EqualGaps>,
    least: u64,
    spread: u64,
    order: u32,
    blocks: u64,
    /// Greatest first mark of a block.
    start: u64,
    /// Number of bits of all changes.
    changes: u64,
}

/// A part of a list.
enum Item {
    /// The first mark of a block, and the gap after it.
    Entry { start: u64, gap: u64 },
    /// After this number of gaps, the gap changes from one value to another.
    Change { gaps: u64, from: u64, to: u64 },
}

impl<'a> BlockLayout<'a> {
    /// Returns the division for the places below `length`.
    pub(super) fn new(marks: &'a Arc<Marks>, length: u64) -> Self {
        // For each width, how many progressions have a number of gaps, less one, of this width.
        let mut widths = [0_u64; 41];
        for EqualGaps { gaps, .. } in marks.progressions() {
            widths[width_of(gaps - 1) as usize] += 1;
        }
        let bits = |order: u32| {
            let cost =
                |(width, count): (u32, &u64)| count * u64::from(order + 1 + 2 * width.saturating_sub(order));
            (0..).zip(&widths).map(cost).sum::<u64>()
        };
        let order = (0..=MAX_ORDER).min_by_key(|&order| bits(order)).unwrap_or(0);
        let closing_gap = marks.last_gap().max(length.saturating_sub(marks.last())).max(1);
        let (least, greatest) = marks.gaps().unwrap_or((closing_gap, closing_gap));
        let spread = greatest.max(closing_gap) - least;
        let closing = (closing_gap > marks.last_gap()).then_some(EqualGaps { gap: closing_gap, gaps: 1 });
        let mut layout = Self { marks, closing, least, spread, order, blocks: 0, start: 0, changes: 0 };
        let (mut blocks, mut last_start, mut changes) = (0, 0, 0);
        let Ok(()) = layout.each(|item| -> Result<(), Infallible> {
            match item {
                Item::Entry { start, .. } => (blocks, last_start) = (blocks + 1, start),
                Item::Change { gaps, .. } => changes += u64::from(layout.bits_of(gaps)),
            }
            Ok(())
        });
        (layout.blocks, layout.start, layout.changes) = (blocks, last_start, changes);
        layout
    }

    /// Returns true if every gap that a code can stand for has at most 32 bits, as a reader requires.
    pub(super) fn fits(&self) -> bool {
        self.least.saturating_add(1 << width_of(self.spread)) <= u32::MAX.into()
    }

    pub(super) fn least(&self) -> u64 {
        self.least
    }

    /// Returns the widths of the fields of an entry, which has at least one bit.
    fn widths(&self) -> [u32; 3] {
        [self.start.max(1), self.spread, self.changes].map(width_of)
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

    /// Returns the number of bits of the list.
    pub(super) fn bits(&self) -> u64 {
        (self.blocks + 1) * u64::from(self.widths().iter().sum::<u32>()) + self.changes
    }

    /// Calls `visit` with each item, until it returns an error.
    fn each<E>(&self, mut visit: impl FnMut(Item) -> Result<(), E>) -> Result<(), E> {
        let mut start = self.marks.first();
        let mut before = EqualGaps::default();
        for (number, progression) in (0_u32..).zip(self.marks.progressions().chain(self.closing)) {
            let gap = progression.gap;
            visit(if number.is_multiple_of(MAX_PROGRESSIONS) {
                Item::Entry { start, gap }
            } else {
                Item::Change { gaps: before.gaps, from: before.gap, to: gap }
            })?;
            start += gap * progression.gaps;
            before = progression;
        }
        Ok(())
    }

    /// Packs the list.
    pub(super) fn pack(&self) -> Result<PackedList, GenerateError> {
        let (mut bits, mut changes) = (BitWriter::default(), BitWriter::default());
        let [start_width, code, begun] = self.widths();
        self.each(|item| -> Result<(), GenerateError> {
            match item {
                Item::Entry { start, gap } => {
                    bits.push(start, start_width)?;
                    bits.push(gap - self.least, code)?;
                    bits.push(changes.len(), begun)?;
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
        bits.push_same(false, u64::from(start_width + code))?;
        bits.push(changes.len(), begun)?;
        bits.append(&changes)?;
        let fields =
            [self.blocks, start_width.into(), begun.into(), self.least, self.spread, self.order.into()];
        Ok(PackedList { bits, fields })
    }
}
