//! Source of all lines for packing, from blocks in memory.

use std::ops::Range;

use bouton_tables::heaps::{Heap, Ranks};

use super::block::HeapSize;
use super::cell::{LineCell, LineCode};
use super::layout::LineLayout;
use super::line_runs::LineRuns;
use crate::GenerateError;
use crate::heaps::line::{HeapLine, greatest_with};
use crate::heaps::multisets::{LayerView, MultisetSource, SectionView};
use crate::heaps::pack::LostTarget;

/// Converts cells and sizes to lost positions.
#[derive(Clone, Copy)]
pub(super) struct LineReader<C> {
    pub(super) code: LineCode<C>,
    /// The table stores depths.
    pub(super) depths: bool,
    /// The size that means that there is no lost position.
    pub(super) none: Heap,
}

impl<C: LineCell> LineReader<C> {
    /// The lost position of a line, by its cell and the size of the heap in it.
    #[inline(always)]
    pub(super) fn target<S: HeapSize>(self, (cell, size): (C, S)) -> LostTarget {
        if cell >= C::default() {
            return LostTarget { size: self.none, deeper: 0, tries: 0 };
        }
        let (deeper, tries) = if self.depths { self.code.read_lost(cell) } else { (0, 0) };
        LostTarget { size: size.get(), deeper, tries }
    }
}

/// Visits the lines after adding a heap of size 0, 1, 2, ... to `others`, of which there is at least one. `visit` gets
/// the heap that, with the greatest of the others, makes the two greatest heaps, and the rank of the rest.
#[inline(always)]
pub(super) fn each_with_heap(layout: &LineLayout, others: &[Heap], mut visit: impl FnMut(Heap, usize)) {
    let most = greatest_with(&layout.lines, others);
    // A heap that is less than the second lies behind both; a greater one before that, where the rest stays as it is.
    let mut from = 0;
    if let [_, second, further @ ..] = others {
        let behind = HeapLine::new(&layout.rest, further);
        behind.ranks_to((*second).min(most)).for_each(|rank| visit(*second, rank as usize));
        from = second + 1;
    }
    let of_rest = layout.rest.rank(&others[1..]) as usize;
    (from..=most).for_each(|size| visit(size, of_rest));
}

/// The cells and the sizes of a block.
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

/// Cache of the first places of lines with a given heap.
#[derive(Default)]
pub(super) struct LineStarts {
    of: Option<Heap>,
    /// By the size of the heap, block and place.
    at: Vec<(usize, usize)>,
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
        self.runs.each(ranks, |block, places| {
            places.for_each(|at| visit(self.target(layer, block, at)));
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
            return lines.runs.each(all, |block, places| {
                places.for_each(|at| visit(lines.target(*layer, block, at)));
            });
        };
        if scratch.of != Some(*first) {
            scratch.of = Some(*first);
            scratch.at.clear();
            // No lookup asks for pairs that do not fit.
            let begin = |size: Heap| match size.min(*first) <= layout.bound(1) {
                true => layout.begin([size.max(*first), size.min(*first)]),
                false => (0, 0),
            };
            scratch.at.extend((0..=layout.lines.bound(0)).map(begin));
        }
        each_with_heap(layout, others, |second, in_rest| {
            let (block, begins) = scratch.at[second as usize];
            visit(lines.target(*layer, block, begins + in_rest));
        });
    }
}
