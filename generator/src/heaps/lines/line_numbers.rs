//! The numbers of the lines of a block: for each line, the cell ([`cell`](super::cell)), and the size of the line's own
//! heap in its lost position.

use bouton_tables::heaps::Heap;

use crate::heaps::frame::block::{Block, LANES, Lanes};
use crate::heaps::frame::numbers::Number;

/// The cells and sizes of a block's lines: those without passes left first, then those with one, and so on.
pub(super) struct LineNumbers<'a, C, S> {
    /// Number of lines in a layer.
    lines: usize,
    /// Padded at the end, so that `LANES` cells can be read from any line on.
    cells: &'a mut [C],
    /// Valid only for lines with a lost position, whose cell is negative. Empty if cells contain the sizes.
    sizes: &'a mut [S],
}

impl<'a, C: Number, S: Number> LineNumbers<'a, C, S> {
    pub(super) fn new(block: &'a mut Block) -> Self {
        let lines = block.shape().cells as usize;
        let (cells, sizes) = block.numbers_mut();
        Self { lines, cells, sizes }
    }

    #[inline(always)]
    pub(super) fn cell(&self, layer: usize, line: usize) -> C {
        self.cells[layer * self.lines + line]
    }

    /// Returns the `LANES` cells from a line on.
    #[inline(always)]
    pub(super) fn lanes(&self, layer: usize, line: usize) -> &Lanes<C> {
        self.cells[layer * self.lines + line..].first_chunk::<LANES>().expect("the cells are padded")
    }

    #[inline(always)]
    pub(super) fn lanes_mut(&mut self, layer: usize, line: usize) -> &mut Lanes<C> {
        self.cells[layer * self.lines + line..].first_chunk_mut::<LANES>().expect("the cells are padded")
    }

    pub(super) fn set_cell(&mut self, layer: usize, line: usize, cell: C) {
        self.cells[layer * self.lines + line] = cell;
    }

    /// Stores the cell of a line, and the size of the heap in its lost position. If the cell has no lost position, the
    /// size has no meaning.
    pub(super) fn set_lost(&mut self, layer: usize, line: usize, cell: C, size: Heap) {
        let at = layer * self.lines + line;
        self.cells[at] = cell;
        self.sizes[at] = S::new(size.into());
    }
}
