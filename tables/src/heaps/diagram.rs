//! The body of a heap table (FORMAT.md, section 5): which heaps, added one after the other, lead to a lost
//! position.

use super::position::{Heap, Heaps, MAX_HEAPS};
use super::ranks::Ranks;
use super::rules::{HeapRules, multisets_within};
use super::steps::{LineLosses, Lost, Node, Steps, depth};
use super::take::Take;
use crate::Damage;
use crate::format::{Body, ENTRY, Fault, PADDING, Packed};

/// The arrays of the body, where they lie.
#[derive(Debug)]
pub(super) struct Diagram {
    heaps: usize,
    /// One above the greatest size of a heap.
    pub(super) width: u64,
    /// How many of the greatest heaps are found together, by their rank.
    stem: usize,
    ranks: Ranks,
    /// Without records: the class of heaps is their rank.
    pub(super) stems: Packed<2>,
    /// For each number of heaps from `stem` on the records of its classes, one for each size of a further
    /// heap.
    pub(super) levels: Vec<Packed<2>>,
    /// For each class of all heaps but one: its target. Used where anything may be taken from a heap, so that
    /// a line has one lost position at the most.
    pub(super) targets: Option<Packed<3>>,
}

impl Diagram {
    /// Reads the directory and checks all that later arithmetic relies on.
    pub(super) fn read<D: AsRef<[u8]>>(
        depths: bool,
        rules: &HeapRules,
        body: &Body<D>,
    ) -> Result<Self, Damage> {
        let damage = |what: &str| Err(Damage::new(what));
        let heaps = rules.heaps();
        if body.len() < (1 + heaps) * ENTRY + PADDING {
            return damage("it has no room for its directory");
        }
        if !body.ends_in_zeros(PADDING)? {
            return damage("its last bytes are not zero");
        }
        let width = u64::from(rules.greatest()) + 1;
        let layers = u64::from(rules.passes()) + 1;
        let has_targets = *rules.take() == Take::Any;
        let stems = Packed::<2>::read(body, 0)?;
        let targets = has_targets.then(|| Packed::<3>::read(body, heaps)).transpose()?;
        let edges = heaps - usize::from(has_targets);
        let mut levels = Vec::new();
        for level in 0..edges {
            let records = Packed::<2>::read(body, 1 + level)?;
            if records.count() == 0 && levels.is_empty() {
                continue;
            }
            if records.count() == 0 || !records.count().is_multiple_of(width) {
                return damage("its classes do not fit its ruleset");
            }
            levels.push(records);
        }
        let stem = edges - levels.len();
        let stem_bounds = &rules.bounds()[heaps - stem..];
        // Each combination of passes and heaps has a record, or a class, in the file: only when their number
        // is known to be bounded by its length are their ranks made.
        let groups = multisets_within(stem_bounds).and_then(|multisets| multisets.checked_mul(layers));
        let Some(groups) = groups else {
            return damage("it has fewer records than its ruleset");
        };
        let classes = match (levels.first(), &targets) {
            (Some(records), _) => Some(records.count() / width),
            (None, Some(targets)) => Some(targets.count()),
            (None, None) => None,
        };
        let found = if stems.count() > 0 { Some(stems.count()) } else { classes };
        if found != Some(groups) {
            return damage("its records do not fit its ruleset");
        }
        if targets.is_some_and(|targets| targets.count() == 0) {
            return damage("it has no lines");
        }
        for records in levels.iter().chain([&stems]) {
            if records.greatest(1) > 0 && !depths {
                return damage("it has depths, and its header says that it has none");
            }
            // So that the number of a step cannot overflow.
            if records.greatest(0).checked_mul(width).is_none() {
                return damage("its classes are in fields too wide");
            }
        }
        let ranks = Ranks::try_new(stem_bounds)
            .map_err(|_| Damage::new("the numbers of its positions do not fit into memory"))?;
        Ok(Self { heaps, width, stem, ranks, stems, levels, targets })
    }

    /// The number of all heaps.
    pub(super) fn heaps(&self) -> usize {
        self.heaps
    }

    /// How many of the greatest heaps are found together.
    pub(super) fn stem_heaps(&self) -> usize {
        self.stem
    }

    /// Whether heaps may be given in any order, and not only in descending order.
    #[inline]
    pub(super) fn takes_any_order(&self) -> bool {
        self.stem == 0
    }

    /// The class of the heaps of the stem.
    #[inline(always)]
    fn root(&self, steps: &impl Steps, passes: u8, stem: &[Heap]) -> Result<Node, Fault> {
        steps.root(u64::from(passes) * self.ranks.count() + self.ranks.rank(stem))
    }

    /// What is known of a position. The heaps are in descending order, or in any if that is allowed.
    #[inline]
    pub(super) fn lost(&self, steps: &impl Steps, passes: u8, heaps: &[Heap]) -> Result<Option<Lost>, Fault> {
        let mut node = self.root(steps, passes, &heaps[..self.stem])?;
        let last = self.heaps - usize::from(self.targets.is_some());
        for (level, &heap) in heaps[self.stem..last].iter().enumerate() {
            node = steps.step(level, node, heap)?;
        }
        if self.targets.is_none() {
            return leaf(node);
        }
        let line = self.line(steps, node)?;
        self.at(steps, passes, heaps, &line, heaps[last])
    }

    #[inline(always)]
    fn line(&self, steps: &impl Steps, node: Node) -> Result<LineLosses, Fault> {
        if self.targets.is_some() { steps.target(node) } else { Ok(LineLosses::Sizes(node)) }
    }

