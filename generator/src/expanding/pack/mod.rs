//! Making the body of a table of Expanding Nim (FORMAT.md, section 4): solved rows come in, bytes come out.

mod outcomes;
mod profile;
mod verdicts;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use bouton_tables::expanding::{Expanding, Layout, least_body};
use bouton_tables::format::{BitWriter, Content, FileWriter, Shape, Sink};
use bouton_tables::{Header, Ruleset};

use super::layout;
use super::row::{Lines, SolvedRow};
use crate::memory::{Grow, copied, filled_with};
use crate::{Census, GenerateError, Summary};
use profile::Profile;

/// A row, packed, but not yet placed in a table.
#[derive(Debug)]
pub struct EncodedRow {
    row: usize,
    /// For each line which of the row's distinct lines it is.
    distinct: Vec<u32>,
    outcomes: Vec<outcomes::Record>,
    lists: Vec<outcomes::List>,
    verdicts: verdicts::RowVerdicts,
    /// The numbers of the positions of the row.
    pub census: Census,
}

impl EncodedRow {
    /// Packs a row. The work of a row is independent of all others.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(rules: &Expanding, layout: &Layout, solved: &SolvedRow) -> Result<Self, GenerateError> {
        let (row, length) = (solved.row, layout.length(solved.row));
        // Lines with the same depths have the same outcomes, so that equal verdicts are all that is looked for.
        let (distinct, first, verdicts) = match &solved.lines {
            Lines::Outcomes(lines) => {
                let (distinct, first) = number_distinct(lines);
                (distinct, first, verdicts::RowVerdicts::default())
            }
            Lines::Verdicts(lines) => {
                let (distinct, first) = number_distinct(lines);
                let verdicts = verdicts::encode(length, first.iter().map(|&line| &lines[line][..]))?;
                (distinct, first, verdicts)
            }
        };
        let counter = Counter::new(rules, layout, row);
        let mut lost = Vec::new();
        let mut outcomes = outcomes::Encoder::new(length, layout.currentmax(row));
        for line in first {
            let profile = match &solved.lines {
                Lines::Outcomes(lines) => Profile::of_changes(lines[line].iter())?,
                Lines::Verdicts(lines) => Profile::of_runs(rules, &lines[line])?,
            };
            lost.push(counter.lost(&profile));
            outcomes.put(&profile)?;
        }
        // Positions are counted with player 1 to move, whose lines come first.
        let lost: u64 = distinct[..layout.lines() / 2].iter().map(|&number| lost[number as usize]).sum();
        let deepest = match &solved.lines {
            Lines::Outcomes(_) => 0,
            Lines::Verdicts(lines) => lines.iter().flatten().map(|run| run.depth).max().unwrap_or(0),
        };
        let census = Census { wins: counter.positions() - lost, deepest };
        let (outcomes, lists) = outcomes.finish();
        Ok(Self { row, distinct, outcomes, lists, verdicts, census })
    }

    /// Bytes that it takes, about.
    fn bytes(&self) -> usize {
        let outcomes = self.outcomes.iter().map(outcomes::Record::bytes).sum::<usize>();
        let lists = self.lists.iter().map(outcomes::List::bytes).sum::<usize>();
        4 * self.distinct.len() + outcomes + lists + self.verdicts.bytes()
    }
}

/// Counts positions of a row: those of every currentmax that shares it.
struct Counter {
    length: u32,
    /// One more than the currentmax that share it, at least one.
    shared: u64,
    positions_per_pair: u64,
}

impl Counter {
    fn new(rules: &Expanding, layout: &Layout, row: usize) -> Self {
        let shared = if row == 0 { u64::from(layout.floor()) + 1 } else { 1 };
        Self { length: layout.length(row), shared, positions_per_pair: rules.positions_per_pair() }
    }

    /// Pairs of fewer stones than so many and a currentmax.
    fn pairs_below(&self, stones: u32) -> u64 {
        // With x stones of N, currentmax m of row 0 arises if m is at most N - x.
        let (stones, length) = (u64::from(stones), u64::from(self.length));
        let all = stones.min((length + 1).saturating_sub(self.shared));
        // From there on one fewer for each further stone.
        all * self.shared + (stones - all) * (2 * length - all - stones + 1) / 2
    }

