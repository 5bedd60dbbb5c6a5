//! The body of a heap table (FORMAT.md, section 5): an automaton that reads heaps, and accepts lost positions.
//!
//! The greatest heaps, the *stem*, are looked up together by rank, which gives a class. Each further heap is an *edge*
//! from one class to the next, and may add to the depth. If a move may take any number of stones, at most one size of
//! the last heap makes the position lost: the class of all other heaps stores this size, its *target*. In Nim, for
//! example, the class of `1,2` has the target 3: `1,2,3` is lost, and `1,2,4` is won.

use std::ops::Range;
use std::sync::Arc;

use super::edges::{ClassNode, Edges, LineLosses, Lost, depth};
use super::layout::ArrayLayout;
use super::levels::Level;
use super::position::{Heap, Heaps};
use super::ranks::Ranks;
use super::rules::{HeapRules, multisets_within};
use crate::Damage;
use crate::format::{Body, ENTRY, Fault, PADDING, Packed};

/// The arrays of a body, and values derived from the arrays and the rules.
#[derive(Debug)]
pub(super) struct Automaton {
    /// Number of heaps of a position.
    pub(super) heaps: usize,
    /// The greatest effective size: greater heaps have the same classes.
    pub(super) greatest: Heap,
    /// Number of sizes of each heap, if it is the same for all heaps, and the layout does not demand descending order.
    pub(super) equal_width: Option<usize>,
    /// True if heaps are added in descending order only.
    pub(super) is_descending: bool,
    /// Number of heaps in the shortest stem.
    pub(super) shortest_stem: usize,
    stems: Vec<Stem>,
    /// The records of the stem. If there are none, the class of a stem's heaps is their rank.
    pub(super) roots: Packed<2>,
    /// The levels, from the shortest stem's number of heaps on.
    pub(super) levels: Vec<Level>,
    /// The targets of the classes of all heaps except one, if a move may take any number of stones.
    pub(super) targets: Option<Packed<3>>,
}

/// The greatest heaps of a position, looked up together by their rank.
#[derive(Debug)]
struct Stem {
    heaps: usize,
    /// The ranks of groups of this many heaps.
    ranks: Arc<Ranks>,
    /// Index of the record of rank 0.
    first: u64,
}

impl Stem {
    /// Returns the stem for each number of passes left; `heaps` has the number of heaps of each stem. `None` unless the
    /// stems have `records` groups of heaps in all.
    ///
    /// The file has a record or a class for each group. This function builds the ranks only after comparing the numbers
    /// of groups and records, so that the length of the file bounds the memory of the ranks.
    fn for_layers(bounds: &[Heap], heaps: &[usize], records: u64) -> Result<Option<Vec<Self>>, Damage> {
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

impl Automaton {
    /// Reads the directory, and checks everything that later arithmetic relies on. The rules must allow the layout
    /// ([`ArrayLayout::check`]).
    pub(super) fn read(
        depths: bool,
        rules: &HeapRules,
        layout: &ArrayLayout,
        body: &Body,
    ) -> Result<Self, Damage> {
        let damage = |what: &str| Err(Damage::new(what));
        let heaps = rules.heaps();
        let cut_levels = layout.cuts.iter().filter(|&&cut| cut > 0).count();
        if body.len() < (1 + heaps + cut_levels) * ENTRY + PADDING {
            return damage("it has no room for its directory");
        }
        if !body.ends_in_zeros(PADDING)? {
            return damage("its last bytes are not zero");
        }
        let greatest = layout.greatest.unwrap_or(rules.greatest_bound());
        let mut bounds = rules.bounds().to_vec();
        bounds[heaps - 1] = greatest;
        let has_targets = rules.at_most_one_loss_per_line();
        let roots = Packed::<2>::read(body, 0)?;
        let targets = has_targets.then(|| Packed::<3>::read(body, heaps)).transpose()?;
        let edge_levels = heaps - usize::from(has_targets);
        let levels = Level::read_all(body, layout, &layout.sizes(rules)[..edge_levels], &roots)?;
        let shortest_stem = edge_levels - levels.len();
        let stem_heaps: Vec<usize> = if layout.stems.is_empty() {
            vec![shortest_stem; usize::from(rules.passes()) + 1]
        } else {
            layout.stems.iter().copied().map(usize::from).collect()
        };
        if stem_heaps.iter().min() != Some(&shortest_stem) {
            return damage("its stems are not those of its header");
        }
        let classes = match (levels.first(), &targets) {
            (Some(level), _) => level.classes,
            (None, Some(targets)) => targets.count(),
            (None, None) => 0,
        };
        let records = if roots.count() > 0 || !layout.stems.is_empty() { roots.count() } else { classes };
        let Some(stems) = Stem::for_layers(&bounds, &stem_heaps, records)? else {
            return damage("its records do not fit its ruleset");
        };
        if targets.is_some_and(|targets| targets.count() == 0) {
            return damage("it has no lines");
        }
        if !depths && (levels.iter().any(Level::has_depths) || roots.greatest(1) > 0) {
            return damage("it has depths, and its header says that it has none");
        }
        let is_descending = layout.is_descending;
        // True if all bounds are equal, and all sizes are effective.
        let is_uniform = rules.bounds()[0] == greatest && greatest == rules.greatest_bound();
        let equal_width = (is_uniform && !is_descending).then_some(greatest as usize + 1);
        Ok(Self { heaps, greatest, equal_width, is_descending, shortest_stem, stems, roots, levels, targets })
    }

    /// Returns the number of heaps in the stem, for a number of passes left.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn stem_heaps(&self, passes: u8) -> usize {
        self.stems[usize::from(passes)].heaps
    }

    /// Returns the index of the level that the stem leads to, and the range of its records, for a number of passes left.
    pub(super) fn roots_of(&self, passes: usize) -> (usize, Range<u64>) {
        let Stem { heaps, ranks, first } = &self.stems[passes];
        (heaps - self.shortest_stem, *first..first + ranks.count())
    }

    /// Returns the number of possible values of the passes left.
    pub(super) fn layers(&self) -> usize {
        self.stems.len()
    }

    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn root(&self, edges: &impl Edges, passes: u8, heaps: &[Heap]) -> Result<ClassNode, Fault> {
        let Stem { heaps: stem, ranks, first } = &self.stems[usize::from(passes)];
        let rank = if *stem == 0 { 0 } else { ranks.rank(&heaps[..*stem]) };
        edges.root(first + rank)
    }

    /// Returns the answer for a position if the position is lost. The heaps are in descending order.
    #[inline]
    pub(super) fn lost(&self, edges: &impl Edges, passes: u8, heaps: &[Heap]) -> Result<Option<Lost>, Fault> {
        let mut node = self.root(edges, passes, heaps)?;
        let last = self.heaps - usize::from(self.targets.is_some());
        let stem = self.stem_heaps(passes);
        for (level, &heap) in (stem - self.shortest_stem..).zip(&heaps[stem..last]) {
            node = edges.follow(level, node, heap)?;
        }
        if self.targets.is_none() {
            return lost_of_class(node);
        }
        let line = self.line(edges, node)?;
        self.lost_at(edges, passes, heaps, &line, heaps[last])
    }

    /// Returns the line of a heap, given the node of all other heaps.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn line(&self, edges: &impl Edges, node: ClassNode) -> Result<LineLosses, Fault> {
        if self.targets.is_some() { edges.target(node) } else { Ok(LineLosses::EachSize(node)) }
    }

