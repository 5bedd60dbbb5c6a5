//! Many positions at once, in columns: any objects of Python that share their memory, as arrays of NumPy do. Nothing is copied but
//! some thousand numbers at a time, which stay in the processor's cache.
//!
//! Unsafe code is here alone: it reads and writes memory that belongs to Python.

#![allow(unsafe_code)]

use bouton_tables::{AskError, MoveSet, Outcome, Solved};
use pyo3::buffer::{ElementType, PyUntypedBuffer};
use pyo3::prelude::*;

use crate::errors::{ColumnError, PositionError, Raised};
use crate::families::InColumns;

/// Rows that are answered at once.
const CHUNK: usize = 1024;

/// A column that is read.
pub(crate) struct Source {
    name: String,
    items: Items,
}

/// A column that is written.
pub(crate) struct Sink {
    name: String,
    items: Items,
}

/// The items of a buffer of one dimension.
struct Items {
    /// Keeps the memory where it is.
    _buffer: PyUntypedBuffer,
    start: *mut u8,
    /// Bytes from one item to the next.
    stride: isize,
    count: usize,
    kind: ElementType,
}

// SAFETY: The pointer is into memory that the buffer holds, which may be used from any thread.
unsafe impl Send for Items {}
// SAFETY: As above. What is written while it is read, here or in another thread of Python, is some number or other.
unsafe impl Sync for Items {}

impl Items {
    fn new(name: &str, buffer: PyUntypedBuffer) -> PyResult<Self> {
        let wrong = |what: String| ColumnError::new_err(format!("the column '{name}' {what}"));
        let (1, [stride], [count]) = (buffer.dimensions(), buffer.strides(), buffer.shape()) else {
            let found = buffer.dimensions();
            return Err(wrong(format!("has {found} dimensions; give an array of one")));
        };
        let (stride, count) = (*stride, *count);
        if cfg!(target_endian = "little") && matches!(buffer.format().to_bytes().first(), Some(b'>' | b'!')) {
            return Err(wrong(
                "has the bytes of its numbers in the other order; convert it first".to_owned(),
            ));
        }
        let kind = ElementType::from_format(buffer.format());
        let fits = match kind {
            ElementType::SignedInteger { bytes } | ElementType::UnsignedInteger { bytes } => {
                bytes == buffer.item_size() && matches!(bytes, 1 | 2 | 4 | 8)
            }
            ElementType::Bool => buffer.item_size() == 1,
            ElementType::Float { .. } | ElementType::Unknown => false,
        };
        if !fits {
            let found = buffer.format().to_string_lossy().into_owned();
            return Err(wrong(format!(
                "has items of the type '{found}'; give whole numbers or truth values"
            )));
        }
        Ok(Self { start: buffer.buf_ptr().cast(), stride, count, kind, _buffer: buffer })
    }

    /// Where an item is.
    fn at(&self, row: usize) -> *mut u8 {
        assert!(row < self.count, "a row of the column");
        // SAFETY: Within the buffer, by its shape and its strides.
        unsafe { self.start.offset(row as isize * self.stride) }
    }

    /// Reads so many items from one on. The error is the place of the first that is no number of 32 bits.
    fn read(&self, from: usize, numbers: &mut [u32]) -> Result<(), usize> {
        fn each<T: Copy + TryInto<u32>>(
            items: &Items,
            from: usize,
            numbers: &mut [u32],
        ) -> Result<(), usize> {
            for (place, number) in numbers.iter_mut().enumerate() {
                // SAFETY: The items are of this size, and any bytes are one of them.
                let item: T = unsafe { items.at(from + place).cast::<T>().read_unaligned() };
                *number = item.try_into().map_err(|_| place)?;
            }
            Ok(())
        }
        match self.kind {
            ElementType::SignedInteger { bytes: 1 } => each::<i8>(self, from, numbers),
            ElementType::SignedInteger { bytes: 2 } => each::<i16>(self, from, numbers),
            ElementType::SignedInteger { bytes: 4 } => each::<i32>(self, from, numbers),
            ElementType::SignedInteger { .. } => each::<i64>(self, from, numbers),
            ElementType::UnsignedInteger { bytes: 2 } => each::<u16>(self, from, numbers),
            ElementType::UnsignedInteger { bytes: 4 } => each::<u32>(self, from, numbers),
            ElementType::UnsignedInteger { bytes: 8 } => each::<u64>(self, from, numbers),
            // A truth value is a byte too.
            _ => each::<u8>(self, from, numbers),
        }
    }

    /// Writes an item, which has as many bytes as items have that are written.
    fn write(&self, row: usize, number: u32, bytes: usize) {
        let to = self.at(row);
        // SAFETY: The items are of this size, and may be written: that was looked at when the sink was made.
        unsafe {
            match bytes {
                1 => to.write(number as u8),
                _ => to.cast::<u32>().write_unaligned(number),
            }
        }
    }
}

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

/// All columns of an answer: what each says, its name, and the bytes of an item.
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

