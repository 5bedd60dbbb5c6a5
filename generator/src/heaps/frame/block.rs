//! A block of solved positions or lines, in memory and in a file.
//!
//! A block has *cells*: numbers from which the result of a position or a line is read. It may have a second number for
//! each cell, the *size*. There is a *layer* of cells for each number of passes left. Example: a block of 10 positions in
//! a game with 1 pass has 20 cells, first those without passes left.

use std::marker::PhantomData;
use std::ops::Range;

use bytemuck::{cast_slice, cast_slice_mut};
use memmap2::MmapMut;

use super::numbers::{FileNumber, PAGE, pages, read_numbers, write_numbers};
use crate::making::GenerateError;
use crate::memory::room;
use crate::work::{WorkError, WorkFolder};

/// Cells that are computed at once.
pub(crate) const LANES: usize = 16;

/// One cell for each of `LANES` positions.
pub(crate) type Lanes<C> = [C; LANES];

/// The sizes begin at a multiple of this number of bytes, which suits every type of numbers.
const ALIGNMENT: usize = 8;

/// Bytes of a cell, and of its size; 0 if it has none.
pub(crate) type CellBytes = [usize; 2];

/// Dimensions of a block. Its file has the cells of all layers, then the sizes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockShape {
    /// Cells in a layer.
    pub(crate) cells: u64,
    pub(crate) layers: u64,
}

impl BlockShape {
    /// Returns the number of cells of all layers.
    fn all_cells(self) -> u64 {
        self.cells.saturating_mul(self.layers)
    }

    /// Returns the maximum bytes in memory, in whole pages. A block without cells counts as 0.
    pub(crate) fn memory_bytes(self, cell: CellBytes) -> u64 {
        if self.cells == 0 {
            return 0;
        }
        // Only the cells are padded. Padding counted for the sizes covers the bytes that `ALIGNMENT` adds; without
        // sizes, the rounding to pages covers them.
        let padded = self.all_cells().saturating_add(LANES as u64);
        let bytes = padded.saturating_mul(cell.iter().sum::<usize>() as u64);
        bytes.checked_next_multiple_of(PAGE).unwrap_or(u64::MAX)
    }

    /// Returns the length of the block's file without checksums.
    pub(crate) fn file_bytes(self, cell: CellBytes) -> u64 {
        self.all_cells() * cell.iter().sum::<usize>() as u64
    }

    /// Reads some cells of a layer from a file, and their sizes.
    pub(crate) fn read<C: FileNumber, S: FileNumber>(
        self,
        folder: &WorkFolder,
        name: &str,
        layer: u64,
        cells: Range<u64>,
    ) -> Result<(Vec<C>, Vec<S>), GenerateError> {
        let len = cells.end - cells.start;
        let (mut read, mut sizes) = (room(len)?, room(len)?);
        self.each_cell::<C, S>(folder, name, layer, cells.clone(), |cell| read.push(cell))?;
        let at =
            |cell: u64| self.all_cells() * C::BYTES as u64 + (layer * self.cells + cell) * S::BYTES as u64;
        let part = at(cells.start)..at(cells.end);
        folder.read(name, self.file_bytes([C::BYTES, S::BYTES]), part, &mut |bytes| {
            sizes.extend(S::take(bytes));
        })?;
        Ok((read, sizes))
    }

    /// Visits some cells of a layer in a file.
    pub(crate) fn each_cell<C: FileNumber, S: FileNumber>(
        self,
        folder: &WorkFolder,
        name: &str,
        layer: u64,
        cells: Range<u64>,
        mut visit: impl FnMut(C),
    ) -> Result<(), GenerateError> {
        let at = |cell: u64| (layer * self.cells + cell) * C::BYTES as u64;
        let part = at(cells.start)..at(cells.end);
        // `read` passes the bytes piece by piece. No number spans two pieces, as its width divides their length.
        folder.read(name, self.file_bytes([C::BYTES, S::BYTES]), part, &mut |bytes| {
            C::take(bytes).for_each(&mut visit);
        })?;
        Ok(())
    }
}

