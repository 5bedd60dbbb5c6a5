//! A writer of heap tables with any layout that the format allows, including layouts that the generator never writes.
//! It takes the verdicts from the oracle (FORMAT.md, section 5).
//!
//! Written from the document alone, without regard to size. Its only compression: equal targets are stored once, and so
//! are rows of edges that agree at all sizes for which both have a meaning.

mod edges;
pub mod flights;

use std::collections::BTreeMap;

use crate::format_twin::Layout;
use crate::format_twin::heaps::{groups, rank};
use crate::harm;
use crate::headers::{self, Entry, Value};
use crate::oracle::heaps::{Position, Rules, Take, Verdict, answer, positions, solve};
use crate::seal::{Array, Parts, body};
use edges::{Edge, EdgeRows};

/// The description of a table to write.
#[derive(Clone, Debug)]
pub struct TableSpec {
    /// The rules of its game.
    pub rules: Rules,
    /// True if the table has depths.
    pub depths: bool,
    /// The header's entries about the body.
    pub layout: Layout,
    /// The number of heaps in the stem, if it does not depend on the passes left.
    pub stem: usize,
    /// True if the stem has records.
    pub stem_records: bool,
}

/// A decoded table, whose parts can be changed.
#[derive(Clone, Debug)]
pub struct DecodedTable {
    /// The entries of the header.
    pub header: Vec<Entry>,
    /// The arrays of the body.
    pub arrays: Vec<Array>,
}

impl DecodedTable {
    /// Decodes a valid table of either family.
    ///
    /// # Panics
    /// If the header or the directory is invalid.
    #[must_use]
    pub fn of(parts: &Parts) -> Self {
        let array = |array| {
            let widths = harm::records(parts, array).expect("it has a directory").1.to_vec();
            let records = harm::fields(parts, array).iter().map(|record| record.to_vec()).collect();
            Array { widths, records }
        };
        Self {
            header: headers::entries(&parts.header).expect("a valid header"),
            arrays: (0..harm::arrays(&parts.header)).map(array).collect(),
        }
    }

    /// Returns the table with an entry at the end of its header, replacing any entry of the same name.
    #[must_use]
    pub fn with_entry(&self, entry: Entry) -> Self {
        let mut table = self.clone();
        table.header.retain(|other| other.name != entry.name);
        table.header.push(entry);
        table
    }

    /// Returns the bytes of the file.
    #[must_use]
    pub fn seal(&self) -> Vec<u8> {
        Parts { header: headers::header(&self.header), body: body(&self.arrays) }.seal()
    }
}

/// The edge to a won position.
const WON: Edge = Edge { class: 0, deeper: 0, is_won: true };

/// Writes the body of a table: gives each group of heaps a class, and each class its row of edges.
struct Writer<'a> {
    spec: &'a TableSpec,
    /// The verdict on every position.
    truth: &'a BTreeMap<Position, Verdict>,
    /// The bounds in descending order, the first one limited as lookups limit it.
    bounds: Vec<u32>,
    /// The edges of the classes of each level.
    levels: Vec<EdgeRows>,
    /// The records of the classes with targets.
    targets: Vec<Vec<u64>>,
    /// The classes of multisets (descending) with passes left.
    known: BTreeMap<(Vec<u32>, u32), Edge>,
}

impl TableSpec {
    /// Writes the table.
    #[must_use]
    pub fn write(&self) -> DecodedTable {
        let truth = solve(&self.rules);
        let mut bounds: Vec<u32> = self.rules.bounds.iter().rev().copied().collect();
        bounds[0] = self.layout.greatest.unwrap_or(bounds[0]);
        let mut writer = Writer {
            spec: self,
            truth: &truth,
            bounds: bounds.clone(),
            levels: bounds.iter().map(|_| EdgeRows::default()).collect(),
            targets: Vec::new(),
            known: BTreeMap::new(),
        };
        let mut stem = Vec::new();
        for passes in 0..=self.rules.passes {
            let heaps = self.stem_of(passes);
            let of_stem = Rules { bounds: bounds[..heaps].to_vec(), passes: 0, ..self.rules.clone() };
            let mut all: Vec<Vec<u32>> = positions(&of_stem).into_iter().map(|p| p.heaps).collect();
            all.iter_mut().for_each(|group| group.reverse());
            all.sort_by_key(|group| rank(&bounds[..heaps], group));
            assert_eq!(all.len() as u64, groups(&bounds[..heaps]));
            for group in all {
                let found = writer.class_of(&group, passes);
                stem.push(vec![found.class, found.deeper]);
            }
        }
        if !self.stem_records {
            stem.clear();
        }
        let arrays = [vec![stem], writer.records()].concat().into_iter().map(Array::of).collect();
        DecodedTable { header: self.header(&truth), arrays }
    }

