//! Answers for many positions, in columns of numbers.
//!
//! [`fill`] reads positions from input columns and writes answers to output columns. It works on chunks of [`CHUNK`] rows, whose
//! numbers stay in the processor's cache. Answers come from a cache of this crate if [`LazyCache`] has one, otherwise from the table.

use bouton_study::filter::{Fields, Span};
use bouton_tables::{Answer, AskError, Game, MoveOf, MoveSet, Outcome, PositionOf, Solved, Verdict};
use pyo3::buffer::ElementType;
use pyo3::prelude::*;

use crate::answer_cache::{AnswerExtent, LazyCache};
use crate::any_order_cache::{AnyOrderRows, CHUNK, PackedAnswer};
use crate::buffers::{InputColumn, OutputColumn};
use crate::errors::{ColumnError, IntoException, PositionError, WrongTableError};
use crate::families::InColumns;

/// Lists the columns of positions: the name of each, and its number if that is the same in all starts.
pub(crate) fn position_columns<G: Fields>(game: &G) -> Vec<(String, Option<u32>)> {
    let start_fields = game.start_fields();
    let columns = game.fields().into_iter().flat_map(|field| {
        let spans = start_fields.iter().find(|(name, _)| *name == field.name);
        let span = move |index| spans.map_or(Span::ANY, |(_, spans)| spans[index]);
        let of_starts = move |index| (span(index).from == span(index).to).then_some(span(index).from as u32);
        field.columns().enumerate().map(move |(index, name)| (name, of_starts(index)))
    });
    columns.collect()
}

/// Lists the columns of answers, with the bytes of an item of each. Outcome and depth come first.
pub(crate) fn answer_columns<T: Solved<Game: InColumns>>(table: &T) -> Vec<(String, usize)> {
    let mut columns = vec![("won".to_owned(), 1)];
    columns.extend(table.has_depths().then(|| ("depth".to_owned(), 4)));
    columns.push(("winning".to_owned(), 4));
    columns.extend(table.game().move_columns());
    columns
}

/// Returns the numbers in the columns for outcome and depth. If the table has depths, so must the verdict.
fn verdict_numbers(verdict: Verdict) -> impl Iterator<Item = u32> {
    std::iter::once(u32::from(verdict.outcome == Outcome::Win)).chain(verdict.depth)
}

/// Returns the numbers in all columns of an answer; the last `move_columns` columns are those of the best move.
fn answer_numbers<G: InColumns>(
    game: &G,
    move_columns: usize,
    answer: &Answer<G::Move, &impl MoveSet<G::Move>>,
) -> impl Iterator<Item = u32> {
    let best = answer.best;
    let best = (0..move_columns).map(move |column| best.map_or(0, |best| game.number_of_move(best, column)));
    verdict_numbers(answer.verdict).chain([answer.winning.len() as u32]).chain(best)
}

/// The input for a column of positions: an input column, and the number to use without one.
type ColumnSource<'a> = (Option<&'a InputColumn>, u32);

/// Returns the source of each column of positions.
fn column_sources<'a, G: InColumns>(
    game: &G,
    positions: &'a [InputColumn],
) -> PyResult<Vec<ColumnSource<'a>>> {
    let expected = position_columns(game);
    let known = || expected.iter().map(|(name, _)| &name[..]).collect::<Vec<_>>().join(", ");
    if let Some(other) = positions.iter().find(|column| expected.iter().all(|(name, _)| *name != column.name))
    {
        let found = &other.name;
        return Err(ColumnError::new_err(format!(
            "there is no column '{found}'; positions have {}",
            known()
        )));
    }
    let source = |(name, default): &(String, Option<u32>)| {
        let column = positions.iter().find(|column| column.name == *name);
        if column.is_none() && default.is_none() {
            let what = format!("the column '{name}' is missing; positions have {}", known());
            return Err(ColumnError::new_err(what));
        }
        Ok((column, default.unwrap_or(0)))
    };
    expected.iter().map(source).collect()
}

/// Returns the index of each output column among `columns`, all columns of answers.
fn requested(columns: &[(String, usize)], answers: &[OutputColumn]) -> PyResult<Vec<usize>> {
    let index_of = |output: &OutputColumn| {
        let Some(index) = columns.iter().position(|(name, _)| *name == output.name) else {
            let known: Vec<&str> = columns.iter().map(|(name, _)| &name[..]).collect();
            let (found, known) = (&output.name, known.join(", "));
            return Err(ColumnError::new_err(format!("there is no column '{found}'; answers have {known}")));
        };
        let (name, bytes) = &columns[index];
        let fits = match output.kind() {
            ElementType::UnsignedInteger { bytes: found } => found == *bytes,
            ElementType::Bool => *bytes == 1,
            _ => false,
        };
        if !fits {
            let wanted = if *bytes == 1 { "bool or uint8" } else { "uint32" };
            return Err(ColumnError::new_err(format!(
                "the column '{name}' has items of another type; use {wanted}"
            )));
        }
        Ok(index)
    };
    answers.iter().map(index_of).collect()
}

