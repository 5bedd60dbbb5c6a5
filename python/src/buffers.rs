//! Columns of numbers in Python objects with the buffer protocol, such as NumPy arrays.
//!
//! This file has all unsafe code of the crate: it reads and writes memory that belongs to Python.

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
    /// The address of the first item.
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
// SAFETY: As above. Python code in another thread may write an item during a read. Formally that is a data race, which
// we cannot exclude; on all our targets the read yields some number.
unsafe impl Sync for ColumnBuffer {}

impl ColumnBuffer {
    fn new(name: &str, buffer: PyUntypedBuffer) -> PyResult<Self> {
        let error = |what: &str| ColumnError::new_err(format!("the column '{name}' {what}"));
        let (1, [stride], [count]) = (buffer.dimensions(), buffer.strides(), buffer.shape()) else {
            let found = buffer.dimensions();
            return Err(error(&format!("has {found} dimensions; give an array of one")));
        };
        if buffer.suboffsets().is_some_and(|all| all.iter().any(|&offset| offset >= 0)) {
            return Err(error("stores its items indirectly; copy it first"));
        }
        let (stride, count) = (*stride, *count);
        if cfg!(target_endian = "little") && matches!(buffer.format().to_bytes().first(), Some(b'>' | b'!')) {
            return Err(error("has numbers in the other byte order; convert it first"));
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
            return Err(error(&format!(
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

    /// Returns the range of addresses that contains all items.
    fn addresses(&self) -> Range<usize> {
        let Some(last) = self.count.checked_sub(1) else { return 0..0 };
        let (first, last) =
            (self.start.addr(), self.start.addr().wrapping_add_signed(last as isize * self.stride));
        first.min(last)..first.max(last) + self.bytes
    }

    /// Returns whether an item may overlap an item of `other` in a different row.
    fn overlaps_other_rows(&self, other: &Self) -> bool {
        let (ours, theirs) = (self.addresses(), other.addresses());
        if ours.start >= theirs.end || theirs.start >= ours.end {
            return false;
        }
        let width = self.stride.unsigned_abs();
        // If the stride is smaller than an item, adjacent items of one column overlap each other.
        if self.stride != other.stride || width < self.bytes.max(other.bytes) {
            return true;
        }
        // Columns of one array lie in each other's gaps. A column given twice overlaps itself in the same row only.
        let offset = (theirs.start as isize - ours.start as isize).rem_euclid(width as isize) as usize;
        let are_disjoint = offset >= self.bytes && offset + other.bytes <= width;
        !are_disjoint && self.start != other.start
    }

    /// Returns the address of an item.
    fn at(&self, row: usize) -> *mut u8 {
        assert!(row < self.count, "a row of the column");
        // SAFETY: The address is within the buffer, by its shape and strides.
        unsafe { self.start.offset(row as isize * self.stride) }
    }
}

/// A number to which items of any type can be converted.
pub(crate) trait ColumnNumber:
    TryFrom<u8>
    + TryFrom<u16>
    + TryFrom<u32>
    + TryFrom<u64>
    + TryFrom<i8>
    + TryFrom<i16>
    + TryFrom<i32>
    + TryFrom<i64>
{
}
impl ColumnNumber for u32 {}
impl ColumnNumber for u64 {}

impl InputColumn {
    /// Reads the items from row `first` on. The error has the first item that is not a number of this type: its index,
    /// counted from row `first`, and its value.
    pub(crate) fn read<N: ColumnNumber>(
        &self,
        first: usize,
        numbers: &mut [N],
    ) -> Result<(), (usize, String)> {
        fn read_as<T: Copy + TryInto<N> + ToString, N>(
            items: &ColumnBuffer,
            first: usize,
            numbers: &mut [N],
        ) -> Result<(), (usize, String)> {
            for (index, number) in numbers.iter_mut().enumerate() {
                // SAFETY: The items have this size, and any bytes are a valid `T`.
                let item: T = unsafe { items.at(first + index).cast::<T>().read_unaligned() };
                *number = item.try_into().map_err(|_| (index, item.to_string()))?;
            }
            Ok(())
        }
        let items = &self.items;
        match items.kind {
            ElementType::SignedInteger { bytes: 1 } => read_as::<i8, N>(items, first, numbers),
            ElementType::SignedInteger { bytes: 2 } => read_as::<i16, N>(items, first, numbers),
            ElementType::SignedInteger { bytes: 4 } => read_as::<i32, N>(items, first, numbers),
            ElementType::SignedInteger { .. } => read_as::<i64, N>(items, first, numbers),
            ElementType::UnsignedInteger { bytes: 2 } => read_as::<u16, N>(items, first, numbers),
            ElementType::UnsignedInteger { bytes: 4 } => read_as::<u32, N>(items, first, numbers),
            ElementType::UnsignedInteger { bytes: 8 } => read_as::<u64, N>(items, first, numbers),
            // A truth value is a byte, too.
            _ => read_as::<u8, N>(items, first, numbers),
        }
    }
}

impl OutputColumn {
    pub(crate) fn kind(&self) -> ElementType {
        self.items.kind
    }

    /// Writes numbers to the items from row `first` on. An item must have one or four bytes.
    pub(crate) fn write(&self, first: usize, numbers: impl Iterator<Item = u32>) {
        // Test the size once, not for each item.
        if self.items.bytes == 1 {
            for (row, number) in (first..).zip(numbers) {
                // SAFETY: The item is within the buffer.
                unsafe { self.items.at(row).write(number as u8) };
            }
        } else {
            assert_eq!(self.items.bytes, 4, "the size of an item that is written");
            for (row, number) in (first..).zip(numbers) {
                // SAFETY: The item is within the buffer, and has four bytes.
                unsafe { self.items.at(row).cast::<u32>().write_unaligned(number) };
            }
        }
    }
}

/// Takes the buffers of the columns of positions; [`output_columns`] checks their lengths.
pub(crate) fn input_columns(columns: &[(String, Bound<'_, PyAny>)]) -> PyResult<Vec<InputColumn>> {
    let input = |(name, column): &(String, Bound<'_, PyAny>)| {
        Ok(InputColumn { name: name.clone(), items: ColumnBuffer::new(name, PyUntypedBuffer::get(column)?)? })
    };
    columns.iter().map(input).collect()
}

/// Takes the buffers of the columns for answers, and checks overlaps and lengths of all columns. Also returns the
/// number of rows.
pub(crate) fn output_columns(
    columns: &[(String, Bound<'_, PyAny>)],
    positions: &[InputColumn],
) -> PyResult<(Vec<OutputColumn>, usize)> {
    let mut outputs: Vec<OutputColumn> = Vec::new();
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
        let input = positions.iter().find(|input| input.items.overlaps_other_rows(&items));
        let output = outputs.iter().find(|output| {
            output.items.overlaps_other_rows(&items) || items.count > 0 && output.items.start == items.start
        });
        let own = items.overlaps_other_rows(&items).then_some(name);
        if let Some(other) = input.map(|input| &input.name).or(output.map(|output| &output.name)).or(own) {
            return Err(ColumnError::new_err(format!(
                "the column '{name}' of out lies in the memory of '{other}'; give it memory of its own"
            )));
        }
        outputs.push(OutputColumn { name: name.clone(), items });
    }
    let counts = positions.iter().map(|input| (&input.name, input.items.count));
    let mut counts = counts.chain(outputs.iter().map(|output| (&output.name, output.items.count)));
    let Some((first_name, rows)) = counts.next() else {
        return Err(ColumnError::new_err("there are no columns; give the columns of positions"));
    };
    if let Some((other, found)) = counts.find(|(_, count)| *count != rows) {
        return Err(ColumnError::new_err(format!(
            "the column '{other}' has {found} items, and '{first_name}' has {rows}; give columns of one length"
        )));
    }
    Ok((outputs, rows))
}
