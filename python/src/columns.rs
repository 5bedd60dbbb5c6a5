//! Answers for many positions in columns.
//!
//! [`fill`] reads positions from input columns and writes answers to output columns. It works on chunks of [`CHUNK`] rows, whose
//! numbers stay in the processor's cache. Answers come from a cache if [`LazyCache`] has one, otherwise from the table.

use bouton_tables::{Answer, AskError, Game, MoveOf, MoveSet, Outcome, PositionOf, Solved, Verdict};
use pyo3::buffer::ElementType;
use pyo3::prelude::*;

use crate::answer_cache::{AnswerExtent, CacheChoice, LazyCache};
use crate::any_order_cache::{AnyOrderRows, PackedAnswer};
use crate::buffers::{InputColumn, OutputColumn};
use crate::errors::{ColumnError, IntoException, PositionError, WrongTableError};
use crate::families::InColumns;

/// Rows of a chunk.
pub(crate) const CHUNK: usize = 128;

/// A column of positions: its name and its default; `None` if the column is required.
pub(crate) type PositionColumn = (String, Option<u32>);

/// Returns the names of the columns of positions.
pub(crate) fn position_columns<G: InColumns>(game: &G) -> Vec<String> {
    game.fields().into_iter().map(|(name, _)| name).collect()
}

/// Lists the columns of answers, with the bytes of an item of each. Outcome and depth come first.
pub(crate) fn answer_columns<T: Solved<Game: InColumns>>(table: &T) -> Vec<(String, usize)> {
    let mut all = vec![("won".to_owned(), 1)];
    all.extend(table.has_depths().then(|| ("depth".to_owned(), 4)));
    all.push(("winning".to_owned(), 4));
    all.extend(table.game().move_columns());
    all
}

/// Returns the number of columns for outcome and depth.
fn verdict_column_count<T: Solved>(table: &T) -> usize {
    1 + usize::from(table.has_depths())
}

/// Returns the numbers in the columns for outcome and depth; the verdict must have a depth if the table has depths.
fn verdict_numbers(verdict: Verdict) -> impl Iterator<Item = u32> {
    std::iter::once(u32::from(verdict.outcome == Outcome::Win)).chain(verdict.depth)
}

/// Returns the numbers in all columns of an answer; the last `columns_of_move` columns are those of the best move.
fn answer_numbers<G: InColumns>(
    game: &G,
    columns_of_move: usize,
    answer: &Answer<G::Move, &impl MoveSet<G::Move>>,
) -> impl Iterator<Item = u32> {
    let best = answer.best;
    let best =
        (0..columns_of_move).map(move |column| best.map_or(0, |best| game.number_of_move(best, column)));
    verdict_numbers(answer.verdict).chain([answer.winning.len() as u32]).chain(best)
}

/// Returns the input column of each field of positions, or the default if there is none.
fn fields<'a, G: InColumns>(
    game: &G,
    positions: &'a [InputColumn],
) -> PyResult<Vec<Result<&'a InputColumn, u32>>> {
    let fields = game.fields();
    let known = || fields.iter().map(|(name, _)| &name[..]).collect::<Vec<_>>().join(", ");
    if let Some(other) = positions.iter().find(|source| fields.iter().all(|(name, _)| *name != source.name)) {
        let found = &other.name;
        return Err(ColumnError::new_err(format!(
            "there is no column '{found}'; positions have {}",
            known()
        )));
    }
    let field = |(name, usual): &PositionColumn| match positions.iter().find(|source| source.name == *name) {
        Some(source) => Ok(Ok(source)),
        None => usual.map(Err).ok_or_else(|| {
            ColumnError::new_err(format!("the column '{name}' is missing; positions have {}", known()))
        }),
    };
    fields.iter().map(field).collect()
}

/// Returns, for each output column, its index among `all` columns of answers.
fn requested(all: &[(String, usize)], answers: &[OutputColumn]) -> PyResult<Vec<usize>> {
    let one = |sink: &OutputColumn| {
        let Some(place) = all.iter().position(|(name, _)| *name == sink.name) else {
            let known: Vec<&str> = all.iter().map(|(name, _)| &name[..]).collect();
            let (found, known) = (&sink.name, known.join(", "));
            return Err(ColumnError::new_err(format!("there is no column '{found}'; answers have {known}")));
        };
        let (name, bytes) = &all[place];
        let fits = match sink.kind() {
            ElementType::UnsignedInteger { bytes: found } => found == *bytes,
            ElementType::Bool => *bytes == 1,
            _ => false,
        };
        if !fits {
            let wanted = if *bytes == 1 { "bool or uint8" } else { "uint32" };
            return Err(ColumnError::new_err(format!(
                "the column '{name}' has other items; give it those of {wanted}"
            )));
        }
        Ok(place)
    };
    answers.iter().map(one).collect()
}

