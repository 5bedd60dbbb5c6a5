//! Changes to the parts of a table before they are sealed again. All checksums are right, except those that a harm makes
//! wrong.

use crate::headers::{self, Entry};
use crate::seal::Parts;

/// Bytes of an entry of a body's directory (FORMAT.md, section 3).
const ENTRY: usize = 24;
/// The number of arrays in the body of a table of the family expanding.
const OF_EXPANDING: usize = 7;

/// Returns the number of arrays in the body of a table with this header (FORMAT.md, sections 4.2 and 5.4).
#[must_use]
pub fn arrays(header: &[u8]) -> usize {
    let mut entries = headers::entries(header).unwrap_or_default();
    let mut numbers =
        |name| entries.iter_mut().find(|entry| entry.name == name).map(|entry| entry.numbers().to_vec());
    let cut = numbers("cuts").unwrap_or_default().iter().filter(|&&cut| cut > 0).count();
    numbers("bounds").map_or(OF_EXPANDING, |bounds| 1 + bounds.len().min(16) + cut.min(16))
}

/// A change to a valid table, made before it is sealed again. Indices are taken modulo the number of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Harm {
    /// Changes a number of the header.
    Number {
        /// Its index.
        number: usize,
        /// Its new value.
        value: u64,
    },
    /// Changes a byte of the header.
    HeaderByte {
        /// Its offset.
        at: usize,
        /// Its new value.
        value: u8,
    },
    /// Changes a word of the directory.
    Entry {
        /// The array.
        array: usize,
        /// The word: start, count or widths.
        word: usize,
        /// Its new value.
        value: u64,
    },
    /// Changes the width of a field.
    Width {
        /// The array.
        array: usize,
        /// The field.
        field: usize,
        /// Its new width.
        value: u8,
    },
    /// Changes a field of a record.
    Field {
        /// The array.
        array: usize,
        /// The record.
        record: u64,
        /// The field.
        field: usize,
        /// Its new value; bits that do not fit are dropped.
        value: u64,
    },
    /// Fills words of the body.
    Fill {
        /// The first word.
        word: usize,
        /// The number of words.
        words: usize,
        /// Their new value.
        value: u64,
    },
    /// Flips a bit of the body.
    Flip {
        /// Its index.
        bit: usize,
    },
    /// Makes the body longer (by zeros) or shorter.
    Stretch {
        /// The number of words to add.
        words: i8,
    },
    /// Writes a wrong checksum for a block: the only harm that checksums reveal.
    WrongSum {
        /// The block.
        block: usize,
    },
}

impl Harm {
    /// Number of bytes that encode a harm.
    pub const BYTES: usize = 16;

    /// Decodes a harm. Every harm has an encoding.
    #[must_use]
    pub fn new(bytes: [u8; Self::BYTES]) -> Self {
        let [kind, a, b, shape, place @ .., v0, v1, v2, v3, v4, v5, v6, v7] = bytes;
        let place = u32::from_le_bytes(place);
        let word = u64::from_le_bytes([v0, v1, v2, v3, v4, v5, v6, v7]);
        let value = match shape % 8 {
            0 => word,
            1 => word % 0x100,
            2 => word % 0x1_0000,
            3 => word % 0x1_0000_0000,
            4 => 0,
            5 => u64::MAX,
            6 => 1 << (word % 64),
            _ => (1 << (word % 64)) - 1,
        };
        let (at, array, field) = (place as usize, usize::from(a), usize::from(b) % 8);
        match kind % 16 {
            0 | 1 => Self::Number { number: a.into(), value },
            2 => Self::HeaderByte { at, value: v0 },
            3 | 4 => Self::Entry { array, word: field % 3, value },
            5 => Self::Width { array, field, value: v0 % 36 },
            6..=11 => Self::Field { array, record: place.into(), field, value },
            12 => Self::Fill { word: at, words: 1 + usize::from(a) % 16, value },
            13 => Self::Flip { bit: at },
            14 => Self::Stretch { words: v0 as i8 },
            _ => Self::WrongSum { block: at },
        }
    }

