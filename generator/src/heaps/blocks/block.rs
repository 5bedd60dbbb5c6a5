//! A block of lines, in memory and in a file.
//!
//! For each line, a block has the cell ([`cell`](super::cell)), and the size of the line's own heap in its lost
//! position. It has a *layer* of lines for each number of passes left. Example: a block of 3 lines in a game with 1
//! pass has 6 cells, first those without passes left, then 6 sizes.

use std::marker::PhantomData;
use std::ops::Range;

use bouton_tables::heaps::Heap;
use bytemuck::{cast_slice, cast_slice_mut};
use memmap2::MmapMut;

use super::cell::LineCell;
use crate::heaps::frame::numbers::{FileNumber, PAGE, pages, read_numbers, write_numbers};
use crate::heaps::frame::partition::CachedBlock;
use crate::making::GenerateError;
use crate::memory::room;
use crate::work::{WorkError, WorkFolder};

/// Positions of a row that are solved at once.
pub(super) const LANES: usize = 16;

/// One number for each of `LANES` positions.
pub(super) type Lanes<C> = [C; LANES];

/// The size of the heap in the lost position of a line.
pub(super) trait HeapSize: FileNumber + Send + Sync + 'static {
    fn new(size: Heap) -> Self;
    fn get(self) -> Heap;
}

impl HeapSize for u8 {
    fn new(size: Heap) -> Self {
        size as Self
    }

    fn get(self) -> Heap {
        self.into()
    }
}

impl HeapSize for Heap {
    fn new(size: Heap) -> Self {
        size
    }

    fn get(self) -> Heap {
        self
    }
}

/// Dimensions of a block. The file has the cells of all layers, then the sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineShape {
    /// Lines in a layer.
    pub(super) lines: u64,
    /// Layers: one for each number of passes left.
    pub(super) layers: u64,
}

impl LineShape {
    /// Returns the number of lines of all layers.
    fn all_lines(self) -> u64 {
        self.lines.saturating_mul(self.layers)
    }

    /// Returns the maximum bytes in memory, in whole pages: it counts padding for the sizes too, which only the cells
    /// have. A block without lines counts as 0.
    pub(super) fn memory_bytes<C: LineCell, S: HeapSize>(self) -> u64 {
        if self.lines == 0 {
            return 0;
        }
        let bytes =
            self.all_lines().saturating_add(LANES as u64).saturating_mul((C::BYTES + S::BYTES) as u64);
        bytes.checked_next_multiple_of(PAGE).unwrap_or(u64::MAX)
    }

    /// Returns the length of the block's file without checksums.
    pub(super) fn file_bytes<C: LineCell, S: HeapSize>(self) -> u64 {
        self.all_lines() * (C::BYTES + S::BYTES) as u64
    }

    /// Reads cells and sizes of some lines of a layer from a file.
    pub(super) fn read<C: LineCell, S: HeapSize>(
        self,
        folder: &WorkFolder,
        name: &str,
        layer: u64,
        lines: Range<u64>,
    ) -> Result<(Vec<C>, Vec<S>), GenerateError> {
        let (mut cells, mut sizes) = (room(lines.end - lines.start)?, room(lines.end - lines.start)?);
        let first = layer * self.lines;
        let part = |begin: u64, bytes: usize| {
            let at = |line: u64| begin + (first + line) * bytes as u64;
            at(lines.start)..at(lines.end)
        };
        let content = self.file_bytes::<C, S>();
        // `read` passes the bytes piece by piece. No number spans two pieces, as its width divides their length.
        folder.read(name, content, part(0, C::BYTES), |bytes| cells.extend(C::take(bytes)))?;
        let begin = self.all_lines() * C::BYTES as u64;
        folder.read(name, content, part(begin, S::BYTES), |bytes| sizes.extend(S::take(bytes)))?;
        Ok((cells, sizes))
    }
}

/// A block in memory. It owns its pages, so dropping it returns all its memory to the system.
pub(super) struct LineBlock<C, S> {
    shape: LineShape,
    pages: MmapMut,
    numbers: PhantomData<(C, S)>,
}

/// The cells and sizes of a block's lines: those without passes left first, then those with one, and so on.
pub(super) struct BlockNumbers<'a, C, S> {
    /// Number of lines in a layer.
    lines: usize,
    /// Padded at the end, so that `LANES` cells can be read from any line on.
    cells: &'a mut [C],
    /// Valid only for lines with a lost position, whose cell is negative.
    sizes: &'a mut [S],
}

