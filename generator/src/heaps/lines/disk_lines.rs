//! The source of all lines for packing, read from a work folder.
//!
//! A *section* is all multisets with the same greatest heap, and with the second heap in one range. Adding a further
//! heap to them gives lines that are adjacent in blocks: one *part* of a block for each size of the further heap that is
//! greater than the second heap, and one part for all other sizes. Example: from the section 20,8 to 20,15, a heap of 17
//! leads to lines that begin with 20,17; a heap of 2 leads to lines that begin with 20,8 to 20,15. Only the parts of one
//! section are in memory at a time.

use std::ops::Range;

use bouton_tables::heaps::{Heap, Ranks};

use super::cell::LineCell;
use super::layout::LineLayout;
use super::line_numbers::HeapSize;
use super::line_runs::LineRuns;
use super::memory_lines::{LineReader, each_with_heap};
use super::partition::LinePartition;
use crate::heaps::classes::multisets::{MultisetSource, SectionView};
use crate::heaps::classes::pack::LostTarget;
use crate::heaps::frame::partition::Partition;
use crate::making::GenerateError;
use crate::memory::Grow;
use crate::parallel;
use crate::work::WorkFolder;

/// Lines of a game of four heaps or more, in the files of a work folder.
pub(super) struct DiskLines<'a, C, S> {
    pub(super) layout: &'a LineLayout,
    pub(super) partition: LinePartition<'a, C, S>,
    pub(super) read: LineReader<C>,
    pub(super) runs: LineRuns,
    /// Ranks of the multisets with one heap less than lines.
    pub(super) below: Ranks,
    pub(super) folder: &'a WorkFolder,
}

/// Adjacent lines of a layer of a block.
struct LinePart<C, S> {
    /// Index of the first line in the block.
    first: usize,
    cells: Vec<C>,
    sizes: Vec<S>,
}

impl<C: LineCell, S: HeapSize> DiskLines<'_, C, S> {
    fn read(
        &self,
        layer: u64,
        ranges: [usize; 2],
        lines: Range<usize>,
    ) -> Result<LinePart<C, S>, GenerateError> {
        let block = self.layout.block(ranges);
        let (shape, name) = (self.partition.shape(block), self.partition.name(block));
        let (cells, sizes) = shape.read(self.folder, &name, layer, lines.start as u64..lines.end as u64)?;
        Ok(LinePart { first: lines.start, cells, sizes })
    }

    /// Returns the two greatest heaps of a section that contains the heaps `first` and `second`.
    fn heaps_of_section(&self, first: Heap, second: Heap) -> (Heap, Range<Heap>) {
        let seconds = self.layout.ranges.sizes(1, self.layout.ranges.range(second));
        (first, seconds.start..seconds.end.min(first + 1))
    }

    /// Returns the block, and in it the lines, whose two greatest heaps are those of the section.
    fn lines_without_greater(&self, (first, seconds): (Heap, Range<Heap>)) -> ([usize; 2], Range<usize>) {
        let ranges = [first, seconds.start].map(|heap| self.layout.ranges.range(heap));
        let at = |second: Heap| self.layout.offset(ranges, [first, second]);
        (ranges, at(seconds.start)..at(seconds.end))
    }

    /// Returns the block, and in it the lines, with a further heap of `size` that is greater than the section's second
    /// heap. `None` if no such line fits.
    fn lines_with_greater(
        &self,
        (first, seconds): (Heap, Range<Heap>),
        size: Heap,
    ) -> Option<([usize; 2], Range<usize>)> {
        let (layout, rest) = (self.layout, &self.layout.rest);
        let pair = [size.max(first), size.min(first)];
        // The section's second heap comes third in the line, so it is no greater than the heaps before it.
        let end = seconds.end.min(pair[1] + 1).min(rest.bound(0) + 1);
        if pair[1] > layout.ranges.bound(1) || seconds.start >= end {
            return None;
        }
        let ranges = pair.map(|heap| layout.ranges.range(heap));
        let at = |third: Heap| layout.offset(ranges, pair) + rest.part(0, third) as usize;
        Some((ranges, at(seconds.start)..at(end)))
    }
}