    fn lost(&self, profile: &Profile) -> u64 {
        let lost = profile.runs(self.length).filter(|&(.., lost)| lost);
        lost.map(|(start, end, _)| self.pairs_below(end) - self.pairs_below(start)).sum()
    }

    fn positions(&self) -> u64 {
        self.pairs_below(self.length).saturating_mul(self.positions_per_pair)
    }
}

/// Numbers equal items alike, in the order in which they first appear; gives each item's number, and for each
/// number where its first item is. There are at most 1024 items: a line each.
fn number_distinct<T: Eq + Hash>(items: &[T]) -> (Vec<u32>, Vec<usize>) {
    let mut numbers = HashMap::new();
    let mut kept = Vec::new();
    let mut number = |(place, item)| {
        *numbers.entry(item).or_insert_with(|| {
            kept.push(place);
            kept.len() as u32 - 1
        })
    };
    let numbered = items.iter().enumerate().map(&mut number).collect();
    (numbered, kept)
}

/// A table in the making.
#[derive(Debug)]
pub struct TableBuilder {
    rules: Expanding,
    layout: Layout,
    depths: bool,
    rows: Vec<Option<EncodedRow>>,
}

impl TableBuilder {
    /// An empty table of these rules.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(rules: &Expanding, depths: bool) -> Result<Self, GenerateError> {
        let layout = layout(rules)?;
        let rows = filled_with(layout.rows() as u64, || None)?;
        Ok(Self { rules: rules.clone(), layout, depths, rows })
    }

    /// The rows and lines of the table.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Takes a row, in any order.
    pub fn put(&mut self, row: EncodedRow) {
        let place = row.row;
        self.rows[place] = Some(row);
    }

    /// Writes the file. Its bytes depend on the rows alone, not on the order in which they came. Tells besides how many
    /// bytes of memory the packed rows took, about.
    ///
    /// # Errors
    /// Whatever the sink reports, and if there is not enough memory.
    ///
    /// # Panics
    /// If a row was not put.
    pub fn finish(self, census: Census, sink: &mut dyn Sink) -> Result<(Summary, u64), GenerateError> {
        let rows = || self.rows.iter().map(|row| row.as_ref().expect("every row is put"));
        // Lines are of one class if no row tells them apart.
        let mut classes = vec![0; self.layout.lines()];
        let mut representative = Vec::new();
        for row in rows() {
            let pairs: Vec<(u32, u32)> = classes.iter().copied().zip(row.distinct.iter().copied()).collect();
            (classes, representative) = number_distinct(&pairs);
        }
        let mut body = BodyBuilder::default();
        for row in rows() {
            body.put(row, &classes, &representative)?;
        }
        let packed = body.bytes() + rows().map(EncodedRow::bytes).sum::<usize>();
        let header = census.header(Ruleset::Expanding(self.rules.clone()), self.depths);
        drop(self.rows);
        Ok((body.write(header, &classes, least_body(self.layout.rows() as u64), sink)?, packed as u64))
    }
}

/// The arrays of a body in the making.
#[derive(Default)]
struct BodyBuilder {
    outcomes: Vec<[u64; 6]>,
    lists: Vec<[u64; 2]>,
    pool: BitWriter,
    /// Where in the pool a head stands already.
    heads: HashMap<Vec<u64>, u64>,
    verdicts: Vec<[u64; 6]>,
    blocks: Vec<[u64; 3]>,
    starts: BitWriter,
    values: Vec<[u64; 1]>,
    /// The distinct steps, and the number of each.
    steps: Vec<[u64; 4]>,
    numbers: HashMap<[u64; 4], u64>,
}

