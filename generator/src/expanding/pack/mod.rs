//! Making the body of a table of Expanding Nim (FORMAT.md, section 4): solved rows come in, bytes come out.

mod outcomes;
mod verdicts;

use std::collections::HashMap;
use std::io;

use bouton_tables::expanding::{Expanding, Layout};
use bouton_tables::format::{BitWriter, Content, FileWriter, Shape, Sink, Written};
use bouton_tables::{Header, Ruleset};

use crate::Census;

/// A row, solved: what a solver hands over.
///
/// Along the stones x, the lines stand in four groups: number `turn index * 2 + imposed`. Within a group
/// there is one cell for each pair of resets: number `resets1 * Layout::cells_across + resets2`.
#[derive(Clone, Debug)]
pub struct SolvedRow {
    /// Number of the row.
    pub row: usize,
    /// `ceil(cells / 64)` words for each x and group: a cell's bit is 1 if the position is lost.
    pub lost: Vec<u64>,
    /// One step for each x, group and cell; empty without depths.
    pub steps: Vec<Step>,
}

/// Depth and best move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Step {
    /// Plies to the end.
    pub depth: u32,
    /// Stones that the best move takes; 0 if there is no move.
    pub take: u32,
    /// Whether it imposes a reset.
    pub reset: bool,
}

/// A row, packed, but not yet placed in a table.
#[derive(Debug)]
pub struct EncodedRow {
    row: usize,
    /// For each line which of the row's distinct lines it is.
    distinct: Vec<u32>,
    outcomes: Vec<outcomes::Record>,
    lists: Vec<outcomes::List>,
    verdicts: verdicts::RowVerdicts,
}

impl EncodedRow {
    /// Packs a row. The work of a row is independent of all others.
    #[must_use]
    pub fn new(layout: &Layout, solved: &SolvedRow) -> Self {
        let length = layout.length(solved.row);
        let mut profiles = outcomes::profiles(layout, solved);
        let (distinct, verdicts) = if solved.steps.is_empty() {
            let (distinct, kept) = number_distinct(profiles);
            profiles = kept;
            (distinct, verdicts::RowVerdicts::default())
        } else {
            // Lines with the same depths have the same outcomes, which the parity of the depth tells.
            let (distinct, kept) = number_distinct(verdicts::lines(layout, solved));
            let mut first = vec![None; kept.len()];
            for (line, &number) in distinct.iter().enumerate() {
                first[number as usize].get_or_insert(line);
            }
            profiles = first
                .into_iter()
                .map(|line| std::mem::take(&mut profiles[line.expect("each is some line's")]))
                .collect();
            (distinct, verdicts::encode(length, &kept))
        };
        let (outcomes, lists) = outcomes::encode(length, layout.currentmax(solved.row), &profiles);
        Self { row: solved.row, distinct, outcomes, lists, verdicts }
    }
}

/// Numbers equal items alike, in the order in which they first appear; gives each item's number, and one item
/// for each number.
fn number_distinct<T: Clone + Eq + std::hash::Hash>(items: Vec<T>) -> (Vec<u32>, Vec<T>) {
    let mut numbers = HashMap::new();
    let mut kept = Vec::new();
    let numbered = items
        .into_iter()
        .map(|item| {
            *numbers.entry(item).or_insert_with_key(|item| {
                kept.push(item.clone());
                u32::try_from(kept.len() - 1).expect("at most 1024 lines")
            })
        })
        .collect();
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
    #[must_use]
    pub fn new(rules: &Expanding, depths: bool) -> Self {
        let layout = Layout::new(rules);
        let rows = (0..layout.rows()).map(|_| None).collect();
        Self { rules: rules.clone(), layout, depths, rows }
    }

    /// The rows and lines of the table.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Takes a row, in any order.
    pub fn put(&mut self, row: EncodedRow) {
        let place = row.row;
        self.rows[place] = Some(row);
    }

    /// Writes the file. Its bytes depend on the rows alone, not on the order in which they came.
    ///
    /// # Errors
    /// Whatever the sink reports, and if there is not enough memory.
    ///
    /// # Panics
    /// If a row was not put.
    pub fn finish(self, census: Census, sink: &mut dyn Sink) -> io::Result<Written> {
        let rows: Vec<EncodedRow> = self.rows.into_iter().map(|row| row.expect("every row is put")).collect();
        let lines = self.layout.lines();
        // Lines are of one class if no row tells them apart.
        let mut classes = vec![0; lines];
        let mut members = Vec::new();
        for row in &rows {
            let pairs: Vec<(u32, u32)> = classes.iter().copied().zip(row.distinct.iter().copied()).collect();
            (classes, members) = number_distinct(pairs);
        }
        let mut representative = vec![usize::MAX; members.len()];
        for (line, &class) in classes.iter().enumerate().rev() {
            representative[class as usize] = line;
        }

        let mut body = BodyBuilder::default();
        for row in &rows {
            body.put(row, &classes, &representative)?;
        }
        let header = census.header(Ruleset::Expanding(self.rules), self.depths);
        body.write(&header, &classes, sink)
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
    fn put(&mut self, row: &EncodedRow, classes: &[u32], representative: &[usize]) -> io::Result<()> {
        let first_list = self.lists.len() as u64;
        for list in &row.lists {
            self.lists.push([self.pool.len(), list.bucket.into()]);
            list.write(&mut self.pool)?;
        }
        for &line in representative {
            let record = &row.outcomes[row.distinct[line] as usize];
            let head = if record.own == 0 { 0 } else { self.head(&record.head)? };
            let list = if record.list == 0 { 0 } else { first_list + u64::from(record.list) };
            let [own, shift, run] = [record.own, record.shift, record.run].map(u64::from);
            self.outcomes.push([head, own, list, shift, run, record.tail.into()]);
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
            self.verdicts.push([first_block + block, scale, own, class.into(), shift, deeper]);
        }
        self.blocks
            .extend(verdicts.blocks.iter().map(|&[value, base, starts]| [first_value + value, base, starts]));
        verdicts.starts.iter().try_for_each(|&start| self.starts.push(start.into(), 8))?;
        for &step in &verdicts.values {
            let number = *self.numbers.entry(step).or_insert_with(|| {
                self.steps.push(step);
                self.steps.len() as u64 - 1
            });
            self.values.push([number]);
        }
        Ok(())
    }

    /// The place of a head in the pool, where it is put if it is not there yet.
    fn head(&mut self, head: &outcomes::Head) -> io::Result<u64> {
        if let Some(&at) = self.heads.get(&head.words) {
            return Ok(at);
        }
        let at = self.pool.len();
        head.write(&mut self.pool)?;
        self.heads.insert(head.words.clone(), at);
        Ok(at)
    }

    fn write(&self, header: &Header, classes: &[u32], sink: &mut dyn Sink) -> io::Result<Written> {
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
        let mut file = FileWriter::new(sink, Content::Table, header, shapes)?;
        file.array(classes)?;
        file.array(self.outcomes.iter().copied())?;
        file.array(self.lists.iter().copied())?;
        file.bits(&self.pool)?;
        file.array(self.verdicts.iter().copied())?;
        file.array(self.blocks.iter().copied())?;
        file.bits(&self.starts)?;
        file.array(self.values.iter().copied())?;
        file.array(self.steps.iter().copied())?;
        file.finish()
    }
}
