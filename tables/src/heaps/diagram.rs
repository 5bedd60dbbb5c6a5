//! The body of a heap table (FORMAT.md, section 5): an automaton that reads heaps, and accepts lost positions.
//!
//! The greatest heaps, the *stem*, are looked up together by rank, which gives a class. Each further heap is a *step*
//! from a class to the next, and may add to the depth. If a move may take any number of stones, at most one size of
//! the last heap is lost: the class of all other heaps stores this size, its *target*.

use std::ops::Range;
use std::sync::Arc;

use super::layout::ArrayLayout;
use super::levels::Level;
use super::position::{Heap, Heaps};
use super::ranks::Ranks;
use super::rules::{HeapRules, multisets_within};
use super::steps::{LineLosses, Lost, StepNode, Steps, depth};
use super::take::Take;
use crate::Damage;
use crate::format::{Body, ENTRY, Fault, PADDING, Packed};

/// The directory of the body's arrays.
#[derive(Debug)]
pub(super) struct Diagram {
    heaps: usize,
    /// The greatest effective size: greater heaps have the same classes.
    pub(super) greatest: Heap,
    /// True if all bounds are equal, and all sizes are effective.
    is_even: bool,
    /// True if heaps are added in descending order only.
    descending: bool,
    /// The least number of heaps in a stem.
    least_stem: usize,
    /// The stem for each number of passes left.
    stems: Vec<Stem>,
    /// If empty, the class of the heaps of a stem is their rank.
    pub(super) roots: Packed<2>,
    /// One level for each number of heaps, starting with the least stem.
    pub(super) levels: Vec<Level>,
    /// The target of each class of all heaps except one, if a move may take any number of stones.
    pub(super) targets: Option<Packed<3>>,
}

/// The greatest heaps of a position, looked up together by their rank.
#[derive(Debug)]
struct Stem {
    /// Number of heaps, the same as in `ranks`.
    heaps: usize,
    ranks: Arc<Ranks>,
    /// The record of the first rank.
    first: u64,
}

impl Stem {
    /// Returns the stem for each number of passes left; `None` if the number of multisets is not `records`.
    ///
    /// The file has a record or a class for each multiset. The ranks are built only after comparing these numbers, so
    /// that the length of the file bounds their memory.
    fn all(bounds: &[Heap], heaps: &[usize], records: u64) -> Result<Option<Vec<Self>>, Damage> {
        let bounds_of = |heaps: usize| &bounds[bounds.len() - heaps..];
        let mut groups: u64 = 0;
        for &heaps in heaps {
            let sum = multisets_within(bounds_of(heaps)).and_then(|more| groups.checked_add(more));
            let Some(sum) = sum else { return Ok(None) };
            groups = sum;
        }
        if groups != records {
            return Ok(None);
        }
        let mut stems: Vec<Self> = Vec::new();
        let mut first = 0;
        for &heaps in heaps {
            let known = stems.iter().find(|stem| stem.heaps == heaps).map(|stem| stem.ranks.clone());
            let ranks = match known {
                Some(ranks) => ranks,
                None => Arc::new(
                    Ranks::try_new(bounds_of(heaps))
                        .map_err(|_| Damage::new("the numbers of its positions do not fit into memory"))?,
                ),
            };
            let count = ranks.count();
            stems.push(Self { heaps, ranks, first });
            first += count;
        }
        Ok(Some(stems))
    }
}

impl Diagram {
    /// Reads the directory, and checks everything that later arithmetic relies on. The layout must suit the rules.
    pub(super) fn read(
        depths: bool,
        rules: &HeapRules,
        layout: &ArrayLayout,
        body: &Body,
    ) -> Result<Self, Damage> {
        let damage = |what: &str| Err(Damage::new(what));
        let heaps = rules.heaps();
        let cut = layout.cuts.iter().filter(|&&cut| cut > 0).count();
        if body.len() < (1 + heaps + cut) * ENTRY + PADDING {
            return damage("it has no room for its directory");
        }
        if !body.ends_in_zeros(PADDING)? {
            return damage("its last bytes are not zero");
        }
        let greatest = layout.greatest.unwrap_or(rules.greatest());
        let mut bounds = rules.bounds().to_vec();
        bounds[heaps - 1] = greatest;
        let has_targets = *rules.take() == Take::Any;
        let roots = Packed::<2>::read(body, 0)?;
        let targets = has_targets.then(|| Packed::<3>::read(body, heaps)).transpose()?;
        let with_steps = heaps - usize::from(has_targets);
        let levels = Level::read_all(body, layout, &layout.sizes(rules)[..with_steps], &roots)?;
        let least_stem = with_steps - levels.len();
        let of_layers: Vec<usize> = if layout.stems.is_empty() {
            vec![least_stem; usize::from(rules.passes()) + 1]
        } else {
            layout.stems.iter().copied().map(usize::from).collect()
        };
        if of_layers.iter().min() != Some(&least_stem) {
            return damage("its stems are not those of its header");
        }
        let classes = match (levels.first(), &targets) {
            (Some(level), _) => level.classes,
            (None, Some(targets)) => targets.count(),
            (None, None) => 0,
        };
        let records = if roots.count() > 0 || !layout.stems.is_empty() { roots.count() } else { classes };
        let Some(stems) = Stem::all(&bounds, &of_layers, records)? else {
            return damage("its records do not fit its ruleset");
        };
        if targets.is_some_and(|targets| targets.count() == 0) {
            return damage("it has no lines");
        }
        if !depths && (levels.iter().any(Level::has_depths) || roots.greatest(1) > 0) {
            return damage("it has depths, and its header says that it has none");
        }
        let descending = layout.descending;
        let is_even = rules.bounds()[0] == greatest && greatest == rules.greatest();
        Ok(Self { heaps, greatest, is_even, descending, least_stem, stems, roots, levels, targets })
    }

