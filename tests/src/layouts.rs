//! Heap tables of every layout that the format allows, the generator's and others, written from what the
//! oracle says of a game (FORMAT.md, section 5).
//!
//! Written from the document alone, and with no thought for length: what is alike is stored once, that is all.

use std::collections::BTreeMap;

use crate::format_twin::Layout;
use crate::format_twin::heaps::{groups, rank};
use crate::headers::{self, Entry, Value};
use crate::oracle::heaps::{Position, Rules, Take, Verdict, answer, positions, solve};
use crate::seal::{Array, Parts, body};

/// A table to be written.
#[derive(Clone, Debug)]
pub struct Made {
    /// The rules of its game.
    pub rules: Rules,
    /// Whether it holds depths.
    pub depths: bool,
    /// What the header says of the body.
    pub layout: Layout,
    /// How many heaps the stem has, if that is the same for each number of passes left.
    pub stem: usize,
    /// Whether the stem has records.
    pub stem_records: bool,
}

/// A table in parts that can still be changed.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its header.
    pub header: Vec<Entry>,
    /// Its body.
    pub arrays: Vec<Array>,
}

impl Table {
    /// The file.
    #[must_use]
    pub fn seal(&self) -> Vec<u8> {
        Parts { header: headers::header(&self.header), body: body(&self.arrays) }.seal()
    }
}

/// A class, of so many heaps as its place says, and how much deeper than it something is.
#[derive(Clone, Copy)]
struct Found {
    class: u64,
    deeper: u64,
    /// Whether only won positions follow.
    is_won: bool,
}

/// What stands where nothing has a meaning.
const NONE: Found = Found { class: 0, deeper: 0, is_won: true };

/// Records that are stored once: one, or a stretch of them.
#[derive(Default)]
struct Store {
    lines: BTreeMap<Vec<Vec<u64>>, u64>,
    records: Vec<Vec<u64>>,
    /// How many stretches there are.
    stretches: u64,
}

impl Store {
    /// The number of a new stretch.
    fn add(&mut self, line: Vec<Vec<u64>>) -> u64 {
        let number = self.stretches;
        self.records.extend(line);
        self.stretches += 1;
        number
    }

    /// The number of a stretch, which may be there already.
    fn find(&mut self, line: Vec<Vec<u64>>) -> u64 {
        if let Some(&number) = self.lines.get(&line) {
            return number;
        }
        let number = self.add(line.clone());
        self.lines.insert(line, number);
        number
    }
}

struct Writer<'a> {
    made: &'a Made,
    truth: &'a BTreeMap<Position, Verdict>,
    /// The bounds, in descending order, the first one as a heap is looked up.
    bounds: Vec<u32>,
    /// Of each level the records: those of its classes or, if it is cut, those of its segments.
    levels: Vec<Store>,
    /// Of each level that is cut the records of its classes.
    cuts: Vec<Store>,
    /// The classes of groups, descending, with passes left.
    known: BTreeMap<(Vec<u32>, u32), Found>,
}

impl Made {
    /// The table.
    #[must_use]
    pub fn write(&self) -> Table {
        let truth = solve(&self.rules);
        let mut bounds: Vec<u32> = self.rules.bounds.iter().rev().copied().collect();
        bounds[0] = self.layout.greatest.unwrap_or(bounds[0]);
        let stores = || bounds.iter().map(|_| Store::default()).collect();
        let (levels, cuts) = (stores(), stores());
        let mut writer = Writer {
            made: self,
            truth: &truth,
            bounds: bounds.clone(),
            levels,
            cuts,
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
                let found = writer.found(&group, passes);
                stem.push(vec![found.class, found.deeper]);
            }
        }
        if !self.stem_records {
            stem.clear();
        }
        let mut arrays = vec![Array::of(stem)];
        arrays.extend(writer.levels.into_iter().map(|level| Array::of(level.records)));
        arrays.extend(
            writer
                .cuts
                .into_iter()
                .map(|cut| Array::of(cut.records))
                .zip(0..)
                .filter_map(|(array, level)| (self.cut(level) > 0).then_some(array)),
        );
        Table { header: self.header(&truth), arrays }
    }

    fn stem_of(&self, passes: u32) -> usize {
        self.layout.stems.as_ref().map_or(self.stem, |stems| stems[passes as usize] as usize)
    }

    fn cut(&self, level: usize) -> u32 {
        self.layout.cuts.as_ref().map_or(0, |cuts| cuts[level])
    }

    fn header(&self, truth: &BTreeMap<Position, Verdict>) -> Vec<Entry> {
        let Rules { bounds, take, heaps_per_move, equal_take, passes, misere } = &self.rules;
        let list = |numbers: &[u32]| Value::Numbers(numbers.iter().map(|&number| number.into()).collect());
        let word = |word: &str| Value::Word(word.to_owned());
        let mut entries = vec![Entry::new("game", word("heaps")), Entry::new("bounds", list(bounds))];
        entries.extend(match take {
            Take::Any => None,
            Take::UpTo(most) => Some(Entry::new("take", Value::Number((*most).into()))),
            Take::Exactly(amounts) => Some(Entry::new("take", list(amounts))),
        });
        let mut optional = |name, value, left_out| {
            if value != left_out {
                entries.push(Entry::new(name, value));
            }
        };
        optional("heaps-per-move", Value::Number(*heaps_per_move as u64), Value::Number(1));
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
        let Layout { greatest, stems, cuts } = &self.layout;
        entries.extend(greatest.map(|greatest| Entry::new("greatest", Value::Number(greatest.into()))));
        entries.extend(stems.as_ref().map(|stems| Entry::new("stems", list(stems))));
        entries.extend(cuts.as_ref().map(|cuts| Entry::new("cuts", list(cuts))));
        entries
    }
}

