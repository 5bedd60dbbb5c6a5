//! Many positions at once, in columns. Columns are not copied, but for some thousand numbers at a time, which stay in the processor's
//! cache.

use bouton_tables::{AnswerOf, AskError, MoveSet, Outcome, PositionOf, Solved, Verdict};
use pyo3::buffer::ElementType;
use pyo3::prelude::*;

use crate::buffers::{Sink, Source};
use crate::errors::{ColumnError, PositionError, Raised};
use crate::families::InColumns;
use crate::kept::{KeptWhenMany, Share};

/// Rows that are answered at once.
const CHUNK: usize = 128;

/// A column of a position: its name, and what stands in it if it is not given; `None` if it must be.
pub(crate) type Field = (String, Option<u32>);

/// The names of the columns of a position.
pub(crate) fn of_position<G: InColumns>(game: &G) -> Vec<String> {
    game.fields().into_iter().map(|(name, _)| name).collect()
}

/// What an answer says in a column of its own.
#[derive(Clone, Copy)]
enum Said {
    Won,
    Depth,
    Winning,
    /// A number of the best move, by its place.
    Best(usize),
}

impl Said {
    /// Whether it is known without looking for moves.
    fn is_of_verdict(self) -> bool {
        matches!(self, Self::Won | Self::Depth)
    }

    /// What stands in the column, if it is one of outcome or depth.
    fn of_verdict(self, verdict: &Verdict) -> u32 {
        match self {
            Self::Won => u32::from(verdict.outcome == Outcome::Win),
            _ => verdict.depth.unwrap_or_default(),
        }
    }

    /// What stands in the column.
    fn of<T: Solved<Game: InColumns>>(self, game: &T::Game, answer: &AnswerOf<T>) -> u32 {
        match self {
            Self::Won | Self::Depth => self.of_verdict(&answer.verdict),
            Self::Winning => answer.winning.len() as u32,
            Self::Best(place) => answer.best.map_or(0, |best| game.number_of_move(best, place)),
        }
    }
}

/// All columns of an answer, those of outcome and depth first: what each says, its name, and the bytes of an item.
fn said<T: Solved<Game: InColumns>>(table: &T) -> Vec<(Said, String, usize)> {
    let mut all = vec![(Said::Won, "won".to_owned(), 1)];
    all.extend(table.has_depths().then(|| (Said::Depth, "depth".to_owned(), 4)));
    all.push((Said::Winning, "winning".to_owned(), 4));
    let best = table.game().of_move().into_iter().enumerate();
    all.extend(best.map(|(place, (name, bytes))| (Said::Best(place), name, bytes)));
    all
}

