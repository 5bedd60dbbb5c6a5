//! The edges between the classes of heaps, and the lost positions to which they lead (FORMAT.md, section 5.3).
//!
//! A *node* stands for some heaps of a position. In Nim, an edge leads from the class of `1` to that of `1,3`.

use super::position::Heap;
use crate::format::Fault;

/// The stored answer for a lost position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Lost {
    /// Depth of the position; 0 in a table without depths.
    pub(super) depth: u32,
    /// Number of stones that the best move takes in all, `try` in FORMAT.md.
    pub(super) best_take: u64,
}

/// The lost positions of a line, or the means to find them. The positions of a line differ in one heap only, *its* heap.
/// Heaps are indexed in descending order of size.
#[derive(Clone, Copy, Debug)]
pub(super) enum LineLosses {
    /// The line has at most one lost position: its heap's size there, and the answer.
    Target(u64, Lost),
    /// Each size of the heap has an edge from the class of the other heaps.
    EachSize(ClassNode),
    /// Heaps are added in descending order only: the index of the line's heap, and the class of the greater heaps.
    Descending(u8, ClassNode),
    /// The line's heap, of this index, belongs to the stem, so the other heaps have no class.
    InStem(u8),
}

impl Default for LineLosses {
    /// Returns a line without a lost position.
    fn default() -> Self {
        Self::Target(u64::MAX, Lost::default())
    }
}

/// Some heaps of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ClassNode {
    /// The number of the heaps' class; in unpacked edges, the index of the class's first edge.
    pub class: u64,
    /// Sum of the depths that the edges so far add.
    pub depth: u64,
}

/// Limit of valid depths. Adding a small number to a valid depth cannot overflow 32 bits.
const TOO_DEEP: u32 = 1 << 30;

/// Checks a depth from the file.
#[inline]
pub(super) fn depth(depth: u64) -> Result<u32, Fault> {
    u32::try_from(depth).ok().filter(|&depth| depth < TOO_DEEP).ok_or(Fault::Impossible)
}

/// A source of edges: the mapped file, or unpacked memory.
pub(super) trait Edges {
    /// Returns the node of a stem's heaps. `record` is the index of their record.
    fn root(&self, record: u64) -> Result<ClassNode, Fault>;

    /// Follows the edge from `node` by one more heap of `size` stones. Level 0 has the edges from the shortest stem.
    fn follow(&self, level: usize, node: ClassNode, size: Heap) -> Result<ClassNode, Fault>;

    /// Returns the target of the class of all heaps except one.
    fn target(&self, node: ClassNode) -> Result<LineLosses, Fault>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_of_more_than_30_bits_are_refused() {
        assert_eq!(depth((1 << 30) - 1), Ok((1 << 30) - 1));
        for too_deep in [1 << 30, u64::from(u32::MAX), 1 << 32, u64::MAX] {
            assert_eq!(depth(too_deep), Err(Fault::Impossible), "{too_deep}");
        }
    }
}
