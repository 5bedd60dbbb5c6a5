//! Writes the rows of selected positions.
//!
//! The threads make the rows of consecutive groups, a batch for each group; then one thread writes the batches in order. The rows of one
//! group can exceed all memory, as one row of JSON can list a million winning moves. So a batch ends when it is large enough, and the
//! rest of its group is made after the batch is written.

use std::fmt::{self, Display, Formatter};
use std::io::Write;

use bouton_tables::printable::shorten;
use bouton_tables::{Answer, AnswerOf, AnswerText, AskError, Game, MoveSet, PositionOf, Ruleset, Solved};
use rayon::prelude::*;
use serde::Serialize;

use crate::Progress;
use crate::error::Result;
use crate::filter::{Field, Fields, Filter};
use crate::groups::{GroupedRegion, lost_in_group, map_reduce};
use crate::values::{PositionValues, ValueKind};

/// Size at which a batch ends: large enough that no thread waits long for another, and small compared to memory.
const BATCH_BYTES: usize = 4 << 20;

/// Maximum number of characters of the ruleset in a comment.
const MAX_RULES_LENGTH: usize = 200;

/// The format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values, with a line of column names.
    Csv,
    /// A line of JSON for each position.
    Jsonl,
    /// A structured array in a file of `NumPy`.
    Npy,
    /// A map in the language of `CGSuite`, from positions to their Grundy values.
    CgSuite,
}

/// The type of a column's values.
#[derive(Clone, Copy)]
enum ColumnType {
    /// A number of this many bytes.
    Number(usize),
    /// Text of at most this many bytes.
    Text(usize),
}

/// A column of positions or answers: its name and type.
type Column = (String, ColumnType);

/// One value of a row.
enum ExportCell {
    Number(u64),
    Text(String),
}

/// Writes the value as CSV. No value contains quotes; a genus with numbers of several digits contains commas.
impl Display for ExportCell {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) if text.contains(',') => write!(f, "\"{text}\""),
            Self::Text(text) => write!(f, "{text}"),
        }
    }
}

/// Writes the selected positions of a table.
pub(super) struct RowWriter<'a, S: Solved> {
    table: &'a S,
    region: <S::Game as Game>::Region,
    fields: Vec<Field>,
    filter: &'a Filter,
    /// The values of positions, if rows have them.
    values: Option<PositionValues<S::Game>>,
    /// Size at which a batch ends: [`BATCH_BYTES`], less in tests.
    batch_bytes: usize,
}

#[derive(Serialize)]
struct JsonRow {
    position: String,
    #[serde(flatten)]
    answer: AnswerText,
    #[serde(skip_serializing_if = "Option::is_none")]
    grundy: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    genus: Option<String>,
}

impl<'a, S: Solved<Game: Fields<Region: GroupedRegion>>> RowWriter<'a, S> {
    /// Prepares to write the positions that a filter selects, and computes their values if rows have them.
    pub(super) fn new(
        table: &'a S,
        filter: &'a Filter,
        values: Option<ValueKind>,
        progress: &Progress,
    ) -> Result<Self> {
        let game = table.game();
        let region = game.region()?;
        let values = values.map(|kind| kind.values(game, filter, progress)).transpose()?;
        Ok(Self { table, region, fields: game.fields(), filter, values, batch_bytes: BATCH_BYTES })
    }

    /// Lists the columns of a position: the numbers of its fields.
    fn position_columns(&self) -> Vec<Column> {
        let columns_of = |field: &Field| {
            let kind = ColumnType::Number(field.bytes);
            field.columns().map(move |name| (name, kind))
        };
        self.fields.iter().flat_map(columns_of).collect()
    }

    /// Returns the values of [`position_columns`](Self::position_columns).
    fn position_cells(&self, position: &PositionOf<S>) -> impl Iterator<Item = ExportCell> {
        let exported = self.fields.iter().enumerate().filter(|(_, field)| field.bytes > 0);
        exported.flat_map(move |(index, field)| {
            let number = move |number| S::Game::number(position, index, number);
            (0..field.numbers).map(move |index| ExportCell::Number(number(index)))
        })
    }

    /// Returns the Grundy value and the genus of a position, as far as the rows show them: at most one of the two.
    fn value_of(&self, position: &PositionOf<S>) -> (Option<u32>, Option<String>) {
        self.values.as_ref().map_or((None, None), |values| values.of(position))
    }

