//! Packing a heap table (FORMAT.md, section 5).

use std::io;

use bouton_tables::Ruleset;
use bouton_tables::format::{Content, FileWriter, Shape, Sink};
use bouton_tables::heaps::HeapRules;

use crate::{Census, Summary};

/// Where a heap, added to heaps of some class, leads: the class of all of them, and by how much it makes the
/// depth greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Edge {
    /// The class. That of a whole position is 0 if it is won, else one more than the stones that the best try
    /// takes in all (without depths, 1).
    pub class: u32,
    /// What to add to the depth; 0 without depths.
    pub deeper: u32,
}

/// The one lost position of a line, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Target {
    /// The size of the heap; one above the greatest bound if the line has no lost position.
    pub size: u32,
    /// What to add to the depth; 0 without depths.
    pub deeper: u32,
    /// Stones that the best try takes in all; 0 without depths.
    pub tries: u32,
}

/// The parts of a body, as FORMAT.md, section 5, describes them.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// For each number of passes left, and each rank of the heaps of the stem, their class. Empty if it is
    /// the number of the record.
    pub stem: Vec<Edge>,
    /// For each number of heaps that are fewer than all, for each class of so many and each size of a further
    /// heap, where that leads. Empty below the stem, and at the end where there are targets.
    pub levels: Vec<Vec<Edge>>,
    /// For each class of all heaps but one its target; empty where a line can have several lost positions.
    pub targets: Vec<Target>,
}

impl Parts {
    /// Bytes that they and the search for them took, about: a step stands in two dictionaries, and in the level.
    pub(super) fn bytes(&self) -> usize {
        let steps: usize = self.levels.iter().map(Vec::len).sum();
        48 * steps + size_of::<Target>() * self.targets.len() + size_of::<Edge>() * self.stem.len()
    }

    /// Writes the table.
    ///
    /// # Errors
    /// Whatever the sink reports, and if there is not enough memory.
    ///
    /// # Panics
    /// If there are not as many levels as the rules ask for.
    pub fn write(
        &self,
        rules: &HeapRules,
        depths: bool,
        census: Census,
        sink: &mut dyn Sink,
    ) -> io::Result<Summary> {
        assert_eq!(self.levels.len(), rules.heaps(), "a level for each number of heaps");
        // Targets take the place of the last level, which is empty then.
        let levels = &self.levels[..rules.heaps() - usize::from(!self.targets.is_empty())];
        let targets = self.targets.iter().map(|t| [t.size.into(), t.deeper.into(), t.tries.into()]);
        let edges = || [&self.stem].into_iter().chain(levels);
        let mut shapes = edges().map(|edges| Shape::of(records(edges))).collect::<io::Result<Vec<_>>>()?;
        if !self.targets.is_empty() {
            shapes.push(Shape::of(targets.clone())?);
        }
        let header = census.header(Ruleset::Heaps(rules.clone()), depths);
        let mut file = FileWriter::new(sink, Content::Table, &header, shapes, 0)?;
        edges().try_for_each(|edges| file.array(records(edges)))?;
        if !self.targets.is_empty() {
            file.array(targets)?;
        }
        Ok(Summary::new(header, file.finish()?))
    }
}

fn records(edges: &[Edge]) -> impl Iterator<Item = [u64; 2]> {
    edges.iter().map(|edge| [edge.class.into(), edge.deeper.into()])
}
