//! A block of positions, in memory and in a file.
//!
//! A block has *items*, one layer for each number of passes left: either the cell of each position
//! ([`cell`](super::cell)), or the offers of each position ([`prefix_minima`](super::prefix_minima)). Example: 10
//! positions in a game with 1 pass are 20 cells.

use std::marker::PhantomData;
use std::ops::Range;

use bytemuck::{cast_slice, cast_slice_mut};
use memmap2::MmapMut;

use super::cell::PositionCell;
use crate::heaps::frame::numbers::{PAGE, pages, read_numbers, write_numbers};
use crate::heaps::frame::partition::CachedBlock;
use crate::making::GenerateError;
use crate::memory::room;
use crate::work::{WorkError, WorkFolder};

/// Positions of a row that are solved at once.
pub(super) const LANES: usize = 16;

/// One cell for each of `LANES` positions.
pub(super) type Lanes<C> = [C; LANES];

/// Dimensions of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct PositionShape {
    /// Items in a layer: cells or offers.
    pub(super) items: u64,
    pub(super) layers: u64,
}

impl PositionShape {
    /// Returns the number of items of all layers.
    fn all_items(self) -> u64 {
        self.items.saturating_mul(self.layers)
    }

    /// Returns the bytes in memory, in whole pages. A block without items counts as 0.
    pub(super) fn memory_bytes<C: PositionCell>(self) -> u64 {
        if self.items == 0 {
            return 0;
        }
        let bytes = self.all_items().saturating_add(LANES as u64).saturating_mul(C::BYTES as u64);
        bytes.checked_next_multiple_of(PAGE).unwrap_or(u64::MAX)
    }

    /// Reads the cells of some positions of a layer from a file.
    pub(super) fn read<C: PositionCell>(
        self,
        folder: &WorkFolder,
        name: &str,
        layer: u64,
        positions: Range<u64>,
    ) -> Result<Vec<C>, GenerateError> {
        let mut cells = room(positions.end - positions.start)?;
        self.each(folder, name, layer, positions, |cell| cells.push(cell))?;
        Ok(cells)
    }

    /// Visits the cells of some positions of a layer in a file.
    pub(super) fn each<C: PositionCell>(
        self,
        folder: &WorkFolder,
        name: &str,
        layer: u64,
        positions: Range<u64>,
        mut visit: impl FnMut(C),
    ) -> Result<(), GenerateError> {
        let at = |position: u64| (layer * self.items + position) * C::BYTES as u64;
        let part = at(positions.start)..at(positions.end);
        let file_bytes = self.all_items() * C::BYTES as u64;
        // `read` passes the bytes piece by piece. No number spans two pieces, as its width divides their length.
        folder.read(name, file_bytes, part, |bytes| C::take(bytes).for_each(&mut visit))?;
        Ok(())
    }
}

/// A block in memory. It owns its pages, so dropping it returns all its memory to the system.
pub(super) struct PositionBlock<C> {
    shape: PositionShape,
    pages: MmapMut,
    cells: PhantomData<C>,
}

impl<C: PositionCell> PositionBlock<C> {
    /// Returns the items of all layers, padded at the end so that `LANES` cells can be read from any one on.
    pub(super) fn cells(&self) -> &[C] {
        cast_slice(&self.pages[..(self.shape.all_items() as usize + LANES) * C::BYTES])
    }

    pub(super) fn cells_mut(&mut self) -> &mut [C] {
        cast_slice_mut(&mut self.pages[..(self.shape.all_items() as usize + LANES) * C::BYTES])
    }

    /// Returns the items from a layer on.
    pub(super) fn layer(&self, layer: u64) -> &[C] {
        &self.cells()[(layer * self.shape.items) as usize..]
    }
}

impl<C: PositionCell> CachedBlock for PositionBlock<C> {
    type Shape = PositionShape;

    fn memory_bytes(shape: PositionShape) -> u64 {
        shape.memory_bytes::<C>()
    }

    fn file_bytes(shape: PositionShape) -> u64 {
        shape.all_items() * C::BYTES as u64
    }

    fn new(shape: PositionShape) -> Result<Self, GenerateError> {
        Ok(Self { shape, pages: pages(shape.memory_bytes::<C>())?, cells: PhantomData })
    }

    fn read(shape: PositionShape, folder: &WorkFolder, name: &str) -> Result<Self, GenerateError> {
        let mut block = Self::new(shape)?;
        let content = shape.all_items() * C::BYTES as u64;
        let mut cells = block.cells_mut().iter_mut();
        folder.read(name, content, 0..content, |bytes| read_numbers(&mut cells, bytes))?;
        Ok(block)
    }

    fn write(&self, folder: &WorkFolder, name: &str) -> Result<(), WorkError> {
        folder.write(name, |writer| write_numbers(&self.cells()[..self.shape.all_items() as usize], writer))
    }
}