impl BodyBuilder {
    fn put(
        &mut self,
        row: &EncodedRow,
        classes: &[u32],
        representative: &[usize],
    ) -> Result<(), GenerateError> {
        let first_list = self.lists.len() as u64;
        for list in &row.lists {
            self.lists.grow([self.pool.len(), list.bucket.into()])?;
            list.write(&mut self.pool)?;
        }
        for &line in representative {
            let record = &row.outcomes[row.distinct[line] as usize];
            let head = if record.own == 0 { 0 } else { self.head(&record.head)? };
            let list = if record.list == 0 { 0 } else { first_list + u64::from(record.list) };
            let [own, shift, run] = [record.own, record.shift, record.run].map(u64::from);
            self.outcomes.grow([head, own, list, shift, run, record.tail.into()])?;
        }
        let verdicts = &row.verdicts;
        if verdicts.lines.is_empty() {
            return Ok(());
        }
        // A line refers to another one of the row by its number there; the class of any line with that number
        // will do.
        let mut class_of = vec![0; verdicts.lines.len()];
        for (line, &number) in row.distinct.iter().enumerate() {
            class_of[number as usize] = classes[line];
        }
        let (first_block, first_value) = (self.blocks.len() as u64, self.values.len() as u64);
        for &line in representative {
            let record = &verdicts.lines[row.distinct[line] as usize];
            let class = class_of[record.other as usize];
            let [block, scale, own, shift, deeper] =
                [record.block, record.scale, record.own, record.shift, record.deeper].map(u64::from);
            self.verdicts.grow([first_block + block, scale, own, class.into(), shift, deeper])?;
        }
        let blocks = verdicts.blocks.iter();
        self.blocks.grow_by(blocks.map(|&[value, base, starts]| [first_value + value, base, starts]))?;
        verdicts.starts.iter().try_for_each(|&start| self.starts.push(start.into(), 8))?;
        for &step in &verdicts.values {
            self.numbers.try_reserve(1)?;
            let number = match self.numbers.entry(step) {
                Entry::Occupied(number) => *number.get(),
                Entry::Vacant(number) => {
                    self.steps.grow(step)?;
                    *number.insert(self.steps.len() as u64 - 1)
                }
            };
            self.values.grow([number])?;
        }
        Ok(())
    }

    /// Bytes that it takes, about.
    fn bytes(&self) -> usize {
        let heads = self.heads.keys().map(|words| 64 + 8 * words.len()).sum::<usize>();
        let records = 48 * (self.outcomes.capacity() + self.verdicts.capacity()) + 16 * self.lists.capacity();
        let steps = 24 * self.blocks.capacity() + 8 * self.values.capacity() + 32 * self.steps.capacity();
        let bits = (self.pool.len() + self.starts.len()) as usize / 8;
        heads + records + steps + bits + 56 * self.numbers.capacity()
    }

    /// The place of a head in the pool, where it is put if it is not there yet.
    fn head(&mut self, head: &outcomes::Head) -> Result<u64, GenerateError> {
        if let Some(&at) = self.heads.get(&head.words) {
            return Ok(at);
        }
        let at = self.pool.len();
        head.write(&mut self.pool)?;
        self.heads.try_reserve(1)?;
        self.heads.insert(copied(&head.words)?, at);
        Ok(at)
    }

    fn write(
        &self,
        header: Header,
        classes: &[u32],
        least: u64,
        sink: &mut dyn Sink,
    ) -> Result<Summary, GenerateError> {
        let classes = classes.iter().map(|&class| [class.into()]);
        let shapes = vec![
            Shape::of(classes.clone())?,
            Shape::of(self.outcomes.iter().copied())?,
            Shape::of(self.lists.iter().copied())?,
            Shape::of_bits(&self.pool, 1),
            Shape::of(self.verdicts.iter().copied())?,
            Shape::of(self.blocks.iter().copied())?,
            Shape::of_bits(&self.starts, 8),
            Shape::of(self.values.iter().copied())?,
            Shape::of(self.steps.iter().copied())?,
        ];
        let mut file = FileWriter::new(sink, Content::Table, &header, shapes, least)?;
        file.array(classes)?;
        file.array(self.outcomes.iter().copied())?;
        file.array(self.lists.iter().copied())?;
        file.bits(&self.pool)?;
        file.array(self.verdicts.iter().copied())?;
        file.array(self.blocks.iter().copied())?;
        file.bits(&self.starts)?;
        file.array(self.values.iter().copied())?;
        file.array(self.steps.iter().copied())?;
        Ok(Summary::new(header, file.finish()?))
    }
}
