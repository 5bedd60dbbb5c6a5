//! The steps of a diagram as the file has them, or unpacked into memory.

use crate::format::{Body, Fault, Packed};

use super::diagram::Diagram;
use super::levels::Level;
use super::position::Heap;
use super::steps::{LineLosses, Lost, Node, Steps, depth};

/// Steps as the file has them.
#[derive(Debug)]
pub(super) struct Stored<'a, D> {
    pub(super) diagram: &'a Diagram,
    pub(super) body: &'a Body<D>,
}

impl<D> Clone for Stored<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Stored<'_, D> {}

impl<D: AsRef<[u8]>> Steps for Stored<'_, D> {
    #[inline(always)]
    fn root(&self, record: u64) -> Result<Node, Fault> {
        if self.diagram.roots.count() == 0 {
            return Ok(Node { class: record, depth: 0 });
        }
        let [class, depth] = self.diagram.roots.get(self.body, record)?;
        Ok(Node { class, depth })
    }

    #[inline(always)]
    fn step(&self, level: usize, node: Node, size: Heap) -> Result<Node, Fault> {
        let level = self.diagram.levels.get(level).ok_or(Fault::Astray)?;
        let [class, depth] = level.step(self.body, node.class, size)?;
        Ok(Node { class, depth: node.depth + depth })
    }

    #[inline(always)]
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
    /// The steps of all levels, one level after the other.
    steps: Box<[Step]>,
    targets: Box<[[u32; 3]]>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    /// Where the steps of the class that it leads to begin; if none follow, the class.
    to: u32,
    depth: u32,
}

/// So many records are unpacked at the most.
const MOST_RECORDS: u64 = 1 << 16;

impl Unpacked {
    /// Unpacks a diagram, unless it is too long, or something in it does not fit: that is then told when it
    /// is met.
    pub(super) fn new<D: AsRef<[u8]>>(diagram: &Diagram, body: &Body<D>) -> Option<Self> {
        let Diagram { roots, levels, targets, .. } = diagram;
        let records =
            levels.iter().map(Level::steps).chain([roots.count()]).chain(targets.map(|t| t.count()));
        // Roots without records are those of a table with many classes.
        if records.fold(0, u64::saturating_add) > MOST_RECORDS || roots.count() == 0 {
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
            records.map(move |record| unpack(level, roots.get(body, record).ok()?))
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
        Some(Self {
            roots: (0..diagram.layers()).flat_map(of_layer).collect::<Option<_>>()?,
            steps: (0..levels.len()).flat_map(of_level).collect::<Option<_>>()?,
            targets: match targets {
                None => Box::default(),
                Some(targets) => (0..targets.count()).map(|n| target(targets, n)).collect::<Option<_>>()?,
            },
        })
    }
}

impl Steps for Unpacked {
    #[inline(always)]
    fn root(&self, record: u64) -> Result<Node, Fault> {
        let step = self.roots.get(record as usize).ok_or(Fault::Astray)?;
        Ok(Node { class: step.to.into(), depth: step.depth.into() })
    }

    #[inline(always)]
    fn step(&self, _: usize, node: Node, size: Heap) -> Result<Node, Fault> {
        let step = self.steps.get(node.class as usize + size as usize).ok_or(Fault::Astray)?;
        Ok(Node { class: step.to.into(), depth: node.depth + u64::from(step.depth) })
    }

    #[inline(always)]
    fn target(&self, node: Node) -> Result<LineLosses, Fault> {
        let &[target, deeper, tries] = self.targets.get(node.class as usize).ok_or(Fault::Astray)?;
        let depth = depth(node.depth + u64::from(deeper))?;
        Ok(LineLosses::Target(target.into(), Lost { depth, tries: tries.into() }))
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
    fn a_table_without_a_stem_is_not_unpacked() {
        let parts = Parts::ranked(&rules(&[2, 2], Take::Any), true);
        assert!(parts.stem.is_empty() && !can_be_unpacked(&parts));
        // With one it is.
        let stem = records((0..3).map(|class| [class, 0]));
        assert!(can_be_unpacked(&Parts { stem, ..parts }));
    }
}
