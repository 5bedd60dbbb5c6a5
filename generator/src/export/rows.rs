//! Chosen positions, as rows.

use std::io::Write;

use bouton_tables::{Answer, AskError, Game, Solved, Told};
use rayon::prelude::*;
use serde::Serialize;

use super::columns::{Cell, Column, Columns, Kind, answer_cells, of_answer};
use super::{ExportError, Extent, Format};
use crate::Progress;
use crate::select::{Choose, Filter};

/// Groups of positions that are made into rows before they are written out, for each thread: enough that
/// none waits long for another, and few enough that memory stays small.
const AHEAD: u64 = 16;

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
    /// Shows each chosen position of a group, with its answer.
    fn each(&self, group: u64, mut show: impl FnMut(&PositionOf<S>, &AnswerOf<S>)) -> Result<(), AskError> {
        for position in self.region.group(self.filter, group) {
            let answer = self.table.answer(&position)?;
            if self.filter.has_answer(&answer) {
                show(&position, &answer);
            }
        }
        Ok(())
    }

    pub(super) fn extent(&self) -> Result<Extent, AskError> {
        let count = |group: u64| -> Result<Extent, AskError> {
            let mut extent = Extent::default();
            self.each(group, |_, answer| {
                let best = answer.best.map_or(0, |best| best.to_string().len());
                extent = Extent { rows: extent.rows + 1, best: extent.best.max(best) };
            })?;
            Ok(extent)
        };
        let groups = self.region.groups(self.filter);
        groups.into_par_iter().map(count).try_reduce(Extent::default, |a, b| {
            Ok(Extent { rows: a.rows + b.rows, best: a.best.max(b.best) })
        })
    }

    pub(super) fn write(
        &self,
        extent: Extent,
        format: Format,
        out: &mut dyn Write,
        progress: &Progress,
    ) -> Result<(), ExportError> {
        let mut columns = self.table.game().columns();
        columns.extend(of_answer(self.table.has_depths(), extent));
        out.write_all(&heading(format, &columns, extent.rows))?;
        let rows = |group: u64| -> Result<(u64, Vec<u8>), AskError> {
            let (mut rows, mut bytes, mut row) = (0, Vec::new(), Vec::new());
            self.each(group, |position, answer| {
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
            Ok((rows, bytes))
        };
        let groups = self.region.groups(self.filter);
        let step = AHEAD * rayon::current_num_threads() as u64;
        for first in groups.clone().step_by(step as usize) {
            let batch = first..(first + step).min(groups.end);
            let ready = batch.into_par_iter().map(rows).collect::<Result<Vec<_>, AskError>>()?;
            for (rows, bytes) in ready {
                out.write_all(&bytes)?;
                progress(rows);
            }
        }
        out.flush()?;
        Ok(())
    }
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
                let Kind::Text(width) = column.kind else { unreachable!("text stands in columns of text") };
                bytes.resize(bytes.len() + width - text.len(), 0);
            }
        }
    }
}
