//! Making the body of a table of Expanding Nim (FORMAT.md, section 4): solved rows come in, bytes come out.

mod count;
mod outcomes;
mod verdicts;

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use bouton_tables::expanding::{Expanding, Layout, least_body};
use bouton_tables::format::{BitWriter, Content, FileWriter, Shape, Sink};
use bouton_tables::{Header, Ruleset};

use self::count::Counter;
use self::verdicts::Step;
use super::line::{Line, Marked, Tail};
use super::row::SolvedRow;
use super::{depths, layout};
use crate::memory::{Grow, copied, filled_with, room};
use crate::{Census, GenerateError, Summary};

/// A row, packed, but not yet placed in a table.
#[derive(Debug)]
pub(super) struct EncodedRow {
    row: usize,
    /// For each line which of the row's distinct lines it is.
    distinct: Vec<u32>,
    /// For each of these which of the row's outcomes it has.
    kinds: Vec<u32>,
    outcomes: Vec<outcomes::Record>,
    lists: Vec<outcomes::List>,
    verdicts: verdicts::RowVerdicts,
    /// The numbers of the positions of the row.
    pub(super) census: Census,
}

impl EncodedRow {
    /// Packs a row. The work of a row is independent of all others.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn new(rules: &Expanding, layout: &Layout, solved: &SolvedRow) -> Result<Self, GenerateError> {
        let SolvedRow { row, outcomes: lines, verdicts } = solved;
        let (row, length) = (*row, layout.length(*row));
        let (kinds, first) = number_distinct(&lines.iter().map(|line| identity(line)).collect::<Vec<_>>());
        let mut outcomes = room(first.len() as u64)?;
        outcomes.extend(first.iter().map(|&line| lines[line].clone()));
        let counter = Counter::new(rules, layout, row);
        let mut lost = room(outcomes.len() as u64)?;
        lost.extend(outcomes.iter().map(|line| counter.lost(line)));
        // Positions are counted with player 1 to move, whose lines come first.
        let lost: u128 =
            kinds[..layout.lines() / 2].iter().map(|&kind| u128::from(lost[kind as usize])).sum();
        let (records, lists) = outcomes::encode(&outcomes, length, layout.stay(row))?;
        let (distinct, kinds, verdicts) = if verdicts.is_empty() {
            let all = 0..first.len() as u32;
            (kinds, all.collect(), verdicts::RowVerdicts::default())
        } else {
            // Lines with the same depths have the same outcomes.
            let identities: Vec<_> = verdicts.iter().map(|line| line.identity()).collect();
            let (distinct, first) = number_distinct(&identities);
            let kinds = first.iter().map(|&line| kinds[line]).collect();
            let lines: Vec<_> = first.iter().map(|&line| &*verdicts[line]).collect();
            (distinct, kinds, verdicts::encode(length, &lines)?)
        };
        let deepest = depths::deepest(&solved.verdicts, length);
        let census = Census { wins: u64::try_from(counter.positions() - lost).unwrap_or(u64::MAX), deepest };
        Ok(Self { row, distinct, kinds, outcomes: records, lists, verdicts, census })
    }

    /// How the outcomes of a line are stored.
    fn record(&self, line: usize) -> &outcomes::Record {
        &self.outcomes[self.kinds[self.distinct[line] as usize] as usize]
    }

    /// Bytes that it takes, about.
    fn bytes(&self) -> usize {
        let outcomes = self.outcomes.iter().map(outcomes::Record::bytes).sum::<usize>();
        let lists = self.lists.iter().map(outcomes::List::bytes).sum::<usize>();
        4 * (self.distinct.len() + self.kinds.len()) + outcomes + lists + self.verdicts.bytes()
    }
}

/// A head, from where on the tail tells, of a marked one which list it has, its shift and its run, and what is lost.
type Identity<'a> = (&'a [u32], u32, Option<(usize, u32, u32)>, bool);

