//! The source of all lines for packing, from blocks in memory or in a work folder.
//!
//! A value is the lost position of a line, looked up by the heaps of the line ([`MultisetSource`]). The two greatest
//! heaps determine the block, and the index of the first line with these heaps. The rank of the other heaps is added to
//! this index.
//!
//! From a folder, a *section* is all multisets with the same greatest heap, and with the second heap in one range. Adding
//! a further heap to them gives lines that are adjacent in blocks: one *piece* of a block for each size of the further
//! heap that is greater than the second heap, and one piece for all other sizes. Example: from the section 20,8 to 20,15,
//! a heap of 17 leads to lines that begin with 20,17; a heap of 2 leads to lines that begin with 20,8 to 20,15. Only the
//! pieces of one section are in memory at a time.

use std::ops::Range;

use bouton_tables::heaps::{Heap, Ranks};

use super::layout::LineLayout;
use super::rows::RowKernel;
use crate::heaps::classes::multisets::{MultisetSource, SectionQuery, SectionView, ValueBuffer};
use crate::heaps::classes::pack::LostTarget;
use crate::heaps::frame::block::Block;
use crate::heaps::frame::heap_ranges::TASK_HEAPS;
use crate::heaps::frame::partition::Partition;
use crate::heaps::line::{HeapLine, greatest_with};
use crate::making::GenerateError;
use crate::memory::{Grow, room};
use crate::parallel;
use crate::work::WorkFolder;

/// All lines of a game. With a folder, the game has at least four heaps.
pub(super) struct Lines<'a, K> {
    pub(super) kernel: &'a K,
    pub(super) layout: &'a LineLayout,
    /// All blocks, if they are in memory.
    pub(super) blocks: &'a [Option<Block>],
    /// The folder with all blocks, if they are not in memory.
    pub(super) folder: Option<&'a WorkFolder>,
}

/// Adjacent lines of a layer of a block, read from a file.
struct LinePiece<K: RowKernel> {
    /// Index of the first line in the block.
    first: usize,
    cells: Vec<K::Cell>,
    /// The size of the line's own heap in each lost position. Empty if the cells contain these sizes.
    sizes: Vec<K::Size>,
}

impl<'a, K: RowKernel> Lines<'a, K> {
    /// Returns the lost position of the line at an index. A size above all bounds stands for none.
    #[inline(always)]
    fn target(&self, cells: &[K::Cell], sizes: &[K::Size], at: usize) -> LostTarget {
        let none = LostTarget { size: self.layout.ranges.bound(0) + 1, deeper: 0, best_take: 0 };
        self.kernel.target(cells[at], sizes.get(at).copied()).unwrap_or(none)
    }

    /// Returns the cells and sizes of a block in memory, from a line of a layer on.
    fn numbers(&self, layer: u64, block: usize, line: usize) -> (&'a [K::Cell], &'a [K::Size]) {
        self.blocks[block].as_ref().map_or((&[], &[]), |block| {
            let (cells, sizes) = block.numbers();
            let at = (layer * block.shape().cells) as usize + line;
            (&cells[at..], sizes.get(at..).unwrap_or(&[]))
        })
    }

    fn read(
        &self,
        folder: &WorkFolder,
        layer: u64,
        block: usize,
        lines: Range<usize>,
    ) -> Result<LinePiece<K>, GenerateError> {
        let (shape, name) = (self.layout.shape(block), self.layout.name(block));
        let (first, lines) = (lines.start, lines.start as u64..lines.end as u64);
        let cells = shape.read_cells(folder, &name, layer, lines.clone())?;
        let sizes = match shape.widths[1] {
            0 => Vec::new(),
            _ => shape.read_sizes(folder, &name, layer, lines)?,
        };
        Ok(LinePiece { first, cells, sizes })
    }

    /// Returns the section with these two greatest heaps: its greatest heap, and its second heaps.
    fn heaps_of_section(&self, first: Heap, second: Heap) -> (Heap, Range<Heap>) {
        let seconds = self.layout.ranges.sizes(1, self.layout.ranges.range(second));
        (first, seconds.start..seconds.end.min(first + 1))
    }

    /// Returns the lines whose two greatest heaps are those of the section: their block, and their places in it.
    fn lines_without_greater(&self, (first, seconds): (Heap, Range<Heap>)) -> (usize, Range<usize>) {
        let ranges = [first, seconds.start].map(|heap| self.layout.ranges.range(heap));
        let at = |second: Heap| self.layout.offset(ranges, [first, second]);
        (self.layout.block(ranges), at(seconds.start)..at(seconds.end))
    }