impl<C: LineCell, S: HeapSize> LineBlock<C, S> {
    /// Returns the bytes of the cells with their padding, and of the sizes.
    fn parts_len(&self) -> (usize, usize) {
        let all = self.shape.all_lines() as usize;
        ((all + LANES) * C::BYTES, all * S::BYTES)
    }

    /// Returns the numbers for writing.
    pub(super) fn numbers_mut(&mut self) -> BlockNumbers<'_, C, S> {
        let (cells, sizes) = self.parts_len();
        let (cells, rest) = self.pages.split_at_mut(cells);
        BlockNumbers {
            lines: self.shape.lines as usize,
            cells: cast_slice_mut(cells),
            sizes: cast_slice_mut(&mut rest[..sizes]),
        }
    }

    /// Returns the cells and sizes of all lines, as in [`BlockNumbers`].
    pub(super) fn numbers(&self) -> (&[C], &[S]) {
        let (cells, sizes) = self.parts_len();
        let (cells, rest) = self.pages.split_at(cells);
        (cast_slice(cells), cast_slice(&rest[..sizes]))
    }

    /// Returns the content as it is sent to another MPI rank: the bytes of the file, if the machine is little-endian.
    pub(super) fn content(&self) -> [&[u8]; 2] {
        let (cells, sizes) = self.numbers();
        [cast_slice(&cells[..sizes.len()]), cast_slice(sizes)]
    }

    /// Returns the buffers for a message with the content.
    pub(super) fn content_mut(&mut self) -> [&mut [u8]; 2] {
        let BlockNumbers { cells, sizes, .. } = self.numbers_mut();
        let cells = &mut cells[..sizes.len()];
        [cast_slice_mut(cells), cast_slice_mut(sizes)]
    }
}

impl<C: LineCell, S: HeapSize> CachedBlock for LineBlock<C, S> {
    type Shape = LineShape;

    fn memory_bytes(shape: LineShape) -> u64 {
        shape.memory_bytes::<C, S>()
    }

    fn file_bytes(shape: LineShape) -> u64 {
        shape.file_bytes::<C, S>()
    }

    fn new(shape: LineShape) -> Result<Self, GenerateError> {
        Ok(Self { shape, pages: pages(shape.memory_bytes::<C, S>())?, numbers: PhantomData })
    }

    fn read(shape: LineShape, folder: &WorkFolder, name: &str) -> Result<Self, GenerateError> {
        let mut block = Self::new(shape)?;
        let BlockNumbers { cells, sizes, .. } = block.numbers_mut();
        let (content, begin) = (shape.file_bytes::<C, S>(), shape.all_lines() * C::BYTES as u64);
        let mut cells = cells.iter_mut();
        folder.read(name, content, 0..begin, |bytes| read_numbers(&mut cells, bytes))?;
        let mut sizes = sizes.iter_mut();
        folder.read(name, content, begin..content, |bytes| read_numbers(&mut sizes, bytes))?;
        Ok(block)
    }

    fn write(&self, folder: &WorkFolder, name: &str) -> Result<(), WorkError> {
        let (cells, sizes) = self.numbers();
        folder.write(name, |writer| {
            write_numbers(&cells[..sizes.len()], writer)?;
            write_numbers(sizes, writer)
        })
    }
}

impl<C: LineCell, S: HeapSize> BlockNumbers<'_, C, S> {
    #[inline(always)]
    pub(super) fn cell(&self, layer: usize, line: usize) -> C {
        self.cells[layer * self.lines + line]
    }

    /// Returns the `LANES` cells from a line on.
    #[inline(always)]
    pub(super) fn lanes(&self, layer: usize, line: usize) -> &Lanes<C> {
        self.cells[layer * self.lines + line..].first_chunk().expect("the cells are padded")
    }

    #[inline(always)]
    pub(super) fn lanes_mut(&mut self, layer: usize, line: usize) -> &mut Lanes<C> {
        self.cells[layer * self.lines + line..].first_chunk_mut().expect("the cells are padded")
    }

    /// Stores the cell of a line, and the size of the heap in its lost position.
    pub(super) fn set_lost(&mut self, layer: usize, line: usize, cell: C, size: Heap) {
        let at = layer * self.lines + line;
        self.cells[at] = cell;
        self.sizes[at] = S::new(size);
    }
}
