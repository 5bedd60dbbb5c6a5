//! Arrays of records of bit fields, described by the body's directory (FORMAT.md, section 3).

use super::bits::{MAX_WIDTH, low_bits};
use super::body::{Body, Fault};
use crate::Damage;

/// Length of an entry of the directory, in bytes.
pub const ENTRY: usize = 24;

/// Number of zero bytes at the end of the body, so that two words can be read at the address of any record.
pub const PADDING: usize = 16;

/// An array of records with `F` fields in a [`Body`]. Reading a record out of range is an error.
#[derive(Clone, Copy, Debug)]
pub struct Packed<const F: usize> {
    /// Bit address of the first record.
    first_bit: u64,
    count: u64,
    /// Number of bits of a record.
    stride: u64,
    /// For each field, its offset from the record's first bit.
    shifts: [u32; F],
    /// For each field, the mask of its width.
    masks: [u64; F],
}

impl<const F: usize> Packed<F> {
    /// Locates an array by entry number `entry` of the directory. Fails if a field is too wide, a record has no bits, or
    /// the array exceeds the body.
    pub fn read(body: &Body, entry: usize) -> Result<Self, Damage> {
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
        // A record has at least one bit, so the file's length bounds the number of records.
        if array.stride == 0 && count > 0 {
            return Err(damage("has records without bits"));
        }
        // Products and sums in 128 bits cannot overflow.
        let end = u128::from(start) * 8 + u128::from(count) * u128::from(array.stride);
        if start % 8 != 0 || end + 8 * PADDING as u128 > body.len() as u128 * 8 {
            return Err(damage("lies outside it"));
        }
        array.first_bit = start * 8;
        Ok(array)
    }

    /// Returns the number of records.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the number of bits of a record.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// Returns the greatest number that fits into field `field` of a record.
    pub fn greatest(&self, field: usize) -> u64 {
        self.masks[field]
    }

