//! The classes of a heap table, for a proof that goes from class to class and not from position to position.

use super::diagram::Diagram;
use super::position::{Heap, Heaps};
use super::steps::{LineLosses, Node, Steps};
use super::unpacked::Stored;
use crate::AskError;
use crate::format::Fault;

/// The classes of a table without passes, as the file has them (FORMAT.md, sections 5.3 and 5.4). Depths are left aside.
#[derive(Clone, Copy, Debug)]
pub struct Classes<'a> {
    diagram: &'a Diagram,
    steps: Stored<'a>,
}

impl<'a> Classes<'a> {
    pub(super) fn new(diagram: &'a Diagram, steps: Stored<'a>) -> Self {
        Self { diagram, steps }
    }

    /// How many of the heaps are found together, by their rank: steps add the others.
    pub fn stem_heaps(&self) -> usize {
        self.diagram.stem_heaps(0)
    }

    /// The class of as many heaps, which are in descending order and within the bounds of the greatest heaps.
    ///
    /// # Errors
    /// If the table is damaged.
    pub fn of_stem(&self, heaps: &[Heap]) -> Result<u64, AskError> {
        let heaps: Heaps = heaps.iter().map(|&size| self.told_apart(size)).collect();
        Ok(self.diagram.root(&self.steps, 0, &heaps)?.class)
    }

    /// Whether steps add heaps in descending order only.
    pub fn are_descending(&self) -> bool {
        self.diagram.descending()
    }

    /// The class of `heaps` heaps of a class and one of `size` stones. They are at least as many as those of the stem, and
    /// together fewer than all.
    ///
    /// # Errors
    /// If the table is damaged, or there is no such class or level.
    pub fn after(&self, heaps: usize, class: u64, size: Heap) -> Result<u64, AskError> {
        let size = self.told_apart(size);
        let level = heaps.checked_sub(self.stem_heaps()).ok_or(Fault::Astray)?;
        Ok(self.steps.step(level, Node { class, depth: 0 }, size)?.class)
    }

    /// Whether the position of all heaps but one of a class, and one of `size` stones, is lost.
    ///
    /// # Errors
    /// If the table is damaged, or there is no such class, or each position has a record of its own.
    pub fn is_lost(&self, class: u64, size: Heap) -> Result<bool, AskError> {
        if self.diagram.targets.is_none() {
            return Ok(self.after(self.diagram.heaps() - 1, class, size)? != 0);
        }
        let size = self.told_apart(size);
        match self.steps.target(Node { class, depth: 0 })? {
            LineLosses::Target(target, _) => Ok(target == u64::from(size)),
            LineLosses::Sizes(_) | LineLosses::Before(..) | LineLosses::Place(_) => Err(Fault::Astray.into()),
        }
    }

    /// A size as the table is asked for it: a greater one would be read from another class.
    fn told_apart(&self, size: Heap) -> Heap {
        size.min(self.diagram.greatest)
    }
}