    /// Returns the answer for the position of a line with `size` stones in the line's heap, if the position is lost.
    /// `heaps` is any position on the line. For a descending line it is in descending order, and `size` is at most the
    /// size of the line's heap there; if that heap is the last one, at most the size of the heap before it.
    #[inline]
    pub(super) fn lost_at(
        &self,
        edges: &impl Edges,
        passes: u8,
        heaps: &[Heap],
        line: &LineLosses,
        size: Heap,
    ) -> Result<Option<Lost>, Fault> {
        match *line {
            LineLosses::Target(target, lost) => Ok((target == u64::from(size)).then_some(lost)),
            LineLosses::EachSize(node) => {
                // If the shortest stem has all heaps, there is no such level, and its number wraps around. Only
                // `UnpackedEdges` are asked then, and they ignore the level.
                let level = (self.heaps - 1).wrapping_sub(self.shortest_stem);
                lost_of_class(edges.follow(level, node, size)?)
            }
            LineLosses::Descending(index, mut node) => {
                let rest = &heaps[usize::from(index) + 1..];
                let (greater, others) = rest.split_at(rest.partition_point(|&heap| heap > size));
                let descending = greater.iter().chain([&size]).chain(others);
                for (level, &heap) in (usize::from(index) - self.shortest_stem..).zip(descending) {
                    node = edges.follow(level, node, heap)?;
                }
                lost_of_class(node)
            }
            LineLosses::InStem(index) => {
                let mut moved: Heaps = heaps.iter().copied().collect();
                moved[usize::from(index)] = size;
                self.lost(edges, passes, &moved.descending())
            }
        }
    }

