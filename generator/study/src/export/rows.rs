//! Chosen positions, as rows.

use std::io::Write;

use bouton_tables::{Answer, AskError, Game, Solved, Told};
use rayon::prelude::*;
use serde::Serialize;

use super::columns::{Cell, Column, Columns, Width, answer_cells, of_answer};
use super::{ExportError, Extent, Format};
use crate::Progress;
use crate::select::{Choose, Filter};

/// Bytes of rows that are made before they are written out: enough that no thread waits long for another, and
/// little enough of memory.
const AHEAD: usize = 4 << 20;

/// The chosen positions of a table.
pub(super) struct Rows<'a, S, R> {
    pub(super) table: &'a S,
    pub(super) region: R,
    pub(super) filter: &'a Filter,
}

type AnswerOf<S> = Answer<<<S as Solved>::Game as Game>::Move, <S as Solved>::Winning>;
type PositionOf<S> = <<S as Solved>::Game as Game>::Position;

/// A line of JSON.
#[derive(Serialize)]
struct Line {
    position: String,
    #[serde(flatten)]
    told: Told,
}

impl<S, R> Rows<'_, S, R>
where
    S: Solved<Game: Columns> + Sync,
    R: Choose<Game = S::Game>,
{
    /// Shows each chosen position of a group, with its answer; gives how many its own fields choose.
    fn each(&self, group: u64, mut show: impl FnMut(&PositionOf<S>, &AnswerOf<S>)) -> Result<u64, AskError> {
        let mut chosen = 0;
        for position in self.region.group(self.filter, group) {
            chosen += 1;
            let answer = self.table.answer(&position)?;
            if self.filter.has_answer(&answer) {
                show(&position, &answer);
            }
        }
        Ok(chosen)
    }

    /// How many positions are chosen by their own fields.
    pub(super) fn positions(&self) -> u64 {
        let groups = self.region.groups(self.filter).into_par_iter();
        groups.map(|group| self.region.group(self.filter, group).count() as u64).sum()
    }

    pub(super) fn extent(&self, progress: &Progress) -> Result<Extent, AskError> {
        let count = |group: u64| -> Result<Extent, AskError> {
            let mut extent = Extent::default();
            let chosen = self.each(group, |_, answer| {
                let best = answer.best.map_or(0, |best| best.to_string().len());
                extent = Extent { rows: extent.rows + 1, best: extent.best.max(best) };
            })?;
            progress(chosen);
            Ok(extent)
        };
        let groups = self.region.groups(self.filter);
        groups.into_par_iter().map(count).try_reduce(Extent::default, |a, b| {
            Ok(Extent { rows: a.rows + b.rows, best: a.best.max(b.best) })
        })
    }

    /// Writes the rows, and gives their number. The extent matters for arrays only.
    pub(super) fn write(
        &self,
        extent: Extent,
        format: Format,
        out: &mut dyn Write,
        progress: &Progress,
    ) -> Result<u64, ExportError> {
        let mut columns = self.table.game().columns();
        columns.extend(of_answer(self.table.has_depths(), extent));
        out.write_all(&heading(format, &columns, extent.rows))?;
        let made = |group: u64| -> Result<Made, AskError> {
            let (mut rows, mut bytes, mut row) = (0, Vec::new(), Vec::new());
            let chosen = self.each(group, |position, answer| {
                rows += 1;
                if format == Format::Jsonl {
                    let position = self.table.game().show_position(position);
                    let line = Line { position, told: Told::from(answer) };
                    serde_json::to_writer(&mut bytes, &line).expect("texts and numbers are JSON");
                    bytes.push(b'\n');
                    return;
                }
                row.clear();
                self.table.game().cells(position, &mut row);
                answer_cells(answer, &mut row);
                match format {
                    Format::Csv => separated(&row, &mut bytes),
                    _ => packed(&columns, &row, &mut bytes),
                }
            })?;
            Ok(Made { chosen, rows, bytes })
        };
        let groups = self.region.groups(self.filter);
        let (mut first, mut step, mut rows) = (groups.start, 1, 0);
        while first < groups.end {
            let batch = first..(first + step).min(groups.end);
            first = batch.end;
            let ready = batch.into_par_iter().map(made).collect::<Result<Vec<_>, AskError>>()?;
            let mut length = 0;
            for made in ready {
                out.write_all(&made.bytes)?;
                progress(made.chosen);
                rows += made.rows;
                length += made.bytes.len();
            }
            // How much a group makes is known only when it is made.
            step = if length < AHEAD { (step * 2).min(MOST_GROUPS) } else { (step / 2).max(1) };
        }
        out.flush()?;
        Ok(rows)
    }
}

/// The most groups at once, where few positions of each are chosen.
const MOST_GROUPS: u64 = 1 << 16;

/// The rows of a group.
struct Made {
    /// Positions looked at.
    chosen: u64,
    rows: u64,
    bytes: Vec<u8>,
}

/// What comes before the rows.
fn heading(format: Format, columns: &[Column], rows: u64) -> Vec<u8> {
    match format {
        Format::Jsonl => Vec::new(),
        Format::Csv => {
            let names: Vec<&str> = columns.iter().map(|column| &column.name[..]).collect();
            (names.join(",") + "\n").into_bytes()
        }
        Format::Npy => npy_heading(columns, rows),
    }
}

/// The header of a `NumPy` file, format 1.0: magic, version, length, and a Python dictionary, padded with
/// spaces so that the rows begin at a multiple of 64 bytes.
fn npy_heading(columns: &[Column], rows: u64) -> Vec<u8> {
    let types: Vec<String> =
        columns.iter().map(|column| format!("('{}', '{}')", column.name, column.type_name())).collect();
    let mut about =
        format!("{{'descr': [{}], 'fortran_order': False, 'shape': ({rows},), }}", types.join(", "));
    let before = 10;
    let end = (before + about.len() + 1).next_multiple_of(64);
    about.push_str(&" ".repeat(end - before - about.len() - 1));
    about.push('\n');
    let length = u16::try_from(about.len()).expect("few columns make a short header");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(length.to_le_bytes());
    bytes.extend(about.into_bytes());
    bytes
}

/// A line of comma-separated values. None of them has commas or quotes.
fn separated(row: &[Cell], bytes: &mut Vec<u8>) {
    for (place, cell) in row.iter().enumerate() {
        if place > 0 {
            bytes.push(b',');
        }
        match cell {
            Cell::Byte(number) => write!(bytes, "{number}"),
            Cell::Number(number) => write!(bytes, "{number}"),
            Cell::Text(text) => write!(bytes, "{text}"),
        }
        .expect("writing to memory");
    }
    bytes.push(b'\n');
}

/// A row of a structured array.
fn packed(columns: &[Column], row: &[Cell], bytes: &mut Vec<u8>) {
    for (column, cell) in columns.iter().zip(row) {
        match cell {
            Cell::Byte(number) => bytes.push(*number),
            Cell::Number(number) => bytes.extend(number.to_le_bytes()),
            Cell::Text(text) => {
                bytes.extend(text.as_bytes());
                let Width::Text(width) = column.width else { unreachable!("text stands in columns of text") };
                bytes.resize(bytes.len() + width - text.len(), 0);
            }
        }
    }
}
