//! The body: its directory and the fields of its arrays.

use super::{Refusal, must, number};

/// An entry of the directory.
#[derive(Clone, Debug)]
struct Array {
    /// The offset of the records in bytes, from the beginning of the body.
    start: u64,
    /// The number of records.
    records: u64,
    /// The number of bits of each field of a record.
    widths: [u8; 8],
    /// The number of fields in a record.
    fields: usize,
}

/// The body of a table, with a valid directory.
#[derive(Clone, Debug)]
pub(super) struct Body {
    bytes: Vec<u8>,
    arrays: Vec<Array>,
}

impl Body {
    /// Reads a body. `fields` has the number of fields in a record of each array.
    pub(super) fn read(bytes: &[u8], fields: &[usize]) -> Result<Self, Refusal> {
        let entries = bytes.get(..fields.len() * 24).ok_or("the body is shorter than its directory")?;
        let mut arrays = Vec::new();
        for (entry, &fields) in entries.chunks(24).zip(fields) {
            let mut widths = [0; 8];
            widths.copy_from_slice(&entry[16..]);
            let (start, records) = (number(&entry[..8]), number(&entry[8..16]));
            let width: u32 = widths.iter().map(|&width| u32::from(width)).sum();
            must(start.is_multiple_of(8), "an array begins at a multiple of 8")?;
            must(widths.iter().all(|&width| width <= 40), "a field is at most 40 bits wide")?;
            must(widths[fields..].iter().all(|&width| width == 0), "the widths after the last field are 0")?;
            must(records > 0 || *entry == [0; 24], "the entry of an array without records is zero")?;
            must(records == 0 || width > 0, "a record has at least one bit")?;
            let end = 8 * u128::from(start) + u128::from(records) * u128::from(width);
            must(end <= 8 * (bytes.len() as u128 - 16), "an array ends before the last 16 bytes")?;
            arrays.push(Array { start, records, widths, fields });
        }
        let body = Self { bytes: bytes.to_vec(), arrays };
        must(body.is_zero_between_arrays(), "bits outside of the arrays are zero")?;
        Ok(body)
    }

    /// Returns whether all bits outside of the directory and the arrays are 0.
    fn is_zero_between_arrays(&self) -> bool {
        let mut rest = self.bytes.clone();
        rest[..24 * self.arrays.len()].fill(0);
        for Array { start, records, widths, .. } in &self.arrays {
            let bits = records * widths.iter().map(|&width| u64::from(width)).sum::<u64>();
            for address in 8 * start..8 * start + bits {
                rest[(address / 8) as usize] &= !(1 << (address % 8));
            }
        }
        rest.iter().all(|&byte| byte == 0)
    }

    /// Returns the number of records in an array.
    pub(super) fn records(&self, array: usize) -> u64 {
        self.arrays[array].records
    }

    /// Returns the widths, in bits, of the fields of an array's records.
    pub(super) fn widths(&self, array: usize) -> [u8; 8] {
        self.arrays[array].widths
    }

    /// Reads a field of a record, bit by bit.
    pub(super) fn field(&self, array: usize, record: u64, field: usize) -> u64 {
        let Array { start, records, widths, .. } = &self.arrays[array];
        assert!(record < *records, "array {array} has {records} records, but none has number {record}");
        let width_of = |fields: &[u8]| fields.iter().map(|&width| u64::from(width)).sum::<u64>();
        let address = 8 * start + record * width_of(widths) + width_of(&widths[..field]);
        (0..u64::from(widths[field])).map(|i| self.bit(address + i) << i).sum()
    }

    /// Reads a number of `width` bits from an array with one bit per record.
    pub(super) fn bits(&self, array: usize, first: u64, width: u64) -> u64 {
        let Array { start, records, .. } = self.arrays[array];
        let missing = (first..first + width).find(|&record| record >= records);
        assert!(missing.is_none(), "array {array} has {records} records, but none has number {missing:?}");
        (0..width).map(|i| self.bit(8 * start + first + i) << i).sum()
    }

    /// Returns every field of every record of an array, in order.
    pub(super) fn numbers(&self, array: usize) -> Vec<u64> {
        let Array { records, fields, .. } = self.arrays[array];
        (0..records)
            .flat_map(|record| (0..fields).map(move |field| self.field(array, record, field)))
            .collect()
    }

    /// Returns the bit at an address, counted from the beginning of the body.
    fn bit(&self, address: u64) -> u64 {
        u64::from(self.bytes[(address / 8) as usize] >> (address % 8) & 1)
    }
}
