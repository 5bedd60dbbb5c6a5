//! Numbers in as few bytes as they need: groups of seven bits, lowest first; the top bit of a byte is set if more follow.

use crate::making::GenerateError;
use crate::memory::Grow;

/// Appends a number.
#[inline]
pub(super) fn push(bytes: &mut Vec<u8>, mut number: u64) -> Result<(), GenerateError> {
    while number > 0x7F {
        bytes.grow(number as u8 | 0x80)?;
        number >>= 7;
    }
    bytes.grow(number as u8)
}

/// Reads the number at the beginning of `bytes`, and advances `bytes` past it.
#[inline]
pub(super) fn read(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let (&byte, rest) = bytes.split_first().expect("a complete number");
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_size_read_back() {
        let numbers = [0, 1, 127, 128, 300, 16_383, 16_384, 1 << 32, 10_u64.pow(12), u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| push(&mut bytes, number).unwrap());
        let mut rest = &bytes[..];
        assert_eq!(numbers.map(|_| read(&mut rest)), numbers);
        assert!(rest.is_empty());
    }
}