/// The columns in which positions stand, which must be equally long.
pub(crate) fn sources(columns: &[(String, Bound<'_, PyAny>)]) -> PyResult<Vec<Source>> {
    let source = |(name, column): &(String, Bound<'_, PyAny>)| {
        Ok(Source { name: name.clone(), items: Items::new(name, PyUntypedBuffer::get(column)?)? })
    };
    columns.iter().map(source).collect()
}

/// The columns for the answers, and the number of rows, which all columns must have.
pub(crate) fn sinks(
    columns: &[(String, Bound<'_, PyAny>)],
    positions: &[Source],
) -> PyResult<(Vec<Sink>, usize)> {
    let mut sinks = Vec::new();
    for (name, column) in columns {
        let buffer = PyUntypedBuffer::get(column)?;
        if buffer.readonly() {
            return Err(ColumnError::new_err(format!("the column '{name}' cannot be written to")));
        }
        sinks.push(Sink { name: name.clone(), items: Items::new(name, buffer)? });
    }
    let all = positions.iter().map(|source| (&source.name, source.items.count));
    let mut all = all.chain(sinks.iter().map(|sink| (&sink.name, sink.items.count)));
    let Some((first, rows)) = all.next() else {
        return Err(ColumnError::new_err("there are no columns; give those of positions"));
    };
    if let Some((other, found)) = all.find(|(_, count)| *count != rows) {
        return Err(ColumnError::new_err(format!(
            "the column '{other}' has {found} items, and '{first}' has {rows}; give columns of one length"
        )));
    }
    Ok((sinks, rows))
}

/// Where the fields of positions come from: for each a column, or what stands in all rows.
fn places<G: InColumns>(game: &G, positions: &[Source]) -> PyResult<Vec<Result<usize, u32>>> {
    let fields = game.fields();
    let known = || fields.iter().map(|(name, _)| &name[..]).collect::<Vec<_>>().join(", ");
    if let Some(other) = positions.iter().find(|source| fields.iter().all(|(name, _)| *name != source.name)) {
        let found = &other.name;
        return Err(ColumnError::new_err(format!(
            "there is no column '{found}'; positions have {}",
            known()
        )));
    }
    let place = |(name, usual): &Field| match positions.iter().position(|source| source.name == *name) {
        Some(place) => Ok(Ok(place)),
        None => usual.map(Err).ok_or_else(|| {
            ColumnError::new_err(format!("the column '{name}' is missing; positions have {}", known()))
        }),
    };
    fields.iter().map(place).collect()
}

/// What the columns for the answers are to say.
fn asked<T: Solved<Game: InColumns>>(table: &T, answers: &[Sink]) -> PyResult<Vec<(Said, usize)>> {
    let all = said(table);
    let one = |sink: &Sink| {
        let Some((said, name, bytes)) = all.iter().find(|(_, name, _)| *name == sink.name) else {
            let known: Vec<&str> = all.iter().map(|(_, name, _)| &name[..]).collect();
            let (found, known) = (&sink.name, known.join(", "));
            return Err(ColumnError::new_err(format!("there is no column '{found}'; answers have {known}")));
        };
        let fits = match sink.items.kind {
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
        Ok((*said, *bytes))
    };
    answers.iter().map(one).collect()
}

/// Answers some positions that stand from a row on, one by one: what is known of each.
fn each<A, P>(
    positions: &[P],
    from: usize,
    answers: &mut Vec<A>,
    answer: impl Fn(&[P], &mut Vec<A>) -> Result<(), (usize, AskError)>,
) -> PyResult<()> {
    answers.clear();
    answer(positions, answers).map_err(|(place, error)| match error {
        AskError::Position(what) => PositionError::new_err(format!("row {}: {what}", from + place)),
        AskError::Damaged(_) => error.raised(),
    })
}

/// Answers the positions that stand in columns, in other columns.
pub(crate) fn fill<T: Solved<Game: InColumns>>(
    table: &T,
    positions: &[Source],
    answers: &[Sink],
    rows: usize,
) -> PyResult<()> {
    let game = table.game();
    let (places, asked) = (places(game, positions)?, asked(table, answers)?);
    let mut numbers: Vec<[u32; CHUNK]> =
        places.iter().map(|place| [place.err().unwrap_or_default(); CHUNK]).collect();
    // Outcome and depth alone are found sooner than the moves.
    let quick = asked.iter().all(|(said, _)| matches!(said, Said::Won | Said::Depth));
    let mut read = Vec::with_capacity(CHUNK);
    let (mut known, mut verdicts) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
    for from in (0..rows).step_by(CHUNK) {
        let count = CHUNK.min(rows - from);
        for (place, numbers) in places.iter().zip(&mut numbers) {
            let Ok(place) = *place else { continue };
            let Source { name, items } = &positions[place];
            items.read(from, &mut numbers[..count]).map_err(|row| {
                let row = from + row;
                PositionError::new_err(format!("row {row}: {name}: expected a number from 0 to {}", u32::MAX))
            })?;
        }
        read.clear();
        let all = (0..count).map(|row| (row, game.position(|field| numbers[field][row])));
        for (row, position) in all {
            read.push(
                position.map_err(|what| PositionError::new_err(format!("row {}: {what}", from + row)))?,
            );
        }
        if quick {
            each(&read, from, &mut verdicts, |positions, verdicts| {
                for (place, position) in positions.iter().enumerate() {
                    verdicts.push(table.verdict(position).map_err(|error| (place, error))?);
                }
                Ok(())
            })?;
        } else {
            each(&read, from, &mut known, |positions, known| table.answers(positions, known))?;
            verdicts.clear();
            verdicts.extend(known.iter().map(|answer| answer.verdict));
        }
        for (sink, &(said, bytes)) in answers.iter().zip(&asked) {
            let write = |numbers: &mut dyn Iterator<Item = u32>| {
                (from..).zip(numbers).for_each(|(row, number)| sink.items.write(row, number, bytes));
            };
            match said {
                Said::Won => write(&mut verdicts.iter().map(|it| u32::from(it.outcome == Outcome::Win))),
                Said::Depth => write(&mut verdicts.iter().map(|it| it.depth.unwrap_or_default())),
                Said::Winning => write(&mut known.iter().map(|answer| answer.winning.len() as u32)),
                Said::Best(place) => write(
                    &mut known.iter().map(|it| it.best.map_or(0, |best| game.number_of_move(best, place))),
                ),
            }
        }
    }
    Ok(())
}
