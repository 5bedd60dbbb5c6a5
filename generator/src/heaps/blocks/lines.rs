//! All lines, packed from memory.

use std::ops::Range;

use bouton_tables::heaps::{Heap, Ranks};

use super::block::Size;
use super::cell::{Cell, Pair};
use super::layout::Layout;
use super::runs::Runs;
use crate::GenerateError;
use crate::heaps::groups::{OfLayer, Source, View};
use crate::heaps::line::{Line, greatest_beside};
use crate::heaps::pack::Target;

/// How what was solved of lines is read.
#[derive(Clone, Copy)]
pub(super) struct Read<C> {
    pub(super) pair: Pair<C>,
    /// Whether the table has depths.
    pub(super) depths: bool,
    /// The size that means that there is no lost position.
    pub(super) none: Heap,
}

impl<C: Cell> Read<C> {
    /// The lost position of a line, by its cell and the size of the heap in it.
    #[inline(always)]
    pub(super) fn target<S: Size>(self, (cell, size): (C, S)) -> Target {
        if cell >= C::default() {
            return Target { size: self.none, deeper: 0, tries: 0 };
        }
        let (deeper, tries) = if self.depths { self.pair.of_lost(cell) } else { (0, 0) };
        Target { size: size.get(), deeper, tries }
    }
}

/// Calls `visit` for each size of a further heap that fits beside others, of which there is one at least, from 0 up: with the heap
/// that is then one of the two greatest, besides the greatest of the others, and with the rank of the rest.
#[inline(always)]
pub(super) fn each_beside(layout: &Layout, others: &[Heap], mut visit: impl FnMut(Heap, usize)) {
    let most = greatest_beside(&layout.lines, others);
    // A heap that is less than the second lies behind both; a greater one before that, where the rest stays as it is.
    let mut from = 0;
    if let [_, second, further @ ..] = others {
        let behind = Line::new(&layout.rest, further);
        behind.ranks_to((*second).min(most)).for_each(|rank| visit(*second, rank as usize));
        from = second + 1;
    }
    let of_rest = layout.rest.rank(&others[1..]) as usize;
    (from..=most).for_each(|size| visit(size, of_rest));
}

/// The cells and the sizes of a block.
type Numbers<'a, C, S> = (&'a [C], &'a [S]);

/// What is known of all lines.
pub(super) struct Lines<'a, C, S> {
    pub(super) layout: &'a Layout,
    pub(super) read: Read<C>,
    /// Of each block the cells and the sizes, and how many lines of a layer it has.
    pub(super) blocks: Vec<(Numbers<'a, C, S>, usize)>,
    pub(super) runs: Runs,
}

impl<C: Cell, S: Size> Lines<'_, C, S> {
    /// The lost position of a line of a block.
    #[inline(always)]
    fn target(&self, layer: u64, block: usize, at: usize) -> Target {
        let ((cells, sizes), lines) = self.blocks[block];
        let at = layer as usize * lines + at;
        self.read.target((cells[at], sizes[at]))
    }
}

/// Where the lines of one heap and others begin, of which the others are kept.
#[derive(Default)]
pub(super) struct Beginnings {
    of: Option<Heap>,
    /// By the size of the heap, block and place.
    at: Vec<(usize, usize)>,
}

impl<C: Cell, S: Size> Source<Target> for Lines<'_, C, S> {
    type View<'a>
        = OfLayer<'a, Self>
    where
        Self: 'a;

    fn ranks(&self) -> &Ranks {
        &self.layout.lines
    }

    fn each(
        &self,
        layer: u64,
        ranks: Range<u64>,
        visit: &mut impl FnMut(Target),
    ) -> Result<(), GenerateError> {
        self.runs.each(ranks, |block, places| {
            places.for_each(|at| visit(self.target(layer, block, at)));
        });
        Ok(())
    }

    fn view(&self, layer: u64, _: &Range<u64>) -> Result<OfLayer<'_, Self>, GenerateError> {
        Ok(OfLayer { source: self, layer })
    }
}

impl<C: Cell, S: Size> View<Target> for OfLayer<'_, Lines<'_, C, S>> {
    type Scratch = Beginnings;

    #[inline]
    fn beside(&self, others: &[Heap], scratch: &mut Beginnings, visit: &mut impl FnMut(Target)) {
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
            // Pairs that do not fit are not asked for.
            let begin = |size: Heap| match size.min(*first) <= layout.bound(1) {
                true => layout.begin([size.max(*first), size.min(*first)]),
                false => (0, 0),
            };
            scratch.at.extend((0..=layout.lines.bound(0)).map(begin));
        }
        each_beside(layout, others, |second, in_rest| {
            let (block, begins) = scratch.at[second as usize];
            visit(lines.target(*layer, block, begins + in_rest));
        });
    }
}
