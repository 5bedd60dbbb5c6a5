//! The neighbourhood of a task: its own block and the blocks below that its moves reach, and where positions are in
//! them.
//!
//! The blocks have *slots*: 0 is the task's own block. The slot of a block below is found in a table, by how much the
//! three ranges are lower. Example: the block (3,1,0) is 1, 1 and 0 ranges below the task (4,2,0).

use bouton_tables::heaps::{Heap, MAX_HEAPS};

use super::layout::{PositionIndexer, PositionLayout};
use crate::heaps::frame::heap_ranges::{TASK_HEAPS, TaskRanges};
use crate::making::GenerateError;
use crate::memory::{filled, room};

/// Where a position is: the slot of a block, and the index in this block.
#[derive(Clone, Copy, Default)]
pub(super) struct BlockIndex {
    pub(super) slot: usize,
    pub(super) at: usize,
}

/// The block of a task, and those below it.
pub(super) struct Neighbourhood<'a> {
    pub(super) layout: &'a PositionLayout,
    /// Ranges of the task.
    pub(super) own: TaskRanges,
    /// Indexers of all blocks, by slot.
    indexers: Vec<PositionIndexer>,
    /// Slots by [`Neighbourhood::key`].
    slots: Vec<usize>,
}

/// Returns the maximum bytes of a neighbourhood.
pub(super) fn bytes(layout: &PositionLayout) -> u64 {
    let indexer_bytes = size_of::<PositionIndexer>() as u64;
    8 * key_count(layout) + key_count(layout).min(layout.cell_blocks() as u64) * indexer_bytes
}

/// Returns the number of possible values of [`Neighbourhood::key`].
fn key_count(layout: &PositionLayout) -> u64 {
    let steps = layout.max_down as u64 + 1;
    if layout.several_lower { steps.pow(TASK_HEAPS as u32) } else { TASK_HEAPS as u64 * steps }
}

impl<'a> Neighbourhood<'a> {
    pub(super) fn new(
        layout: &'a PositionLayout,
        own: TaskRanges,
        below: impl ExactSizeIterator<Item = TaskRanges>,
    ) -> Result<Self, GenerateError> {
        let mut indexers = room(below.len() as u64 + 1)?;
        indexers.push(layout.indexer(own));
        let mut neighbourhood = Self { layout, own, indexers, slots: filled(key_count(layout), 0)? };
        for (slot, ranges) in (1..).zip(below) {
            neighbourhood.indexers.push(layout.indexer(ranges));
            let key = neighbourhood.key(ranges);
            neighbourhood.slots[key] = slot;
        }
        Ok(neighbourhood)
    }

    /// Returns the key of a block below. If several heaps may be lower: by how much each range is lower. If only one
    /// heap may be lower: the first place where the ranges differ, and by how much their sum is lower. (In the second
    /// case, later places may differ too, as the ranges are in descending order again.)
    #[inline]
    fn key(&self, ranges: TaskRanges) -> usize {
        let steps = self.layout.max_down + 1;
        if self.layout.several_lower {
            return (0..TASK_HEAPS).fold(0, |key, place| key * steps + self.own[place] - ranges[place]);
        }
        let by = self.own.iter().sum::<usize>() - ranges.iter().sum::<usize>();
        let place =
            (0..TASK_HEAPS - 1).find(|&place| self.own[place] != ranges[place]).unwrap_or(TASK_HEAPS - 1);
        place * steps + by
    }

    #[inline]
    pub(super) fn slot(&self, ranges: TaskRanges) -> usize {
        if ranges == self.own { 0 } else { self.slots[self.key(ranges)] }
    }

    /// Returns the number of positions in a block, by slot.
    #[inline]
    pub(super) fn positions(&self, slot: usize) -> usize {
        self.indexers[slot].positions as usize
    }

    /// Returns the block of the positions with these two greatest heaps and a third heap in `third_range`, and a base
    /// for their indices: an index is the base plus the parts of the rank of all later heaps, with wrapping.
    #[inline]
    pub(super) fn base(&self, [first, second]: [Heap; 2], third_range: usize) -> BlockIndex {
        let slot =
            self.slot([self.layout.ranges.range(first), self.layout.ranges.range(second), third_range]);
        BlockIndex { slot, at: self.indexers[slot].base(self.layout, first, second) }
    }

    /// Returns where a position is. `heaps` are its three or more greatest heaps, with stand-ins; all others are empty.
    #[inline]
    pub(super) fn locate(&self, heaps: &[Heap]) -> BlockIndex {
        let [first, second, third, ..] = *heaps else { unreachable!("there are three heaps or more") };
        let BlockIndex { slot, at } = self.base([first, second], self.layout.ranges.range(third));
        let after_two = heaps.iter().enumerate().skip(TASK_HEAPS - 1);
        let rest: u64 = after_two.map(|(place, &heap)| self.layout.part(place, heap)).sum();
        BlockIndex { slot, at: at.wrapping_add(rest as usize) }
    }
}

/// Goes through the positions of a block in the order of ranks.
pub(super) struct PositionWalk {
    heaps: [Heap; MAX_HEAPS],
    /// The least size at each place.
    least: [Heap; MAX_HEAPS],
    /// The greatest size at each place.
    greatest: [Heap; MAX_HEAPS],
    /// Number of heaps.
    len: usize,
}

impl PositionWalk {
    /// Begins with the first position of a block, which must not be empty.
    pub(super) fn new(layout: &PositionLayout, ranges: TaskRanges) -> Self {
        Self::of_greatest(layout, ranges, layout.ranges.heaps())
    }

    /// Goes through the `len` greatest heaps only.
    pub(super) fn of_greatest(layout: &PositionLayout, ranges: TaskRanges, len: usize) -> Self {
        let mut walk = Self { heaps: [0; MAX_HEAPS], least: [0; MAX_HEAPS], greatest: [0; MAX_HEAPS], len };
        for place in 0..len {
            let sizes = layout.ranges.task_sizes(ranges, place);
            (walk.least[place], walk.greatest[place]) = (sizes.start, sizes.end - 1);
        }
        walk.heaps = walk.least;
        walk
    }

    /// Returns the heaps of the current position, with stand-ins.
    #[inline(always)]
    pub(super) fn heaps(&self) -> &[Heap] {
        &self.heaps[..self.len]
    }

    /// Advances to the next position. After the last position, returns to the first, and reports false.
    #[inline(always)]
    pub(super) fn advance(&mut self) -> bool {
        for place in (0..self.len).rev() {
            let before = place.checked_sub(1).map_or(Heap::MAX, |before| self.heaps[before]);
            if self.heaps[place] < self.greatest[place].min(before) {
                self.heaps[place] += 1;
                return true;
            }
            self.heaps[place] = self.least[place];
        }
        false
    }
}
