//! The two sources of an automaton's edges: the file, and memory into which they are unpacked.

use crate::format::{Body, Fault, Packed};

use super::automaton::Automaton;
use super::edges::{ClassNode, Edges, LineLosses, Lost, depth};
use super::levels::Level;
use super::position::Heap;

/// The edges in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredEdges<'a> {
    pub(super) automaton: &'a Automaton,
    pub(super) body: &'a Body,
}

impl Edges for StoredEdges<'_> {
    #[cfg_attr(feature = "fast", inline(always))]
    fn root(&self, record: u64) -> Result<ClassNode, Fault> {
        // Without records, the class of a stem's heaps is their rank.
        if self.automaton.roots.count() == 0 {
            return Ok(ClassNode { class: record, depth: 0 });
        }
        let [class, depth] = self.automaton.roots.get(self.body, record)?;
        Ok(ClassNode { class, depth })
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn follow(&self, level: usize, node: ClassNode, size: Heap) -> Result<ClassNode, Fault> {
        let level = self.automaton.levels.get(level).ok_or(Fault::OutOfRange)?;
        let [class, depth] = level.edge(self.body, node.class, size)?;
        Ok(ClassNode { class, depth: node.depth + depth })
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn target(&self, node: ClassNode) -> Result<LineLosses, Fault> {
        let targets = self.automaton.targets.as_ref().ok_or(Fault::OutOfRange)?;
        let [target, deeper, best_take] = targets.get(self.body, node.class)?;
        let depth = depth(node.depth + deeper)?;
        Ok(LineLosses::Target(target, Lost { depth, best_take }))
    }
}

/// Maximum number of records that are unpacked.
pub(super) const MAX_RECORDS: u64 = 1 << 16;

#[derive(Clone, Copy, Debug)]
pub(super) struct UnpackedEdge {
    /// Index of the first edge of the next class; after the last edge, the class itself.
    pub(super) to: u32,
    /// The depth that the edge adds.
    pub(super) depth: u32,
}

impl From<UnpackedEdge> for ClassNode {
    #[cfg_attr(feature = "fast", inline(always))]
    fn from(edge: UnpackedEdge) -> Self {
        Self { class: edge.to.into(), depth: edge.depth.into() }
    }
}

/// The edges, unpacked into memory. They take several times the memory, but are faster to follow.
#[derive(Debug)]
pub(super) struct UnpackedEdges {
    /// The records of the stem.
    pub(super) roots: Vec<UnpackedEdge>,
    /// The edges of all levels, one level after the other. If heaps may be added in any order, edges for the heaps of
    /// stems follow.
    pub(super) edges: Vec<UnpackedEdge>,
    /// For each class of all heaps except one: the lost size, the depth that the target adds, and the best take. Empty
    /// if a move may not take any number of stones.
    pub(super) targets: Vec<[u32; 3]>,
    /// Edges to the class of no heaps, one for each number of passes left; empty unless heaps may be added in any order.
    starts: Vec<UnpackedEdge>,
}

impl UnpackedEdges {
    /// Unpacks an automaton; `None` if it has too many records or is damaged. A question that meets the damage reports
    /// it.
    pub(super) fn new(automaton: &Automaton, body: &Body) -> Option<Self> {
        let (Automaton { levels, targets, .. }, stored) = (automaton, StoredEdges { automaton, body });
        let records = levels.iter().map(Level::edge_count).chain(targets.map(|targets| targets.count()));
        let records = records.chain([automaton.roots_of(automaton.layers() - 1).1.end]);
        if records.fold(0, u64::saturating_add) > MAX_RECORDS {
            return None;
        }
        let first_edge = |level: usize| levels[..level].iter().map(Level::edge_count).sum::<u64>();
        // Unpacks an edge to a class of level `to`, or to a class without further edges.
        let unpack = |to: usize, ClassNode { class, depth }| {
            let to = match levels.get(to) {
                None => class,
                Some(level) => {
                    let class = Some(class).filter(|&class| class < level.classes)?;
                    first_edge(to) + level.width * class
                }
            };
            Some(UnpackedEdge { to: u32::try_from(to).ok()?, depth: u32::try_from(depth).ok()? })
        };
        let unpack_roots = |passes| {
            let (level, records) = automaton.roots_of(passes);
            records.map(move |record| unpack(level, stored.root(record).ok()?))
        };
        let unpack_level = |number: usize| {
            let level = &levels[number];
            // The width is at most the greatest size of a heap plus 1, which fits.
            let sizes = 0..level.width as Heap;
            (0..level.classes).flat_map(move |class| sizes.clone().map(move |size| (class, size))).map(
                move |(class, size)| {
                    unpack(number + 1, stored.follow(number, ClassNode { class, depth: 0 }, size).ok()?)
                },
            )
        };
        let target = |targets: &Packed<3>, record| {
            let [target, deeper, best_take] = targets.get(body, record).ok()?;
            Some([u32::try_from(target).ok()?, u32::try_from(deeper).ok()?, u32::try_from(best_take).ok()?])
        };
        let mut unpacked = Self {
            roots: (0..automaton.layers()).flat_map(unpack_roots).collect::<Option<_>>()?,
            edges: (0..levels.len()).flat_map(unpack_level).collect::<Option<_>>()?,
            targets: match targets {
                None => Vec::new(),
                Some(targets) => (0..targets.count()).map(|n| target(targets, n)).collect::<Option<_>>()?,
            },
            starts: Vec::new(),
        };
        let edges = unpacked.edges.len();
        match unpacked.unpack_stems(automaton) {
            Some(starts) => unpacked.starts = starts,
            None => unpacked.edges.truncate(edges),
        }
        Some(unpacked)
    }

    /// Returns the node of no heaps for a number of passes left, if heaps may be added in any order.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn start(&self, passes: u8) -> Result<ClassNode, Fault> {
        self.starts.get(usize::from(passes)).map(|&start| start.into()).ok_or(Fault::OutOfRange)
    }

    /// Returns the lost size on a line, given its other heaps.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn target_size(&self, others: ClassNode) -> Result<Heap, Fault> {
        self.targets.get(others.class as usize).map(|&[size, ..]| size).ok_or(Fault::OutOfRange)
    }

    /// Returns the lost position on a line, given its other heaps: the lost size, and the answer.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn loss_on_line(&self, others: ClassNode) -> Result<(Heap, Lost), Fault> {
        let &[size, deeper, best_take] = self.targets.get(others.class as usize).ok_or(Fault::OutOfRange)?;
        Ok((size, Lost { depth: depth(others.depth + u64::from(deeper))?, best_take: best_take.into() }))
    }

    /// Returns true if heaps may be added in any order.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn is_in_any_order(&self) -> bool {
        !self.starts.is_empty()
    }
}