/// A chunk of rows: their numbers, and the positions of the chosen rows.
struct RowChunk<'a, T: Solved<Game: InColumns>> {
    table: &'a T,
    /// The source of each field's numbers.
    sources: Vec<ColumnSource<'a>>,
    /// The first row of the chunk.
    first: usize,
    /// The numbers of each field.
    numbers: Vec<[u32; CHUNK]>,
    /// The numbers of the first field, if 32 bits may not hold them.
    wide: Option<Box<[u64; CHUNK]>>,
    /// The chosen rows, counted from the first row of the chunk.
    chosen: Vec<usize>,
    /// The positions of the chosen rows; then unused positions, which are kept to avoid allocations.
    positions: Vec<PositionOf<T>>,
}

impl<'a, T: Solved<Game: InColumns>> RowChunk<'a, T> {
    fn new(table: &'a T, sources: Vec<ColumnSource<'a>>) -> Self {
        let numbers = sources.iter().map(|&(_, default)| [default; CHUNK]).collect();
        let (chosen, positions) = (Vec::with_capacity(CHUNK), vec![table.game().start(); CHUNK]);
        let wide = table.game().is_first_wide().then(|| Box::new([0; CHUNK]));
        Self { table, sources, first: 0, numbers, wide, chosen, positions }
    }

    /// Reads the numbers of `count` rows from row `first` on.
    fn read(&mut self, first: usize, count: usize) -> PyResult<()> {
        self.first = first;
        for (field, ((column, _), numbers)) in self.sources.iter().zip(&mut self.numbers).enumerate() {
            let Some(column) = column else { continue };
            let (read, most) = match &mut self.wide {
                Some(wide) if field == 0 => (column.read(first, &mut wide[..count]), u64::MAX),
                _ => (column.read(first, &mut numbers[..count]), u32::MAX.into()),
            };
            read.map_err(|(row, found)| {
                let (row, name) = (first + row, &column.name);
                let allowed = format!("expected a number from 0 to {most}");
                PositionError::new_err(format!("row {row}: {name}: found {found}, {allowed}"))
            })?;
        }
        Ok(())
    }

    /// Chooses some of the rows, and converts them to positions.
    fn choose(&mut self, chosen: impl Iterator<Item = usize>) -> PyResult<()> {
        self.chosen.clear();
        self.chosen.extend(chosen);
        for (&row, position) in self.chosen.iter().zip(&mut self.positions) {
            let number = |field: usize| match &self.wide {
                Some(wide) if field == 0 => wide[row],
                _ => self.numbers[field][row].into(),
            };
            let set = self.table.game().set(position, number);
            set.map_err(|what| PositionError::new_err(format!("row {}: {what}", self.first + row)))?;
        }
        Ok(())
    }

    /// Makes the exception for a chosen position without an answer, given by its index among the chosen ones.
    #[cold]
    fn exception(&self, index: usize, error: AskError) -> PyErr {
        match error {
            AskError::Position(what) => {
                PositionError::new_err(format!("row {}: {what}", self.first + self.chosen[index]))
            }
            AskError::Damaged(_) => error.into_exception(),
        }
    }

    /// Calls `record` with row, position and answer of each chosen row.
    fn answer(
        &mut self,
        chosen: impl Iterator<Item = usize>,
        mut record: impl FnMut(usize, &PositionOf<T>, Answer<MoveOf<T>, &T::WinningMoves>),
    ) -> PyResult<()> {
        self.choose(chosen)?;
        let positions = &self.positions[..self.chosen.len()];
        let result = self.table.answer_each(positions, |index, answer| {
            record(self.chosen[index], &positions[index], answer);
        });
        result.map_err(|(index, error)| self.exception(index, error))
    }

    /// Calls `record` with row and verdict of each chosen row. If `depths` is false, verdicts have only outcomes.
    fn verdicts(
        &mut self,
        chosen: impl Iterator<Item = usize>,
        depths: bool,
        mut record: impl FnMut(usize, Verdict),
    ) -> PyResult<()> {
        self.choose(chosen)?;
        for (index, (&row, position)) in self.chosen.iter().zip(&self.positions).enumerate() {
            let verdict = match depths {
                true => self.table.verdict(position),
                false => self.table.outcome(position).map(|outcome| Verdict { outcome, depth: None }),
            };
            record(row, verdict.map_err(|error| self.exception(index, error))?);
        }
        Ok(())
    }
}

/// Writes numbers into a row, one into each column from the first on.
fn set_row(columns: &mut [[u32; CHUNK]], row: usize, numbers: impl Iterator<Item = u32>) {
    let mut columns = columns.iter_mut();
    // `for_each`, not `for`: the compiler then makes a simple loop for each part of a chained iterator.
    numbers.for_each(|number| columns.next().into_iter().for_each(|column| column[row] = number));
}

