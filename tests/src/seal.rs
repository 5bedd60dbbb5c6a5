//! A table file taken apart and sealed anew, with right lengths, sums and digest whatever is in it
//! (FORMAT.md, sections 1 to 3).
//!
//! Written from the document alone: sealing the parts of a good table must give its very bytes.

const PREFIX: usize = 64;
const BLOCK: usize = 4096;

/// What a file holds besides lengths, sums and digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The header's bytes.
    pub header: Vec<u8>,
    /// The body's bytes.
    pub body: Vec<u8>,
}

impl Parts {
    /// The parts of a good file.
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

    /// The file of these parts.
    #[must_use]
    pub fn seal(&self) -> Vec<u8> {
        self.seal_with_wrong_sums(&[])
    }

    /// The file of these parts, with a wrong sum for each of these blocks: numbers beyond the last are let
    /// be.
    #[must_use]
    pub fn seal_with_wrong_sums(&self, blocks: &[usize]) -> Vec<u8> {
        let mut rest = self.header.clone();
        for (number, block) in self.body.chunks(BLOCK).enumerate() {
            let wrong = u32::from(blocks.contains(&number));
            rest.extend_from_slice(&(crc32fast::hash(block) ^ wrong).to_le_bytes());
        }
        let index_crc = crc32fast::hash(&rest);
        rest.extend_from_slice(&self.body);

        let mut file = b"\x89BTN\r\n\x1a\n".to_vec();
        file.extend_from_slice(&1_u32.to_le_bytes());
        file.extend_from_slice(&(self.header.len() as u32).to_le_bytes());
        file.extend_from_slice(&(self.body.len() as u64).to_le_bytes());
        file.extend_from_slice(blake3::hash(&rest).as_bytes());
        file.extend_from_slice(&index_crc.to_le_bytes());
        file.extend_from_slice(&crc32fast::hash(&file).to_le_bytes());
        file.extend_from_slice(&rest);
        file
    }
}

/// The numbers of a header, in the order of FORMAT.md, section 2; a player's resets are a number each.
pub const HEADER_NUMBERS: usize = 12;

/// Those of them that are a single byte as it is: both resets, and whether there are depths.
const BYTES: [usize; 3] = [5, 6, 8];

/// The numbers of a header; `None` if these are not the bytes of one.
#[must_use]
pub fn header_numbers(header: &[u8]) -> Option<[u64; HEADER_NUMBERS]> {
    let mut numbers = [0; HEADER_NUMBERS];
    let mut rest = header;
    for (i, number) in numbers.iter_mut().enumerate() {
        let (&first, tail) = rest.split_first()?;
        let length = match first {
            251..=253 if !BYTES.contains(&i) => 2 << (first - 251),
            _ => 0,
        };
        let (bytes, tail) = tail.split_at_checked(length)?;
        let long = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
        *number = if length == 0 { u64::from(first) } else { long };
        rest = tail;
    }
    rest.is_empty().then_some(numbers)
}

/// The header with these numbers. What is wider than its place is cut off.
#[must_use]
pub fn header(numbers: &[u64; HEADER_NUMBERS]) -> Vec<u8> {
    let mut header = Vec::new();
    for (i, &number) in numbers.iter().enumerate() {
        let bytes = number.to_le_bytes();
        match number {
            _ if BYTES.contains(&i) => header.push(bytes[0]),
            0..=250 => header.push(bytes[0]),
            251..=0xFFFF => header.extend([&[251], &bytes[..2]].concat()),
            0x1_0000..=0xFFFF_FFFF => header.extend([&[252], &bytes[..4]].concat()),
            _ => header.extend([&[253], &bytes[..]].concat()),
        }
    }
    header
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_tables::rulesets;

    #[test]
    fn a_good_table_taken_apart_and_sealed_is_the_same() {
        for depths in [true, false] {
            let ruleset = rulesets::find("expanding", &["stones=400".to_owned()]).unwrap().ruleset;
            let file = bouton_generator::generate(&ruleset, depths, &|_| {});
            let parts = Parts::of(&file);
            assert_eq!(parts.seal(), file);
            let numbers = header_numbers(&parts.header).unwrap();
            assert_eq!(numbers[..9], [0, 400, 3, 1, 3, 4, 4, 0, u64::from(depths)]);
            assert_eq!(header(&numbers), parts.header);
        }
    }
}
