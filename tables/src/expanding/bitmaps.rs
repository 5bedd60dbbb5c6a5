//! A matrix of bits: lines of equal length. One read returns many adjacent bits of a line.

use crate::format::low_bits;

/// Bytes of padding after the last line, so that a read of a word stays in bounds.
const PADDING: usize = 8;

/// Lines of bits, all of one length.
#[derive(Debug)]
pub(super) struct Bitmaps {
    bytes: Box<[u8]>,
    /// Number of bytes of a line.
    pub(super) stride: usize,
}

/// Maximum number of bits that one read returns: the first bit may be any bit of its byte.
pub(super) const MAX_READ: u32 = u64::BITS - 7;

impl Bitmaps {
    /// Returns the size in bytes of `lines` lines of `bits` bits.
    pub(super) fn bytes(lines: u64, bits: u64) -> u64 {
        lines.saturating_mul(bits / 8 + 1).saturating_add(PADDING as u64)
    }

    /// Creates `lines` lines of `bits` bits, all 0.
    pub(super) fn new(lines: usize, bits: u64) -> Self {
        let stride = bits as usize / 8 + 1;
        Self { bytes: vec![0; lines * stride + PADDING].into(), stride }
    }

    #[inline]
    pub(super) fn set(&mut self, line: usize, bit: u64) {
        self.bytes[line * self.stride + bit as usize / 8] |= 1 << (bit % 8);
    }

    /// Returns `count` bits of a line, at most [`MAX_READ`], from bit number `bit` on.
    pub(super) fn get(&self, line: usize, bit: u64, count: u32) -> u64 {
        self.at(line * self.stride + bit as usize / 8, (bit % 8) as u32) & low_bits(count)
    }

    /// Returns at least [`MAX_READ`] bits, from bit `bit` of byte `byte` on. Bits after the line have no meaning.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn at(&self, byte: usize, bit: u32) -> u64 {
        // Never out of bounds for a byte of a line, thanks to the padding.
        let word = self
            .bytes
            .get(byte..byte + PADDING)
            .map_or(0, |bytes| u64::from_le_bytes(bytes.try_into().expect("eight")));
        word >> bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_read_back_from_every_start() {
        for bits in [1, 7, 8, 9, 64, 200] {
            let mut bitmaps = Bitmaps::new(3, bits);
            assert_eq!(Bitmaps::bytes(3, bits), bitmaps.bytes.len() as u64);
            let is_set = |line: u64, bit: u64| bit * bit % 7 < line + 1;
            for (line, bit) in (0..3).flat_map(|line| (0..bits).map(move |bit| (line, bit))) {
                if is_set(line, bit) {
                    bitmaps.set(line as usize, bit);
                }
            }
            for (line, bit) in (0..3).flat_map(|line| (0..bits).map(move |bit| (line, bit))) {
                for count in 0..=(bits - bit).min(MAX_READ.into()) {
                    let expected =
                        (0..count).filter(|k| is_set(line, bit + k)).fold(0, |word, k| word | 1_u64 << k);
                    assert_eq!(
                        bitmaps.get(line as usize, bit, count as u32),
                        expected,
                        "{bits} {bit} {count}"
                    );
                }
            }
        }
    }
}
