//! Arrays of records of bit fields, as a body's directory describes them (FORMAT.md, section 3).

use super::bits::{MAX_WIDTH, low_bits};
use super::{Body, Fault};
use crate::Damage;

/// Length of one entry of a directory.
pub const ENTRY: usize = 24;

/// Zero bytes behind the last array: two words may be fetched at the address of any record.
pub const PADDING: usize = 16;

/// An array of records with `F` fields, located in a [`Body`]. Reading a record that the array does not have is
/// an error, never a stray read.
#[derive(Clone, Copy, Debug)]
pub struct Packed<const F: usize> {
    first_bit: u64,
    count: u64,
    stride: u64,
    /// For each field its distance from the record's first bit, and a word with as many of its lowest bits
    /// set.
    shifts: [u32; F],
    masks: [u64; F],
}

impl<const F: usize> Packed<F> {
    /// Locates an array: reads entry number `entry` of the directory.
    ///
    /// # Errors
    /// If a field is too wide, a record has no bits, or the array does not lie within the body.
    pub fn read<D: AsRef<[u8]>>(body: &Body<D>, entry: usize) -> Result<Self, Damage> {
        let at = (entry * ENTRY) as u64;
        let (start, count, widths) = (body.word(at)?, body.word(at + 8)?, body.word(at + 16)?.to_le_bytes());
        let damage = |what: &str| Damage::new(format!("array {entry} of its body {what}"));
        if widths.iter().any(|&w| u32::from(w) > MAX_WIDTH) || widths[F..].iter().any(|&w| w > 0) {
            return Err(damage("has fields of impossible widths"));
        }
        let mut array = Self { first_bit: 0, count, stride: 0, shifts: [0; F], masks: [0; F] };
        for (i, width) in widths[..F].iter().map(|&w| u32::from(w)).enumerate() {
            array.shifts[i] = array.stride as u32;
            array.masks[i] = low_bits(width);
            array.stride += u64::from(width);
        }
        // A record has at least one bit, so that no number of records exceeds what the file's own length
        // bounds.
        if array.stride == 0 && count > 0 {
            return Err(damage("has records without bits"));
        }
        // All products and sums in 128 bits: they cannot overflow.
        let end = u128::from(start) * 8 + u128::from(count) * u128::from(array.stride);
        if start % 8 != 0 || end + 8 * PADDING as u128 > body.len() as u128 * 8 {
            return Err(damage("does not lie within it"));
        }
        array.first_bit = start * 8;
        Ok(array)
    }

    /// Number of records.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Bits of one record.
    #[must_use]
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// The greatest number that field `field` of a record has room for.
    #[must_use]
    pub fn greatest(&self, field: usize) -> u64 {
        self.masks[field]
    }

    /// Record number `index`.
    ///
    /// # Errors
    /// If there is no such record, or a block that it lies in is damaged.
    #[inline(always)]
    pub fn get<D: AsRef<[u8]>>(&self, body: &Body<D>, index: u64) -> Result<[u64; F], Fault> {
        let at = self.address(index, 1)?;
        if self.stride <= 57 {
            let word = body.bits(at)?;
            // A field without bits at the very end of a record of 57 may stand at bit 57; none stands at 64.
            Ok(std::array::from_fn(|i| (word >> self.shifts[i]) & self.masks[i]))
        } else {
            let mut record = [0; F];
            for ((value, shift), mask) in record.iter_mut().zip(self.shifts).zip(self.masks) {
                *value = body.bits(at + u64::from(shift))? & mask;
            }
            Ok(record)
        }
    }

    /// The bit address of record `index`, of which `records` in a row must exist.
    #[inline(always)]
    pub(crate) fn address(&self, index: u64, records: u64) -> Result<u64, Fault> {
        if index > self.count || records > self.count - index {
            return Err(Fault::Astray);
        }
        Ok(self.first_bit + index * self.stride)
    }
}