/// A block in memory. It owns its pages, so dropping it returns all its memory to the system. `S` is `()` if there are no
/// sizes.
pub(crate) struct Block<C, S> {
    shape: BlockShape,
    pages: MmapMut,
    numbers: PhantomData<(C, S)>,
}

impl<C: FileNumber, S: FileNumber> Block<C, S> {
    /// Returns an unsolved block.
    pub(crate) fn new(shape: BlockShape) -> Result<Self, GenerateError> {
        Ok(Self { shape, pages: pages(shape.memory_bytes([C::BYTES, S::BYTES]))?, numbers: PhantomData })
    }

    pub(crate) fn shape(&self) -> BlockShape {
        self.shape
    }

    /// Returns the bytes of the cells with their padding, and of the sizes.
    fn parts_len(&self) -> (usize, usize) {
        let all = self.shape.all_cells() as usize;
        (((all + LANES) * C::BYTES).next_multiple_of(ALIGNMENT), all * S::BYTES)
    }

    /// Returns the cells of all layers, padded at the end so that `LANES` cells can be read from any one on.
    pub(crate) fn cells(&self) -> &[C] {
        cast_slice(&self.pages[..self.parts_len().0])
    }

    pub(crate) fn cells_mut(&mut self) -> &mut [C] {
        let (cells, _) = self.parts_len();
        cast_slice_mut(&mut self.pages[..cells])
    }

    /// Returns the cells from a layer on.
    pub(crate) fn layer(&self, layer: u64) -> &[C] {
        &self.cells()[(layer * self.shape.cells) as usize..]
    }

    /// Returns the padded cells and the sizes of all layers. `S` must not be `()`.
    pub(crate) fn numbers(&self) -> (&[C], &[S]) {
        let (cells, sizes) = self.parts_len();
        let (cells, rest) = self.pages.split_at(cells);
        (cast_slice(cells), cast_slice(&rest[..sizes]))
    }

    /// Returns the padded cells and the sizes of all layers. `S` must not be `()`.
    pub(crate) fn numbers_mut(&mut self) -> (&mut [C], &mut [S]) {
        let (cells, sizes) = self.parts_len();
        let (cells, rest) = self.pages.split_at_mut(cells);
        (cast_slice_mut(cells), cast_slice_mut(&mut rest[..sizes]))
    }

    /// Returns the content as it is sent to another MPI rank, cells and sizes: the bytes of the file, if the machine is
    /// little-endian.
    pub(crate) fn content(&self) -> [&[u8]; 2] {
        let (cells, sizes) = self.parts_len();
        let (cells, rest) = self.pages.split_at(cells);
        [&cells[..self.shape.all_cells() as usize * C::BYTES], &rest[..sizes]]
    }

    /// Returns the buffers for a message with the content.
    pub(crate) fn content_mut(&mut self) -> [&mut [u8]; 2] {
        let (cells, sizes) = self.parts_len();
        let (cells, rest) = self.pages.split_at_mut(cells);
        [&mut cells[..self.shape.all_cells() as usize * C::BYTES], &mut rest[..sizes]]
    }

    pub(crate) fn read(shape: BlockShape, folder: &WorkFolder, name: &str) -> Result<Self, GenerateError> {
        let mut block = Self::new(shape)?;
        let (content, begin) = (shape.file_bytes([C::BYTES, S::BYTES]), shape.all_cells() * C::BYTES as u64);
        let mut cells = block.cells_mut().iter_mut();
        folder.read(name, content, 0..begin, &mut |bytes| read_numbers(&mut cells, bytes))?;
        if S::BYTES > 0 {
            let mut sizes = block.numbers_mut().1.iter_mut();
            folder.read(name, content, begin..content, &mut |bytes| read_numbers(&mut sizes, bytes))?;
        }
        Ok(block)
    }

    pub(crate) fn write(&self, folder: &WorkFolder, name: &str) -> Result<(), WorkError> {
        folder.write(name, &mut |writer| {
            write_numbers(&self.cells()[..self.shape.all_cells() as usize], writer)?;
            if S::BYTES > 0 { write_numbers(self.numbers().1, writer) } else { Ok(()) }
        })?;
        Ok(())
    }
}