/// The names of the columns of an answer, with the bytes of an item of each.
pub(crate) fn of_answer<T: Solved<Game: InColumns>>(table: &T) -> Vec<(String, usize)> {
    said(table).into_iter().map(|(_, name, bytes)| (name, bytes)).collect()
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
fn asked(all: &[(Said, String, usize)], answers: &[Sink]) -> PyResult<Vec<usize>> {
    let one = |sink: &Sink| {
        let Some(place) = all.iter().position(|(_, name, _)| *name == sink.name) else {
            let known: Vec<&str> = all.iter().map(|(_, name, _)| &name[..]).collect();
            let (found, known) = (&sink.name, known.join(", "));
            return Err(ColumnError::new_err(format!("there is no column '{found}'; answers have {known}")));
        };
        let (_, name, bytes) = &all[place];
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
    /// Those rows that are looked at, counted from `from` on, and what is known of them.
    chosen: Vec<usize>,
    positions: Vec<PositionOf<T>>,
    answers: Vec<AnswerOf<T>>,
    verdicts: Vec<Verdict>,
}

impl<'a, T: Solved<Game: InColumns>> Rows<'a, T> {
    fn new(table: &'a T, fields: Vec<Result<&'a Source, u32>>) -> Self {
        let numbers = fields.iter().map(|field| [field.err().unwrap_or_default(); CHUNK]).collect();
        let (chosen, positions) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
        let (answers, verdicts) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
        Self { table, fields, from: 0, numbers, chosen, positions, answers, verdicts }
    }

    /// Goes on to other rows.
    fn go_to(&mut self, from: usize, count: usize) -> PyResult<()> {
        self.from = from;
        for (field, numbers) in self.fields.iter().zip(&mut self.numbers) {
            let Ok(source) = field else { continue };
            source.read(from, &mut numbers[..count]).map_err(|row| {
                let (row, name) = (from + row, &source.name);
                PositionError::new_err(format!("row {row}: {name}: expected a number from 0 to {}", u32::MAX))
            })?;
        }
        Ok(())
    }

    /// Looks at some of the rows.
    fn choose(&mut self, chosen: impl Iterator<Item = usize>) -> PyResult<()> {
        self.chosen.clear();
        self.chosen.extend(chosen);
        self.positions.clear();
        for &row in &self.chosen {
            let position = self.table.game().position(|field| self.numbers[field][row]);
            let named = |what| PositionError::new_err(format!("row {}: {what}", self.from + row));
            self.positions.push(position.map_err(named)?);
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

    /// Finds all that is known of some of the rows.
    fn answer(&mut self, chosen: impl Iterator<Item = usize>) -> PyResult<()> {
        self.choose(chosen)?;
        self.answers.clear();
        let answered = self.table.answers(&self.positions, &mut self.answers);
        answered.map_err(|(place, error)| self.refused(place, error))
    }

    /// Finds outcome and depth of some of the rows.
    fn judge(&mut self, chosen: impl Iterator<Item = usize>) -> PyResult<()> {
        self.choose(chosen)?;
        self.verdicts.clear();
        for (place, position) in self.positions.iter().enumerate() {
            let verdict = self.table.verdict(position).map_err(|error| self.refused(place, error))?;
            self.verdicts.push(verdict);
        }
        Ok(())
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
    let (game, all) = (table.game(), said(table));
    let mut now = Rows::new(table, fields(game, positions)?);
    let asked = asked(&all, answers)?;
    // Outcome and depth alone, with which an answer begins, are found sooner than the moves.
    let beginning = all.iter().take_while(|(said, ..)| said.is_of_verdict()).count();
    let share = if asked.iter().all(|&place| place < beginning) { Share::Beginning } else { Share::All };
    let kept = game.radices().and_then(|radices| kept.for_rows(rows, radices, all.len()));
    let mut cells = [0; CHUNK];
    for from in (0..rows).step_by(CHUNK) {
        let count = CHUNK.min(rows - from);
        now.go_to(from, count)?;
        let cells = &mut cells[..count];
        let sinks = answers.iter().zip(&asked).map(|(sink, &place)| (sink, place, all[place].0));
        if let Some(kept) = kept
            && kept.find(&now.numbers, cells)
        {
            let missing = (0..count).filter(|&row| !kept.has(cells[row], share));
            if share == Share::All {
                now.answer(missing)?;
                for (&row, answer) in now.chosen.iter().zip(&now.answers) {
                    kept.keep(cells[row], share, all.iter().map(|(said, ..)| said.of::<T>(game, answer)));
                }
            } else {
                now.judge(missing)?;
                for (&row, verdict) in now.chosen.iter().zip(&now.verdicts) {
                    let numbers = all[..beginning].iter().map(|(said, ..)| said.of_verdict(verdict));
                    kept.keep(cells[row], share, numbers);
                }
            }
            for (sink, place, _) in sinks {
                sink.write(from, cells.iter().map(|&cell| kept.get(cell, place)));
            }
        } else if share == Share::All {
            now.answer(0..count)?;
            for (sink, _, said) in sinks {
                sink.write(from, now.answers.iter().map(|answer| said.of::<T>(game, answer)));
            }
        } else {
            now.judge(0..count)?;
            for (sink, _, said) in sinks {
                sink.write(from, now.verdicts.iter().map(|verdict| said.of_verdict(verdict)));
            }
        }
    }
    Ok(())
}