    /// Calls `visit` with each selected position of a group, from index `from` on, and its answer, until `visit` returns false. Returns the
    /// number of positions looked up, also of those whose answers the filter rejects, and whether any are left.
    fn visit_group(
        &self,
        (group, from): (u64, u64),
        mut visit: impl FnMut(&PositionOf<S>, &AnswerOf<S>) -> bool,
    ) -> Result<(u64, bool), AskError> {
        if self.filter.selects_only_lost() {
            let (lost, selected) = lost_in_group(self.table, &self.region, self.filter, group)?;
            for (index, position) in lost.iter().filter(|&&(index, _)| index >= from) {
                if let Some(answer) = self.filter.answer_of(self.table, position)?
                    && !visit(position, &answer)
                {
                    return Ok((index + 1 - from, true));
                }
            }
            return Ok((selected - from, false));
        }
        let mut visited = 0;
        for position in self.region.group(self.filter, group).skip(from as usize) {
            visited += 1;
            if let Some(answer) = self.filter.answer_of(self.table, &position)?
                && !visit(&position, &answer)
            {
                return Ok((visited, true));
            }
        }
        Ok((visited, false))
    }

    /// Measures the rows, for a format whose header has their number and widths.
    fn extent(&self, progress: &Progress) -> Result<Extent> {
        let measure_group = |group: u64| -> Result<Extent> {
            let mut extent = Extent::default();
            let (visited, _) = self.visit_group((group, 0), |position, answer| {
                extent.rows += 1;
                extent.best = extent.best.max(answer.best.map_or(0, |best| best.to_string().len()));
                let (_, genus) = self.value_of(position);
                extent.genus = extent.genus.max(genus.map_or(0, |genus| genus.len()));
                true
            })?;
            progress(visited)?;
            Ok(extent)
        };
        map_reduce(self.region.groups(self.filter), &measure_group, &Extent::and)
    }

    /// Writes the rows, and returns their number.
    pub(super) fn write(&self, format: Format, out: &mut dyn Write, progress: &Progress) -> Result<u64> {
        let extent = if format == Format::Npy { self.extent(progress)? } else { Extent::default() };
        let mut columns = self.position_columns();
        columns.extend(answer_columns(self.table.has_depths(), extent.best));
        columns.extend(self.values.as_ref().map(|values| match values {
            PositionValues::Grundy(_) => ("grundy".to_owned(), ColumnType::Number(4)),
            PositionValues::Genus(_) => ("genus".to_owned(), ColumnType::Text(extent.genus.max(1))),
        }));
        match format {
            Format::Jsonl => {}
            Format::Csv => {
                let names: Vec<&str> = columns.iter().map(|(name, _)| &name[..]).collect();
                writeln!(out, "{}", names.join(","))?;
            }
            Format::Npy => out.write_all(&npy_heading(&columns, extent.rows))?,
            Format::CgSuite => out.write_all(self.cgsuite_heading().as_bytes())?,
        }
        let groups = self.region.groups(self.filter);
        let (mut first, mut groups_at_once, mut rows) = (groups.start, 1, 0_u64);
        while first < groups.end {
            let end = (first + groups_at_once).min(groups.end);
            let batch = |group| self.batch((group, 0), format, &columns, progress);
            let batches = (first..end).into_par_iter().map(batch).collect::<Result<Vec<RowBatch>>>()?;
            first = end;
            let mut length = 0;
            for mut batch in batches {
                loop {
                    // Each entry of a map begins with a comma; the first one must not.
                    let from = usize::from(format == Format::CgSuite && rows == 0).min(batch.bytes.len());
                    out.write_all(&batch.bytes[from..])?;
                    rows += batch.rows;
                    length += batch.bytes.len();
                    let Some(rest) = batch.rest else { break };
                    batch = self.batch(rest, format, &columns, progress)?;
                }
            }
            // The length of rows is known only after they are made. If the rows of these groups were short, make twice as many groups next.
            groups_at_once = match length < self.batch_bytes {
                true => (groups_at_once * 2).min(MAX_GROUPS),
                false => (groups_at_once / 2).max(1),
            };
        }
        if format == Format::CgSuite {
            writeln!(out, "{}", if rows == 0 { "=>};" } else { "\n};" })?;
        }
        out.flush()?;
        Ok(rows)
    }

