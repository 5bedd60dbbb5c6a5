//! The rows of selected positions.
//!
//! All threads make rows of consecutive groups; the batches are then written in order. The rows of one group can exceed all memory
//! (one row can list a million winning moves), so a batch ends early, and its rest is made after it is written.

use std::io::Write;

use bouton_tables::genus::{Genera, Genus};
use bouton_tables::grundy::{GrundyValues, Valued};
use bouton_tables::printable::shorten;
use bouton_tables::{
    Answer, AnswerOf, AnswerText, AskError, Game, MoveSet, PositionOf, Ruleset, Solved, TooManyPositions,
};
use serde::Serialize;

use super::{ExportError, Exportable, Format};
use crate::Progress;
use crate::groups::{GroupedRegion, LostInGroup, lost_in_group, map_collect, map_reduce};
use crate::select::Filter;
use crate::values::{selected_genera, selected_grundy_values};

/// Size at which a batch ends: enough that no thread waits long for another, and small compared to memory. One row can be longer.
const BATCH_BYTES: usize = 4 << 20;

/// The most characters of the rules in a comment.
const MAX_RULES_LENGTH: usize = 200;

/// Writes the selected positions of a table.
pub(super) struct RowWriter<'a, S: Solved> {
    table: &'a S,
    region: <S::Game as Game>::Region,
    filter: &'a Filter,
    values: Option<PositionValues<S::Game>>,
    /// Size in bytes at which a batch ends.
    batch_bytes: usize,
}

/// The values of positions: Grundy values in normal play, genera in misère play.
enum PositionValues<G: Game> {
    Grundy(GrundyValues<G>),
    Genus(Genera<G>),
}

/// The value of a position.
enum PositionValue {
    Grundy(u32),
    Genus(Genus),
}

impl<G: Valued> PositionValues<G> {
    fn of(&self, position: &G::Position) -> PositionValue {
        match self {
            Self::Grundy(values) => PositionValue::Grundy(values.of(position)),
            Self::Genus(genera) => PositionValue::Genus(genera.of(position)),
        }
    }
}

impl PositionValue {
    fn grundy(&self) -> Option<u32> {
        match self {
            Self::Grundy(value) => Some(*value),
            Self::Genus(_) => None,
        }
    }

    fn genus(&self) -> Option<String> {
        match self {
            Self::Grundy(_) => None,
            Self::Genus(genus) => Some(genus.to_string()),
        }
    }
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

impl<'a, S: Solved<Game: Exportable> + Sync> RowWriter<'a, S> {
    /// Prepares to write the positions that a filter selects.
    pub(super) fn new(table: &'a S, filter: &'a Filter) -> Result<Self, TooManyPositions> {
        Ok(Self { table, region: table.game().region()?, filter, values: None, batch_bytes: BATCH_BYTES })
    }

    /// Adds the Grundy value of each position.
    pub(super) fn with_grundy_values(self, progress: &Progress) -> Result<Self, ExportError> {
        let values = selected_grundy_values(self.table.game(), self.filter, progress);
        values.map(|values| Self { values: Some(PositionValues::Grundy(values)), ..self })
    }

    /// Adds the genus of each position.
    pub(super) fn with_genera(self, progress: &Progress) -> Result<Self, ExportError> {
        let genera = selected_genera(self.table.game(), self.filter, progress);
        genera.map(|genera| Self { values: Some(PositionValues::Genus(genera)), ..self })
    }

    /// Calls `show` with the selected positions of a group, from index `from`, and their answers, until it returns false. Returns
    /// the number of positions visited, and whether any are left.
    fn each(
        &self,
        (group, from): (u64, u64),
        mut show: impl FnMut(&PositionOf<S>, &AnswerOf<S>) -> bool,
    ) -> Result<(u64, bool), AskError> {
        if self.filter.asks_for_lost() {
            let LostInGroup { lost, selected } = lost_in_group(self.table, &self.region, self.filter, group)?;
            for (place, position) in lost.iter().filter(|&&(place, _)| place >= from) {
                if let Some(answer) = self.filter.answer_of(self.table, position)?
                    && !show(position, &answer)
                {
                    return Ok((place + 1 - from, true));
                }
            }
            return Ok((selected - from, false));
        }
        let mut selected = 0;
        for position in self.region.group(self.filter, group).skip(from as usize) {
            selected += 1;
            if let Some(answer) = self.filter.answer_of(self.table, &position)?
                && !show(&position, &answer)
            {
                return Ok((selected, true));
            }
        }
        Ok((selected, false))
    }

    /// Counts the rows and the characters of the longest texts.
    fn extent(&self, progress: &Progress) -> Result<Extent, ExportError> {
        let count = |group: u64| -> Result<Extent, ExportError> {
            let mut extent = Extent::default();
            let (selected, _) = self.each((group, 0), |position, answer| {
                extent.rows += 1;
                extent.best = extent.best.max(answer.best.map_or(0, |best| best.to_string().len()));
                let genus = self.values.as_ref().and_then(|values| values.of(position).genus());
                extent.genus = extent.genus.max(genus.map_or(0, |genus| genus.len()));
                true
            })?;
            progress(selected)?;
            Ok(extent)
        };
        map_reduce(self.region.groups(self.filter), &count, &Extent::and)
    }

