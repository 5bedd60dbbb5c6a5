//! The steps of a diagram as the file has them, or unpacked into memory.

use crate::format::{Body, Fault, Packed};

use super::chains::{Chains, Step};
use super::diagram::Diagram;
use super::levels::Level;
use super::position::Heap;
use super::steps::{LineLosses, Lost, Node, Steps, depth};

/// Steps as the file has them.
#[derive(Debug)]
pub(super) struct Stored<'a> {
    pub(super) diagram: &'a Diagram,
    pub(super) body: &'a Body,
}

impl Clone for Stored<'_> {
    fn clone(&self) -> Self {
        *self
    }
}

impl Copy for Stored<'_> {}

impl Steps for Stored<'_> {
    #[cfg_attr(feature = "fast", inline(always))]
    fn root(&self, record: u64) -> Result<Node, Fault> {
        if self.diagram.roots.count() == 0 {
            return Ok(Node { class: record, depth: 0 });
        }
        let [class, depth] = self.diagram.roots.get(self.body, record)?;
        Ok(Node { class, depth })
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn step(&self, level: usize, node: Node, size: Heap) -> Result<Node, Fault> {
        let level = self.diagram.levels.get(level).ok_or(Fault::Astray)?;
        let [class, depth] = level.step(self.body, node.class, size)?;
        Ok(Node { class, depth: node.depth + depth })
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn target(&self, node: Node) -> Result<LineLosses, Fault> {
        let targets = self.diagram.targets.as_ref().ok_or(Fault::Astray)?;
        let [target, deeper, tries] = targets.get(self.body, node.class)?;
        let depth = depth(node.depth + deeper)?;
        Ok(LineLosses::Target(target, Lost { depth, tries }))
    }
}

/// Steps unpacked into memory: several times as long, and faster to follow.
#[derive(Debug)]
pub(super) struct Unpacked {
    roots: Box<[Step]>,
    /// For each step where the steps of the class that it leads to begin; if none follow, the class.
    to: Box<[u32]>,
    /// For each step the depth that it adds; nothing if none adds any.
    deeper: Box<[u32]>,
    targets: Box<[[u32; 3]]>,
    /// The class of no heaps for each number of passes left, if heaps may be added in any order.
    starts: Option<Box<[Step]>>,
}

/// So many records are unpacked at the most.
pub(super) const MOST_RECORDS: u64 = 1 << 16;

impl Unpacked {
    /// Unpacks a diagram, unless it is too long, or something in it does not fit: that is then told when it
    /// is met.
    pub(super) fn new(diagram: &Diagram, body: &Body) -> Option<Self> {
        let Diagram { roots, levels, targets, .. } = diagram;
        let records = levels.iter().map(Level::steps).chain(targets.map(|targets| targets.count()));
        let records = records.chain([diagram.roots_of(diagram.layers() - 1).1.end]);
        if records.fold(0, u64::saturating_add) > MOST_RECORDS {
            return None;
        }
        let begin = |level: usize| levels[..level].iter().map(Level::steps).sum::<u64>();
        // A step to a class of a level, or to one from which no steps follow.
        let unpack = |to: usize, [class, depth]: [u64; 2]| {
            let to = match levels.get(to) {
                None => class,
                Some(level) => {
                    let class = Some(class).filter(|&class| class < level.classes)?;
                    begin(to) + level.width * class
                }
            };
            Some(Step { to: u32::try_from(to).ok()?, depth: u32::try_from(depth).ok()? })
        };
        let of_layer = |passes| {
            let (level, records) = diagram.roots_of(passes);
            // Without records the class of heaps is their rank.
            let root = move |record| {
                if roots.count() == 0 { Some([record, 0]) } else { roots.get(body, record).ok() }
            };
            records.map(move |record| unpack(level, root(record)?))
        };
        let of_level = |number: usize| {
            let level = &levels[number];
            // No greater than the greatest size of a heap.
            let sizes = 0..level.width as Heap;
            (0..level.classes)
                .flat_map(move |class| sizes.clone().map(move |size| (class, size)))
                .map(move |(class, size)| unpack(number + 1, level.step(body, class, size).ok()?))
        };
        let target = |targets: &Packed<3>, record| {
            let [target, deeper, tries] = targets.get(body, record).ok()?;
            Some([u32::try_from(target).ok()?, u32::try_from(deeper).ok()?, u32::try_from(tries).ok()?])
        };
        let mut chains = Chains {
            roots: (0..diagram.layers()).flat_map(of_layer).collect::<Option<_>>()?,
            steps: (0..levels.len()).flat_map(of_level).collect::<Option<_>>()?,
            targets: match targets {
                None => Vec::new(),
                Some(targets) => (0..targets.count()).map(|n| target(targets, n)).collect::<Option<_>>()?,
            },
            greatest: diagram.greatest,
        };
        let starts = chains.allow_any_order(diagram);
        let Chains { roots, steps, targets, .. } = chains;
        let has_depths = steps.iter().any(|step| step.depth > 0);
        Some(Self {
            roots: roots.into(),
            to: steps.iter().map(|step| step.to).collect(),
            deeper: steps.iter().filter(|_| has_depths).map(|step| step.depth).collect(),
            targets: targets.into(),
            starts,
        })
    }

    /// The class of no heaps, with so many passes left, if heaps may be added in any order.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn start(&self, passes: u8) -> Option<Node> {
        let start = self.starts.as_ref()?.get(usize::from(passes))?;
        Some(Node { class: start.to.into(), depth: start.depth.into() })
    }

    /// The size of the heap in the lost position of a line, by the class of the other heaps.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn target_size(&self, others: Node) -> Result<Heap, Fault> {
        self.targets.get(others.class as usize).map(|&[size, ..]| size).ok_or(Fault::Astray)
    }

    /// The lost position of a line, by the class of the other heaps: the size of the heap there, and what is known of it.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn loss_on_line(&self, others: Node) -> Result<(Heap, Lost), Fault> {
        let &[size, deeper, tries] = self.targets.get(others.class as usize).ok_or(Fault::Astray)?;
        Ok((size, Lost { depth: depth(others.depth + u64::from(deeper))?, tries: tries.into() }))
    }

    /// Whether heaps may be added in any order.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn is_in_any_order(&self) -> bool {
        self.starts.is_some()
    }
}