/// A chunk of rows.
struct RowChunk<'a, T: Solved<Game: InColumns>> {
    table: &'a T,
    /// The input column of each field, or its default.
    fields: Vec<Result<&'a InputColumn, u32>>,
    from: usize,
    /// The numbers of each field.
    numbers: Vec<[u32; CHUNK]>,
    /// The chosen rows, counted from `from`.
    chosen: Vec<usize>,
    /// Positions of the chosen rows, followed by unused ones, which avoid allocations.
    positions: Vec<PositionOf<T>>,
}

impl<'a, T: Solved<Game: InColumns>> RowChunk<'a, T> {
    fn new(table: &'a T, fields: Vec<Result<&'a InputColumn, u32>>) -> Self {
        let numbers = fields.iter().map(|field| [field.err().unwrap_or_default(); CHUNK]).collect();
        let (chosen, positions) = (Vec::with_capacity(CHUNK), vec![table.game().start(); CHUNK]);
        Self { table, fields, from: 0, numbers, chosen, positions }
    }

    /// Reads the numbers of `count` rows from row `from`.
    fn go_to(&mut self, from: usize, count: usize) -> PyResult<()> {
        self.from = from;
        for (field, numbers) in self.fields.iter().zip(&mut self.numbers) {
            let Ok(source) = field else { continue };
            source.read(from, &mut numbers[..count]).map_err(|(row, found)| {
                let (row, name) = (from + row, &source.name);
                let allowed = format!("expected a number from 0 to {}", u32::MAX);
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
            let set = self.table.game().set(position, |field| self.numbers[field][row]);
            set.map_err(|what| PositionError::new_err(format!("row {}: {what}", self.from + row)))?;
        }
        Ok(())
    }

    /// Makes the exception for a chosen position without an answer.
    #[cold]
    fn refused(&self, place: usize, error: AskError) -> PyErr {
        match error {
            AskError::Position(what) => {
                PositionError::new_err(format!("row {}: {what}", self.from + self.chosen[place]))
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
        let result = self.table.answer_each(positions, |place, answer| {
            record(self.chosen[place], &positions[place], answer);
        });
        result.map_err(|(place, error)| self.refused(place, error))
    }

    /// Calls `record` with row and verdict of each chosen row; without `depths`, verdicts have only outcomes.
    fn verdicts(
        &mut self,
        chosen: impl Iterator<Item = usize>,
        depths: bool,
        mut record: impl FnMut(usize, Verdict),
    ) -> PyResult<()> {
        self.choose(chosen)?;
        for (place, (&row, position)) in self.chosen.iter().zip(&self.positions).enumerate() {
            let verdict = match depths {
                true => self.table.verdict(position),
                false => self.table.outcome(position).map(|outcome| Verdict { outcome, depth: None }),
            };
            record(row, verdict.map_err(|error| self.refused(place, error))?);
        }
        Ok(())
    }
}

/// Writes numbers into one row of the first columns.
fn set_row(columns: &mut [[u32; CHUNK]], row: usize, numbers: impl Iterator<Item = u32>) {
    let mut columns = columns.iter_mut();
    // `for_each`, not `for`: the compiler then makes a simple loop for each part of a chained iterator.
    numbers.for_each(|number| columns.next().into_iter().for_each(|column| column[row] = number));
}

/// Looks up the positions that are not in the cache yet, and stores their answers.
fn fill_any_order_cache<T: Solved<Game: InColumns>>(
    chunk: &mut RowChunk<'_, T>,
    sorted: &mut AnyOrderRows<'_>,
    count: usize,
) -> PyResult<()> {
    let missing: Vec<usize> = (0..count).filter(|&row| !sorted.found()[row].is_known()).collect();
    let (table, mut cache) = (chunk.table, Ok(()));
    chunk.answer(missing.into_iter(), |row, position, answer| {
        match InColumns::cached_answer(table, position, &answer) {
            Ok(found) if sorted.store(row, &found) => {}
            Ok(_) => {
                let what = format!(
                    "the table is wrong at {}; verify() says more",
                    table.game().show_position(position)
                );
                cache = Err(WrongTableError::new_err(what));
            }
            Err(error) => cache = Err(error.into_exception()),
        }
    })?;
    cache
}

/// Columns before those of the best move: outcome, depth, and number of winning moves.
const COLUMNS_BEFORE_MOVE: usize = 3;

/// Writes column `place` of the answers from cached cells; `best` has the rows of the best moves.
fn write_cached(sink: &OutputColumn, from: usize, found: &[PackedAnswer], place: usize, best: &[u8]) {
    let found = found.iter();
    match place {
        0 => sink.write(from, found.map(|found| found.won())),
        1 => sink.write(from, found.map(|found| found.depth())),
        2 => sink.write(from, found.map(|found| found.winning())),
        _ => {
            let takes = |(found, &best): (&PackedAnswer, &u8)| {
                if usize::from(best) == place - COLUMNS_BEFORE_MOVE { found.take() } else { 0 }
            };
            sink.write(from, found.zip(best).map(takes));
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
    let (game, all) = (table.game(), answer_columns(table));
    let mut chunk = RowChunk::new(table, fields(game, positions)?);
    let requested = requested(&all, answers)?;
    // A lookup of outcome and depth alone is faster than one with moves.
    let beginning = verdict_column_count(table);
    let extent = if requested.iter().all(|&place| place < beginning) {
        AnswerExtent::Verdict
    } else {
        AnswerExtent::Whole
    };
    let depths = requested.iter().any(|&place| place > 0);
    let columns_of_move = all.len() - beginning - 1;
    let cache_bounds = if table.has_depths() { game.cache_bounds() } else { None };
    let keeping = game.radices().map(|radices| cache.for_rows(rows, &radices, all.len(), cache_bounds));
    let (cache, mut sorted) = match keeping.unwrap_or(CacheChoice::Off) {
        CacheChoice::Off => (None, None),
        CacheChoice::ByColumns(cache) => (Some(cache), None),
        CacheChoice::AnyOrder(cells) => (None, Some(AnyOrderRows::new(cells))),
    };
    let mut cells = [0; CHUNK];
    // The answers of a chunk without a cache, by column.
    let mut found = vec![[0; CHUNK]; all.len()];
    for from in (0..rows).step_by(CHUNK) {
        let count = CHUNK.min(rows - from);
        chunk.go_to(from, count)?;
        let cells = &mut cells[..count];
        if let Some(cache) = cache
            && cache.find(&chunk.numbers, cells)
        {
            let missing = (0..count).filter(|&row| !cache.has(cells[row], extent));
            match extent {
                AnswerExtent::Whole => chunk.answer(missing, |row, _, answer| {
                    cache.store(cells[row], extent, answer_numbers(game, columns_of_move, &answer));
                })?,
                AnswerExtent::Verdict => chunk.verdicts(missing, true, |row, verdict| {
                    cache.store(cells[row], extent, verdict_numbers(verdict));
                })?,
            }
            for (sink, &place) in answers.iter().zip(&requested) {
                sink.write(from, cells.iter().map(|&cell| cache.get(cell, place)));
            }
            continue;
        }
        if let Some(sorted) = &mut sorted
            && sorted.find(&chunk.numbers, count)
            // If only outcomes are requested, a lookup is faster than an answer for the cache.
            && (depths || sorted.found()[..count].iter().all(|found| found.is_known()))
        {
            fill_any_order_cache(&mut chunk, sorted, count)?;
            let best = sorted.best_rows(count);
            for (sink, &place) in answers.iter().zip(&requested) {
                write_cached(sink, from, &sorted.found()[..count], place, &best);
            }
            continue;
        }
        match extent {
            AnswerExtent::Whole => chunk.answer(0..count, |row, _, answer| {
                set_row(&mut found, row, answer_numbers(game, columns_of_move, &answer));
            })?,
            AnswerExtent::Verdict => chunk.verdicts(0..count, depths, |row, verdict| {
                set_row(&mut found, row, verdict_numbers(verdict));
            })?,
        }
        for (sink, &place) in answers.iter().zip(&requested) {
            sink.write(from, found[place][..count].iter().copied());
        }
    }
    Ok(())
}
