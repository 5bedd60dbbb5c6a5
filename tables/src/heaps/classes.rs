//! The classes of a heap table, for proofs that visit classes instead of positions.

use super::automaton::lost_of_class;
use super::edge_sources::StoredEdges;
use super::edges::{ClassNode, Edges, LineLosses, Lost};
use super::position::{Heap, Heaps};
use crate::AskError;
use crate::format::Fault;

/// The classes of a table (FORMAT.md, sections 5.3 and 5.4). Sizes above the greatest effective one count as that.
#[derive(Clone, Copy, Debug)]
pub struct Classes<'a>(pub(super) StoredEdges<'a>);

impl Classes<'_> {
    /// Returns the number of heaps in the stem, whose class is looked up by rank, for a number of passes left. Edges add
    /// the other heaps.
    pub fn stem_heaps(&self, passes: u8) -> usize {
        self.0.automaton.stem_heaps(passes)
    }

    /// Returns the node of a stem's heaps, which are in descending order and within the greatest bounds.
    pub fn of_stem(&self, passes: u8, heaps: &[Heap]) -> Result<ClassNode, AskError> {
        let heaps: Heaps = heaps.iter().map(|&size| self.effective_size(size)).collect();
        Ok(self.0.automaton.root(&self.0, passes, &heaps)?)
    }

    /// Returns true if edges add heaps in descending order only.
    pub fn are_descending(&self) -> bool {
        self.0.automaton.is_descending
    }

    /// Returns the greatest effective size.
    pub fn greatest(&self) -> Heap {
        self.0.automaton.greatest
    }

    /// Returns true if the classes of all heaps except one store the lost size of the last heap, in place of edges.
    pub fn have_targets(&self) -> bool {
        self.0.automaton.targets.is_some()
    }

    /// Follows the edge from a node of `heaps` heaps by one more heap of `size` stones. `heaps` is at least the number of
    /// heaps in the stem; `heaps + 1` is less than the number of all heaps, or without targets at most that number.
    pub fn follow_edge(&self, heaps: usize, node: ClassNode, size: Heap) -> Result<ClassNode, AskError> {
        let level = heaps.checked_sub(self.0.automaton.shortest_stem).ok_or(Fault::OutOfRange)?;
        Ok(self.0.follow(level, node, self.effective_size(size))?)
    }

    /// Returns the depth and the stones of the best move of a lost position, given the node of all heaps, in a table
    /// without targets. `None` if the position is won.
    pub fn lost(&self, node: ClassNode) -> Result<Option<(u32, u64)>, AskError> {
        Ok(lost_of_class(node)?.map(|Lost { depth, best_take }| (depth, best_take)))
    }

    /// Returns the target of a node of all heaps except one: the lost size of the last heap, and depth and stones of the
    /// best move of that position. A size above the greatest effective one means that there is no lost size.
    pub fn target(&self, node: ClassNode) -> Result<(u64, (u32, u64)), AskError> {
        match self.0.target(node)? {
            LineLosses::Target(size, Lost { depth, best_take }) => Ok((size, (depth, best_take))),
            _ => Err(Fault::OutOfRange.into()),
        }
    }

    /// Returns true if a node of all heaps except one, together with a heap of `size` stones, is a lost position.
    pub fn is_lost(&self, node: ClassNode, size: Heap) -> Result<bool, AskError> {
        if !self.have_targets() {
            return Ok(self.lost(self.follow_edge(self.0.automaton.heaps - 1, node, size)?)?.is_some());
        }
        Ok(self.target(node)?.0 == u64::from(self.effective_size(size)))
    }

    /// Lowers a size to the greatest effective one: a greater index would read the record of another class.
    fn effective_size(&self, size: Heap) -> Heap {
        size.min(self.0.automaton.greatest)
    }
}
