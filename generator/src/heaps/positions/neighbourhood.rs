//! The neighbourhood of a task: its own block and the blocks below that its moves reach, and the places of positions in
//! them.

use bouton_tables::heaps::{Heap, MAX_HEAPS};

use super::layout::{Frame, KEYS, PositionLayout, Ranges};
use crate::GenerateError;
use crate::memory::{filled, room};

/// The place of a position: slot of the task's block (0 is its own), and index in the block.
#[derive(Clone, Copy, Default)]
pub(super) struct BlockPlace {
    pub(super) slot: usize,
    pub(super) at: usize,
}

/// The block of a task, and those below it.
pub(super) struct Neighbourhood<'a> {
    pub(super) layout: &'a PositionLayout,
    /// Ranges of the task.
    pub(super) own: Ranges,
    /// Frames of all blocks; the task's own block is the first.
    frames: Vec<Frame>,
    /// By [`Neighbourhood::key`].
    slots: Vec<usize>,
}

/// Returns the maximum bytes of a neighbourhood.
pub(super) fn bytes(layout: &PositionLayout) -> u64 {
    let frame = size_of::<Frame>() as u64 + 8 * (layout.range_len() + 1);
    8 * slots(layout) + slots(layout).min(layout.blocks() as u64) * frame
}

/// Returns the number of keys of slots.
fn slots(layout: &PositionLayout) -> u64 {
    let steps = layout.down as u64 + 1;
    if layout.together { steps.pow(KEYS as u32) } else { KEYS as u64 * steps }
}

impl<'a> Neighbourhood<'a> {
    pub(super) fn new(
        layout: &'a PositionLayout,
        own: Ranges,
        below: impl ExactSizeIterator<Item = Ranges>,
    ) -> Result<Self, GenerateError> {
        let mut frames = room(below.len() as u64 + 1)?;
        frames.push(layout.frame(own)?);
        let mut neighbourhood = Self { layout, own, frames, slots: filled(slots(layout), 0)? };
        for (slot, ranges) in (1..).zip(below) {
            neighbourhood.frames.push(layout.frame(ranges)?);
            let key = neighbourhood.key(ranges);
            neighbourhood.slots[key] = slot;
        }
        Ok(neighbourhood)
    }

    /// Returns the key of a block below: by how much each range is lower; or, if only one range can be lower, which,
    /// and by how much.
    #[inline]
    fn key(&self, ranges: Ranges) -> usize {
        let steps = self.layout.down + 1;
        if self.layout.together {
            return (0..KEYS).fold(0, |key, place| key * steps + self.own[place] - ranges[place]);
        }
        let by = self.own.iter().sum::<usize>() - ranges.iter().sum::<usize>();
        let place = (0..KEYS - 1).find(|&place| self.own[place] != ranges[place]).unwrap_or(KEYS - 1);
        place * steps + by
    }

    /// Returns the slot of the block with these ranges.
    #[inline]
    pub(super) fn slot(&self, ranges: Ranges) -> usize {
        if ranges == self.own { 0 } else { self.slots[self.key(ranges)] }
    }

    /// Returns the number of positions in the task's own block.
    pub(super) fn positions(&self) -> usize {
        self.frames[0].positions as usize
    }

    /// Returns the place of positions with these two greatest heaps, and a third heap in a range. Add the parts of the
    /// rank of all heaps after the two greatest.
    #[inline]
    pub(super) fn base(&self, [first, second]: [Heap; 2], third: usize) -> BlockPlace {
        let slot = self.slot([self.layout.range(first), self.layout.range(second), third]);
        BlockPlace { slot, at: self.frames[slot].base(self.layout, first, second) }
    }

    /// Returns the place of the position with these greatest heaps, at least three, where all other heaps are empty.
    #[inline]
    pub(super) fn place(&self, heaps: &[Heap]) -> BlockPlace {
        let [first, second, third, ..] = *heaps else { unreachable!("there are three heaps or more") };
        let BlockPlace { slot, at } = self.base([first, second], self.layout.range(third));
        let behind = heaps.iter().enumerate().skip(KEYS - 1);
        let rest: u64 = behind.map(|(place, &heap)| self.layout.part(place, heap)).sum();
        BlockPlace { slot, at: at.wrapping_add(rest as usize) }
    }
}

/// Goes through the positions of a block, in the order of ranks.
pub(super) struct PositionWalk {
    heaps: [Heap; MAX_HEAPS],
    /// The least and the greatest size of each place.
    least: [Heap; MAX_HEAPS],
    most: [Heap; MAX_HEAPS],
    len: usize,
}

impl PositionWalk {
    /// Begins with the first position of a block that has some.
    pub(super) fn new(layout: &PositionLayout, ranges: Ranges) -> Self {
        let len = layout.heaps();
        let mut walk = Self { heaps: [0; MAX_HEAPS], least: [0; MAX_HEAPS], most: [0; MAX_HEAPS], len };
        for place in 0..len {
            let sizes = match ranges.get(place) {
                Some(&range) => layout.sizes(place, range),
                None => 0..layout.bound(place) + 1,
            };
            (walk.least[place], walk.most[place]) = (sizes.start, sizes.end - 1);
        }
        walk.heaps = walk.least;
        walk
    }

    /// The heaps of the present position, with stand-ins.
    #[inline(always)]
    pub(super) fn heaps(&self) -> &[Heap] {
        &self.heaps[..self.len]
    }

    /// Goes on to the next one; from the last to the first.
    #[inline(always)]
    pub(super) fn advance(&mut self) {
        for place in (0..self.len).rev() {
            let before = place.checked_sub(1).map_or(Heap::MAX, |before| self.heaps[before]);
            if self.heaps[place] < self.most[place].min(before) {
                self.heaps[place] += 1;
                return;
            }
            self.heaps[place] = self.least[place];
        }
    }
}
