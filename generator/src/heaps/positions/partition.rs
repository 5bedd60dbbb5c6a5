//! The blocks of a game by number, and their names in the work folder.

use std::marker::PhantomData;

use super::block::{PositionBlock, PositionShape};
use super::cell::PositionCell;
use super::layout::PositionLayout;
use crate::heaps::frame::partition::Partition;
use crate::work::{OFFERS, POSITIONS};

/// The positions of a game, cut into blocks. Blocks of offers, if any, have the numbers after all blocks of cells.
pub(super) struct PositionPartition<'a, C> {
    pub(super) layout: &'a PositionLayout,
    pub(super) cells: PhantomData<fn() -> C>,
}

impl<C: PositionCell> Partition for PositionPartition<'_, C> {
    type Block = PositionBlock<C>;

    fn blocks(&self) -> usize {
        self.layout.blocks() * if self.layout.offers > 0 { 2 } else { 1 }
    }

    fn shape(&self, block: usize) -> PositionShape {
        match block.checked_sub(self.layout.blocks()) {
            None => self.layout.shape(block),
            Some(block) => self.layout.offers_shape(block),
        }
    }

    fn name(&self, block: usize) -> String {
        match block.checked_sub(self.layout.blocks()) {
            None => name(self.layout, block),
            Some(block) => name_of_kind(OFFERS, self.layout, block),
        }
    }

    fn max_tasks(&self, block: usize) -> u32 {
        u32::from(block < self.layout.blocks())
    }

    fn max_bytes(&self) -> u64 {
        let offers = self.layout.offers_bytes::<C>().unwrap_or(u64::MAX);
        self.layout.memory_bytes::<C>().saturating_add(offers)
    }
}

/// Returns the name of a block of cells in the work folder.
pub(super) fn name(layout: &PositionLayout, block: usize) -> String {
    name_of_kind(POSITIONS, layout, block)
}

fn name_of_kind(kind: &str, layout: &PositionLayout, block: usize) -> String {
    let [one, two, three] = layout.ranges_of(block);
    format!("{kind}{one:02}-{two:02}-{three:02}")
}
