//! Decodes a table file or a file of chances into its parts, and *seals* arbitrary parts: writes a file with correct
//! lengths, checksums and digest (FORMAT.md, sections 1 to 3 and 8).
//!
//! Written from the document alone. Sealing the parts of a valid table must give the same bytes.

const PREFIX: usize = 64;
const VERSION: u32 = 1;
const BLOCK: usize = 4096;
const TABLE: &[u8; 8] = b"\x89BTN\r\n\x1a\n";
const CHANCES: &[u8; 8] = b"\x89BTC\r\n\x1a\n";

/// The contents of a file, without lengths, checksums and digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The header's bytes.
    pub header: Vec<u8>,
    /// The body's bytes.
    pub body: Vec<u8>,
}

impl Parts {
    /// Returns the parts of a valid file.
    ///
    /// # Panics
    /// If the file is shorter than its prefix says.
    #[must_use]
    pub fn of(file: &[u8]) -> Self {
        let number =
            |at: usize, n: usize| (at..at + n).rev().fold(0, |value, i| value << 8 | usize::from(file[i]));
        let (header, body) = (number(12, 4), number(16, 8));
        Self { header: file[PREFIX..PREFIX + header].to_vec(), body: file[file.len() - body..].to_vec() }
    }

    /// Returns the table file with these parts.
    #[must_use]
    pub fn seal(&self) -> Vec<u8> {
        self.seal_with_wrong_sums(&[])
    }

    /// Returns the file of chances with these parts.
    #[must_use]
    pub fn seal_chances(&self) -> Vec<u8> {
        self.seal_as(CHANCES, &[])
    }

    /// Returns the table file with these parts, and with wrong checksums for the given blocks. Ignores block numbers
    /// after the last.
    #[must_use]
    pub fn seal_with_wrong_sums(&self, blocks: &[usize]) -> Vec<u8> {
        self.seal_as(TABLE, blocks)
    }

    /// Returns the file with this magic, with wrong checksums for the named blocks.
    fn seal_as(&self, magic: &[u8; 8], blocks: &[usize]) -> Vec<u8> {
        let mut rest = self.header.clone();
        for (number, block) in self.body.chunks(BLOCK).enumerate() {
            let wrong = u32::from(blocks.contains(&number));
            rest.extend_from_slice(&(crc32fast::hash(block) ^ wrong).to_le_bytes());
        }
        let index_crc = crc32fast::hash(&rest);
        rest.extend_from_slice(&self.body);

        let mut file = magic.to_vec();
        file.extend_from_slice(&VERSION.to_le_bytes());
        file.extend_from_slice(&(self.header.len() as u32).to_le_bytes());
        file.extend_from_slice(&(self.body.len() as u64).to_le_bytes());
        file.extend_from_slice(blake3::hash(&rest).as_bytes());
        file.extend_from_slice(&index_crc.to_le_bytes());
        file.extend_from_slice(&crc32fast::hash(&file).to_le_bytes());
        file.extend_from_slice(&rest);
        file
    }
}

/// An array of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The width of each field in bits.
    pub widths: Vec<u8>,
    /// The records, with a value for each field.
    pub records: Vec<Vec<u64>>,
}

impl Array {
    /// Returns an array of these records, with the least possible widths.
    #[must_use]
    pub fn of(records: Vec<Vec<u64>>) -> Self {
        let Some(first) = records.first() else { return Self { widths: Vec::new(), records } };
        let width = |field: usize| {
            let greatest = records.iter().map(|record| record[field]).max().unwrap_or(0);
            (64 - greatest.leading_zeros()) as u8
        };
        let mut widths: Vec<u8> = (0..first.len()).map(width).collect();
        if widths.iter().all(|&width| width == 0) {
            widths[0] = 1;
        }
        Self { widths, records }
    }

    /// Encodes the records.
    fn bytes(&self) -> Vec<u8> {
        let fields = self.records.iter().flat_map(|record| record.iter().zip(&self.widths));
        let bits: Vec<bool> =
            fields.flat_map(|(value, &width)| (0..width).map(move |bit| value >> bit & 1 == 1)).collect();
        let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
        let mut bytes: Vec<u8> = bits.chunks(8).map(byte).collect();
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    }
}

/// Encodes a body of these arrays.
#[must_use]
pub fn body(arrays: &[Array]) -> Vec<u8> {
    let (mut directory, mut rest) = (Vec::new(), Vec::new());
    for array in arrays {
        let mut entry = [0; 24];
        if !array.records.is_empty() {
            entry[..8].copy_from_slice(&((24 * arrays.len() + rest.len()) as u64).to_le_bytes());
            entry[8..16].copy_from_slice(&(array.records.len() as u64).to_le_bytes());
            entry[16..16 + array.widths.len()].copy_from_slice(&array.widths);
        }
        directory.extend(entry);
        rest.extend(array.bytes());
    }
    [directory, rest, vec![0; 16]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{games, layouts};

    #[test]
    fn the_body_of_a_heap_table_decoded_and_encoded_is_the_same() {
        for rules in games::heaps() {
            for depths in [true, false] {
                let file = bouton_generator::generate_in_memory(&rules.clone().into(), depths).unwrap();
                let parts = Parts::of(&file);
                assert_eq!(body(&layouts::DecodedTable::of(&parts).arrays), parts.body);
            }
        }
    }

    #[test]
    fn a_heap_table_decoded_and_sealed_is_the_same() {
        for rules in games::heaps() {
            for depths in [true, false] {
                let file = bouton_generator::generate_in_memory(&rules.clone().into(), depths).unwrap();
                assert_eq!(Parts::of(&file).seal(), file);
            }
        }
    }
}