impl Writer<'_> {
    /// The class of a group, which is descending.
    fn found(&mut self, group: &[u32], passes: u32) -> Found {
        let key = (group.to_vec(), passes);
        if let Some(&found) = self.known.get(&key) {
            return found;
        }
        let found = if group.len() == self.bounds.len() {
            self.lost(group, passes).map_or(NONE, |(depth, tries)| Found {
                class: 1 + tries,
                deeper: depth,
                is_won: false,
            })
        } else if self.made.rules.take == Take::Any && group.len() + 1 == self.bounds.len() {
            self.target(group, passes)
        } else {
            self.steps(group, passes)
        };
        self.known.insert(key, found);
        found
    }

    /// Depth and tries of a position, if it is lost.
    fn lost(&self, group: &[u32], passes: u32) -> Option<(u64, u64)> {
        let position = Position::new(group, passes);
        let verdict = self.truth[&position];
        let best = || answer(&self.made.rules, self.truth, &position.heaps, passes).best;
        (!verdict.win).then(|| match self.made.depths {
            true => (verdict.depth.into(), best().map_or(0, |best| best.stones().into())),
            false => (0, 0),
        })
    }

    /// Whether the groups of so many heaps are classes of their own.
    fn is_own(&self, heaps: usize) -> bool {
        !self.made.stem_records && heaps == self.made.stem
    }

    fn target(&mut self, group: &[u32], passes: u32) -> Found {
        let lost = |&size: &u32| Some((size, self.lost(&with(group, size, &self.bounds)?, passes)?));
        let sizes: Vec<u32> = (0..=self.bounds[0]).collect();
        let targets: Vec<_> = sizes.iter().filter_map(lost).collect();
        assert!(targets.len() <= 1, "no two positions that differ in one heap only are lost: {targets:?}");
        let own = self.is_own(group.len());
        let Some(&(size, (depth, tries))) = targets.first() else {
            let record = vec![vec![u64::from(self.bounds[0]) + 1, 0, 0]];
            let level = &mut self.levels[group.len()];
            let class = if own { level.add(record) } else { level.find(record) };
            return Found { class, ..NONE };
        };
        // Some of the depth stays here, so that every place has some.
        let stays = if own { depth } else { depth % 3 };
        let record = vec![vec![size.into(), stays, tries]];
        let level = &mut self.levels[group.len()];
        let class = if own { level.add(record) } else { level.find(record) };
        Found { class, deeper: depth - stays, is_won: false }
    }

    fn steps(&mut self, group: &[u32], passes: u32) -> Found {
        let mut line: Vec<Found> = (0..=self.bounds[0])
            .map(|size| with(group, size, &self.bounds).map_or(NONE, |group| self.found(&group, passes)))
            .collect();
        let (level, own) = (group.len(), self.is_own(group.len()));
        let is_won = line.iter().all(|step| step.is_won);
        let deeper = if own { 0 } else { lift(&mut line) };
        let records =
            |line: &[Found]| line.iter().map(|step| vec![step.class, step.deeper]).collect::<Vec<_>>();
        let cut = self.made.cut(level);
        let (store, record) = if cut == 0 {
            (&mut self.levels[level], records(&line))
        } else {
            line.resize(line.len().next_multiple_of(1 << cut), NONE);
            let segments = line.chunks_mut(1 << cut).map(|steps| {
                let deeper = lift(steps);
                vec![self.levels[level].find(records(steps)), deeper]
            });
            let segments = segments.collect();
            (&mut self.cuts[level], segments)
        };
        let class = if own { store.add(record) } else { store.find(record) };
        Found { class, deeper, is_won }
    }
}

/// Makes the steps that lead to lost positions less deep, all by as much as can be, and gives how much.
fn lift(steps: &mut [Found]) -> u64 {
    let least = steps.iter().filter(|step| !step.is_won).map(|step| step.deeper).min().unwrap_or(0);
    steps.iter_mut().for_each(|step| step.deeper = if step.is_won { 0 } else { step.deeper - least });
    least
}

/// A group with a heap more, if it fits.
fn with(group: &[u32], size: u32, bounds: &[u32]) -> Option<Vec<u32>> {
    let mut group = [group, &[size]].concat();
    group.sort_by(|one, other| other.cmp(one));
    group.iter().zip(bounds).all(|(size, bound)| size <= bound).then_some(group)
}
