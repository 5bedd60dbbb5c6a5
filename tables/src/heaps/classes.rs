//! The classes of a heap table, for a proof that visits classes instead of positions.

use super::diagram::Diagram;
use super::position::{Heap, Heaps};
use super::step_sources::StoredSteps;
use super::steps::{LineLosses, StepNode, Steps};
use crate::AskError;
use crate::format::Fault;

/// The classes of a table without passes, without depths (FORMAT.md, sections 5.3 and 5.4).
#[derive(Clone, Copy, Debug)]
pub struct Classes<'a> {
    diagram: &'a Diagram,
    steps: StoredSteps<'a>,
}

impl<'a> Classes<'a> {
    pub(super) fn new(diagram: &'a Diagram, steps: StoredSteps<'a>) -> Self {
        Self { diagram, steps }
    }

    /// Returns the number of heaps in a stem, whose class is looked up by rank. Steps add the other heaps.
    pub fn stem_heaps(&self) -> usize {
        self.diagram.stem_heaps(0)
    }

    /// Returns the class of a stem's heaps, which are in descending order and within the greatest bounds.
    ///
    /// # Errors
    /// If the table is damaged.
    pub fn of_stem(&self, heaps: &[Heap]) -> Result<u64, AskError> {
        let heaps: Heaps = heaps.iter().map(|&size| self.effective_size(size)).collect();
        Ok(self.diagram.root(&self.steps, 0, &heaps)?.class)
    }

    /// Returns true if steps add heaps in descending order only.
    pub fn are_descending(&self) -> bool {
        self.diagram.descending()
    }

    /// Returns the class of a class of `heaps` heaps and one more heap of `size` stones. `heaps` is at least the
    /// number of heaps in the stem, and `heaps + 1` is less than the number of all heaps.
    ///
    /// # Errors
    /// If the table is damaged, or has no such class or level.
    pub fn after(&self, heaps: usize, class: u64, size: Heap) -> Result<u64, AskError> {
        let size = self.effective_size(size);
        let level = heaps.checked_sub(self.stem_heaps()).ok_or(Fault::OutOfRange)?;
        Ok(self.steps.step(level, StepNode { class, depth: 0 }, size)?.class)
    }

    /// Returns true if a class of all heaps except one, and a heap of `size` stones, make a lost position.
    ///
    /// # Errors
    /// If the table is damaged, has no such class, or stores a record for each position.
    pub fn is_lost(&self, class: u64, size: Heap) -> Result<bool, AskError> {
        if self.diagram.targets.is_none() {
            return Ok(self.after(self.diagram.heaps() - 1, class, size)? != 0);
        }
        let size = self.effective_size(size);
        match self.steps.target(StepNode { class, depth: 0 })? {
            LineLosses::Target(target, _) => Ok(target == u64::from(size)),
            LineLosses::Sizes(_) | LineLosses::Before(..) | LineLosses::Place(_) => {
                Err(Fault::OutOfRange.into())
            }
        }
    }

    /// Lowers a size to the greatest effective size: a greater index would read the record of another class.
    fn effective_size(&self, size: Heap) -> Heap {
        size.min(self.diagram.greatest)
    }
}
