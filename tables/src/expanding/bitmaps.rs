//! Bits in lines of the same length, of which many side by side come as one word.

use crate::format::low_bits;

/// Bytes behind all lines: as many as may be fetched at any bit.
const BEHIND: usize = 8;

/// Lines of bits.
#[derive(Debug)]
pub(super) struct Bitmaps {
    bytes: Box<[u8]>,
    /// Bytes of a line.
    stride: usize,
}

/// The most bits that come in one word, wherever it begins in its first byte.
pub(super) const AT_ONCE: u32 = u64::BITS - 7;

impl Bitmaps {
    /// Bytes of so many lines of so many bits.
    pub(super) fn bytes(lines: u64, bits: u64) -> u64 {
        lines.saturating_mul(bits / 8 + 1).saturating_add(BEHIND as u64)
    }

    /// So many lines of so many bits, which are 0.
    pub(super) fn new(lines: usize, bits: u32) -> Self {
        let stride = bits as usize / 8 + 1;
        Self { bytes: vec![0; lines * stride + BEHIND].into(), stride }
    }

    /// Sets a bit of a line, which it has.
    #[inline]
    pub(super) fn set(&mut self, line: usize, bit: u32) {
        self.bytes[line * self.stride + bit as usize / 8] |= 1 << (bit % 8);
    }

    /// Bytes of a line.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// The bits of a line from one on, `count` of them, at most [`AT_ONCE`].
    pub(super) fn get(&self, line: usize, bit: u32, count: u32) -> u64 {
        self.at(line * self.stride + bit as usize / 8, bit % 8) & low_bits(count)
    }

    /// The bits from one of a byte on: [`AT_ONCE`] at the least, of which those behind the line mean nothing. The lines have this byte.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn at(&self, byte: usize, bit: u32) -> u64 {
        // Always there: there are some bytes behind the last line.
        let word = self
            .bytes
            .get(byte..byte + BEHIND)
            .map_or(0, |bytes| u64::from_le_bytes(bytes.try_into().expect("eight")));
        word >> bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_read_back_from_each_one_on() {
        for bits in [1, 7, 8, 9, 64, 200] {
            let mut bitmaps = Bitmaps::new(3, bits);
            assert_eq!(Bitmaps::bytes(3, bits.into()), bitmaps.bytes.len() as u64);
            let is_set = |line: u32, bit: u32| bit * bit % 7 < line + 1;
            for (line, bit) in (0..3).flat_map(|line| (0..bits).map(move |bit| (line, bit))) {
                if is_set(line, bit) {
                    bitmaps.set(line as usize, bit);
                }
            }
            for (line, bit) in (0..3).flat_map(|line| (0..bits).map(move |bit| (line, bit))) {
                for count in 0..=(bits - bit).min(AT_ONCE) {
                    let expected =
                        (0..count).filter(|k| is_set(line, bit + k)).fold(0, |word, k| word | 1_u64 << k);
                    assert_eq!(bitmaps.get(line as usize, bit, count), expected, "{bits} {bit} {count}");
                }
            }
        }
    }
}