    /// Writes the rows, and returns their number.
    pub(super) fn write(
        &self,
        format: Format,
        out: &mut dyn Write,
        progress: &Progress,
    ) -> Result<u64, ExportError> {
        let extent = if format == Format::Npy { self.extent(progress)? } else { Extent::default() };
        let mut columns = self.table.game().columns();
        columns.extend(answer_columns(self.table.has_depths(), extent.best));
        columns.extend(self.values.as_ref().map(|values| match values {
            PositionValues::Grundy(_) => ("grundy".to_owned(), ColumnType::Number),
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
        let make = |(group, from): (u64, u64)| -> Result<RowBatch, ExportError> {
            let (mut rows, mut bytes, mut row) = (0, Vec::new(), Vec::new());
            let (selected, more) = self.each((group, from), |position, answer| {
                rows += 1;
                let value = self.values.as_ref().map(|values| values.of(position));
                let grundy = value.as_ref().and_then(PositionValue::grundy);
                let genus = value.as_ref().and_then(PositionValue::genus);
                if format == Format::Jsonl {
                    let position = self.table.game().show_position(position);
                    let row = JsonRow { position, answer: AnswerText::from(answer), grundy, genus };
                    serde_json::to_writer(&mut bytes, &row).expect("texts and numbers are JSON");
                    bytes.push(b'\n');
                } else {
                    row.clear();
                    self.table.game().cells(position, &mut row);
                    if let (Format::CgSuite, Some(value)) = (format, grundy) {
                        push_cgsuite_entry(&row, value, &mut bytes);
                    } else {
                        push_answer_cells(answer, &mut row);
                        row.extend(grundy.map(ExportCell::Number));
                        row.extend(genus.map(ExportCell::Text));
                        match format {
                            Format::Csv => push_csv_row(&row, &mut bytes),
                            _ => push_npy_row(&columns, &row, &mut bytes),
                        }
                    }
                }
                bytes.len() < self.batch_bytes
            })?;
            progress(selected)?;
            let rest = more.then_some((group, from + selected));
            Ok(RowBatch { rows, bytes, rest })
        };
        let groups = self.region.groups(self.filter);
        let (mut first, mut step, mut rows) = (groups.start, 1, 0_u64);
        while first < groups.end {
            let batch = first..(first + step).min(groups.end);
            first = batch.end;
            let ready = map_collect(batch, &|group| make((group, 0)))?;
            let mut length = 0;
            for mut made in ready {
                loop {
                    // Each entry of a map begins with a comma; the first one must not.
                    let from = usize::from(format == Format::CgSuite && rows == 0).min(made.bytes.len());
                    out.write_all(&made.bytes[from..])?;
                    rows += made.rows;
                    length += made.bytes.len();
                    let Some(rest) = made.rest else { break };
                    made = make(rest)?;
                }
            }
            // The next step depends on the bytes of this one: the size of a group's rows is not known before.
            step = if length < self.batch_bytes { (step * 2).min(MAX_GROUPS) } else { (step / 2).max(1) };
        }
        if format == Format::CgSuite {
            writeln!(out, "{}", if rows == 0 { "=>};" } else { "\n};" })?;
        }
        out.flush()?;
        Ok(rows)
    }

    /// Makes the beginning of a map for `CGSuite`: a comment on its contents, and the opening brace.
    fn cgsuite_heading(&self) -> String {
        let names: Vec<String> = self.table.game().columns().into_iter().map(|(name, _)| name).collect();
        let rules: Ruleset = self.table.game().clone().into();
        let rules = shorten(&rules.spelling(), MAX_RULES_LENGTH);
        format!(
            "// Grundy values of {rules}\n// as nimbers of CGSuite: grundy[[{}]]\ngrundy := {{",
            names.join(", ")
        )
    }
}

/// The most groups at once; reached if few positions of each are selected.
const MAX_GROUPS: u64 = 1 << 8;

/// Rows of a group.
struct RowBatch {
    rows: u64,
    bytes: Vec<u8>,
    /// The group, and the index of the position at which the next batch begins; `None` if the group is complete.
    rest: Option<(u64, u64)>,
}

/// Number of rows, and the lengths of the longest texts.
#[derive(Clone, Copy, Default)]
struct Extent {
    rows: u64,
    best: usize,
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

/// The type of a column's values.
pub(crate) enum ColumnType {
    /// A number of one byte.
    Byte,
    /// A number of four bytes.
    Number,
    /// Text of at most this many bytes.
    Text(usize),
}

/// A column of positions or answers: its name and type.
pub(crate) type Column = (String, ColumnType);

/// One value of a row.
pub(crate) enum ExportCell {
    Number(u32),
    Text(String),
}

/// Lists the columns of an answer; the text of the best move has at most `best` bytes.
fn answer_columns(depths: bool, best: usize) -> Vec<Column> {
    let mut columns = vec![("outcome".to_owned(), ColumnType::Text(4))];
    columns.extend(depths.then(|| ("depth".to_owned(), ColumnType::Number)));
    columns.push(("winning".to_owned(), ColumnType::Number));
    // NumPy has no text type of width 0.
    columns.push(("best".to_owned(), ColumnType::Text(best.max(1))));
    columns
}

/// Appends the values of [`answer_columns`].
fn push_answer_cells<M: ToString, W: MoveSet<M>>(answer: &Answer<M, W>, row: &mut Vec<ExportCell>) {
    row.push(ExportCell::Text(answer.verdict.outcome.to_string()));
    row.extend(answer.verdict.depth.map(ExportCell::Number));
    row.push(ExportCell::Number(answer.winning.len() as u32));
    row.push(ExportCell::Text(answer.best.as_ref().map(ToString::to_string).unwrap_or_default()));
}

/// Makes the header of a `NumPy` file, format 1.0: magic, version, length, and a Python dictionary, padded with spaces so that the
/// rows begin at a multiple of 64 bytes.
fn npy_heading(columns: &[Column], rows: u64) -> Vec<u8> {
    let types: Vec<String> = columns
        .iter()
        .map(|(name, width)| match width {
            ColumnType::Byte => format!("('{name}', '|u1')"),
            ColumnType::Number => format!("('{name}', '<u4')"),
            ColumnType::Text(width) => format!("('{name}', '|S{width}')"),
        })
        .collect();
    let about = format!("{{'descr': [{}], 'fortran_order': False, 'shape': ({rows},), }}", types.join(", "));
    let before = 10;
    let length = (before + about.len() + 1).next_multiple_of(64) - before;
    let about = format!("{about:<0$}\n", length - 1);
    let length = u16::try_from(length).expect("few columns make a short header");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(length.to_le_bytes());
    bytes.extend(about.into_bytes());
    bytes
}

/// Appends a line of comma-separated values. No value contains quotes; a genus with numbers of several digits contains commas.
fn push_csv_row(row: &[ExportCell], bytes: &mut Vec<u8>) {
    for (place, cell) in row.iter().enumerate() {
        if place > 0 {
            bytes.push(b',');
        }
        match cell {
            ExportCell::Number(number) => write!(bytes, "{number}"),
            ExportCell::Text(text) if text.contains(',') => write!(bytes, "\"{text}\""),
            ExportCell::Text(text) => write!(bytes, "{text}"),
        }
        .expect("writing to memory");
    }
    bytes.push(b'\n');
}

/// Appends an entry of a map for `CGSuite`: a comma, a list of numbers, and a nimber.
fn push_cgsuite_entry(row: &[ExportCell], value: u32, bytes: &mut Vec<u8>) {
    bytes.extend(b",\n  [");
    for (place, cell) in row.iter().enumerate() {
        let comma = if place > 0 { ", " } else { "" };
        match cell {
            ExportCell::Number(number) => write!(bytes, "{comma}{number}"),
            ExportCell::Text(text) => write!(bytes, "{comma}\"{text}\""),
        }
        .expect("writing to memory");
    }
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
            (ExportCell::Number(number), ColumnType::Byte) => bytes.push(*number as u8),
            (ExportCell::Number(number), _) => bytes.extend(number.to_le_bytes()),
            (ExportCell::Text(text), ColumnType::Text(width)) => {
                bytes.extend(text.as_bytes());
                bytes.resize(bytes.len() + width - text.len(), 0);
            }
            (ExportCell::Text(_), _) => unreachable!("text stands in columns of text"),
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
    fn a_group_of_many_rows_is_made_in_parts_and_written_whole() {
        fn check<S: Solved<Game: Exportable> + Sync>(table: &S, text: &str) {
            let filter = Filter::parse(table.game(), true, text).unwrap();
            let written = |batch_bytes| {
                let rows = RowWriter { batch_bytes, ..RowWriter::new(table, &filter).unwrap() };
                let (mut bytes, looked_at) = (Vec::new(), AtomicU64::new(0));
                let progress = |selected| {
                    looked_at.fetch_add(selected, Relaxed);
                    Ok(())
                };
                let number = rows.write(Format::Jsonl, &mut bytes, &progress).unwrap();
                (number, bytes, looked_at.into_inner(), rows.region.selected(&filter).unwrap())
            };
            let (number, bytes, looked_at, positions) = written(BATCH_BYTES);
            assert_eq!(
                (number, looked_at),
                (bytes.iter().filter(|&&byte| byte == b'\n').count() as u64, positions)
            );
            for batch_bytes in [1, 100, 1000] {
                assert!(
                    written(batch_bytes) == (number, bytes.clone(), positions, positions),
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
