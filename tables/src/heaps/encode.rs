//! Making the file of a heap table.

use super::rules::HeapRules;
use crate::Ruleset;
use crate::format::{Content, Header, assemble};
use crate::packed::{Packer, lay_out};

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

/// What the header says of all positions together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Census {
    /// How many positions are won for the player to move.
    pub wins: u64,
    /// The greatest depth; 0 without depths.
    pub deepest: u32,
}

impl Parts {
    /// The bytes of the table's file.
    ///
    /// # Panics
    /// If the parts are not as many as the rules ask for.
    #[must_use]
    pub fn into_file(self, rules: &HeapRules, depths: bool, census: Census) -> Vec<u8> {
        assert_eq!(self.levels.len(), rules.heaps(), "a level for each number of heaps");
        let edges = |edges: &[Edge]| Packer::pack(edges.iter().map(|e| [e.class.into(), e.deeper.into()]));
        let mut arrays = vec![edges(&self.stem)];
        arrays.extend(self.levels.iter().map(|level| edges(level)));
        if !self.targets.is_empty() {
            let targets = self.targets.iter().map(|t| [t.size.into(), t.deeper.into(), t.tries.into()]);
            arrays[rules.heaps()] = Packer::pack(targets);
        }
        let header = Header {
            ruleset: Ruleset::Heaps(rules.clone()),
            depths,
            positions: rules.positions(),
            wins: census.wins,
            deepest: census.deepest,
        };
        assemble(Content::Table, &header, &lay_out(arrays))
    }
}
