//! The steps from one class of heaps to the next, and what they lead to.

use super::position::Heap;
use crate::format::Fault;

/// What is known of a lost position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Lost {
    /// Its depth; 0 in a table without depths.
    pub(super) depth: u32,
    /// Stones that the best try takes, in all.
    pub(super) tries: u64,
}

/// Where the lost positions of a line are. A line has all sizes of one heap, and the other heaps stay.
#[derive(Clone, Copy, Debug)]
pub(super) enum LineLosses {
    /// The one lost position of a line, if there is one: the size of the heap there.
    Target(u64, Lost),
    /// Each size has a record of its own.
    Sizes(Node),
    /// Heaps are added in descending order only: the place of the line's heap, and the class of the heaps before it.
    Before(u8, Node),
    /// The other heaps are too many to have a class: the place of the line's heap.
    Place(u8),
}

impl Default for LineLosses {
    /// A line without a lost position.
    fn default() -> Self {
        Self::Target(u64::MAX, Lost::default())
    }
}

/// Some heaps of a position, as far as the table tells them apart: their class, and how much of the depth
/// they make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Node {
    /// The number of the class; among unpacked steps, where its own begin.
    pub(super) class: u64,
    pub(super) depth: u64,
}

/// A depth of this and beyond is none that a table can have. Whoever adds a few to one stays within 32 bits.
const TOO_DEEP: u32 = 1 << 30;

/// The depth of a lost position, if it is one that a table can have.
#[inline]
pub(super) fn depth(depth: u64) -> Result<u32, Fault> {
    u32::try_from(depth).ok().filter(|&depth| depth < TOO_DEEP).ok_or(Fault::Impossible)
}

/// Where steps are read from.
pub(super) trait Steps {
    /// The class of the heaps of the stem, of which the number of their record is given.
    fn root(&self, record: u64) -> Result<Node, Fault>;

    /// The class of heaps and one of `size` stones. The level is counted from the stem.
    fn step(&self, level: usize, node: Node, size: Heap) -> Result<Node, Fault>;

    /// The target of a class of all heaps but one.
    fn target(&self, node: Node) -> Result<LineLosses, Fault>;
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