    /// Returns the number of heaps in the stem with this many passes left.
    fn stem_of(&self, passes: u32) -> usize {
        self.layout.stems.as_ref().map_or(self.stem, |stems| stems[passes as usize] as usize)
    }

    /// Returns the binary logarithm of the segments' length at a level; 0 means no cut.
    fn cut(&self, level: usize) -> u32 {
        self.layout.cuts.as_ref().map_or(0, |cuts| cuts[level])
    }

    /// Returns the entries of the header.
    fn header(&self, truth: &BTreeMap<Position, Verdict>) -> Vec<Entry> {
        let Rules { bounds, take, heaps_per_move, exactly, equal_take, passes, misere } = &self.rules;
        let list = |numbers: &[u32]| Value::Numbers(numbers.iter().map(|&number| number.into()).collect());
        let word = |word: &str| Value::Word(word.to_owned());
        let mut entries = vec![Entry::new("game", word("heaps")), Entry::new("bounds", list(bounds))];
        entries.extend(match take {
            Take::Any => None,
            Take::UpTo(most) => Some(Entry::new("take", Value::Number((*most).into()))),
            Take::Exactly(amounts) => Some(Entry::new("take", list(amounts))),
        });
        let mut optional = |name, value, default| {
            if value != default {
                entries.push(Entry::new(name, value));
            }
        };
        let counts = match &exactly[..] {
            [] => Value::Number(*heaps_per_move as u64),
            counts => Value::Numbers(counts.iter().map(|&count| count as u64).collect()),
        };
        optional("heaps-per-move", counts, Value::Number(1));
        optional("equal-take", Value::Truth((*equal_take).into()), Value::Truth(0));
        optional("passes", Value::Number((*passes).into()), Value::Number(0));
        entries.push(Entry::new("play", word(if *misere { "misere" } else { "normal" })));
        entries.push(Entry::new("depths", Value::Truth(self.depths.into())));
        let wins = truth.values().filter(|verdict| verdict.win).count();
        let deepest = truth.values().map(|verdict| verdict.depth).max().filter(|_| self.depths);
        let facts = [
            ("positions", truth.len() as u64),
            ("wins", wins as u64),
            ("deepest", deepest.unwrap_or(0).into()),
        ];
        entries
            .extend(facts.map(|(name, fact)| Entry { matters: 0, ..Entry::new(name, Value::Number(fact)) }));
        let Layout { greatest, stems, cuts, descending } = &self.layout;
        entries.extend(greatest.map(|greatest| Entry::new("greatest", Value::Number(greatest.into()))));
        entries.extend(stems.as_ref().map(|stems| Entry::new("stems", list(stems))));
        entries.extend(cuts.as_ref().map(|cuts| Entry::new("cuts", list(cuts))));
        entries.extend(descending.then(|| Entry::new("descending", Value::Truth(1))));
        entries
    }
}