impl Edges for UnpackedEdges {
    #[cfg_attr(feature = "fast", inline(always))]
    fn root(&self, record: u64) -> Result<ClassNode, Fault> {
        self.roots.get(record as usize).map(|&edge| edge.into()).ok_or(Fault::OutOfRange)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn follow(&self, _: usize, node: ClassNode, size: Heap) -> Result<ClassNode, Fault> {
        let edge = *self.edges.get(node.class as usize + size as usize).ok_or(Fault::OutOfRange)?;
        Ok(ClassNode { class: edge.to.into(), depth: node.depth + u64::from(edge.depth) })
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn target(&self, node: ClassNode) -> Result<LineLosses, Fault> {
        let (size, lost) = self.loss_on_line(node)?;
        Ok(LineLosses::Target(size.into(), lost))
    }
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::super::layout::ArrayLayout;
    use super::super::rules::HeapRules;
    use super::super::tests::sample_tables::Parts;
    use super::super::{HeapKeys, Take};
    use super::*;
    use crate::format::Content;
    use crate::format::tests::forged::records;

    fn rules(bounds: &[Heap], take: Take) -> HeapRules {
        HeapKeys { bounds: bounds.to_vec(), take, ..Default::default() }.rules().unwrap()
    }

    fn unpacked(parts: &Parts) -> Option<UnpackedEdges> {
        let body = Body::open(parts.file(), Content::Table).unwrap();
        let automaton = Automaton::read(parts.depths, &parts.rules, &ArrayLayout::default(), &body).unwrap();
        UnpackedEdges::new(&automaton, &body)
    }

    fn can_be_unpacked(parts: &Parts) -> bool {
        unpacked(parts).is_some()
    }

    #[test]
    fn the_depth_of_a_line_adds_up_from_its_edges_and_its_target() {
        let parts = Parts::ranked(&rules(&[2, 2], Take::Any), true);
        let stem = records((0..3).map(|class| [class, 10]));
        let targets = parts.levels[1].clone();
        let unpacked = unpacked(&Parts { stem, ..parts }).unwrap();
        for (record, [size, deeper, best_take, ..]) in (0..3).zip(targets) {
            assert_eq!(deeper, 2 * record);
            let LineLosses::Target(target, lost) = unpacked.target(unpacked.root(record).unwrap()).unwrap()
            else {
                panic!("line {record} has no target");
            };
            assert_eq!((target, u64::from(lost.depth), lost.best_take), (size, 10 + deeper, best_take));
        }
    }

    #[test]
    fn a_table_that_refers_to_a_missing_class_is_not_unpacked() {
        let good = Parts::unranked(&rules(&[2; 3], Take::UpTo(2)), true);
        assert!(can_be_unpacked(&good));
        let classes: Vec<u64> = good.levels.iter().map(|level| level.len() as u64 / 3).collect();
        for (array, classes) in classes.into_iter().enumerate() {
            for class in [classes, classes + 1, u64::from(u32::MAX)] {
                let mut parts = good.clone();
                let records = if array == 0 { &mut parts.stem } else { &mut parts.levels[array - 1] };
                records.last_mut().unwrap()[0] = class;
                assert!(!can_be_unpacked(&parts), "array {array}, class {class}");
            }
        }
        // The class of a whole position is no index, but must fit into 32 bits.
        for (class, fits) in [(1000, true), (u64::from(u32::MAX), true), (1 << 32, false)] {
            let mut parts = good.clone();
            parts.levels[2][26][0] = class;
            assert_eq!(can_be_unpacked(&parts), fits, "{class}");
        }
    }

    #[test]
    fn a_table_of_more_than_65536_records_is_not_unpacked() {
        for (records_of_level, fits) in [(65_535, true), (65_536, false)] {
            let parts = Parts {
                rules: rules(&[records_of_level - 1], Take::UpTo(1)),
                depths: false,
                stem: records([[0, 0]]),
                levels: vec![records((0..records_of_level).map(|_| [0, 0]))],
            };
            assert_eq!(can_be_unpacked(&parts), fits, "{records_of_level}");
        }
    }

    #[test]
    fn a_table_is_unpacked_with_and_without_root_records() {
        let parts = Parts::ranked(&rules(&[2, 2], Take::Any), true);
        assert!(parts.stem.is_empty() && can_be_unpacked(&parts));
        let stem = records((0..3).map(|class| [class, 0]));
        assert!(can_be_unpacked(&Parts { stem, ..parts }));
    }

    #[test]
    fn heaps_may_be_added_in_any_order_if_the_edges_commute() {
        let is_in_any_order = |parts: &Parts| unpacked(parts).is_some_and(|edges| edges.is_in_any_order());
        for take in [Take::Any, Take::UpTo(2)] {
            for bounds in [&[3][..], &[3, 3], &[2; 3], &[1; 4]] {
                for depths in [true, false] {
                    assert!(
                        is_in_any_order(&Parts::ranked(&rules(bounds, take.clone()), depths)),
                        "{bounds:?}"
                    );
                }
            }
            assert!(!is_in_any_order(&Parts::ranked(&rules(&[2, 3], take), true)));
        }
        // In Nim, the classes are nim-sums.
        let sums = |classes| (0..classes).flat_map(|class| (0..4).map(move |size| [class ^ size, 0]));
        let good = Parts {
            rules: rules(&[3; 3], Take::Any),
            depths: false,
            stem: records([[0, 0]]),
            levels: vec![records(sums(1)), records(sums(4)), records((0..4).map(|class| [class, 0, 0]))],
        };
        assert!(is_in_any_order(&good));
        for (level, record) in
            (0..3).flat_map(|level| (0..good.levels[level].len()).map(move |at| (level, at)))
        {
            let mut parts = good.clone();
            parts.levels[level][record][0] ^= 1;
            assert!(!is_in_any_order(&parts), "level {level}, record {record}");
        }
    }
}
