//! Columns of numbers: Python objects with the buffer protocol, such as NumPy arrays.
//!
//! All unsafe code of this crate is here: it reads and writes memory that belongs to Python.

#![allow(unsafe_code)]

use std::ops::Range;

use pyo3::buffer::{ElementType, PyUntypedBuffer};
use pyo3::prelude::*;

use crate::errors::ColumnError;

/// A column of positions, to read.
pub(crate) struct InputColumn {
    pub(crate) name: String,
    items: ColumnBuffer,
}

/// A column of answers, to write; its buffer is writable.
pub(crate) struct OutputColumn {
    pub(crate) name: String,
    items: ColumnBuffer,
}

/// A one-dimensional buffer of integers.
struct ColumnBuffer {
    /// Keeps the memory allocated and in place.
    _buffer: PyUntypedBuffer,
    start: *mut u8,
    /// Bytes from one item to the next.
    stride: isize,
    count: usize,
    kind: ElementType,
    /// Bytes of an item.
    bytes: usize,
}

// SAFETY: The pointer points into memory that the buffer holds, which any thread may use.
unsafe impl Send for ColumnBuffer {}
// SAFETY: As above. If another thread writes an item during a read, the read yields some number.
unsafe impl Sync for ColumnBuffer {}

impl ColumnBuffer {
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

    /// Returns the range of addresses of all items.
    fn addresses(&self) -> Range<usize> {
        let Some(last) = self.count.checked_sub(1) else { return 0..0 };
        let (one, other) =
            (self.start.addr(), self.start.addr().wrapping_add_signed(last as isize * self.stride));
        one.min(other)..one.max(other) + self.bytes
    }

    /// Returns whether an item may overlap an item of `other` in a different row.
    fn overlaps_other_rows(&self, other: &Self) -> bool {
        let (one, two) = (self.addresses(), other.addresses());
        if one.start >= two.end || two.start >= one.end {
            return false;
        }
        let width = self.stride.unsigned_abs();
        if self.stride != other.stride || width == 0 {
            return true;
        }
        // Allowed: disjoint columns of one array, or the same column.
        let apart = (two.start as isize - one.start as isize).rem_euclid(width as isize) as usize;
        let is_beside = apart >= self.bytes && apart + other.bytes <= width;
        !is_beside && self.start != other.start
    }

    /// Returns the address of an item.
    fn at(&self, row: usize) -> *mut u8 {
        assert!(row < self.count, "a row of the column");
        // SAFETY: Within the buffer, by its shape and strides.
        unsafe { self.start.offset(row as isize * self.stride) }
    }
}

impl InputColumn {
    /// Reads items from index `from`. The error gives the first item that does not fit in 32 bits: its place in `numbers`, and its value.
    pub(crate) fn read(&self, from: usize, numbers: &mut [u32]) -> Result<(), (usize, String)> {
        fn each<T: Copy + TryInto<u32> + ToString>(
            items: &ColumnBuffer,
            from: usize,
            numbers: &mut [u32],
        ) -> Result<(), (usize, String)> {
            for (place, number) in numbers.iter_mut().enumerate() {
                // SAFETY: The items have this size, and any bytes are a valid `T`.
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
            // A bool is a byte, too.
            _ => each::<u8>(items, from, numbers),
        }
    }
}

impl OutputColumn {
    /// Returns the type of the items.
    pub(crate) fn kind(&self) -> ElementType {
        self.items.kind
    }

    /// Writes items of one or four bytes from index `from`.
    pub(crate) fn write(&self, from: usize, numbers: impl Iterator<Item = u32>) {
        // Test the size once, not for each item.
        if self.items.bytes == 1 {
            for (row, number) in (from..).zip(numbers) {
                // SAFETY: The item is within the buffer.
                unsafe { self.items.at(row).write(number as u8) };
            }
        } else {
            assert_eq!(self.items.bytes, 4, "the bytes of an item that is written");
            for (row, number) in (from..).zip(numbers) {
                // SAFETY: As above, and an item has four bytes.
                unsafe { self.items.at(row).cast::<u32>().write_unaligned(number) };
            }
        }
    }
}

/// Reads the columns of positions; [`output_columns`] checks their lengths.
pub(crate) fn input_columns(columns: &[(String, Bound<'_, PyAny>)]) -> PyResult<Vec<InputColumn>> {
    let source = |(name, column): &(String, Bound<'_, PyAny>)| {
        Ok(InputColumn { name: name.clone(), items: ColumnBuffer::new(name, PyUntypedBuffer::get(column)?)? })
    };
    columns.iter().map(source).collect()
}

/// Reads the columns for answers, and returns the number of rows, which all columns must have.
pub(crate) fn output_columns(
    columns: &[(String, Bound<'_, PyAny>)],
    positions: &[InputColumn],
) -> PyResult<(Vec<OutputColumn>, usize)> {
    let mut sinks: Vec<OutputColumn> = Vec::new();
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
        let items = ColumnBuffer::new(name, buffer)?;
        // An overlap would overwrite positions before they are read, or other answers.
        let source = positions
            .iter()
            .find(|source| source.items.overlaps_other_rows(&items))
            .map(|source| &source.name);
        let same = |sink: &&OutputColumn| {
            sink.items.overlaps_other_rows(&items) || items.count > 0 && sink.items.start == items.start
        };
        if let Some(other) = source.or(sinks.iter().find(same).map(|sink| &sink.name)) {
            return Err(ColumnError::new_err(format!(
                "the column '{name}' of out lies in the memory of '{other}', in other rows; give it memory of its own"
            )));
        }
        sinks.push(OutputColumn { name: name.clone(), items });
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
