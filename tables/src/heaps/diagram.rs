//! The body of a heap table (FORMAT.md, section 5): which heaps, added one after the other, lead to a lost
//! position.

use super::position::{Heap, Heaps};
use super::ranks::Ranks;
use super::rules::{HeapRules, multisets_within};
use super::take::Take;
use crate::Damage;
use crate::format::{Body, Fault, Header};
use crate::packed::{ENTRY, PADDING, Packed};

/// Depths beyond this are none that a game can have: the stones of all heaps are fewer.
pub(super) const MAX_DEPTH: u64 = 1 << 36;

/// Some heaps of a position, as far as the table tells them apart: their class, and how much of the depth
/// they make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Node {
    class: u64,
    depth: u64,
}

/// What is known of a lost position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lost {
    /// Its depth; 0 in a table without depths.
    pub(super) depth: u64,
    /// Stones that the best try takes, in all.
    pub(super) tries: u64,
}

/// What is known of a line: all sizes of one heap, the others fixed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Line {
    /// The one lost position of a line, if there is one: the size of the heap there.
    Target(u64, Lost),
    /// Each size has a record of its own.
    Sizes(Node),
    /// All other heaps, descending: they are too many to have a class.
    Others(Heaps),
}

/// The arrays of the body, where they lie.
#[derive(Debug)]
pub(super) struct Diagram {
    heaps: usize,
    /// One above the greatest size of a heap.
    width: u64,
    /// How many of the greatest heaps are found together, by their rank.
    stem: usize,
    ranks: Ranks,
    /// Without records: the class of heaps is their rank.
    stems: Packed<2>,
    /// For each number of heaps from `stem` on the records of its classes, one for each size of a further
    /// heap; and how many classes there are.
    levels: Vec<(Packed<2>, u64)>,
    /// For each class of all heaps but one: its target. Used where anything may be taken from a heap, so that
    /// a line has one lost position at the most.
    targets: Option<Packed<3>>,
}

impl Diagram {
    /// Reads the directory and checks all that later arithmetic relies on.
    pub(super) fn read<D: AsRef<[u8]>>(
        header: &Header,
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
            levels.push((records, records.count() / width));
        }
        let stem = edges - levels.len();
        let stem_bounds = &rules.bounds()[heaps - stem..];
        // Each combination of passes and heaps has a record, or a class, in the file: only when their number
        // is known to be bounded by its length are their ranks made.
        let Some(groups) = multisets_within(stem_bounds).checked_mul(layers) else {
            return damage("it has fewer records than its ruleset");
        };
        let classes = match (levels.first(), &targets) {
            (Some(&(_, classes)), _) => Some(classes),
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
        let deeper = |widest: u64| widest == 0 || header.depths;
        let widths = levels.iter().map(|(records, _)| records.greatest(1));
        if !widths.chain([stems.greatest(1)]).chain(targets.map(|t| t.greatest(1))).all(deeper) {
            return damage("it has depths, and its header says that it has none");
        }
        Ok(Self { heaps, width, stem, ranks: Ranks::new(stem_bounds), stems, levels, targets })
    }

    /// The class of the greatest heaps, of which the rank is given, with so many passes left.
    #[inline]
    fn root<D: AsRef<[u8]>>(&self, body: &Body<D>, passes: u8, rank: u64) -> Result<Node, Fault> {
        let index = u64::from(passes) * self.ranks.count() + rank;
        if self.stems.count() == 0 {
            return Ok(Node { class: index, depth: 0 });
        }
        let [class, depth] = self.stems.get(body, index)?;
        Ok(Node { class, depth })
    }

    /// The class of `heaps` heaps and one of `size` stones.
    #[inline]
    fn step<D: AsRef<[u8]>>(
        &self,
        body: &Body<D>,
        heaps: usize,
        node: Node,
        size: Heap,
    ) -> Result<Node, Fault> {
        let (records, classes) = self.levels.get(heaps - self.stem).ok_or(Fault::Astray)?;
        // Keeps the product below the number of records.
        if node.class >= *classes {
            return Err(Fault::Astray);
        }
        let [class, depth] = records.get(body, node.class * self.width + u64::from(size))?;
        Ok(Node { class, depth: node.depth + depth })
    }