impl Writer<'_> {
    /// Returns the class of a multiset of heaps, given in descending order.
    fn class_of(&mut self, group: &[u32], passes: u32) -> Edge {
        let key = (group.to_vec(), passes);
        if let Some(&class_of) = self.known.get(&key) {
            return class_of;
        }
        let class_of = if group.len() == self.bounds.len() {
            self.lost(group, passes).map_or(WON, |(depth, stones)| Edge {
                class: 1 + stones,
                deeper: depth,
                is_won: false,
            })
        } else if self.has_targets(group.len()) {
            self.target(group, passes)
        } else {
            self.edges(group, passes)
        };
        self.known.insert(key, class_of);
        class_of
    }

    /// Returns the depth of a lost position and the number of stones that its best move takes.
    fn lost(&self, group: &[u32], passes: u32) -> Option<(u64, u64)> {
        let position = Position::new(group, passes);
        let verdict = self.truth[&position];
        let best = || answer(&self.spec.rules, self.truth, &position.heaps, passes).best;
        (!verdict.win).then(|| match self.spec.depths {
            true => (verdict.depth.into(), best().map_or(0, |best| best.stones().into())),
            false => (0, 0),
        })
    }

    /// Returns whether each multiset of this many heaps has a class of its own.
    fn is_own(&self, heaps: usize) -> bool {
        !self.spec.stem_records && heaps == self.spec.stem
    }

    /// Returns whether the classes of this many heaps have targets instead of edges.
    fn has_targets(&self, heaps: usize) -> bool {
        self.spec.rules.take == Take::Any && heaps + 1 == self.bounds.len()
    }

    /// Returns the class of all heaps but one, stored as a target: the last heap that makes the position lost.
    fn target(&mut self, group: &[u32], passes: u32) -> Edge {
        let lost = |&size: &u32| Some((size, self.lost(&with_heap(group, size, &self.bounds)?, passes)?));
        let sizes: Vec<u32> = (0..=self.bounds[0]).collect();
        let targets: Vec<_> = sizes.iter().filter_map(lost).collect();
        assert!(targets.len() <= 1, "no two positions that differ in one heap only are lost: {targets:?}");
        let own = self.is_own(group.len());
        let Some(&(size, (depth, stones))) = targets.first() else {
            let class = self.class_of_target(vec![u64::from(self.bounds[0]) + 1, 0, 0], own);
            return Edge { class, ..WON };
        };
        // The target keeps part of the depth, so that each array holds some of it.
        let stays = if own { depth } else { depth % 3 };
        let class = self.class_of_target(vec![size.into(), stays, stones], own);
        Edge { class, deeper: depth - stays, is_won: false }
    }

    /// Returns the class with this target: a new one if `own` is set, otherwise an existing one if possible.
    fn class_of_target(&mut self, target: Vec<u64>, own: bool) -> u64 {
        let known = self.targets.iter().position(|known| !own && *known == target);
        let class = known.unwrap_or_else(|| {
            self.targets.push(target);
            self.targets.len() - 1
        });
        class as u64
    }

    /// Returns the class of a group of heaps, stored as a row with an edge for each size of the next heap.
    fn edges(&mut self, group: &[u32], passes: u32) -> Edge {
        let level = group.len();
        let descending = self.spec.layout.descending;
        let greatest = if descending { self.bounds[level] } else { self.bounds[0] };
        let mut edge = |size| {
            let is_used = !descending || group.last().is_none_or(|&least| size <= least);
            let group = with_heap(group, size, &self.bounds).filter(|_| is_used)?;
            Some(self.class_of(&group, passes))
        };
        let edges: Vec<Option<Edge>> = (0..=greatest).map(&mut edge).collect();
        let is_won = edges.iter().flatten().all(|edge| edge.is_won);
        let own = self.is_own(level);
        let rows = &mut self.levels[level];
        let (class, deeper) = if own { (rows.add(edges), 0) } else { rows.find(edges) };
        Edge { class, deeper, is_won }
    }

    /// Returns the records of each level, followed by the records of each cut.
    fn records(mut self) -> Vec<Vec<Vec<u64>>> {
        let heaps = self.bounds.len();
        let classes: Vec<u64> = (1..heaps).map(|heaps| self.classes(heaps)).collect();
        // A complete position leads to class 0 or 1, or to greater classes if there are depths.
        let whole = if self.spec.depths { 3 } else { 2 };
        let (mut levels, mut cuts) = (Vec::new(), Vec::new());
        for (level, classes) in classes.into_iter().chain([whole]).enumerate() {
            let rows = std::mem::take(&mut self.levels[level]);
            let records = |rows: EdgeRows, classes| rows.records(classes, self.spec.depths);
            let rows = match self.spec.cut(level) {
                0 => rows,
                cut => {
                    let (segments, cut) = rows.cut(1 << cut);
                    cuts.push(records(cut, segments.len()));
                    segments
                }
            };
            levels.push(if self.has_targets(level) { self.targets.clone() } else { records(rows, classes) });
        }
        [levels, cuts].concat()
    }

    /// Returns the number of classes of this many heaps.
    fn classes(&self, heaps: usize) -> u64 {
        if self.has_targets(heaps) { self.targets.len() as u64 } else { self.levels[heaps].len() }
    }
}

/// Returns a multiset with one more heap, if it fits the bounds.
fn with_heap(group: &[u32], size: u32, bounds: &[u32]) -> Option<Vec<u32>> {
    let mut group = [group, &[size]].concat();
    group.sort_by(|one, other| other.cmp(one));
    group.iter().zip(bounds).all(|(size, bound)| size <= bound).then_some(group)
}
