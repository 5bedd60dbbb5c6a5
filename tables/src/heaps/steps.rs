//! The steps from one class of heaps to the next: as they are stored, or unpacked.

use crate::format::{Body, Fault};
use crate::packed::Packed;

use super::diagram::{Diagram, Line, Lost};
use super::position::Heap;

/// Some heaps of a position, as far as the table tells them apart: their class, and how much of the depth
/// they make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Node {
    /// The number of the class; of unpacked steps, where the first of its steps is.
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
    fn target(&self, node: Node) -> Result<Line, Fault>;
}

/// Steps as the file has them.
pub(super) struct Stored<'a, D> {
    pub(super) diagram: &'a Diagram,
    pub(super) body: &'a Body<D>,
}

impl<D: AsRef<[u8]>> Steps for Stored<'_, D> {
    #[inline]
    fn root(&self, record: u64) -> Result<Node, Fault> {
        if self.diagram.stems.count() == 0 {
            return Ok(Node { class: record, depth: 0 });
        }
        let [class, depth] = self.diagram.stems.get(self.body, record)?;
        Ok(Node { class, depth })
    }

    #[inline]
    fn step(&self, level: usize, node: Node, size: Heap) -> Result<Node, Fault> {
        let records = self.diagram.levels.get(level).ok_or(Fault::Astray)?;
        let [class, depth] = records.get(self.body, node.class * self.diagram.width + u64::from(size))?;
        Ok(Node { class, depth: node.depth + depth })
    }

    #[inline]
    fn target(&self, node: Node) -> Result<Line, Fault> {
        let targets = self.diagram.targets.as_ref().ok_or(Fault::Astray)?;
        let [target, deeper, tries] = targets.get(self.body, node.class)?;
        let depth = depth(node.depth + deeper)?;
        Ok(Line::Target(target, Lost { depth, tries }))
    }
}

/// Steps unpacked into memory: several times as long, and faster to follow.
#[derive(Debug)]
pub(super) struct Unpacked {
    roots: Box<[Step]>,
    /// Level by level; what a step leads to is told by where its own steps begin.
    levels: Vec<Box<[Step]>>,
    targets: Box<[[u32; 3]]>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    to: u32,
    depth: u32,
}

/// So many records are unpacked at the most.
const MOST_RECORDS: u64 = 1 << 16;

impl Unpacked {
    /// Unpacks a diagram, unless it is too long, or something in it does not fit: that is then told when it
    /// is met.
    pub(super) fn new<D: AsRef<[u8]>>(diagram: &Diagram, body: &Body<D>) -> Option<Self> {
        let Diagram { stems, levels, targets, width, .. } = diagram;
        let records = levels.iter().chain([stems]).map(Packed::count).chain(targets.map(|t| t.count()));
        // Without a stem's records every class has its own; where that pays nothing else would.
        if records.sum::<u64>() > MOST_RECORDS || stems.count() == 0 {
            return None;
        }
        let to = |array: &Packed<2>, next: Option<u64>| {
            let unpack = |record| {
                let [class, depth] = array.get(body, record).ok()?;
                // Where further steps follow, their number is that of the class times the sizes; where none
                // do, it is the class itself.
                let to = if next.is_some() { class * width } else { class };
                Some(Step { to: u32::try_from(to).ok()?, depth: u32::try_from(depth).ok()? })
            };
            (0..array.count()).map(unpack).collect::<Option<Box<[Step]>>>()
        };
        let after = |level: usize| levels.get(level).map(Packed::count);
        let unpacked = Self {
            roots: to(stems, after(0))?,
            levels: (0..levels.len()).map(|n| to(&levels[n], after(n + 1))).collect::<Option<_>>()?,
            targets: match targets {
                None => Box::default(),
                Some(targets) => (0..targets.count())
                    .map(|record| {
                        let fields = targets.get(body, record).ok()?;
                        let [target, deeper, tries] = fields.map(|field| u32::try_from(field).ok());
                        Some([target?, deeper?, tries?])
                    })
                    .collect::<Option<_>>()?,
            },
        };
        Some(unpacked)
    }
}

impl Steps for Unpacked {
    #[inline(always)]
    fn root(&self, record: u64) -> Result<Node, Fault> {
        let step = self.roots.get(record as usize).ok_or(Fault::Astray)?;
        Ok(Node { class: step.to.into(), depth: step.depth.into() })
    }

    #[inline(always)]
    fn step(&self, level: usize, node: Node, size: Heap) -> Result<Node, Fault> {
        let steps = self.levels.get(level).ok_or(Fault::Astray)?;
        let step = steps.get((node.class + u64::from(size)) as usize).ok_or(Fault::Astray)?;
        Ok(Node { class: step.to.into(), depth: node.depth + u64::from(step.depth) })
    }

    #[inline(always)]
    fn target(&self, node: Node) -> Result<Line, Fault> {
        let &[target, deeper, tries] = self.targets.get(node.class as usize).ok_or(Fault::Astray)?;
        let depth = depth(node.depth + u64::from(deeper))?;
        Ok(Line::Target(target.into(), Lost { depth, tries: tries.into() }))
    }
}