    /// What is known of a position, of which the heaps are given in descending order.
    #[inline]
    pub(super) fn lost<D: AsRef<[u8]>>(
        &self,
        body: &Body<D>,
        passes: u8,
        descending: &Heaps,
    ) -> Result<Option<Lost>, Fault> {
        let mut node = self.root(body, passes, self.ranks.rank(&descending[..self.stem]))?;
        let last = self.heaps - usize::from(self.targets.is_some());
        for heaps in self.stem..last {
            node = self.step(body, heaps, node, descending[heaps])?;
        }
        if self.targets.is_none() {
            return Self::leaf(node);
        }
        let line = self.line(body, node)?;
        self.at(body, passes, &line, descending[last])
    }

    fn leaf(node: Node) -> Result<Option<Lost>, Fault> {
        match node.class.checked_sub(1) {
            None => Ok(None),
            Some(_) if node.depth > MAX_DEPTH => Err(Fault::Impossible),
            Some(tries) => Ok(Some(Lost { depth: node.depth, tries })),
        }
    }

    fn line<D: AsRef<[u8]>>(&self, body: &Body<D>, node: Node) -> Result<Line, Fault> {
        let Some(targets) = &self.targets else { return Ok(Line::Sizes(node)) };
        let [target, deeper, tries] = targets.get(body, node.class)?;
        let depth = node.depth + deeper;
        if depth > MAX_DEPTH {
            return Err(Fault::Impossible);
        }
        Ok(Line::Target(target, Lost { depth, tries }))
    }

    /// What is known of the position of a line where the heap has so many stones.
    #[inline]
    pub(super) fn at<D: AsRef<[u8]>>(
        &self,
        body: &Body<D>,
        passes: u8,
        line: &Line,
        size: Heap,
    ) -> Result<Option<Lost>, Fault> {
        match line {
            Line::Target(target, lost) => Ok((*target == u64::from(size)).then_some(*lost)),
            Line::Sizes(node) => Self::leaf(self.step(body, self.heaps - 1, *node, size)?),
            Line::Others(others) => {
                let mut heaps = *others;
                heaps.push(size);
                // It moves up to its place.
                let place = others.partition_point(|&other| other >= size);
                heaps[place..].rotate_right(1);
                self.lost(body, passes, &heaps)
            }
        }
    }

    /// The line of each heap of a position, of which the heaps are given in descending order.
    #[inline]
    pub(super) fn lines<D: AsRef<[u8]>>(
        &self,
        body: &Body<D>,
        passes: u8,
        descending: &Heaps,
        mut found: impl FnMut(usize, Line) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if self.stem == self.heaps {
            return (0..self.heaps)
                .try_for_each(|place| found(place, Line::Others(without(descending, place))));
        }
        let last = self.heaps - 1;
        // The class of the heaps before a place, and with it that of all others, the heaps behind added.
        let mut before = self.root(body, passes, self.ranks.rank(&descending[..self.stem]))?;
        for place in self.stem..=last {
            let mut others = before;
            for next in place + 1..=last {
                others = self.step(body, next - 1, others, descending[next])?;
            }
            found(place, self.line(body, others)?)?;
            if place < last {
                before = self.step(body, place, before, descending[place])?;
            }
        }
        for place in 0..self.stem {
            let others = without(descending, place);
            let mut node = self.root(body, passes, self.ranks.rank(&others[..self.stem]))?;
            for heaps in self.stem..last {
                node = self.step(body, heaps, node, others[heaps])?;
            }
            found(place, self.line(body, node)?)?;
        }
        Ok(())
    }
}

/// All heaps but one.
fn without(heaps: &Heaps, place: usize) -> Heaps {
    let mut others = *heaps;
    others[place..].rotate_left(1);
    others.pop();
    others
}
