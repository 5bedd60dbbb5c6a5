//! A table file, or a file of chances, taken apart and sealed anew, with right lengths, sums and digest whatever is in it
//! (FORMAT.md, sections 1 to 3 and 8).
//!
//! Written from the document alone: sealing the parts of a good table must give its very bytes.

const PREFIX: usize = 64;
const BLOCK: usize = 4096;
const TABLE: &[u8; 8] = b"\x89BTN\r\n\x1a\n";
const CHANCES: &[u8; 8] = b"\x89BTC\r\n\x1a\n";

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

    /// The file of chances of these parts.
    #[must_use]
    pub fn seal_chances(&self) -> Vec<u8> {
        self.seal_as(CHANCES, &[])
    }

    /// The file of these parts, with a wrong sum for each of these blocks: numbers beyond the last are let
    /// be.
    #[must_use]
    pub fn seal_with_wrong_sums(&self, blocks: &[usize]) -> Vec<u8> {
        self.seal_as(TABLE, blocks)
    }

    fn seal_as(&self, magic: &[u8; 8], blocks: &[usize]) -> Vec<u8> {
        let mut rest = self.header.clone();
        for (number, block) in self.body.chunks(BLOCK).enumerate() {
            let wrong = u32::from(blocks.contains(&number));
            rest.extend_from_slice(&(crc32fast::hash(block) ^ wrong).to_le_bytes());
        }
        let index_crc = crc32fast::hash(&rest);
        rest.extend_from_slice(&self.body);

        let mut file = magic.to_vec();
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

/// A number of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its value.
    pub value: u64,
    /// Whether it is a single byte as it is.
    pub byte: bool,
}

impl Number {
    /// A number that takes as many bytes as it needs.
    #[must_use]
    pub fn of(value: u64) -> Self {
        Self { value, byte: false }
    }

    /// A number that is a byte.
    #[must_use]
    pub fn byte(value: u64) -> Self {
        Self { value, byte: true }
    }
}

/// The numbers of a header, in the order of FORMAT.md, section 2: those of a pair are a number each, and so
/// are the length of a list and its members. `None` if these are not the bytes of one.
#[must_use]
pub fn header_numbers(header: &[u8]) -> Option<Vec<Number>> {
    let (mut rest, mut numbers) = (header, Vec::new());
    let mut next = |byte: bool| {
        let (&first, tail) = rest.split_first()?;
        let length = match first {
            251..=253 if !byte => 2 << (first - 251),
            _ => 0,
        };
        let (bytes, tail) = tail.split_at_checked(length)?;
        let long = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
        rest = tail;
        let value = if length == 0 { u64::from(first) } else { long };
        numbers.push(Number { value, byte });
        Some(value)
    };
    let several = |next: &mut dyn FnMut(bool) -> Option<u64>, n: u64, byte| {
        (0..n).try_for_each(|_| next(byte).map(drop))
    };
    match next(false)? {
        // Stones, base-limit, growth, reset-limit; both resets.
        0 => {
            several(&mut next, 4, false)?;
            several(&mut next, 2, true)?;
        }
        // Bounds; take; heaps-per-move, equal-take, passes.
        1 => {
            let heaps = next(false)?;
            several(&mut next, heaps, false)?;
            match next(false)? {
                1 => several(&mut next, 1, false)?,
                2 => {
                    let amounts = next(false)?;
                    several(&mut next, amounts, false)?;
                }
                _ => {}
            }
            several(&mut next, 3, true)?;
        }
        _ => return None,
    }
    // Play, depths, positions, wins, deepest.
    next(false)?;
    next(true)?;
    several(&mut next, 3, false)?;
    rest.is_empty().then_some(numbers)
}

/// The header with these numbers. What is wider than its place is cut off.
#[must_use]
pub fn header(numbers: &[Number]) -> Vec<u8> {
    let mut header = Vec::new();
    for &Number { value, byte } in numbers {
        let bytes = value.to_le_bytes();
        match value {
            _ if byte => header.push(bytes[0]),
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
        for (preset, setting, expected) in [
            ("expanding", "stones=400", &[0, 400, 3, 1, 3, 4, 4, 0][..]),
            ("sticks", "take=any", &[1, 3, 3, 5, 7, 0, 1, 0, 0, 1]),
            ("nim-pass", "take=251", &[1, 3, 31, 31, 31, 1, 251, 1, 0, 1, 0]),
            ("subtraction", "heaps=2", &[1, 2, 60, 60, 2, 3, 1, 3, 4, 1, 0, 0, 0]),
        ] {
            for depths in [true, false] {
                let ruleset = rulesets::find(preset, &[setting.to_owned()]).unwrap().ruleset;
                let file = bouton_generator::generate_in_memory(&ruleset, depths).unwrap();
                let parts = Parts::of(&file);
                assert_eq!(parts.seal(), file);
                let numbers = header_numbers(&parts.header).unwrap();
                let values: Vec<u64> = numbers.iter().map(|number| number.value).collect();
                let (rules, rest) = values.split_at(expected.len());
                assert_eq!((rules, rest[0], rest.len()), (expected, u64::from(depths), 4), "{preset}");
                assert_eq!(header(&numbers), parts.header);
            }
        }
    }
}