    /// Returns the block, and in it the lines, with a further heap of `size` that is greater than the section's second
    /// heap. `None` if no such line fits.
    fn lines_with_greater(
        &self,
        (first, seconds): (Heap, Range<Heap>),
        size: Heap,
    ) -> Option<(usize, Range<usize>)> {
        let (layout, rest) = (self.layout, &self.layout.rest);
        let pair = [size.max(first), size.min(first)];
        // The section's second heap comes third in the line, so it is no greater than the heaps before it.
        let end = seconds.end.min(pair[1] + 1).min(rest.bound(0) + 1);
        if pair[1] > layout.ranges.bound(1) || seconds.start >= end {
            return None;
        }
        let (block, first_line) = layout.first_line(pair);
        let at = |third: Heap| first_line + rest.part(0, third) as usize;
        Some((block, at(seconds.start)..at(end)))
    }
}

/// Returns the maximum bytes of a section in a folder.
pub(super) fn greatest_section(layout: &LineLayout) -> u64 {
    let rests = |second: Heap| layout.rest.part(0, second.min(layout.rest.bound(0)) + 1);
    let lines_in_section = |range: usize| {
        let seconds = layout.ranges.sizes(1, range);
        let Some(last) = seconds.clone().last() else { return 0 };
        let with_greater = rests(last) - layout.rest.part(0, seconds.start.min(layout.rest.bound(0)));
        let without_greater: u64 = seconds.map(rests).sum();
        without_greater.saturating_add(with_greater.saturating_mul(u64::from(layout.ranges.bound(0)) + 1))
    };
    let lines = (0..layout.ranges.count).map(lines_in_section).max().unwrap_or(0);
    lines.saturating_mul(layout.widths.iter().sum::<usize>() as u64)
}

impl<K: RowKernel> MultisetSource<LostTarget> for Lines<'_, K> {
    fn ranks(&self) -> &Ranks {
        &self.layout.lines
    }

    /// Lines with adjacent ranks are adjacent in a block, as long as the greatest heap stays, and the next heap stays
    /// in its range. Example, for ranges of 8 sizes: the lines with heaps 20,8 to 20,15, then those with 20,16 to
    /// 20,20.
    fn each(
        &self,
        layer: u64,
        ranks: Range<u64>,
        visit: &mut dyn FnMut(&[LostTarget]),
    ) -> Result<(), GenerateError> {
        let layout = self.layout;
        let stand_ins = layout.ranges.stand_ins;
        let mut buffer = ValueBuffer::new(visit)?;
        let own = layout.lines.unrank(ranks.start);
        let mut heaps = std::iter::repeat_n(layout.ranges.bound(0), stand_ins).chain(own.iter().copied());
        let [mut first, mut second] = std::array::from_fn(|_| heaps.next().unwrap_or(0));
        let mut in_rest = layout.rest.rank(&own[own.len().min(TASK_HEAPS - 1 - stand_ins)..]);
        let mut rank = ranks.start;
        while rank < ranks.end {
            let (end, adjacent) = layout.adjacent_lines([first, second]);
            let (block, first_line) = layout.first_line([first, second]);
            let at = first_line + in_rest as usize;
            let len = (adjacent - in_rest).min(ranks.end - rank) as usize;
            let read = self.folder.map(|folder| self.read(folder, layer, block, at..at + len)).transpose()?;
            let (cells, sizes) = match &read {
                None => self.numbers(layer, block, at),
                Some(LinePiece { cells, sizes, .. }) => (&cells[..], &sizes[..]),
            };
            buffer.add((0..len).map(|at| self.target(cells, sizes, at)));
            (rank, in_rest) = (rank + len as u64, 0);
            [first, second] =
                if end <= first.min(layout.ranges.bound(1)) { [first, end] } else { [first + 1, 0] };
        }
        buffer.hand_over();
        Ok(())
    }

    fn sections(&self, below: &Ranks) -> Result<Vec<Range<u64>>, GenerateError> {
        let mut sections = Vec::new();
        if self.folder.is_none() {
            sections.grow(0..below.count())?;
            return Ok(sections);
        }
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

    fn view(
        &self,
        layer: u64,
        section: &Range<u64>,
    ) -> Result<Box<dyn SectionView<LostTarget> + '_>, GenerateError> {
        let Some(folder) = self.folder else {
            return Ok(Box::new(LineSection { lines: self, layer, pieces: Vec::new() }));
        };
        let below = Ranks::try_new(&self.layout.ranges.own_bounds()[2..])?;
        let others = below.unrank(section.start);
        let heaps = self.heaps_of_section(others[0], others[1]);
        let read = |(block, lines)| self.read(folder, layer, block, lines);
        let sizes = self.layout.lines.bound(0) as usize + 1;
        let mut pieces = room(sizes as u64 + 1)?;
        pieces.push(Some(read(self.lines_without_greater(heaps.clone()))?));
        pieces.extend(parallel::map(sizes, |size| {
            self.lines_with_greater(heaps.clone(), size as Heap).map(read).transpose()
        })?);
        Ok(Box::new(LineSection { lines: self, layer, pieces }))
    }
}

