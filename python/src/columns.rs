//! Many positions at once, in columns. Columns are not copied, but for some thousand numbers at a time, which stay in the processor's
//! cache.

use bouton_tables::{Answer, AskError, Game, MoveOf, MoveSet, Outcome, PositionOf, Solved, Verdict};
use pyo3::buffer::ElementType;
use pyo3::prelude::*;

use crate::buffers::{Sink, Source};
use crate::errors::{ColumnError, PositionError, Raised, WrongTableError};
use crate::families::InColumns;
use crate::kept::{Keeping, KeptWhenMany, Share};
use crate::sorted::{Packed, SortedRows};

/// Rows that are answered at once.
pub(crate) const CHUNK: usize = 128;

/// A column of a position: its name, and what stands in it if it is not given; `None` if it must be.
pub(crate) type Field = (String, Option<u32>);

/// The names of the columns of a position.
pub(crate) fn of_position<G: InColumns>(game: &G) -> Vec<String> {
    game.fields().into_iter().map(|(name, _)| name).collect()
}

/// The columns of an answer, with the bytes of an item of each. Those of the verdict come first.
pub(crate) fn of_answer<T: Solved<Game: InColumns>>(table: &T) -> Vec<(String, usize)> {
    let mut all = vec![("won".to_owned(), 1)];
    all.extend(table.has_depths().then(|| ("depth".to_owned(), 4)));
    all.push(("winning".to_owned(), 4));
    all.extend(table.game().of_move());
    all
}

/// How many of these columns are those of the verdict.
fn columns_of_verdict<T: Solved>(table: &T) -> usize {
    1 + usize::from(table.has_depths())
}

/// What stands in the columns of the verdict, which has a depth if the table has depths.
fn numbers_of_verdict(verdict: Verdict) -> impl Iterator<Item = u32> {
    std::iter::once(u32::from(verdict.outcome == Outcome::Win)).chain(verdict.depth)
}

/// What stands in all columns, of which the last ones are those of a move.
fn numbers<G: InColumns>(
    game: &G,
    columns_of_move: usize,
    answer: &Answer<G::Move, &impl MoveSet<G::Move>>,
) -> impl Iterator<Item = u32> {
    let best = answer.best;
    let best =
        (0..columns_of_move).map(move |column| best.map_or(0, |best| game.number_of_move(best, column)));
    numbers_of_verdict(answer.verdict).chain([answer.winning.len() as u32]).chain(best)
}

/// Where each field of positions comes from.
fn fields<'a, G: InColumns>(game: &G, positions: &'a [Source]) -> PyResult<Vec<Result<&'a Source, u32>>> {
    let fields = game.fields();
    let known = || fields.iter().map(|(name, _)| &name[..]).collect::<Vec<_>>().join(", ");
    if let Some(other) = positions.iter().find(|source| fields.iter().all(|(name, _)| *name != source.name)) {
        let found = &other.name;
        return Err(ColumnError::new_err(format!(
            "there is no column '{found}'; positions have {}",
            known()
        )));
    }
    let field = |(name, usual): &Field| match positions.iter().find(|source| source.name == *name) {
        Some(source) => Ok(Ok(source)),
        None => usual.map(Err).ok_or_else(|| {
            ColumnError::new_err(format!("the column '{name}' is missing; positions have {}", known()))
        }),
    };
    fields.iter().map(field).collect()
}