    /// Makes the rows of a group, from the selected position with index `from` on, until the batch is large enough.
    fn batch(
        &self,
        (group, from): (u64, u64),
        format: Format,
        columns: &[Column],
        progress: &Progress,
    ) -> Result<RowBatch> {
        let (mut rows, mut bytes, mut row) = (0, Vec::new(), Vec::new());
        let (visited, has_more) = self.visit_group((group, from), |position, answer| {
            rows += 1;
            let (grundy, genus) = self.value_of(position);
            if format == Format::Jsonl {
                let position = self.table.game().show_position(position);
                let row = JsonRow { position, answer: AnswerText::from(answer), grundy, genus };
                serde_json::to_writer(&mut bytes, &row).expect("texts and numbers are JSON");
                bytes.push(b'\n');
            } else {
                row.clear();
                row.extend(self.position_cells(position));
                if let (Format::CgSuite, Some(value)) = (format, grundy) {
                    push_cgsuite_entry(&row, value, &mut bytes);
                } else {
                    push_answer_cells(answer, &mut row);
                    row.extend(grundy.map(|value| ExportCell::Number(value.into())));
                    row.extend(genus.map(ExportCell::Text));
                    match format {
                        Format::Csv => {
                            push_list(&row, ",", &mut bytes);
                            bytes.push(b'\n');
                        }
                        _ => push_npy_row(columns, &row, &mut bytes),
                    }
                }
            }
            bytes.len() < self.batch_bytes
        })?;
        progress(visited)?;
        Ok(RowBatch { rows, bytes, rest: has_more.then_some((group, from + visited)) })
    }

    /// Makes the beginning of a map for `CGSuite`: a comment on its contents, and the opening brace.
    fn cgsuite_heading(&self) -> String {
        let names: Vec<String> = self.position_columns().into_iter().map(|(name, _)| name).collect();
        let rules: Ruleset = self.table.game().clone().into();
        let rules = shorten(&rules.spelling(), MAX_RULES_LENGTH);
        format!(
            "// Grundy values of {rules}\n// as nimbers of CGSuite: grundy[[{}]]\ngrundy := {{",
            names.join(", ")
        )
    }
}

/// Maximum number of groups whose rows are made at once; reached if the filter selects few positions of each.
const MAX_GROUPS: u64 = 1 << 8;

struct RowBatch {
    rows: u64,
    bytes: Vec<u8>,
    /// Where the next batch begins: the group, and the index of a position; `None` if the group is complete.
    rest: Option<(u64, u64)>,
}

/// The number of rows, and the lengths of their longest texts.
#[derive(Clone, Copy, Default)]
struct Extent {
    rows: u64,
    /// Length of the longest best move.
    best: usize,
    /// Length of the longest genus.
    genus: usize,
}

impl Extent {
    fn and(self, other: Self) -> Self {
        Self {
            rows: self.rows + other.rows,
            best: self.best.max(other.best),
            genus: self.genus.max(other.genus),
        }
    }
}

/// Lists the columns of an answer; the notation of the best move has at most `best` bytes.
fn answer_columns(depths: bool, best: usize) -> Vec<Column> {
    let mut columns = vec![("outcome".to_owned(), ColumnType::Text(4))];
    columns.extend(depths.then(|| ("depth".to_owned(), ColumnType::Number(4))));
    columns.push(("winning".to_owned(), ColumnType::Number(4)));
    // NumPy has no text type of width 0.
    columns.push(("best".to_owned(), ColumnType::Text(best.max(1))));
    columns
}

/// Appends the values of [`answer_columns`].
fn push_answer_cells<M: ToString, W: MoveSet<M>>(answer: &Answer<M, W>, row: &mut Vec<ExportCell>) {
    row.push(ExportCell::Text(answer.verdict.outcome.to_string()));
    row.extend(answer.verdict.depth.map(|depth| ExportCell::Number(depth.into())));
    row.push(ExportCell::Number(answer.winning.len() as u64));
    row.push(ExportCell::Text(answer.best.as_ref().map(ToString::to_string).unwrap_or_default()));
}