/// The lines that arise from the multisets of a section by adding a heap.
struct LineSection<'a, K: RowKernel> {
    lines: &'a Lines<'a, K>,
    layer: u64,
    /// The lines with a further heap no greater than the second heap; then for each size of a further heap, the lines in
    /// which it is greater than the second heap. Empty if all blocks are in memory.
    pieces: Vec<Option<LinePiece<K>>>,
}

/// The lines with two given greatest heaps.
#[derive(Clone, Copy)]
struct LineStart<'a, C, S> {
    cells: &'a [C],
    sizes: &'a [S],
    /// The rank of the other heaps in the first of these lines.
    first_rest: usize,
}

impl<K: RowKernel> LineSection<'_, K> {
    /// Returns the lines whose two greatest heaps are `greatest` and `key`. With `is_second`, `key` is the second heap
    /// of the section's multisets; otherwise, it is the further heap.
    fn start(&self, greatest: Heap, key: Heap, is_second: bool) -> LineStart<'_, K::Cell, K::Size> {
        let layout = self.lines.layout;
        let nothing = LineStart { cells: &[], sizes: &[], first_rest: 0 };
        // No lookup asks for pairs that do not fit.
        if key.min(greatest) > layout.ranges.bound(1) {
            return nothing;
        }
        let (block, first_line) = layout.first_line([key.max(greatest), key.min(greatest)]);
        if self.pieces.is_empty() {
            let (cells, sizes) = self.lines.numbers(self.layer, block, first_line);
            return LineStart { cells, sizes, first_rest: 0 };
        }
        let piece = if is_second { 0 } else { 1 + key as usize };
        let Some(LinePiece { first, cells, sizes }) = &self.pieces[piece] else { return nothing };
        let at = first_line.saturating_sub(*first);
        LineStart {
            cells: &cells[at..],
            sizes: sizes.get(at..).unwrap_or(&[]),
            first_rest: first.saturating_sub(first_line),
        }
    }
}

impl<K: RowKernel> SectionView<LostTarget> for LineSection<'_, K> {
    fn query(&self) -> Result<Box<SectionQuery<'_, LostTarget>>, GenerateError> {
        let layout = self.lines.layout;
        // Cache: for each size of the further heap, the lines whose two greatest heaps are this heap and the greatest
        // of the other heaps.
        let (mut cached, mut starts) = (None, room(u64::from(layout.lines.bound(0)) + 1)?);
        Ok(Box::new(move |others, _, targets| {
            // In a game of two heaps, the greatest heap of a line is the stand-in.
            let (greatest, rest) = match others {
                [greatest, rest @ ..] if layout.ranges.stand_ins == 0 => (*greatest, rest),
                _ => (layout.ranges.bound(0), others),
            };
            if cached != Some(greatest) {
                cached = Some(greatest);
                starts.clear();
                starts.extend((0..=layout.lines.bound(0)).map(|size| self.start(greatest, size, false)));
            }
            let target = |start: &LineStart<'_, K::Cell, K::Size>, in_rest: usize| {
                self.lines.target(start.cells, start.sizes, in_rest - start.first_rest)
            };
            let last = greatest_with(&layout.lines, others);
            // A further heap up to the size of the second heap comes after it. A greater one is among the two greatest.
            let mut from = 0;
            if let [second, further @ ..] = rest {
                let start = self.start(greatest, *second, true);
                let line = HeapLine::new(&layout.rest, further);
                targets.extend(line.ranks_to((*second).min(last)).map(|rank| target(&start, rank as usize)));
                from = second + 1;
            }
            let in_rest = layout.rest.rank(rest) as usize;
            targets.extend((from..last + 1).map(|size| target(&starts[size as usize], in_rest)));
        }))
    }
}