    /// Calls `visit` with the index and the line of each heap of a position for which `is_wanted` is true, and of other
    /// heaps if that costs nothing. The heaps are in descending order.
    #[inline]
    pub(super) fn lines(
        &self,
        edges: &impl Edges,
        passes: u8,
        heaps: &[Heap],
        is_wanted: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize, LineLosses),
    ) -> Result<(), Fault> {
        let (stem, last) = (self.stem_heaps(passes), self.heaps - 1);
        if stem > last {
            (0..self.heaps).for_each(|index| visit(index, LineLosses::InStem(index as u8)));
            return Ok(());
        }
        let first_level = stem - self.shortest_stem;
        if self.is_descending {
            (0..stem).for_each(|index| visit(index, LineLosses::InStem(index as u8)));
            let mut before = self.root(edges, passes, heaps)?;
            for ((index, level), &heap) in (stem..).zip(first_level..).zip(&heaps[stem..]) {
                visit(index, LineLosses::Descending(index as u8, before));
                if index < last {
                    before = edges.follow(level, before, heap)?;
                }
            }
            return Ok(());
        }
        for index in (0..stem).filter(|&index| is_wanted(index)) {
            let mut others: Heaps = heaps.iter().copied().collect();
            others[index..].rotate_left(1);
            let mut node = self.root(edges, passes, &others)?;
            for (level, &heap) in (first_level..).zip(&others[stem..last]) {
                node = edges.follow(level, node, heap)?;
            }
            visit(index, self.line(edges, node)?);
        }
        // `before` is the node of the heaps before `index`; adding the heaps after it gives the node of all others.
        let mut before = self.root(edges, passes, heaps)?;
        for ((index, level), &heap) in (stem..).zip(first_level..).zip(&heaps[stem..]) {
            if is_wanted(index) {
                let mut others = before;
                for (level, &next) in (level..).zip(&heaps[index + 1..]) {
                    others = edges.follow(level, others, next)?;
                }
                visit(index, self.line(edges, others)?);
            }
            if index < last {
                before = edges.follow(level, before, heap)?;
            }
        }
        Ok(())
    }
}

/// Decodes the class of a whole position: returns the answer if the position is lost.
#[inline]
pub(super) fn lost_of_class(node: ClassNode) -> Result<Option<Lost>, Fault> {
    match node.class.checked_sub(1) {
        None => Ok(None),
        Some(best_take) => Ok(Some(Lost { depth: depth(node.depth)?, best_take })),
    }
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::super::tests::sample_tables::Parts;
    use super::super::{HeapKeys, Take};
    use super::*;
    use crate::format::tests::forged;
    use crate::format::{Content, FileWriter, Shape, in_memory};

    fn rules(bounds: &[Heap], take: Take, passes: u32) -> HeapRules {
        HeapKeys { bounds: bounds.to_vec(), take, passes, ..Default::default() }.rules().unwrap()
    }

    /// Returns the reason why a file's automaton is refused, if it is.
    fn refusal(rules: &HeapRules, depths: bool, file: Vec<u8>) -> Option<String> {
        let body = Body::open(file, Content::Table).unwrap();
        Automaton::read(depths, rules, &ArrayLayout::default(), &body).err().map(|damage| damage.what)
    }

    #[test]
    fn a_body_without_room_for_its_directory_is_refused() {
        let rules = rules(&[2, 2, 2], Take::UpTo(2), 0);
        let header = forged::header(rules.clone(), true);
        for (len, has_room) in [(4 * ENTRY - 8, false), (4 * ENTRY, true), (4 * ENTRY + 8, true)] {
            let refusal = refusal(&rules, true, forged::file(&header, &[], len as u64)).unwrap();
            assert_eq!(!refusal.contains("no room for its directory"), has_room, "{len}: {refusal}");
        }
    }

    #[test]
    fn a_class_whose_edges_cannot_be_numbered_is_refused() {
        let rules = rules(&[1 << 24], Take::UpTo(1), 0);
        let header = forged::header(rules.clone(), false);
        let edges = || (0..=1_u64 << 24).map(|size| [size % 2, 0]);
        let file = |class: u64| {
            let stem = || std::iter::once([class, 0]);
            let written = in_memory(|sink| {
                let shapes = vec![Shape::of(stem())?, Shape::of(edges())?];
                let mut file = FileWriter::new(sink, Content::Table, &header, shapes, 0)?;
                file.array(stem())?;
                file.array(edges())?;
                file.finish().map(|_| ())
            });
            written.unwrap()
        };
        assert_eq!(refusal(&rules, false, file(0)), None);
        let refused =
            refusal(&rules, false, file((1 << 40) - 1)).expect("an edge would have too great a number");
        assert!(refused.contains("too wide"), "{refused}");
    }

    #[test]
    fn classes_that_do_not_fit_the_ruleset_are_refused() {
        let rules = rules(&[2, 2, 2], Take::UpTo(2), 1);
        let good = Parts::unranked(&rules, true);
        let refused = |change: &dyn Fn(&mut Parts)| {
            let mut parts = good.clone();
            change(&mut parts);
            refusal(&rules, parts.depths, parts.file())
        };
        assert_eq!(refused(&|_| {}), None);
        // Without records of the stem, there must be as many classes on the first level as groups of the stem's heaps.
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
        let deep = Parts::unranked(&rules, true);
        assert_eq!(refusal(&rules, true, deep.file()), None);
        assert!(refusal(&rules, false, deep.file()).unwrap().contains("its header says that it has none"));
        let bare = Parts::unranked(&rules, false);
        assert_eq!((refusal(&rules, false, bare.file()), refusal(&rules, true, bare.file())), (None, None));
    }
}