/// What the columns for the answers are to say, by its place.
fn asked(all: &[(String, usize)], answers: &[Sink]) -> PyResult<Vec<usize>> {
    let one = |sink: &Sink| {
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

/// Some rows of the positions.
struct Rows<'a, T: Solved<Game: InColumns>> {
    table: &'a T,
    /// For each field the column that it comes from, or what stands in all rows.
    fields: Vec<Result<&'a Source, u32>>,
    from: usize,
    /// What stands in the fields.
    numbers: Vec<[u32; CHUNK]>,
    /// Those rows that are looked at, counted from `from` on.
    chosen: Vec<usize>,
    /// As many as a chunk has rows; the first of them are those rows'.
    positions: Vec<PositionOf<T>>,
}

impl<'a, T: Solved<Game: InColumns>> Rows<'a, T> {
    fn new(table: &'a T, fields: Vec<Result<&'a Source, u32>>) -> Self {
        let numbers = fields.iter().map(|field| [field.err().unwrap_or_default(); CHUNK]).collect();
        let (chosen, positions) = (Vec::with_capacity(CHUNK), vec![table.game().start(); CHUNK]);
        Self { table, fields, from: 0, numbers, chosen, positions }
    }

    /// Goes on to other rows.
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

    /// Looks at some of the rows.
    fn choose(&mut self, chosen: impl Iterator<Item = usize>) -> PyResult<()> {
        self.chosen.clear();
        self.chosen.extend(chosen);
        for (&row, position) in self.chosen.iter().zip(&mut self.positions) {
            let set = self.table.game().set(position, |field| self.numbers[field][row]);
            set.map_err(|what| PositionError::new_err(format!("row {}: {what}", self.from + row)))?;
        }
        Ok(())
    }

    /// Why there is no answer for one of the positions that are looked at.
    #[cold]
    fn refused(&self, place: usize, error: AskError) -> PyErr {
        match error {
            AskError::Position(what) => {
                PositionError::new_err(format!("row {}: {what}", self.from + self.chosen[place]))
            }
            AskError::Damaged(_) => error.raised(),
        }
    }

    /// Tells all that is known of some of the rows, each with its position.
    fn answer(
        &mut self,
        chosen: impl Iterator<Item = usize>,
        mut tell: impl FnMut(usize, &PositionOf<T>, Answer<MoveOf<T>, &T::Winning>),
    ) -> PyResult<()> {
        self.choose(chosen)?;
        let positions = &self.positions[..self.chosen.len()];
        let told = self.table.answer_each(positions, |place, answer| {
            tell(self.chosen[place], &positions[place], answer);
        });
        told.map_err(|(place, error)| self.refused(place, error))
    }

    /// Tells outcome and depth of some of the rows, or the outcome alone.
    fn judge(
        &mut self,
        chosen: impl Iterator<Item = usize>,
        depths: bool,
        mut tell: impl FnMut(usize, Verdict),
    ) -> PyResult<()> {
        self.choose(chosen)?;
        for (place, (&row, position)) in self.chosen.iter().zip(&self.positions).enumerate() {
            let verdict = match depths {
                true => self.table.verdict(position),
                false => self.table.outcome(position).map(|outcome| Verdict { outcome, depth: None }),
            };
            tell(row, verdict.map_err(|error| self.refused(place, error))?);
        }
        Ok(())
    }
}

/// Puts numbers into a row of the first columns.
fn put(columns: &mut [[u32; CHUNK]], row: usize, numbers: impl Iterator<Item = u32>) {
    let mut columns = columns.iter_mut();
    // Not in a loop around them: chained numbers then have a plain loop for each of their parts.
    numbers.for_each(|number| columns.next().into_iter().for_each(|column| column[row] = number));
}

/// Answers the positions that are not known yet, and keeps what is found.
fn answer_in_any_order<T: Solved<Game: InColumns>>(
    now: &mut Rows<'_, T>,
    sorted: &mut SortedRows<'_>,
    count: usize,
) -> PyResult<()> {
    let missing: Vec<usize> = (0..count).filter(|&row| !sorted.found()[row].is_known()).collect();
    let (table, mut kept) = (now.table, Ok(()));
    now.answer(missing.into_iter(), |row, position, answer| {
        match InColumns::found(table, position, &answer) {
            Ok(found) if sorted.keep(row, &found) => {}
            Ok(_) => {
                let what = format!(
                    "the table is wrong at {}; verify() says more",
                    table.game().show_position(position)
                );
                kept = Err(WrongTableError::new_err(what));
            }
            Err(error) => kept = Err(error.raised()),
        }
    })?;
    kept
}

/// Before the columns of a move stand those of the outcome, the depth, and how many moves win.
const BEFORE_MOVE: usize = 3;

/// Writes what was found into the column of an answer at a place, given the rows of the best moves.
fn write_found(sink: &Sink, from: usize, found: &[Packed], place: usize, best: &[u8]) {
    let found = found.iter();
    match place {
        0 => sink.write(from, found.map(|found| found.won())),
        1 => sink.write(from, found.map(|found| found.depth())),
        2 => sink.write(from, found.map(|found| found.winning())),
        _ => {
            let takes = |(found, &best): (&Packed, &u8)| {
                if usize::from(best) == place - BEFORE_MOVE { found.take() } else { 0 }
            };
            sink.write(from, found.zip(best).map(takes));
        }
    }
}

/// Answers the positions that stand in columns, in other columns.
pub(crate) fn fill<T: Solved<Game: InColumns>>(
    table: &T,
    kept: &KeptWhenMany,
    positions: &[Source],
    answers: &[Sink],
    rows: usize,
) -> PyResult<()> {
    let (game, all) = (table.game(), of_answer(table));
    let mut now = Rows::new(table, fields(game, positions)?);
    let asked = asked(&all, answers)?;
    // Outcome and depth alone, with which an answer begins, are found sooner than the moves.
    let beginning = columns_of_verdict(table);
    let share = if asked.iter().all(|&place| place < beginning) { Share::Beginning } else { Share::All };
    let depths = asked.iter().any(|&place| place > 0);
    let columns_of_move = all.len() - beginning - 1;
    let shape = if table.has_depths() { game.shape() } else { None };
    let keeping = game.radices().map(|radices| kept.for_rows(rows, &radices, all.len(), shape));
    let (kept, mut sorted) = match keeping.unwrap_or(Keeping::Not) {
        Keeping::Not => (None, None),
        Keeping::Each(kept) => (Some(kept), None),
        Keeping::AnyOrder(cells) => (None, Some(SortedRows::new(cells))),
    };
    let mut cells = [0; CHUNK];
    // What was found, column by column.
    let mut found = vec![[0; CHUNK]; all.len()];
    for from in (0..rows).step_by(CHUNK) {
        let count = CHUNK.min(rows - from);
        now.go_to(from, count)?;
        let cells = &mut cells[..count];
        if let Some(kept) = kept
            && kept.find(&now.numbers, cells)
        {
            let missing = (0..count).filter(|&row| !kept.has(cells[row], share));
            match share {
                Share::All => now.answer(missing, |row, _, answer| {
                    kept.keep(cells[row], share, numbers(game, columns_of_move, &answer));
                })?,
                Share::Beginning => now.judge(missing, true, |row, verdict| {
                    kept.keep(cells[row], share, numbers_of_verdict(verdict));
                })?,
            }
            for (sink, &place) in answers.iter().zip(&asked) {
                sink.write(from, cells.iter().map(|&cell| kept.get(cell, place)));
            }
            continue;
        }
        if let Some(sorted) = &mut sorted
            && sorted.find(&now.numbers, count)
            // Outcomes alone are found sooner than answers that could be kept.
            && (depths || sorted.found()[..count].iter().all(|found| found.is_known()))
        {
            answer_in_any_order(&mut now, sorted, count)?;
            let best = sorted.best_rows(count);
            for (sink, &place) in answers.iter().zip(&asked) {
                write_found(sink, from, &sorted.found()[..count], place, &best);
            }
            continue;
        }
        match share {
            Share::All => now.answer(0..count, |row, _, answer| {
                put(&mut found, row, numbers(game, columns_of_move, &answer));
            })?,
            Share::Beginning => now.judge(0..count, depths, |row, verdict| {
                put(&mut found, row, numbers_of_verdict(verdict));
            })?,
        }
        for (sink, &place) in answers.iter().zip(&asked) {
            sink.write(from, found[place][..count].iter().copied());
        }
    }
    Ok(())
}