    /// Returns the number of all heaps.
    pub(super) fn heaps(&self) -> usize {
        self.heaps
    }

    /// Returns true if heaps are added in descending order only.
    pub(super) fn descending(&self) -> bool {
        self.descending
    }

    /// Returns the number of sizes of each heap, if it is the same for all, and heaps may be added in any order.
    pub(super) fn equal_width(&self) -> Option<usize> {
        (self.is_even && !self.descending).then_some(self.greatest as usize + 1)
    }

    /// Returns the number of heaps in the stem, for a number of passes left.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn stem_heaps(&self, passes: u8) -> usize {
        self.stems[usize::from(passes)].heaps
    }

    /// Returns the level that the roots lead to, and the range of their records, for a number of passes left.
    pub(super) fn roots_of(&self, passes: usize) -> (usize, Range<u64>) {
        let Stem { heaps, ranks, first } = &self.stems[passes];
        (heaps - self.least_stem, *first..first + ranks.count())
    }

    /// Returns the number of possible values of the passes left.
    pub(super) fn layers(&self) -> usize {
        self.stems.len()
    }

    /// Returns the class of the heaps of the stem.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn root(&self, steps: &impl Steps, passes: u8, heaps: &[Heap]) -> Result<StepNode, Fault> {
        let Stem { heaps: of_stem, ranks, first } = &self.stems[usize::from(passes)];
        let rank = if *of_stem == 0 { 0 } else { ranks.rank(&heaps[..*of_stem]) };
        steps.root(first + rank)
    }

    /// Returns the entry of a position if the position is lost. The heaps are in descending order.
    #[inline]
    pub(super) fn lost(&self, steps: &impl Steps, passes: u8, heaps: &[Heap]) -> Result<Option<Lost>, Fault> {
        let mut node = self.root(steps, passes, heaps)?;
        let last = self.heaps - usize::from(self.targets.is_some());
        let stem = self.stem_heaps(passes);
        for (level, &heap) in (stem - self.least_stem..).zip(&heaps[stem..last]) {
            node = steps.step(level, node, heap)?;
        }
        if self.targets.is_none() {
            return leaf(node);
        }
        let line = self.line(steps, node)?;
        self.at(steps, passes, heaps, &line, heaps[last])
    }

    /// Returns the line of a heap from the class of all others.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn line(&self, steps: &impl Steps, node: StepNode) -> Result<LineLosses, Fault> {
        if self.targets.is_some() { steps.target(node) } else { Ok(LineLosses::Sizes(node)) }
    }

    /// Returns the entry of the position of a line with `size` stones in the moving heap, if the position is lost.
    /// `heaps` belongs to a position on the line with at least `size` stones in that heap.
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
            LineLosses::Sizes(node) => {
                // If the stem has all heaps, this level does not exist. Only unpacked steps, which ignore it, get here.
                let level = (self.heaps - 1).wrapping_sub(self.least_stem);
                leaf(steps.step(level, node, size)?)
            }
            LineLosses::Before(place, mut node) => {
                let rest = &heaps[usize::from(place) + 1..];
                let (greater, others) = rest.split_at(rest.partition_point(|&heap| heap > size));
                let descending = greater.iter().chain([&size]).chain(others);
                for (level, &heap) in (usize::from(place) - self.least_stem..).zip(descending) {
                    node = steps.step(level, node, heap)?;
                }
                leaf(node)
            }
            LineLosses::Place(place) => {
                let mut moved: Heaps = heaps.iter().copied().collect();
                moved[usize::from(place)] = size;
                self.lost(steps, passes, &moved.descending())
            }
        }
    }

    /// Calls `visit` with the index and the line of each wanted heap of a position, and of other heaps if that costs
    /// nothing. The heaps are in descending order.
    #[inline]
    pub(super) fn lines(
        &self,
        steps: &impl Steps,
        passes: u8,
        heaps: &[Heap],
        wanted: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, LineLosses),
    ) -> Result<(), Fault> {
        let (stem, last) = (self.stem_heaps(passes), self.heaps - 1);
        if stem > last {
            (0..self.heaps).for_each(|place| visit(place, LineLosses::Place(place as u8)));
            return Ok(());
        }
        let first_level = stem - self.least_stem;
        if self.descending {
            (0..stem).for_each(|place| visit(place, LineLosses::Place(place as u8)));
            let mut before = self.root(steps, passes, heaps)?;
            for ((place, level), &heap) in (stem..).zip(first_level..).zip(&heaps[stem..]) {
                visit(place, LineLosses::Before(place as u8, before));
                if place < last {
                    before = steps.step(level, before, heap)?;
                }
            }
            return Ok(());
        }
        for place in (0..stem).filter(|&place| wanted(place)) {
            let mut others: Heaps = heaps.iter().copied().collect();
            others[place..].rotate_left(1);
            let mut node = self.root(steps, passes, &others)?;
            for (level, &heap) in (first_level..).zip(&others[stem..last]) {
                node = steps.step(level, node, heap)?;
            }
            visit(place, self.line(steps, node)?);
        }
        // Keep the class of the heaps before `place`; adding the heaps after it gives the class of all others.
        let mut before = self.root(steps, passes, heaps)?;
        let rest = &heaps[stem..];
        for ((at, level), &heap) in (0..).zip(first_level..).zip(rest) {
            if wanted(stem + at) {
                let mut others = before;
                for (level, &next) in (level..).zip(&rest[at + 1..]) {
                    others = steps.step(level, others, next)?;
                }
                visit(stem + at, self.line(steps, others)?);
            }
            if stem + at < last {
                before = steps.step(level, before, heap)?;
            }
        }
        Ok(())
    }
}