/// What tells a line from others of its row.
fn identity(line: &Line) -> Identity<'_> {
    match &line.tail {
        Tail::All(lost) => (&line.head, line.from, None, *lost),
        Tail::Marked(Marked { list, shift, run, lost }) => {
            (&line.head, line.from, Some((Arc::as_ptr(list).addr(), *shift, *run)), *lost)
        }
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
pub(super) struct TableBuilder {
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
    pub(super) fn new(rules: &Expanding, depths: bool) -> Result<Self, GenerateError> {
        let layout = layout(rules)?;
        let rows = filled_with(layout.rows() as u64, || None)?;
        Ok(Self { rules: rules.clone(), layout, depths, rows })
    }

    /// The rows and lines of the table.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Takes a row, in any order.
    pub(super) fn put(&mut self, row: EncodedRow) {
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
    pub(super) fn finish(self, census: Census, sink: &mut dyn Sink) -> Result<(Summary, u64), GenerateError> {
        let rows = || self.rows.iter().map(|row| row.as_ref().expect("every row is put"));
        // Lines are of one class if no row tells them apart.
        let mut classes = vec![0; self.layout.lines()];
        let mut representative = Vec::new();
        for row in rows() {
            let pairs: Vec<(u32, u32)> = classes.iter().copied().zip(row.distinct.iter().copied()).collect();
            (classes, representative) = number_distinct(&pairs);
        }
        let mut body = BodyBuilder::default();
        // Heads are often the beginning of one in a row above.
        for row in rows().rev() {
            body.put_heads(row, &representative)?;
        }
        let bytes = rows().map(EncodedRow::bytes).sum::<usize>();
        let mut rows = self.rows;
        for row in &mut rows {
            // Rows are given up one by one, as the body grows.
            let row = row.take().expect("every row is put");
            body.put(&row, &classes, &representative)?;
        }
        // While the body grows it is copied to where there is more room.
        let packed = body.bytes() + bytes / 2;
        let header = census.header(Ruleset::Expanding(self.rules.clone()), self.depths);
        let header = Header { gaps: true, stairs: self.depths, ..header };
        Ok((body.write(header, &classes, least_body(self.layout.rows() as u64), sink)?, packed as u64))
    }
}

/// How many arrays a table without depths has that are for them.
const WITHOUT_DEPTHS: usize = 5;

/// The arrays of a body in the making.
#[derive(Default)]
struct BodyBuilder {
    outcomes: Vec<[u64; 6]>,
    lists: Vec<[u64; 6]>,
    pool: BitWriter,
    /// Where in the pool a head stands already, by its changes, and of how many bits.
    heads: HashMap<Vec<u32>, (u64, u32)>,
    verdicts: Vec<[u64; 5]>,
    stairs: Vec<[u64; 6]>,
    blocks: BitWriter,
    steps: Vec<Step>,
    /// Where the steps of a staircase are.
    steps_at: HashMap<Vec<Step>, u64>,
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
            let [bucket, width, least, gap, gaps] = list.record;
            self.lists.grow([self.pool.len(), bucket, width, least, gap, gaps])?;
            list.write(&mut self.pool)?;
        }
        for &line in representative {
            let record = row.record(line);
            let head = if record.own == 0 { 0 } else { self.heads[&record.head].0 };
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
        let first_staircase = self.stairs.len() as u64;
        for &line in representative {
            let record = &verdicts.lines[row.distinct[line] as usize];
            let class = class_of[record.other as usize];
            let [stairs, own, shift, deeper] =
                [record.stairs, record.own, record.shift, record.deeper].map(u64::from);
            let stairs = if own == 0 { 0 } else { first_staircase + stairs };
            self.verdicts.grow([stairs, own, class.into(), shift, deeper])?;
        }
        for staircase in &verdicts.stairs {
            let first = self.blocks.len() + staircase.first;
            let [scale, begun, base, code] =
                [staircase.scale, staircase.begun, staircase.base, staircase.code].map(u64::from);
            let steps = match self.steps_at.get(&staircase.steps) {
                Some(&steps) => steps,
                None => {
                    let steps = self.steps.len() as u64;
                    self.steps.grow_by(staircase.steps.iter().copied())?;
                    self.steps_at.try_reserve(1)?;
                    self.steps_at.insert(copied(&staircase.steps)?, steps);
                    steps
                }
            };
            self.stairs.grow([first, scale, begun, base, code, steps])?;
        }
        self.blocks.append(&verdicts.bits)?;
        Ok(())
    }

    /// Bytes that it takes, about.
    fn bytes(&self) -> usize {
        let heads = self.heads.keys().map(|changes| 64 + 4 * changes.len()).sum::<usize>();
        let records = self.outcomes.capacity() + self.lists.capacity() + self.stairs.capacity();
        let records = 48 * records + 40 * self.verdicts.capacity();
        let steps = 24 * self.steps.capacity() + 64 * self.steps_at.capacity();
        let bits = (self.pool.len() + self.blocks.len()) as usize / 8;
        heads + records + steps + bits
    }

    /// Puts the heads of a row into the pool, as far as they are not there yet.
    fn put_heads(&mut self, row: &EncodedRow, representative: &[usize]) -> Result<(), GenerateError> {
        for &line in representative {
            let outcomes::Record { head, own, .. } = row.record(line);
            let is_there = |&(_, bits): &(u64, u32)| bits >= *own;
            if *own == 0 || self.heads.get(head).is_some_and(is_there) {
                continue;
            }
            let at = self.pool.len();
            let mut changes = head.iter().copied().chain([*own]);
            let (mut begins, mut lost) = (0, false);
            while begins < *own {
                let ends = changes.next().unwrap_or(*own);
                self.pool.push_same(lost, (ends - begins).into())?;
                (begins, lost) = (ends, !lost);
            }
            self.heads.try_reserve(1)?;
            self.heads.insert(copied(head)?, (at, *own));
        }
        Ok(())
    }

    fn write(
        &self,
        header: Header,
        classes: &[u32],
        least: u64,
        sink: &mut dyn Sink,
    ) -> Result<Summary, GenerateError> {
        let classes = classes.iter().map(|&class| [class.into()]);
        let steps = self.steps.iter().map(|step| step.record());
        let mut shapes = vec![
            Shape::of(classes.clone())?,
            Shape::of(self.outcomes.iter().copied())?,
            Shape::of(self.lists.iter().copied())?,
            Shape::of_bits(&self.pool, 1),
        ];
        if header.stairs {
            shapes.extend([
                Shape::of(self.verdicts.iter().copied())?,
                Shape::of(self.stairs.iter().copied())?,
                Shape::of_bits(&self.blocks, 1),
                Shape::of(steps.clone())?,
            ]);
        } else {
            // Nothing is in the arrays of verdicts.
            shapes.extend([Shape::of::<1>([])?; WITHOUT_DEPTHS]);
        }
        let mut file = FileWriter::new(sink, Content::Table, &header, shapes, least)?;
        file.array(classes)?;
        file.array(self.outcomes.iter().copied())?;
        file.array(self.lists.iter().copied())?;
        file.bits(&self.pool)?;
        if header.stairs {
            file.array(self.verdicts.iter().copied())?;
            file.array(self.stairs.iter().copied())?;
            file.bits(&self.blocks)?;
            file.array(steps)?;
        } else {
            (0..WITHOUT_DEPTHS).try_for_each(|_| file.array::<1>([]))?;
        }
        Ok(Summary::new(header, file.finish()?))
    }
}