    /// What is known of the position of a line where the heap has so many stones. The heaps are those of a
    /// position on the line.
    #[inline]
    pub(super) fn at(
        &self,
        steps: &impl Steps,
        passes: u8,
        heaps: &[Heap],
        line: &LineLosses,
        size: Heap,
    ) -> Result<Option<Lost>, Fault> {
        match *line {
            LineLosses::Target(target, lost) => Ok((target == u64::from(size)).then_some(lost)),
            LineLosses::Sizes(node) => leaf(steps.step(self.heaps - 1 - self.stem, node, size)?),
            LineLosses::Place(place) => {
                let mut moved: Heaps = heaps.iter().copied().collect();
                moved[usize::from(place)] = size;
                self.lost(steps, passes, &moved.descending())
            }
        }
    }

    /// The lines of the heaps of a position, by place, from one on. The heaps are in descending order, or in any
    /// if that is allowed.
    #[inline]
    pub(super) fn lines(
        &self,
        steps: &impl Steps,
        passes: u8,
        heaps: &[Heap],
        from: usize,
        lines: &mut [LineLosses; MAX_HEAPS],
    ) -> Result<(), Fault> {
        let last = self.heaps - 1;
        if self.stem > last {
            for (place, line) in lines.iter_mut().enumerate().take(self.heaps).skip(from) {
                *line = LineLosses::Place(place as u8);
            }
            return Ok(());
        }
        for place in from..self.stem {
            let mut others: Heaps = heaps.iter().copied().collect();
            others[place..].rotate_left(1);
            let mut node = self.root(steps, passes, &others[..self.stem])?;
            for (level, &heap) in others[self.stem..last].iter().enumerate() {
                node = steps.step(level, node, heap)?;
            }
            lines[place] = self.line(steps, node)?;
        }
        // The class of the heaps before a place, and with it that of all others, the heaps behind added.
        let mut before = self.root(steps, passes, &heaps[..self.stem])?;
        let rest = &heaps[self.stem..];
        for ((level, &heap), line) in rest.iter().enumerate().zip(&mut lines[self.stem..]) {
            if self.stem + level >= from {
                let mut others = before;
                for (level, &next) in (level..).zip(&rest[level + 1..]) {
                    others = steps.step(level, others, next)?;
                }
                *line = self.line(steps, others)?;
            }
            if self.stem + level < last {
                before = steps.step(level, before, heap)?;
            }
        }
        Ok(())
    }
}

/// The class of a whole position.
#[inline]
fn leaf(node: Node) -> Result<Option<Lost>, Fault> {
    match node.class.checked_sub(1) {
        None => Ok(None),
        Some(tries) => Ok(Some(Lost { depth: depth(node.depth)?, tries })),
    }
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::super::HeapKeys;
    use super::super::handmade::Parts;
    use super::*;
    use crate::Header;
    use crate::format::{Content, forged};

    fn rules(bounds: &[Heap], take: Take, passes: u32) -> HeapRules {
        HeapKeys { bounds: bounds.to_vec(), take, passes, ..Default::default() }.rules().unwrap()
    }

    /// Why a file's diagram is refused, or nothing if it is read.
    fn refusal(rules: &HeapRules, depths: bool, file: Vec<u8>) -> Option<String> {
        let body = Body::open(file, Content::Table).unwrap();
        Diagram::read(depths, rules, &body).err().map(|damage| damage.what)
    }

    #[test]
    fn a_body_has_room_for_a_directory_of_one_entry_more_than_heaps() {
        let rules = rules(&[2, 2, 2], Take::UpTo(2), 0);
        let header =
            Header { ruleset: rules.clone().into(), depths: true, positions: 1, wins: 0, deepest: 0 };
        for (len, has_room) in [(4 * ENTRY - 8, false), (4 * ENTRY, true), (4 * ENTRY + 8, true)] {
            let refusal = refusal(&rules, true, forged::file(&header, &[], len as u64)).unwrap();
            assert_eq!(!refusal.contains("no room for its directory"), has_room, "{len}: {refusal}");
        }
    }

    #[test]
    fn classes_that_do_not_fit_the_ruleset_are_refused() {
        let rules = rules(&[2, 2, 2], Take::UpTo(2), 1);
        let good = Parts::stepped(&rules, true);
        let refused = |change: &dyn Fn(&mut Parts)| {
            let mut parts = good.clone();
            change(&mut parts);
            refusal(&rules, parts.depths, parts.file())
        };
        assert_eq!(refused(&|_| {}), None);
        // The classes of the first level say how many there are.
        assert_eq!(refused(&|parts| parts.stem.clear()), None);
        let more = |level: usize| move |parts: &mut Parts| parts.levels[level].push([0; 8]);
        for level in 0..3 {
            assert_eq!(refused(&more(level)).unwrap(), "its classes do not fit its ruleset");
        }
        assert_eq!(refused(&|parts| parts.levels[1].clear()).unwrap(), "its classes do not fit its ruleset");
        let stem_of = |number| move |parts: &mut Parts| parts.stem = forged::records(vec![[0, 0]; number]);
        for number in [1, 3] {
            assert_eq!(refused(&stem_of(number)).unwrap(), "its records do not fit its ruleset");
        }
        assert_eq!(refused(&|parts| parts.levels[0].clear()).unwrap(), "its records do not fit its ruleset");
    }

    #[test]
    fn depths_in_a_table_that_says_it_has_none_are_refused() {
        let rules = rules(&[2, 2], Take::UpTo(1), 0);
        let deep = Parts::stepped(&rules, true);
        assert_eq!(refusal(&rules, true, deep.file()), None);
        assert!(refusal(&rules, false, deep.file()).unwrap().contains("its header says that it has none"));
        let bare = Parts::stepped(&rules, false);
        assert_eq!((refusal(&rules, false, bare.file()), refusal(&rules, true, bare.file())), (None, None));
    }
}
