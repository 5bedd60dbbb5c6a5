//! The source of all lines for packing, from blocks in memory.
//!
//! Its values are the lost positions of lines, which are looked up by the heaps of a line ([`MultisetSource`]): from the
//! two greatest heaps follow the block, and the index of the first line with these; the rank of the other heaps is added
//! to that index.

use std::ops::Range;

use bouton_tables::heaps::{Heap, Ranks};

use super::cell::{LineCell, LineCode};
use super::layout::LineLayout;
use super::line_numbers::HeapSize;
use super::line_runs::LineRuns;
use crate::heaps::classes::multisets::{LayerView, MultisetSource, SectionView};
use crate::heaps::classes::pack::LostTarget;
use crate::heaps::line::{HeapLine, greatest_with};
use crate::making::GenerateError;

/// Converts cells and sizes to lost positions.
#[derive(Clone, Copy)]
pub(super) struct LineReader<C> {
    pub(super) code: LineCode<C>,
    /// The table stores depths.
    pub(super) depths: bool,
    /// The size that stands for no lost position.
    pub(super) none: Heap,
}

impl<C: LineCell> LineReader<C> {
    /// Returns the lost position of a line with this cell and size.
    #[inline(always)]
    pub(super) fn target<S: HeapSize>(self, (cell, size): (C, S)) -> LostTarget {
        if cell >= C::default() {
            return LostTarget { size: self.none, deeper: 0, best_take: 0 };
        }
        let (deeper, best_take) = if self.depths { self.code.read_lost(cell) } else { (0, 0) };
        LostTarget { size: size.get(), deeper, best_take }
    }
}

/// Visits the lines after adding a heap of size 0, 1, 2, ... to `others`, which has at least one heap. The greatest of
/// the others is one of the line's two greatest heaps; `visit` gets the other one, and the rank of the rest.
#[inline(always)]
pub(super) fn each_with_heap(layout: &LineLayout, others: &[Heap], mut visit: impl FnMut(Heap, usize)) {
    let greatest = greatest_with(&layout.lines, others);
    // A heap up to the second one is in the rest. A greater heap is one of the two greatest, and the rest is constant.
    let mut from = 0;
    if let [_, second, further @ ..] = others {
        let rest = HeapLine::new(&layout.rest, further);
        rest.ranks_to((*second).min(greatest)).for_each(|rank| visit(*second, rank as usize));
        from = second + 1;
    }
    let rest = layout.rest.rank(&others[1..]) as usize;
    (from..=greatest).for_each(|size| visit(size, rest));
}

/// Cells and sizes of a block.
type CellsAndSizes<'a, C, S> = (&'a [C], &'a [S]);

/// All lines, in memory.
pub(super) struct MemoryLines<'a, C, S> {
    pub(super) layout: &'a LineLayout,
    pub(super) read: LineReader<C>,
    /// For each block: cells, sizes, and lines in a layer.
    pub(super) blocks: Vec<(CellsAndSizes<'a, C, S>, usize)>,
    pub(super) runs: LineRuns,
}

impl<C: LineCell, S: HeapSize> MemoryLines<'_, C, S> {
    #[inline(always)]
    fn target(&self, layer: u64, block: usize, at: usize) -> LostTarget {
        let ((cells, sizes), lines) = self.blocks[block];
        let at = layer as usize * lines + at;
        self.read.target((cells[at], sizes[at]))
    }
}

/// Cache: where the lines with a given heap and a second one begin.
#[derive(Default)]
pub(super) struct LineStarts {
    /// The given heap.
    heap: Option<Heap>,
    /// For each size of the second heap, the block, and the index of the first line.
    starts: Vec<(usize, usize)>,
}

impl<C: LineCell, S: HeapSize> MultisetSource<LostTarget> for MemoryLines<'_, C, S> {
    type View<'a>
        = LayerView<'a, Self>
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
        self.runs.each(ranks, |block, lines| {
            lines.for_each(|line| visit(self.target(layer, block, line)));
        });
        Ok(())
    }

    fn view(&self, layer: u64, _: &Range<u64>) -> Result<LayerView<'_, Self>, GenerateError> {
        Ok(LayerView { source: self, layer })
    }
}

impl<C: LineCell, S: HeapSize> SectionView<LostTarget> for LayerView<'_, MemoryLines<'_, C, S>> {
    type Scratch = LineStarts;

    #[inline]
    fn with_each_size(&self, others: &[Heap], scratch: &mut LineStarts, visit: &mut impl FnMut(LostTarget)) {
        let Self { source: lines, layer } = self;
        let layout = lines.layout;
        let [first, ..] = others else {
            let all = 0..layout.lines.count();
            return lines.runs.each(all, |block, range| {
                range.for_each(|line| visit(lines.target(*layer, block, line)));
            });
        };
        if scratch.heap != Some(*first) {
            scratch.heap = Some(*first);
            scratch.starts.clear();
            // No lookup asks for pairs that do not fit.
            let start = |size: Heap| match size.min(*first) <= layout.ranges.bound(1) {
                true => layout.first_line([size.max(*first), size.min(*first)]),
                false => (0, 0),
            };
            scratch.starts.extend((0..=layout.lines.bound(0)).map(start));
        }
        each_with_heap(layout, others, |second, in_rest| {
            let (block, first_line) = scratch.starts[second as usize];
            visit(lines.target(*layer, block, first_line + in_rest));
        });
    }
}
