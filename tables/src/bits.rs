//! Numbers packed side by side into bytes, least significant bit first (FORMAT.md, "field").

/// The widest field: with up to seven bits before it, it still fits the eight bytes fetched for it.
pub(crate) const MAX_WIDTH: u32 = 32;

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
#[derive(Clone, Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    len: u64,
}

impl BitWriter {
    /// Bits written so far.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Appends the lowest `width` bits of `value`; the bits above must be 0.
    pub(crate) fn push(&mut self, value: u64, width: u32) {
        debug_assert!(width <= 57 && value <= low_bits(width), "{value} does not fit {width} bits");
        let shift = self.len % 8;
        let end = usize::try_from((self.len + u64::from(width)).div_ceil(8)).expect("the body fits in memory");
        let first = usize::try_from(self.len / 8).expect("the body fits in memory");
        self.bytes.resize(end, 0);
        for (byte, part) in self.bytes[first..].iter_mut().zip((value << shift).to_le_bytes()) {
            *byte |= part;
        }
        self.len += u64::from(width);
    }

    /// The `width` bits from bit `at` on, at most 57.
    pub(crate) fn get(&self, at: u64, width: u32) -> u64 {
        let first = usize::try_from(at / 8).expect("the body fits in memory");
        let mut word = [0; 8];
        let tail = &self.bytes[first..];
        let n = tail.len().min(8);
        word[..n].copy_from_slice(&tail[..n]);
        (u64::from_le_bytes(word) >> (at % 8)) & low_bits(width)
    }

    /// Appends all bits of `other`.
    pub(crate) fn append(&mut self, other: &BitWriter) {
        let mut at = 0;
        while at < other.len {
            let n = u32::try_from((other.len - at).min(56)).expect("at most 56");
            self.push(other.get(at, n), n);
            at += u64::from(n);
        }
    }

    /// The bytes, the last one filled with zero bits.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_is_read_back_at_any_address() {
        let fields = [(5, 3), (0, 1), (0x1FFF_FFFF, 29), (1, 1), (0xABCD_EF01, 32), (0, 0), (77, 7)];
        let mut bits = BitWriter::default();
        for (value, width) in fields {
            bits.push(value, width);
        }
        let mut twice = BitWriter::default();
        twice.push(1, 1);
        twice.append(&bits);
        let mut at = 0;
        for (value, width) in fields {
            assert_eq!(bits.get(at, width), value);
            assert_eq!(twice.get(at + 1, width), value);
            at += u64::from(width);
        }
        assert_eq!(bits.len(), at);
        assert_eq!(bits.into_bytes().len(), 10);
    }
}
