//! Numbers packed side by side into bytes, least significant bit first (FORMAT.md, "field").

/// The widest field: with up to seven bits before it, it still fits the eight bytes fetched for it.
pub(crate) const MAX_WIDTH: u32 = 40;

/// The least width that holds `value`; 0 for 0.
pub(crate) fn width_of(value: u64) -> u32 {
    u64::BITS - value.leading_zeros()
}

/// A word whose lowest `n` bits are set; `n` may be 0 to 64.
#[inline]
pub(crate) fn low_bits(n: u32) -> u64 {
    if n == 0 { 0 } else { u64::MAX >> (u64::BITS - n) }
}

/// Bits written one field after the other.
#[cfg(feature = "write")]
#[derive(Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    len: u64,
}

#[cfg(feature = "write")]
impl BitWriter {
    /// Bits written so far.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Appends the lowest `width` bits of `value`; the bits above must be 0.
    pub(crate) fn push(&mut self, value: u64, width: u32) {
        debug_assert!(width <= 57 && value <= low_bits(width), "{value} does not fit {width} bits");
        let shift = self.len % 8;
        let end =
            usize::try_from((self.len + u64::from(width)).div_ceil(8)).expect("the body fits in memory");
        let first = usize::try_from(self.len / 8).expect("the body fits in memory");
        self.bytes.resize(end, 0);
        for (byte, part) in self.bytes[first..].iter_mut().zip((value << shift).to_le_bytes()) {
            *byte |= part;
        }
        self.len += u64::from(width);
    }

    /// The bytes, the last one filled with zero bits.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(all(test, feature = "write"))]
mod tests {
    use super::*;

    #[test]
    fn fields_follow_each_other_from_the_lowest_bit_up() {
        let mut bits = BitWriter::default();
        for (value, width) in [(5, 3), (0, 1), (0x1FFF_FFFF, 29), (1, 1), (0xABCD_EF01, 32), (0, 0), (77, 7)]
        {
            bits.push(value, width);
        }
        assert_eq!(bits.len(), 73);
        let whole = 5 | 0x1FFF_FFFF << 4 | 1 << 33 | 0xABCD_EF01 << 34 | 77_u128 << 66;
        assert_eq!(bits.into_bytes(), whole.to_le_bytes()[..10]);
    }
}