impl Steps for Unpacked {
    #[cfg_attr(feature = "fast", inline(always))]
    fn root(&self, record: u64) -> Result<Node, Fault> {
        let step = self.roots.get(record as usize).ok_or(Fault::Astray)?;
        Ok(Node { class: step.to.into(), depth: step.depth.into() })
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn step(&self, _: usize, node: Node, size: Heap) -> Result<Node, Fault> {
        let step = node.class as usize + size as usize;
        let to = *self.to.get(step).ok_or(Fault::Astray)?;
        let deeper = self.deeper.get(step).copied().unwrap_or(0);
        Ok(Node { class: to.into(), depth: node.depth + u64::from(deeper) })
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn target(&self, node: Node) -> Result<LineLosses, Fault> {
        let (size, lost) = self.loss_on_line(node)?;
        Ok(LineLosses::Target(size.into(), lost))
    }
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::super::handmade::Parts;
    use super::super::layout::Layout;
    use super::super::rules::HeapRules;
    use super::super::{HeapKeys, Take};
    use super::*;
    use crate::format::Content;
    use crate::format::forged::records;

    fn rules(bounds: &[Heap], take: Take) -> HeapRules {
        HeapKeys { bounds: bounds.to_vec(), take, ..Default::default() }.rules().unwrap()
    }

    fn unpacked(parts: &Parts) -> Option<Unpacked> {
        let body = Body::open(parts.file(), Content::Table).unwrap();
        let diagram = Diagram::read(parts.depths, &parts.rules, &Layout::default(), &body).unwrap();
        Unpacked::new(&diagram, &body)
    }

    fn can_be_unpacked(parts: &Parts) -> bool {
        unpacked(parts).is_some()
    }

    #[test]
    fn the_depth_of_a_line_adds_up_from_its_steps_and_its_target() {
        let parts = Parts::ranked(&rules(&[2, 2], Take::Any), true);
        let stem = records((0..3).map(|class| [class, 10]));
        let targets = parts.levels[1].clone();
        let unpacked = unpacked(&Parts { stem, ..parts }).unwrap();
        for (record, [size, deeper, tries, ..]) in (0..3).zip(targets) {
            assert_eq!(deeper, 2 * record);
            let LineLosses::Target(target, lost) = unpacked.target(unpacked.root(record).unwrap()).unwrap()
            else {
                panic!("line {record} has no target");
            };
            assert_eq!((target, u64::from(lost.depth), lost.tries), (size, 10 + deeper, tries));
        }
    }

    #[test]
    fn a_table_with_a_class_that_is_not_there_is_not_unpacked() {
        let good = Parts::stepped(&rules(&[2; 3], Take::UpTo(2)), true);
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
        // The class of a whole position is none of these, but has to fit 32 bits.
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
    fn a_table_in_which_classes_are_ranks_is_unpacked_as_one_that_says_so() {
        let parts = Parts::ranked(&rules(&[2, 2], Take::Any), true);
        assert!(parts.stem.is_empty() && can_be_unpacked(&parts));
        let stem = records((0..3).map(|class| [class, 0]));
        assert!(can_be_unpacked(&Parts { stem, ..parts }));
    }

    #[test]
    fn heaps_may_be_added_in_any_order_where_it_makes_no_difference() {
        let is_in_any_order = |parts: &Parts| unpacked(parts).is_some_and(|all| all.is_in_any_order());
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
        // Nim: classes are sums without carries.
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
