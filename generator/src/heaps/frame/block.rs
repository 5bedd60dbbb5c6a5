//! A block of solved positions or lines, in memory and in a file.
//!
//! A block has *cells*: numbers from which the result of a position or a line is read. It may have a second number for
//! each cell, the *size*. There is a *layer* of cells for each number of passes left. Example: a block of 10 positions in
//! a game with 1 pass has 20 cells, first those without passes left.
//!
//! The frame does not know the types of these numbers, only their bytes.

use std::ops::Range;

use bytemuck::{cast_slice, cast_slice_mut};
use memmap2::MmapMut;

use super::numbers::Number;
use crate::making::GenerateError;
use crate::memory::{filled, len};
use crate::work::{WorkError, WorkFolder};

/// Cells that are computed at once.
pub(crate) const LANES: usize = 16;

/// One cell for each of `LANES` positions.
pub(crate) type Lanes<C> = [C; LANES];

/// Masks for the first lanes of a vector, read from memory: if the compiler knew their values, it would compile code for
/// single lanes in place of vectors.
pub(crate) struct LaneMasks<C>([C; 2 * LANES]);

impl<C: Number> LaneMasks<C> {
    pub(crate) fn new() -> Self {
        Self(std::array::from_fn(|lane| if lane < LANES { C::MAX } else { C::MIN }))
    }

    /// Returns a mask: the maximum of the type in the first `lanes` lanes, and the minimum in the others.
    #[inline(always)]
    pub(crate) fn first(&self, lanes: usize) -> &Lanes<C> {
        self.0[LANES - lanes.min(LANES)..].first_chunk().expect("a mask has all lanes")
    }
}

/// The sizes begin at a multiple of this number of bytes, which suits every type of numbers.
const ALIGNMENT: usize = 8;

/// Bytes of a page of memory.
const PAGE: u64 = 4096;

/// Bytes written at once.
const BYTES_PER_WRITE: usize = 1 << 16;

/// Dimensions of a block. Its file has the cells of all layers, then the sizes, as little-endian numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockShape {
    /// Cells in a layer.
    pub(crate) cells: u64,
    pub(crate) layers: u64,
    /// Bytes of a cell, and of a size; 0 without sizes.
    pub(crate) widths: [usize; 2],
}

impl BlockShape {
    /// Returns the number of cells of all layers.
    fn all_cells(self) -> u64 {
        self.cells.saturating_mul(self.layers)
    }

    /// Returns the bytes of a cell and a size together.
    fn width(self) -> u64 {
        self.widths.iter().sum::<usize>() as u64
    }

    /// Returns the maximum bytes in memory, in whole pages. A block without cells counts as 0.
    pub(crate) fn memory_bytes(self) -> u64 {
        if self.cells == 0 {
            return 0;
        }
        // Only the cells are padded. Padding counted for the sizes covers the bytes that `ALIGNMENT` adds; without
        // sizes, the rounding to pages covers them.
        let padded = self.all_cells().saturating_add(LANES as u64);
        padded.saturating_mul(self.width()).checked_next_multiple_of(PAGE).unwrap_or(u64::MAX)
    }

    /// Returns the length of the block's file without checksums.
    pub(crate) fn file_bytes(self) -> u64 {
        self.all_cells() * self.width()
    }

    /// Reads some cells of a layer from a file.
    pub(crate) fn read_cells<C: Number>(
        self,
        folder: &WorkFolder,
        name: &str,
        layer: u64,
        cells: Range<u64>,
    ) -> Result<Vec<C>, GenerateError> {
        self.read_numbers(folder, name, (layer * self.cells + cells.start) * C::BYTES as u64, cells)
    }

    /// Reads the sizes of some cells of a layer from a file.
    pub(crate) fn read_sizes<S: Number>(
        self,
        folder: &WorkFolder,
        name: &str,
        layer: u64,
        cells: Range<u64>,
    ) -> Result<Vec<S>, GenerateError> {
        let begin = self.all_cells() * self.widths[0] as u64;
        self.read_numbers(folder, name, begin + (layer * self.cells + cells.start) * S::BYTES as u64, cells)
    }

    fn read_numbers<N: Number>(
        self,
        folder: &WorkFolder,
        name: &str,
        offset: u64,
        cells: Range<u64>,
    ) -> Result<Vec<N>, GenerateError> {
        let mut numbers = filled(cells.end - cells.start, N::default())?;
        self.read(folder, name, offset, cast_slice_mut(&mut numbers), N::BYTES)?;
        Ok(numbers)
    }