/// Returns the maximum bytes of a section.
pub(super) fn greatest_section<C: LineCell, S: HeapSize>(layout: &LineLayout) -> u64 {
    let rests = |second: Heap| layout.rest.part(0, second.min(layout.rest.bound(0)) + 1);
    let lines_in_section = |range: usize| {
        let seconds = layout.ranges.sizes(1, range);
        let Some(last) = seconds.clone().last() else { return 0 };
        let with_greater = rests(last) - layout.rest.part(0, seconds.start.min(layout.rest.bound(0)));
        let without_greater: u64 = seconds.map(rests).sum();
        without_greater.saturating_add(with_greater.saturating_mul(u64::from(layout.ranges.bound(0)) + 1))
    };
    let lines = (0..layout.ranges.count).map(lines_in_section).max().unwrap_or(0);
    lines.saturating_mul((C::BYTES + S::BYTES) as u64)
}

impl<C: LineCell, S: HeapSize> MultisetSource<LostTarget> for DiskLines<'_, C, S> {
    type View<'a>
        = LineSection<'a, C, S>
    where
        Self: 'a;

    fn ranks(&self) -> &Ranks {
        &self.layout.lines
    }

    fn each(
        &self,
        layer: u64,
        ranks: Range<u64>,
        visit: &mut impl FnMut(LostTarget),
    ) -> Result<(), GenerateError> {
        let mut done = Ok(());
        self.runs.each(ranks, |block, lines| {
            if done.is_err() {
                return;
            }
            let read = self.read(layer, self.layout.ranges_of(block), lines);
            done = read.map(|LinePart { cells, sizes, .. }| {
                cells.into_iter().zip(sizes).for_each(|line| visit(self.read.target(line)));
            });
        });
        done
    }

    fn sections(&self, below: &Ranks) -> Result<Vec<Range<u64>>, GenerateError> {
        let mut sections = Vec::new();
        for first in 0..=below.bound(0) {
            let mut second = 0;
            while second <= first.min(below.bound(1)) {
                let (_, seconds) = self.heaps_of_section(first, second);
                let rank = |second: Heap| below.part(0, first) + below.part(1, second);
                sections.grow(rank(second)..rank(seconds.end))?;
                second = seconds.end;
            }
        }
        Ok(sections)
    }

    fn view(&self, layer: u64, section: &Range<u64>) -> Result<LineSection<'_, C, S>, GenerateError> {
        let below = &self.below;
        let others = below.unrank(section.start);
        let heaps = self.heaps_of_section(others[0], others[1]);
        let (ranges, lines) = self.lines_without_greater(heaps.clone());
        let without_greater = self.read(layer, ranges, lines)?;
        let with_greater = parallel::map(self.layout.lines.bound(0) as usize + 1, |size| {
            let part = self.lines_with_greater(heaps.clone(), size as Heap);
            part.map(|(ranges, lines)| self.read(layer, ranges, lines)).transpose()
        })?;
        Ok(LineSection { lines: self, ranges, without_greater, with_greater: with_greater.collect() })
    }
}

/// The lines after adding a heap to the multisets of a section.
pub(super) struct LineSection<'a, C, S> {
    lines: &'a DiskLines<'a, C, S>,
    /// The ranges of the multisets' two greatest heaps.
    ranges: [usize; 2],
    /// The lines with a further heap no greater than the second heap.
    without_greater: LinePart<C, S>,
    /// For each size of a further heap, the lines in which it is greater than the second heap.
    with_greater: Vec<Option<LinePart<C, S>>>,
}

impl<C: LineCell, S: HeapSize> SectionView<LostTarget> for LineSection<'_, C, S> {
    type Scratch = ();

    #[inline]
    fn with_each_size(&self, others: &[Heap], (): &mut (), visit: &mut impl FnMut(LostTarget)) {
        let DiskLines { layout, read, .. } = *self.lines;
        let [first, second, ..] = others else { unreachable!("there are four heaps or more") };
        let own = layout.offset(self.ranges, [*first, *second]);
        each_with_heap(layout, others, |key, in_rest| {
            let (part, first_line) = if key == *second {
                (&self.without_greater, own)
            } else {
                let Some(part) = &self.with_greater[key as usize] else { unreachable!("it fits") };
                (part, layout.first_line([key.max(*first), key.min(*first)]).1)
            };
            let at = first_line + in_rest - part.first;
            visit(read.target((part.cells[at], part.sizes[at])));
        });
    }
}
