//! The steps from one class of heaps to the next, and the results that they lead to.

use super::position::Heap;
use crate::format::Fault;

/// The entry of a lost position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Lost {
    /// Its depth; 0 in a table without depths.
    pub(super) depth: u32,
    /// Number of stones that the best move takes in all.
    pub(super) tries: u64,
}

/// The lost positions of a line, or the means to find them. The positions of a line differ in one heap only.
#[derive(Clone, Copy, Debug)]
pub(super) enum LineLosses {
    /// The line has at most one lost position: the size of the heap there.
    Target(u64, Lost),
    /// Each size has a record: the class of the other heaps.
    Sizes(StepNode),
    /// Heaps are added in descending order only: the index of the line's heap, and the class of the heaps before it.
    Before(u8, StepNode),
    /// The other heaps have no class, since they reach into the stem: the index of the line's heap.
    Place(u8),
}

impl Default for LineLosses {
    /// Returns a line without a lost position.
    fn default() -> Self {
        Self::Target(u64::MAX, Lost::default())
    }
}

/// Some heaps of a position: their class, and their part of the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct StepNode {
    /// The number of the class; in unpacked steps, the index of its first step.
    pub(super) class: u64,
    pub(super) depth: u64,
}

/// Limit of valid depths. Adding a small number to a valid depth cannot overflow 32 bits.
const TOO_DEEP: u32 = 1 << 30;

/// Checks a depth from the file.
#[inline]
pub(super) fn depth(depth: u64) -> Result<u32, Fault> {
    u32::try_from(depth).ok().filter(|&depth| depth < TOO_DEEP).ok_or(Fault::Impossible)
}

/// A source of steps: the mapped file, or unpacked memory.
pub(super) trait Steps {
    /// Returns the class of the heaps of a stem, by the index of their record.
    fn root(&self, record: u64) -> Result<StepNode, Fault>;

    /// Returns the class of a node's heaps and one more heap of `size` stones. Level 0 starts from the least stem.
    fn step(&self, level: usize, node: StepNode, size: Heap) -> Result<StepNode, Fault>;

    /// Returns the target of a class of all heaps except one.
    fn target(&self, node: StepNode) -> Result<LineLosses, Fault>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_have_30_bits() {
        assert_eq!(depth((1 << 30) - 1), Ok((1 << 30) - 1));
        for too_deep in [1 << 30, u64::from(u32::MAX), 1 << 32, u64::MAX] {
            assert_eq!(depth(too_deep), Err(Fault::Impossible), "{too_deep}");
        }
    }
}