    /// Returns record number `index`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn get(&self, body: &Body, index: u64) -> Result<[u64; F], Fault> {
        let at = self.address(index, 1)?;
        if self.stride <= 57 {
            let word = body.bits(at)?;
            // A shift is at most 57 (of a field without bits, after 57 bits), so it never reaches 64.
            Ok(std::array::from_fn(|i| (word >> self.shifts[i]) & self.masks[i]))
        } else {
            let mut record = [0; F];
            for ((value, shift), mask) in record.iter_mut().zip(self.shifts).zip(self.masks) {
                *value = body.bits(at + u64::from(shift))? & mask;
            }
            Ok(record)
        }
    }

    /// Returns field number `field` of record number `index`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn field(&self, body: &Body, index: u64, field: usize) -> Result<u64, Fault> {
        let at = self.address(index, 1)?;
        Ok(body.bits(at + u64::from(self.shifts[field]))? & self.masks[field])
    }

    /// Returns the bit address of record `index`, after checking that `records` records from there on exist.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn address(&self, index: u64, records: u64) -> Result<u64, Fault> {
        if index > self.count || records > self.count - index {
            return Err(Fault::OutOfRange);
        }
        Ok(self.first_bit + index * self.stride)
    }
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::super::tests::forged::{Records, body, file, records, resealed};
    use super::super::{Content, Fault};
    use super::*;

    /// Reads array 0 after a change to the words of its entry: start, count and widths.
    fn read_changed<const F: usize>(
        array: Records,
        change: impl FnOnce(&mut [u64; 3]),
    ) -> Result<Packed<F>, Damage> {
        let file = resealed(file(&(), &[array], 0), |body| {
            let mut entry =
                std::array::from_fn(|i| u64::from_le_bytes(body[8 * i..8 * i + 8].try_into().unwrap()));
            change(&mut entry);
            body[..ENTRY].copy_from_slice(entry.map(u64::to_le_bytes).as_flattened());
        });
        Packed::read(&Body::open(file, Content::Table).unwrap(), 0)
    }

    #[test]
    fn records_of_every_length_read_back() {
        // Records of 57 bits and more, with fields of up to 40 bits; the last one has a field without bits.
        for widths in [
            [1, 0, 2],
            [3, 1, 5],
            [17, 40, 0],
            [20, 20, 17],
            [20, 20, 18],
            [40, 40, 40],
            [40, 0, 40],
            [7, 33, 24],
        ] {
            let value = |n: u64, field: usize| {
                n.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(7 * field as u32) & low_bits(widths[field])
            };
            let all: Vec<[u64; 3]> = (0..200).map(|n| [0, 1, 2].map(|field| value(n, field))).collect();
            let greatest = widths.map(low_bits);
            let all = [&[greatest][..], &all].concat();
            let body = body(&[records([[1]]), records(all.clone())]);
            let array = Packed::<3>::read(&body, 1).unwrap();
            assert_eq!((array.count(), array.stride()), (201, widths.iter().sum::<u32>().into()));
            assert_eq!([0, 1, 2].map(|field| array.greatest(field)), greatest);
            for (number, record) in (0..).zip(all) {
                assert_eq!(array.get(&body, number), Ok(record), "{widths:?} {number}");
                let fields = [0, 1, 2].map(|field| array.field(&body, number, field));
                assert_eq!(fields, record.map(Ok), "{widths:?} {number}");
            }
            for number in [201, 202, u64::MAX] {
                assert_eq!(array.get(&body, number), Err(Fault::OutOfRange), "{number}");
                assert_eq!(array.field(&body, number, 1), Err(Fault::OutOfRange), "{number}");
            }
        }
    }

    #[test]
    fn only_existing_records_have_an_address() {
        let body = body(&[records([[1], [2], [3]])]);
        let array = Packed::<1>::read(&body, 0).unwrap();
        let first = 8 * ENTRY as u64;
        for (index, count, expected) in [(0, 3, Some(0)), (1, 2, Some(2)), (2, 1, Some(4)), (3, 0, Some(6))] {
            assert_eq!(array.address(index, count).ok(), expected.map(|at: u64| first + at));
        }
        for (index, count) in [(0, 4), (1, 3), (3, 1), (4, 0), (4, 1), (1, u64::MAX), (u64::MAX, 1)] {
            assert_eq!(array.address(index, count), Err(Fault::OutOfRange), "{index} {count}");
        }
    }

    #[test]
    fn a_field_of_more_than_40_bits_and_a_field_too_many_are_refused() {
        let read = |widths: [u8; 8]| {
            read_changed::<2>(records([[1, 1]; 100]), |entry| {
                (entry[1], entry[2]) = (1, u64::from_le_bytes(widths));
            })
        };
        assert!(read([40, 40, 0, 0, 0, 0, 0, 0]).is_ok());
        for widths in [
            [41, 0, 0, 0, 0, 0, 0, 0],
            [1, 41, 0, 0, 0, 0, 0, 0],
            [1, 1, 1, 0, 0, 0, 0, 0],
            [1, 1, 0, 0, 0, 0, 0, 1],
        ] {
            assert!(
                read(widths)
                    .unwrap_err()
                    .to_string()
                    .contains("array 0 of its body has fields of impossible widths")
            );
        }
    }

    #[test]
    fn an_array_whose_records_have_no_bits_is_refused_unless_it_is_empty() {
        let read = |count| read_changed::<1>(records([[1]]), |entry| (entry[1], entry[2]) = (count, 0));
        assert_eq!(read(0).unwrap().count(), 0);
        assert!(read(1).unwrap_err().to_string().contains("records without bits"));
    }

    #[test]
    fn an_array_that_does_not_lie_within_the_body_is_refused() {
        // 64 records of one bit are one word.
        let read = |start, count| {
            let found = read_changed::<1>(records([[1]; 64]), |entry| (entry[0], entry[1]) = (start, count));
            if let Err(error) = &found {
                assert!(error.to_string().contains("lies outside it"), "{error}");
            }
            found.is_ok()
        };
        let start = ENTRY as u64;
        assert!(read(start, 64) && read(start - 8, 128) && read(0, 1) && read(start + 8, 0));
        assert!(!read(start, 65) && !read(start - 8, 129) && !read(start + 8, 1) && !read(start + 16, 0));
        assert!(!read(start - 1, 1) && !read(start - 4, 1));
        assert!(!read(u64::MAX - 7, u64::MAX) && !read(start, u64::MAX) && !read(u64::MAX - 7, 1));
    }
}