    /// Makes the change.
    pub fn apply(self, parts: &mut Parts, wrong_sums: &mut Vec<usize>) {
        let Parts { header: head, body } = parts;
        let arrays = arrays(head);
        match self {
            Self::Number { number, value } => {
                let mut entries = headers::entries(head).unwrap_or_default();
                let mut numbers: Vec<&mut u64> = entries.iter_mut().flat_map(Entry::numbers).collect();
                if !numbers.is_empty() {
                    let number = number % numbers.len();
                    *numbers[number] = value;
                    *head = headers::header(&entries);
                }
            }
            Self::HeaderByte { at, value } => {
                let at = at % head.len();
                head[at] = value;
            }
            Self::Entry { array, word, value } => set_word(body, (array % arrays * ENTRY) / 8 + word, value),
            Self::Width { array, field, value } => {
                if let Some(width) = body.get_mut(array % arrays * ENTRY + 16 + field) {
                    *width = value;
                }
            }
            Self::Field { array, record, field, value } => {
                set_field(body, array % arrays, record, field, value);
            }
            Self::Fill { word, words, value } => {
                let first = word % (body.len() / 8).max(1);
                (first..first + words).for_each(|word| set_word(body, word, value));
            }
            Self::Flip { bit } => {
                let bit = bit % (8 * body.len()).max(1);
                if let Some(byte) = body.get_mut(bit / 8) {
                    *byte ^= 1 << (bit % 8);
                }
            }
            Self::Stretch { words } => {
                let words = (body.len() / 8).saturating_add_signed(words.into());
                body.resize(8 * words, 0);
            }
            Self::WrongSum { block } => wrong_sums.push(block % body.len().div_ceil(4096).max(1)),
        }
    }
}

/// Returns the word of 8 bytes with this number, if the body has it.
fn word(body: &[u8], number: usize) -> Option<u64> {
    body.get(8 * number..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// Replaces the word of 8 bytes with this number, if the body has it.
fn set_word(body: &mut [u8], number: usize, value: u64) {
    if let Some(bytes) = body.get_mut(8 * number..).and_then(|rest| rest.first_chunk_mut()) {
        *bytes = value.to_le_bytes();
    }
}

/// Returns the number of records of an array and the widths of their fields in bits, from its entry in the directory.
#[must_use]
pub fn records(parts: &Parts, array: usize) -> Option<(u64, [u8; 8])> {
    let (count, widths) = (word(&parts.body, 3 * array + 1)?, word(&parts.body, 3 * array + 2)?);
    Some((count, widths.to_le_bytes()))
}

/// Returns all fields of all records of an array of a valid table.
///
/// # Panics
/// If the directory is invalid.
#[must_use]
pub fn fields(parts: &Parts, array: usize) -> Vec<[u64; 8]> {
    let (count, widths) = records(parts, array).expect("a valid table has its directory");
    let mut at = 8 * word(&parts.body, 3 * array).expect("a valid table has its directory") as usize;
    let mut next = |width: u8| {
        let bit = |i: usize| u64::from(parts.body[(at + i) / 8] >> ((at + i) % 8) & 1) << i;
        let value = (0..width.into()).map(bit).sum();
        at += usize::from(width);
        value
    };
    (0..count).map(|_| widths.map(&mut next)).collect()
}

/// Returns harms that each change one field of a valid table: a field of at most 3 bits to each other value, a wider
/// one in each single bit.
#[must_use]
pub fn every_wrong_field(parts: &Parts) -> Vec<Harm> {
    let mut harms = Vec::new();
    for array in 0..arrays(&parts.header) {
        let (_, widths) = records(parts, array).expect("a valid table has its directory");
        for (record, values) in (0..).zip(fields(parts, array)) {
            for (field, (right, width)) in values.into_iter().zip(widths).enumerate() {
                let values = if width <= 3 { 1..1 << width } else { 0..0 };
                let bits = (0..width).filter(|_| width > 3).map(|bit| 1 << bit);
                let wrong = values.chain(bits).map(|change| right ^ change);
                harms.extend(wrong.map(|value| Harm::Field { array, record, field, value }));
            }
        }
    }
    harms
}

/// Sets a field of a record, if the directory locates it within the body.
fn set_field(body: &mut [u8], array: usize, record: u64, field: usize, value: u64) {
    let entry = |i| word(body, 3 * array + i);
    let (Some(start), Some(count), Some(widths)) = (entry(0), entry(1), entry(2)) else { return };
    let widths = widths.to_le_bytes().map(u64::from);
    let fields = widths.iter().rposition(|&width| width > 0).map_or(1, |last| last + 1);
    let field = field % fields;
    let before: u64 = widths[..field].iter().sum();
    let stride: u64 = widths.iter().sum();
    let first =
        u128::from(start) * 8 + u128::from(record % count.max(1)) * u128::from(stride) + u128::from(before);
    for i in 0..widths[field].min(64) {
        let at = first + u128::from(i);
        if let Some(byte) = usize::try_from(at / 8).ok().and_then(|byte| body.get_mut(byte)) {
            let bit = 1 << (at % 8);
            *byte = if value >> i & 1 == 1 { *byte | bit } else { *byte & !bit };
        }
    }
}