/// Looks up the positions of a chunk that are not in the cache yet, and stores their answers.
fn fill_any_order_cache<T: Solved<Game: InColumns>>(
    chunk: &mut RowChunk<'_, T>,
    cached: &mut AnyOrderRows<'_>,
    count: usize,
) -> PyResult<()> {
    let missing: Vec<usize> = (0..count).filter(|&row| !cached.found()[row].is_filled()).collect();
    let (table, mut result) = (chunk.table, Ok(()));
    chunk.answer(missing.into_iter(), |row, position, answer| {
        match InColumns::cached_answer(table, position, &answer) {
            Ok(found) if cached.store(row, &found) => {}
            Ok(_) => {
                let position = table.game().show_position(position);
                let what = format!("the table is wrong at {position}; verify() checks every position");
                result = Err(WrongTableError::new_err(what));
            }
            Err(error) => result = Err(error.into_exception()),
        }
    })?;
    result
}

/// Number of columns before those of the best move: outcome, depth, and number of winning moves.
const COLUMNS_BEFORE_MOVE: usize = 3;

/// Writes column `column` of the answers from cells of an [`AnyOrderCache`](crate::any_order_cache::AnyOrderCache), from row `first` on;
/// `best_rows` has the rows of heaps from which the best moves take.
fn write_cached(
    output: &OutputColumn,
    first: usize,
    found: &[PackedAnswer],
    column: usize,
    best_rows: &[u8],
) {
    let found = found.iter();
    match column {
        0 => output.write(first, found.map(|found| found.won())),
        1 => output.write(first, found.map(|found| found.depth())),
        2 => output.write(first, found.map(|found| found.winning())),
        _ => {
            let take = |(found, &best_row): (&PackedAnswer, &u8)| {
                if usize::from(best_row) == column - COLUMNS_BEFORE_MOVE { found.take() } else { 0 }
            };
            output.write(first, found.zip(best_rows).map(take));
        }
    }
}

/// Reads positions from columns, and writes their answers to other columns.
pub(crate) fn fill<T: Solved<Game: InColumns>>(
    table: &T,
    cache: &LazyCache,
    positions: &[InputColumn],
    answers: &[OutputColumn],
    rows: usize,
) -> PyResult<()> {
    let (game, columns) = (table.game(), answer_columns(table));
    let mut chunk = RowChunk::new(table, column_sources(game, positions)?);
    let requested = requested(&columns, answers)?;
    // A lookup of outcome and depth alone is faster than one with moves.
    let verdict_columns = 1 + usize::from(table.has_depths());
    let extent = match requested.iter().all(|&column| column < verdict_columns) {
        true => AnswerExtent::Verdict,
        false => AnswerExtent::Whole,
    };
    let only_outcomes = requested.iter().all(|&column| column == 0);
    let move_columns = columns.len() - verdict_columns - 1;
    let cache_bounds = if table.has_depths() { game.cache_bounds() } else { None };
    let (by_columns, any_order) = match game.radices() {
        Some(radices) => cache.for_rows(rows, &radices, columns.len(), cache_bounds),
        None => (None, None),
    };
    let mut any_order = any_order.map(AnyOrderRows::new);
    let mut cells = [0; CHUNK];
    // The answers of a chunk without a cache, by column.
    let mut found = vec![[0; CHUNK]; columns.len()];
    for first in (0..rows).step_by(CHUNK) {
        let count = CHUNK.min(rows - first);
        chunk.read(first, count)?;
        let cells = &mut cells[..count];
        if let Some(cache) = by_columns
            && cache.find(&chunk.numbers, cells)
        {
            let missing = (0..count).filter(|&row| !cache.has(cells[row], extent));
            match extent {
                AnswerExtent::Whole => chunk.answer(missing, |row, _, answer| {
                    cache.store(cells[row], extent, answer_numbers(game, move_columns, &answer));
                })?,
                AnswerExtent::Verdict => chunk.verdicts(missing, true, |row, verdict| {
                    cache.store(cells[row], extent, verdict_numbers(verdict));
                })?,
            }
            for (output, &column) in answers.iter().zip(&requested) {
                output.write(first, cells.iter().map(|&cell| cache.get(cell, column)));
            }
            continue;
        }
        if let Some(cached) = &mut any_order
            && cached.find(&chunk.numbers, count)
            // Looking up an outcome is faster than filling a cell.
            && (!only_outcomes || cached.found()[..count].iter().all(|found| found.is_filled()))
        {
            fill_any_order_cache(&mut chunk, cached, count)?;
            let best_rows = cached.best_rows(count);
            for (output, &column) in answers.iter().zip(&requested) {
                write_cached(output, first, &cached.found()[..count], column, &best_rows);
            }
            continue;
        }
        match extent {
            AnswerExtent::Whole => chunk.answer(0..count, |row, _, answer| {
                set_row(&mut found, row, answer_numbers(game, move_columns, &answer));
            })?,
            AnswerExtent::Verdict => chunk.verdicts(0..count, !only_outcomes, |row, verdict| {
                set_row(&mut found, row, verdict_numbers(verdict));
            })?,
        }
        for (output, &column) in answers.iter().zip(&requested) {
            output.write(first, found[column][..count].iter().copied());
        }
    }
    Ok(())
}
