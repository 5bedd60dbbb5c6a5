//! Arrays of records of bit fields, as a body's directory describes them (FORMAT.md, section 3).

use crate::Damage;
#[cfg(feature = "write")]
use crate::bits::{BitWriter, width_of};
use crate::bits::{MAX_WIDTH, low_bits};
use crate::format::{Body, Fault};

/// Length of one entry of a directory.
pub(crate) const ENTRY: usize = 24;

/// Zero bytes behind the last array: two words may be fetched at the address of any record.
pub(crate) const PADDING: usize = 16;

/// Where an array of records with `F` fields lies. Reading a record that the array does not have is an error,
/// never a stray read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packed<const F: usize> {
    first_bit: u64,
    count: u64,
    stride: u64,
    /// For each field its distance from the record's first bit, and a word with as many of its lowest bits
    /// set.
    shifts: [u32; F],
    masks: [u64; F],
}

impl<const F: usize> Packed<F> {
    /// Reads entry number `entry` of the directory, and checks that the array lies within the body.
    pub(crate) fn read<D: AsRef<[u8]>>(body: &Body<D>, entry: usize) -> Result<Self, Damage> {
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
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Bits of one record.
    pub(crate) fn stride(&self) -> u64 {
        self.stride
    }

    /// The greatest number that field `field` of a record has room for.
    pub(crate) fn greatest(&self, field: usize) -> u64 {
        self.masks[field]
    }

    /// Record number `index`.
    #[inline(always)]
    pub(crate) fn get<D: AsRef<[u8]>>(&self, body: &Body<D>, index: u64) -> Result<[u64; F], Fault> {
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

/// An array in the making: its entry in the directory, and its bits.
#[cfg(feature = "write")]
pub(crate) struct Packer {
    bits: BitWriter,
    count: u64,
    widths: [u8; 8],
}

#[cfg(feature = "write")]
impl Packer {
    /// Packs records as narrowly as their greatest values allow.
    pub(crate) fn pack<const F: usize>(records: impl ExactSizeIterator<Item = [u64; F]> + Clone) -> Self {
        let count = records.len() as u64;
        let mut greatest = [0; F];
        for record in records.clone() {
            for (most, value) in greatest.iter_mut().zip(record) {
                *most = value.max(*most);
            }
        }
        let mut widths = [0; 8];
        for (width, &most) in widths.iter_mut().zip(&greatest) {
            *width = u8::try_from(width_of(most)).expect("at most 64");
            assert!(u32::from(*width) <= MAX_WIDTH, "a field of a body is at most {MAX_WIDTH} bits wide");
        }
        // A record has at least one bit.
        if widths == [0; 8] {
            widths[0] = 1;
        }
        let mut bits = BitWriter::default();
        for record in records {
            for (value, &width) in record.into_iter().zip(&widths) {
                bits.push(value, u32::from(width));
            }
        }
        Self { bits, count, widths }
    }

    /// An array of single fields of a given width, already packed.
    pub(crate) fn ready(bits: BitWriter, width: u8) -> Self {
        let mut widths = [0; 8];
        widths[0] = width;
        Self { count: bits.len() / u64::from(width), bits, widths }
    }
}

/// A body that begins with a directory of these arrays. Arrays without records have an entry of zeros.
#[cfg(feature = "write")]
pub(crate) fn lay_out(arrays: Vec<Packer>) -> Vec<u8> {
    let mut directory = Vec::new();
    let mut rest = Vec::new();
    let start = arrays.len() * ENTRY;
    for array in arrays {
        let (start, widths) =
            if array.count == 0 { (0, [0; 8]) } else { ((start + rest.len()) as u64, array.widths) };
        directory.extend_from_slice(&start.to_le_bytes());
        directory.extend_from_slice(&array.count.to_le_bytes());
        directory.extend_from_slice(&widths);
        rest.extend_from_slice(&array.bits.into_bytes());
        rest.resize(rest.len().next_multiple_of(8), 0);
    }
    rest.extend_from_slice(&[0; PADDING]);
    directory.extend_from_slice(&rest);
    directory
}
