//! Decoding and encoding of headers with arbitrary contents (FORMAT.md, section 2).
//!
//! Written from the document alone. Encoding a decoded header must give the same bytes.

/// Names of entries that describe the layout of a heap table's body.
const LAYOUT: [&str; 4] = ["greatest", "stems", "cuts", "descending"];

/// A value of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A byte, which should be 0 or 1.
    Truth(u8),
    /// A number.
    Number(u64),
    /// A word.
    Word(String),
    /// A list of numbers.
    Numbers(Vec<u64>),
}

/// A name and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// A byte, which should be 1 if a reader must know the name, and 0 otherwise.
    pub matters: u8,
    /// The value.
    pub value: Value,
}

impl Entry {
    /// Returns an entry that matters.
    #[must_use]
    pub fn new(name: &str, value: Value) -> Self {
        Self { name: name.to_owned(), matters: 1, value }
    }

    /// Returns the numbers of the entry's value, for changes.
    pub fn numbers(&mut self) -> &mut [u64] {
        match &mut self.value {
            Value::Number(number) => std::slice::from_mut(number),
            Value::Numbers(numbers) => numbers,
            Value::Truth(_) | Value::Word(_) => &mut [],
        }
    }
}

/// Decodes a header; `None` if the bytes are not one.
#[must_use]
pub fn entries(header: &[u8]) -> Option<Vec<Entry>> {
    let mut bytes = header;
    let bytes = &mut bytes;
    let count = next(bytes)?;
    let entries = (0..count).map(|_| next_entry(bytes)).collect::<Option<_>>()?;
    bytes.is_empty().then_some(entries)
}

/// Reads an entry; `None` if the bytes do not encode one.
fn next_entry(bytes: &mut &[u8]) -> Option<Entry> {
    let name = next_text(bytes)?;
    let matters = next_byte(bytes)?;
    let value = match next(bytes)? {
        0 => Value::Truth(next_byte(bytes)?),
        1 => Value::Number(next(bytes)?),
        2 => Value::Word(next_text(bytes)?),
        3 => {
            let count = next(bytes)?;
            Value::Numbers((0..count).map(|_| next(bytes)).collect::<Option<_>>()?)
        }
        _ => return None,
    };
    Some(Entry { name, matters, value })
}

/// Takes this many bytes; `None` if fewer are left.
fn next_bytes<'a>(bytes: &mut &'a [u8], count: u64) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(usize::try_from(count).ok()?)?;
    *bytes = rest;
    Some(taken)
}

/// Takes a byte.
fn next_byte(bytes: &mut &[u8]) -> Option<u8> {
    Some(next_bytes(bytes, 1)?[0])
}

/// Reads a text: its length, then its bytes.
fn next_text(bytes: &mut &[u8]) -> Option<String> {
    let count = next(bytes)?;
    String::from_utf8(next_bytes(bytes, count)?.to_vec()).ok()
}

/// Reads the next number, which has a variable length.
fn next(bytes: &mut &[u8]) -> Option<u64> {
    let first = next_byte(bytes)?;
    let count = match first {
        251..=253 => 2 << (first - 251),
        _ => return Some(first.into()),
    };
    Some(next_bytes(bytes, count)?.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
}

/// Encodes a header.
#[must_use]
pub fn header(entries: &[Entry]) -> Vec<u8> {
    let mut header = Vec::new();
    push_number(&mut header, entries.len() as u64);
    for Entry { name, matters, value } in entries {
        push_text(&mut header, name);
        header.push(*matters);
        match value {
            Value::Truth(truth) => header.extend([0, *truth]),
            Value::Number(number) => push_numbers(&mut header, &[1, *number]),
            Value::Word(word) => {
                header.push(2);
                push_text(&mut header, word);
            }
            Value::Numbers(numbers) => {
                push_numbers(&mut header, &[3, numbers.len() as u64]);
                push_numbers(&mut header, numbers);
            }
        }
    }
    header
}

/// Returns the first header with the layout entries of the second. `None` if either is not a header.
#[must_use]
pub fn with_layout_of(first: &[u8], second: &[u8]) -> Option<Vec<u8>> {
    let is_layout = |entry: &Entry| LAYOUT.contains(&&entry.name[..]);
    let (mut kept, mut layout) = (entries(first)?, entries(second)?);
    kept.retain(|entry| !is_layout(entry));
    layout.retain(is_layout);
    kept.append(&mut layout);
    Some(header(&kept))
}

/// Writes a text: its length, then its bytes.
fn push_text(header: &mut Vec<u8>, text: &str) {
    push_number(header, text.len() as u64);
    header.extend(text.as_bytes());
}

/// Writes numbers of variable length.
fn push_numbers(header: &mut Vec<u8>, numbers: &[u64]) {
    numbers.iter().for_each(|&number| push_number(header, number));
}

/// Writes a number of variable length.
fn push_number(header: &mut Vec<u8>, number: u64) {
    let bytes = number.to_le_bytes();
    match number {
        0..=250 => header.push(bytes[0]),
        251..=0xFFFF => header.extend([&[251], &bytes[..2]].concat()),
        0x1_0000..=0xFFFF_FFFF => header.extend([&[252], &bytes[..4]].concat()),
        _ => header.extend([&[253], &bytes[..]].concat()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hostile::{BASES, base};

    #[test]
    fn a_header_decoded_and_encoded_is_the_same() {
        for number in 0..BASES {
            let valid = &base(number).header;
            assert_eq!(header(&entries(valid).unwrap()), *valid, "table {number}");
        }
    }
}
