//! Columns of numbers: any objects of Python that share their memory, as arrays of NumPy do.
//!
//! Unsafe code is here alone: it reads and writes memory that belongs to Python.

#![allow(unsafe_code)]

use std::ops::Range;

use pyo3::buffer::{ElementType, PyUntypedBuffer};
use pyo3::prelude::*;

use crate::errors::ColumnError;

/// A column that is read.
pub(crate) struct Source {
    pub(crate) name: String,
    items: Items,
}

/// A column that is written, of a buffer that may be.
pub(crate) struct Sink {
    pub(crate) name: String,
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
    /// Of an item.
    bytes: usize,
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
        if buffer.suboffsets().is_some_and(|all| all.iter().any(|&offset| offset >= 0)) {
            return Err(wrong("has its items behind pointers; copy it first".to_owned()));
        }
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
        Ok(Self {
            start: buffer.buf_ptr().cast(),
            stride,
            count,
            kind,
            bytes: buffer.item_size(),
            _buffer: buffer,
        })
    }

    /// The addresses from the first byte to behind the last one.
    fn addresses(&self) -> Range<usize> {
        let Some(last) = self.count.checked_sub(1) else { return 0..0 };
        let (one, other) =
            (self.start.addr(), self.start.addr().wrapping_add_signed(last as isize * self.stride));
        one.min(other)..one.max(other) + self.bytes
    }

    /// Whether an item lies in the memory of one of another row, or may.
    fn mixes_with(&self, other: &Self) -> bool {
        let (one, two) = (self.addresses(), other.addresses());
        if one.start >= two.end || two.start >= one.end {
            return false;
        }
        let width = self.stride.unsigned_abs();
        if self.stride != other.stride || width == 0 {
            return true;
        }
        // Beside each other in the same rows, as columns of one array; or at the same place.
        let apart = (two.start as isize - one.start as isize).rem_euclid(width as isize) as usize;
        let is_beside = apart >= self.bytes && apart + other.bytes <= width;
        !is_beside && self.start != other.start
    }

    /// Where an item is.
    fn at(&self, row: usize) -> *mut u8 {
        assert!(row < self.count, "a row of the column");
        // SAFETY: Within the buffer, by its shape and its strides.
        unsafe { self.start.offset(row as isize * self.stride) }
    }
}

impl Source {
    /// Reads so many items from one on. The error is the first that is no number of 32 bits: its place, and what it is.
    pub(crate) fn read(&self, from: usize, numbers: &mut [u32]) -> Result<(), (usize, String)> {
        fn each<T: Copy + TryInto<u32> + ToString>(
            items: &Items,
            from: usize,
            numbers: &mut [u32],
        ) -> Result<(), (usize, String)> {
            for (place, number) in numbers.iter_mut().enumerate() {
                // SAFETY: The items are of this size, and any bytes are one of them.
                let item: T = unsafe { items.at(from + place).cast::<T>().read_unaligned() };
                *number = item.try_into().map_err(|_| (place, item.to_string()))?;
            }
            Ok(())
        }
        let items = &self.items;
        match items.kind {
            ElementType::SignedInteger { bytes: 1 } => each::<i8>(items, from, numbers),
            ElementType::SignedInteger { bytes: 2 } => each::<i16>(items, from, numbers),
            ElementType::SignedInteger { bytes: 4 } => each::<i32>(items, from, numbers),
            ElementType::SignedInteger { .. } => each::<i64>(items, from, numbers),
            ElementType::UnsignedInteger { bytes: 2 } => each::<u16>(items, from, numbers),
            ElementType::UnsignedInteger { bytes: 4 } => each::<u32>(items, from, numbers),
            ElementType::UnsignedInteger { bytes: 8 } => each::<u64>(items, from, numbers),
            // A truth value is a byte too.
            _ => each::<u8>(items, from, numbers),
        }
    }
}

impl Sink {
    /// What its items are.
    pub(crate) fn kind(&self) -> ElementType {
        self.items.kind
    }

    /// Writes items from one on, of one byte or four.
    pub(crate) fn write(&self, from: usize, numbers: impl Iterator<Item = u32>) {
        // The size is looked at once, not for each item.
        if self.items.bytes == 1 {
            for (row, number) in (from..).zip(numbers) {
                // SAFETY: The item is within the buffer.
                unsafe { self.items.at(row).write(number as u8) };
            }
        } else {
            assert_eq!(self.items.bytes, 4, "the bytes of an item that is written");
            for (row, number) in (from..).zip(numbers) {
                // SAFETY: As above, and it has so many bytes.
                unsafe { self.items.at(row).cast::<u32>().write_unaligned(number) };
            }
        }
    }
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
    let mut sinks: Vec<Sink> = Vec::new();
    for (name, column) in columns {
        let buffer = PyUntypedBuffer::get(column).map_err(|_| {
            let found = column.get_type();
            ColumnError::new_err(format!(
                "the column '{name}' of out is of {found}; give an array, which can be written to"
            ))
        })?;
        if buffer.readonly() {
            return Err(ColumnError::new_err(format!("the column '{name}' cannot be written to")));
        }
        let items = Items::new(name, buffer)?;
        // What is written would be read as a position, or be written over.
        let source =
            positions.iter().find(|source| source.items.mixes_with(&items)).map(|source| &source.name);
        let same = |sink: &&Sink| {
            sink.items.mixes_with(&items) || items.count > 0 && sink.items.start == items.start
        };
        if let Some(other) = source.or(sinks.iter().find(same).map(|sink| &sink.name)) {
            return Err(ColumnError::new_err(format!(
                "the column '{name}' of out lies in the memory of '{other}', in other rows; give it memory of its own"
            )));
        }
        sinks.push(Sink { name: name.clone(), items });
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