/// Makes the header of a `NumPy` file, format 1.0: magic, version, length, and a dictionary, padded to a multiple of 64 bytes.
fn npy_heading(columns: &[Column], rows: u64) -> Vec<u8> {
    let types: Vec<String> = columns
        .iter()
        .map(|(name, width)| match width {
            ColumnType::Number(1) => format!("('{name}', '|u1')"),
            ColumnType::Number(bytes) => format!("('{name}', '<u{bytes}')"),
            ColumnType::Text(width) => format!("('{name}', '|S{width}')"),
        })
        .collect();
    let dictionary =
        format!("{{'descr': [{}], 'fortran_order': False, 'shape': ({rows},), }}", types.join(", "));
    // Magic, version and length take 10 bytes.
    let length = (10 + dictionary.len() + 1).next_multiple_of(64) - 10;
    let dictionary = format!("{dictionary:<0$}\n", length - 1);
    let length = u16::try_from(length).expect("few columns make a short header");
    [b"\x93NUMPY\x01\x00", &length.to_le_bytes()[..], dictionary.as_bytes()].concat()
}

/// Appends values with separators.
fn push_list(row: &[ExportCell], separator: &str, bytes: &mut Vec<u8>) {
    for (index, cell) in row.iter().enumerate() {
        let separator = if index > 0 { separator } else { "" };
        write!(bytes, "{separator}{cell}").expect("writing to memory");
    }
}

/// Appends an entry of a map for `CGSuite`: a comma, the position as a list, and its value as a nimber.
fn push_cgsuite_entry(row: &[ExportCell], value: u32, bytes: &mut Vec<u8>) {
    bytes.extend(b",\n  [");
    push_list(row, ", ", bytes);
    match value {
        0 => write!(bytes, "] => 0"),
        1 => write!(bytes, "] => *"),
        _ => write!(bytes, "] => *{value}"),
    }
    .expect("writing to memory");
}

/// Appends a row of a structured array.
fn push_npy_row(columns: &[Column], row: &[ExportCell], bytes: &mut Vec<u8>) {
    for ((_, width), cell) in columns.iter().zip(row) {
        match (cell, width) {
            (ExportCell::Number(number), ColumnType::Number(width)) => {
                bytes.extend(&number.to_le_bytes()[..*width]);
            }
            (ExportCell::Text(text), ColumnType::Text(width)) => {
                bytes.extend(text.as_bytes());
                bytes.resize(bytes.len() + width - text.len(), 0);
            }
            _ => unreachable!("values have the types of their columns"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use bouton_generator::generate_in_memory;
    use bouton_tables::rulesets::find;
    use bouton_tables::{Table, with_table};

    use super::*;

    #[test]
    fn batches_of_any_size_give_the_same_rows() {
        fn check<S: Solved<Game: Fields<Region: GroupedRegion>>>(table: &S, text: &str) {
            let filter = Filter::parse(table.game(), true, text).unwrap();
            let write = |batch_bytes| {
                let rows =
                    RowWriter { batch_bytes, ..RowWriter::new(table, &filter, None, &|_| Ok(())).unwrap() };
                let (mut bytes, visited) = (Vec::new(), AtomicU64::new(0));
                let progress = |steps| {
                    visited.fetch_add(steps, Relaxed);
                    Ok(())
                };
                let number = rows.write(Format::Jsonl, &mut bytes, &progress).unwrap();
                (number, bytes, visited.into_inner(), rows.region.count_selected(&filter).unwrap())
            };
            let (number, bytes, visited, positions) = write(BATCH_BYTES);
            assert_eq!(
                (number, visited),
                (bytes.iter().filter(|&&byte| byte == b'\n').count() as u64, positions)
            );
            for batch_bytes in [1, 100, 1000] {
                assert!(
                    write(batch_bytes) == (number, bytes.clone(), positions, positions),
                    "{text}, {batch_bytes}"
                );
            }
        }
        for (preset, setting, text) in [
            ("expanding", "stones=12", "outcome=loss"),
            ("expanding", "stones=9", ""),
            ("sticks", "passes=1", "total=3.."),
        ] {
            let ruleset = find(preset, &[setting.to_owned()]).unwrap().ruleset;
            let table = Table::open(generate_in_memory(&ruleset, true).unwrap()).unwrap();
            with_table!(table.family(), |table| check(table, text));
        }
    }
}
