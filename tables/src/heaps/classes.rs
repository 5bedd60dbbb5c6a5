//! The classes of a heap table, for `bouton verify --by-classes`, a proof that visits classes instead of positions.

use super::automaton::Automaton;
use super::edge_sources::StoredEdges;
use super::edges::{ClassNode, Edges, LineLosses};
use super::position::{Heap, Heaps};
use crate::AskError;
use crate::format::Fault;

/// The classes of a table without passes and depths (FORMAT.md, sections 5.3 and 5.4).
#[derive(Clone, Copy, Debug)]
pub struct Classes<'a> {
    automaton: &'a Automaton,
    edges: StoredEdges<'a>,
}

impl<'a> Classes<'a> {
    pub(super) fn new(automaton: &'a Automaton, edges: StoredEdges<'a>) -> Self {
        Self { automaton, edges }
    }

    /// Returns the number of heaps in the stem, whose class is looked up by rank. Edges add the other heaps.
    pub fn stem_heaps(&self) -> usize {
        self.automaton.stem_heaps(0)
    }

    /// Returns the class of a stem's heaps, which are in descending order and within the greatest bounds.
    pub fn of_stem(&self, heaps: &[Heap]) -> Result<u64, AskError> {
        let heaps: Heaps = heaps.iter().map(|&size| self.effective_size(size)).collect();
        Ok(self.automaton.root(&self.edges, 0, &heaps)?.class)
    }

    /// Returns true if edges add heaps in descending order only.
    pub fn are_descending(&self) -> bool {
        self.automaton.is_descending
    }

    /// Follows the edge from a class of `heaps` heaps by one more heap of `size` stones, and returns the class that it
    /// leads to. `heaps` is at least the number of heaps in the stem; `heaps + 1` is less than the number of all heaps,
    /// or without targets at most that number.
    pub fn follow_edge(&self, heaps: usize, class: u64, size: Heap) -> Result<u64, AskError> {
        let size = self.effective_size(size);
        let level = heaps.checked_sub(self.stem_heaps()).ok_or(Fault::OutOfRange)?;
        Ok(self.edges.follow(level, ClassNode { class, depth: 0 }, size)?.class)
    }

    /// Returns true if a class of all heaps except one, together with a heap of `size` stones, makes a lost position.
    pub fn is_lost(&self, class: u64, size: Heap) -> Result<bool, AskError> {
        if self.automaton.targets.is_none() {
            return Ok(self.follow_edge(self.automaton.heaps - 1, class, size)? != 0);
        }
        let size = self.effective_size(size);
        match self.edges.target(ClassNode { class, depth: 0 })? {
            LineLosses::Target(target, _) => Ok(target == u64::from(size)),
            _ => Err(Fault::OutOfRange.into()),
        }
    }

    /// Lowers a size to the greatest effective one: a greater index would read the record of another class.
    fn effective_size(&self, size: Heap) -> Heap {
        size.min(self.automaton.greatest)
    }
}
