//! A block of lines, in memory and in a file: the cell and the size of the lost position of each line.

use std::io;
use std::marker::PhantomData;
use std::ops::Range;

use bouton_tables::heaps::Heap;
use bytemuck::{cast_slice, cast_slice_mut};
use memmap2::MmapMut;

use super::cell::{FileNumber, LineCell};
use crate::GenerateError;
use crate::heaps::block_cache::CachedBlock;
use crate::memory::{len, room};
use crate::work::checked::PieceWriter;
use crate::work::{WorkError, WorkFolder};

/// Positions of a row that are solved at once.
pub(super) const LANES: usize = 16;

/// Numbers of this many positions.
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

/// Lines and layers of a block. The file has the cells of all layers, then the sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineShape {
    pub(super) lines: u64,
    pub(super) layers: u64,
}

impl LineShape {
    fn all_lines(self) -> u64 {
        self.lines.saturating_mul(self.layers)
    }

    /// Returns the bytes in memory; 0 without lines.
    pub(super) fn memory_bytes<C: LineCell, S: HeapSize>(self) -> u64 {
        if self.lines == 0 {
            return 0;
        }
        let bytes =
            self.all_lines().saturating_add(LANES as u64).saturating_mul((C::BYTES + S::BYTES) as u64);
        bytes.checked_next_multiple_of(PAGE).unwrap_or(u64::MAX)
    }

    /// Bytes of the content of its file.
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
        // No read ends within a number, as the widths of all numbers divide the size of pieces.
        folder.read(name, content, part(0, C::BYTES), |bytes| cells.extend(C::take(bytes)))?;
        let begin = self.all_lines() * C::BYTES as u64;
        folder.read(name, content, part(begin, S::BYTES), |bytes| sizes.extend(S::take(bytes)))?;
        Ok((cells, sizes))
    }
}

/// A block in memory. It has pages of its own, so that all of them are the system's again when it is dropped.
pub(super) struct LineBlock<C, S> {
    shape: LineShape,
    pages: MmapMut,
    numbers: PhantomData<(C, S)>,
}

/// The cells and sizes of a block's lines: those without passes left first, then those with one, and so on.
pub(super) struct BlockNumbers<'a, C, S> {
    /// Number of lines in a layer.
    lines: usize,
    /// Padded, so that `LANES` cells follow from each cell on.
    cells: &'a mut [C],
    /// Valid only for lines with a negative cell.
    sizes: &'a mut [S],
}

/// Bytes that the system gives at a time.
pub(in super::super) const PAGE: u64 = 4096;

impl<C: LineCell, S: HeapSize> LineBlock<C, S> {
    /// Returns the bytes of the cells with their padding, and of the sizes.
    fn parts(&self) -> (usize, usize) {
        let all = self.shape.all_lines() as usize;
        ((all + LANES) * C::BYTES, all * S::BYTES)
    }

    /// Returns the numbers for writing.
    pub(super) fn numbers_mut(&mut self) -> BlockNumbers<'_, C, S> {
        let (cells, sizes) = self.parts();
        let (cells, behind) = self.pages.split_at_mut(cells);
        BlockNumbers {
            lines: self.shape.lines as usize,
            cells: cast_slice_mut(cells),
            sizes: cast_slice_mut(&mut behind[..sizes]),
        }
    }

    /// Returns the cells and sizes of all lines, as in [`BlockNumbers`].
    pub(super) fn numbers(&self) -> (&[C], &[S]) {
        let (cells, sizes) = self.parts();
        let (cells, behind) = self.pages.split_at(cells);
        (cast_slice(cells), cast_slice(&behind[..sizes]))
    }

    /// Returns the content of a message to another rank: that of the file, on a little-endian machine.
    pub(super) fn content(&self) -> [&[u8]; 2] {
        let (cells, sizes) = self.numbers();
        [cast_slice(&cells[..sizes.len()]), cast_slice(sizes)]
    }

    /// Returns the buffers for such a message.
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

/// Returns zeroed pages for `bytes` bytes, at least one page.
pub(in super::super) fn pages(bytes: u64) -> Result<MmapMut, GenerateError> {
    MmapMut::map_anon(len(bytes.max(PAGE))?).map_err(|_| GenerateError::Memory)
}

/// Gives the next numbers the values that some bytes hold.
pub(in super::super) fn read_numbers<'a, N: FileNumber + 'a>(
    numbers: &mut impl Iterator<Item = &'a mut N>,
    bytes: &[u8],
) {
    N::take(bytes).zip(numbers).for_each(|(value, number)| *number = value);
}

impl<C: LineCell, S: HeapSize> BlockNumbers<'_, C, S> {
    /// The cell of a line.
    #[inline(always)]
    pub(super) fn cell(&self, layer: usize, line: usize) -> C {
        self.cells[layer * self.lines + line]
    }

    /// The cells from one on.
    #[inline(always)]
    pub(super) fn lanes(&self, layer: usize, line: usize) -> &Lanes<C> {
        let from = &self.cells[layer * self.lines + line..];
        from.first_chunk().expect("there is room behind the last cell")
    }

    #[inline(always)]
    pub(super) fn lanes_mut(&mut self, layer: usize, line: usize) -> &mut Lanes<C> {
        let from = &mut self.cells[layer * self.lines + line..];
        from.first_chunk_mut().expect("there is room behind the last cell")
    }

    /// Stores the lost position of a line.
    pub(super) fn set_lost(&mut self, layer: usize, line: usize, cell: C, size: Heap) {
        let at = layer * self.lines + line;
        self.cells[at] = cell;
        self.sizes[at] = S::new(size);
    }
}

/// Numbers converted per write.
const NUMBERS_PER_WRITE: usize = 1 << 14;

pub(in super::super) fn write_numbers<N: FileNumber>(
    numbers: &[N],
    writer: &mut PieceWriter,
) -> io::Result<()> {
    let mut bytes = vec![0; NUMBERS_PER_WRITE * N::BYTES];
    for numbers in numbers.chunks(NUMBERS_PER_WRITE) {
        let bytes = &mut bytes[..numbers.len() * N::BYTES];
        N::put(numbers, bytes);
        writer.write(bytes)?;
    }
    Ok(())
}