    /// Reads a part of a file into `bytes`: numbers of `width` bytes, from an offset on.
    fn read(
        self,
        folder: &WorkFolder,
        name: &str,
        offset: u64,
        bytes: &mut [u8],
        width: usize,
    ) -> Result<(), WorkError> {
        let mut done = 0;
        let part = offset..offset + bytes.len() as u64;
        folder.read(name, self.file_bytes(), part, &mut |read| {
            bytes[done..][..read.len()].copy_from_slice(read);
            done += read.len();
        })?;
        swap_if_big_endian(bytes, width);
        Ok(())
    }
}

/// Converts numbers of `width` bytes between the machine's order of bytes and that of files.
fn swap_if_big_endian(bytes: &mut [u8], width: usize) {
    if cfg!(target_endian = "big") && width > 0 {
        bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse);
    }
}

/// A block in memory. It owns its pages, so dropping it returns all its memory to the system.
pub(crate) struct Block {
    shape: BlockShape,
    pages: MmapMut,
}

impl Block {
    /// Returns an unsolved block.
    pub(crate) fn new(shape: BlockShape) -> Result<Self, GenerateError> {
        let bytes = len(shape.memory_bytes().max(PAGE))?;
        let pages = MmapMut::map_anon(bytes).map_err(|_| GenerateError::Memory)?;
        Ok(Self { shape, pages })
    }

    pub(crate) fn shape(&self) -> BlockShape {
        self.shape
    }

    /// Returns the bytes of the cells with their padding, and of the sizes.
    fn parts_len(&self) -> (usize, usize) {
        let all = self.shape.all_cells() as usize;
        let [cell, size] = self.shape.widths;
        (((all + LANES) * cell).next_multiple_of(ALIGNMENT), all * size)
    }

    /// Returns the cells of all layers, padded at the end so that `LANES` cells can be read from any index on.
    pub(crate) fn cells_mut<C: Number>(&mut self) -> &mut [C] {
        let (cells, _) = self.parts_len();
        cast_slice_mut(&mut self.pages[..cells])
    }

    /// Returns the cells from a layer on.
    pub(crate) fn layer<C: Number>(&self, layer: u64) -> &[C] {
        let (cells, _) = self.parts_len();
        &cast_slice(&self.pages[..cells])[(layer * self.shape.cells) as usize..]
    }

    /// Returns the padded cells and the sizes of all layers.
    pub(crate) fn numbers<C: Number, S: Number>(&self) -> (&[C], &[S]) {
        let (cells, sizes) = self.parts_len();
        let (cells, rest) = self.pages.split_at(cells);
        (cast_slice(cells), cast_slice(&rest[..sizes]))
    }

    /// Returns the padded cells and the sizes of all layers.
    pub(crate) fn numbers_mut<C: Number, S: Number>(&mut self) -> (&mut [C], &mut [S]) {
        let (cells, sizes) = self.parts_len();
        let (cells, rest) = self.pages.split_at_mut(cells);
        (cast_slice_mut(cells), cast_slice_mut(&mut rest[..sizes]))
    }

    /// Returns the content as it is sent to another MPI rank, cells and sizes: the bytes of the file, if the machine is
    /// little-endian.
    pub(crate) fn content(&self) -> [&[u8]; 2] {
        let (cells, sizes) = self.parts_len();
        let (cells, rest) = self.pages.split_at(cells);
        [&cells[..self.shape.all_cells() as usize * self.shape.widths[0]], &rest[..sizes]]
    }

    /// Returns the buffers for a message with the content.
    pub(crate) fn content_mut(&mut self) -> [&mut [u8]; 2] {
        let (cells, sizes) = self.parts_len();
        let (cells, rest) = self.pages.split_at_mut(cells);
        [&mut cells[..self.shape.all_cells() as usize * self.shape.widths[0]], &mut rest[..sizes]]
    }

    pub(crate) fn read(shape: BlockShape, folder: &WorkFolder, name: &str) -> Result<Self, GenerateError> {
        let mut block = Self::new(shape)?;
        let mut offset = 0;
        for (part, width) in block.content_mut().into_iter().zip(shape.widths) {
            shape.read(folder, name, offset, part, width)?;
            offset += part.len() as u64;
        }
        Ok(block)
    }

    pub(crate) fn write(&self, folder: &WorkFolder, name: &str) -> Result<(), WorkError> {
        let mut buffer = Vec::with_capacity(BYTES_PER_WRITE);
        folder.write(name, &mut |writer| {
            for (part, width) in self.content().into_iter().zip(self.shape.widths) {
                for bytes in part.chunks(BYTES_PER_WRITE) {
                    buffer.clear();
                    buffer.extend_from_slice(bytes);
                    swap_if_big_endian(&mut buffer, width);
                    writer.write(&buffer)?;
                }
            }
            Ok(())
        })?;
        Ok(())
    }
}