/// Decodes the class of a whole position.
#[inline]
fn leaf(node: StepNode) -> Result<Option<Lost>, Fault> {
    match node.class.checked_sub(1) {
        None => Ok(None),
        Some(tries) => Ok(Some(Lost { depth: depth(node.depth)?, tries })),
    }
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::super::HeapKeys;
    use super::super::sample_tables::Parts;
    use super::*;
    use crate::format::{Content, FileWriter, Shape, forged, in_memory};

    fn rules(bounds: &[Heap], take: Take, passes: u32) -> HeapRules {
        HeapKeys { bounds: bounds.to_vec(), take, passes, ..Default::default() }.rules().unwrap()
    }

    /// Returns the reason why a file's diagram is rejected, if it is.
    fn refusal(rules: &HeapRules, depths: bool, file: Vec<u8>) -> Option<String> {
        let body = Body::open(file, Content::Table).unwrap();
        Diagram::read(depths, rules, &ArrayLayout::default(), &body).err().map(|damage| damage.what)
    }

    #[test]
    fn a_body_has_room_for_a_directory_of_one_entry_more_than_heaps() {
        let rules = rules(&[2, 2, 2], Take::UpTo(2), 0);
        let header = forged::header(rules.clone(), true);
        for (len, has_room) in [(4 * ENTRY - 8, false), (4 * ENTRY, true), (4 * ENTRY + 8, true)] {
            let refusal = refusal(&rules, true, forged::file(&header, &[], len as u64)).unwrap();
            assert_eq!(!refusal.contains("no room for its directory"), has_room, "{len}: {refusal}");
        }
    }

    #[test]
    fn a_class_whose_steps_cannot_be_numbered_is_refused() {
        let rules = rules(&[1 << 24], Take::UpTo(1), 0);
        let header = forged::header(rules.clone(), false);
        let steps = || (0..=1_u64 << 24).map(|size| [size % 2, 0]);
        let file = |class: u64| {
            let stem = || std::iter::once([class, 0]);
            let written = in_memory(|sink| {
                let shapes = vec![Shape::of(stem())?, Shape::of(steps())?];
                let mut file = FileWriter::new(sink, Content::Table, &header, shapes, 0)?;
                file.array(stem())?;
                file.array(steps())?;
                file.finish().map(|_| ())
            });
            written.unwrap()
        };
        assert_eq!(refusal(&rules, false, file(0)), None);
        let refused =
            refusal(&rules, false, file((1 << 40) - 1)).expect("a step would have too great a number");
        assert!(refused.contains("fields too wide"), "{refused}");
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
        // The number of classes of the first level determines the number of roots.
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
