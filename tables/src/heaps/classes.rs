//! The classes of a heap table, for a proof that goes from class to class and not from position to position.

use super::diagram::Diagram;
use super::position::Heap;
use super::steps::{LineLosses, Node, Steps};
use super::unpacked::Stored;
use crate::format::Fault;
use crate::{AskError, Damage};

/// The classes of a table without passes, as the file has them (FORMAT.md, sections 5.3 and 5.4). Depths are left aside.
#[derive(Clone, Copy, Debug)]
pub struct Classes<'a, D> {
    diagram: &'a Diagram,
    steps: Stored<'a, D>,
}

impl<'a, D: AsRef<[u8]>> Classes<'a, D> {
    pub(super) fn new(diagram: &'a Diagram, steps: Stored<'a, D>) -> Self {
        Self { diagram, steps }
    }

    /// How many of the heaps are found together, by their rank: steps add the others.
    pub fn stem_heaps(&self) -> usize {
        self.diagram.stem_heaps()
    }

    /// The class of as many heaps, by their [rank](super::Ranks).
    ///
    /// # Errors
    /// If the table is damaged, or there is no such rank.
    pub fn of_stem(&self, rank: u64) -> Result<u64, AskError> {
        Ok(self.steps.root(rank)?.class)
    }

    /// The class of `heaps` heaps of a class and one of `size` stones. They are at least as many as those of the stem, and
    /// together fewer than all.
    ///
    /// # Errors
    /// If the table is damaged, or there is no such class, level or size.
    pub fn after(&self, heaps: usize, class: u64, size: Heap) -> Result<u64, AskError> {
        self.has(size)?;
        let level = heaps.checked_sub(self.stem_heaps()).ok_or(Fault::Astray)?;
        Ok(self.steps.step(level, Node { class, depth: 0 }, size)?.class)
    }

    /// Whether the position of all heaps but one of a class, and one of `size` stones, is lost.
    ///
    /// # Errors
    /// If the table is damaged, or there is no such class or size, or each position has a record of its own.
    pub fn is_lost(&self, class: u64, size: Heap) -> Result<bool, AskError> {
        if self.diagram.targets.is_none() {
            return Ok(self.after(self.diagram.heaps() - 1, class, size)? != 0);
        }
        self.has(size)?;
        match self.steps.target(Node { class, depth: 0 })? {
            LineLosses::Target(target, _) => Ok(target == u64::from(size)),
            LineLosses::Sizes(_) | LineLosses::Place(_) => Err(Fault::Astray.into()),
        }
    }

    /// A greater size would be read from another class.
    fn has(&self, size: Heap) -> Result<(), AskError> {
        if u64::from(size) < self.diagram.width {
            return Ok(());
        }
        Err(Damage::new(format!("it has no steps for a heap of {size}")).into())
    }
}
