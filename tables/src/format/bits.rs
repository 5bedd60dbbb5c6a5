//! Bit fields: numbers packed into bytes without gaps, least significant bit first ("field" in FORMAT.md).

#[cfg(feature = "write")]
use std::collections::TryReserveError;
#[cfg(feature = "write")]
use std::ops::Range;

/// Maximum width of a field in bits: with up to seven bits before the field, one read of eight bytes returns it.
pub const MAX_WIDTH: u32 = 40;

/// Returns the least width that holds `value`; 0 for 0.
pub fn width_of(value: u64) -> u32 {
    u64::BITS - value.leading_zeros()
}

/// Returns a word with the lowest `n` bits set; `n` may be 0 to 64.
#[inline]
pub fn low_bits(n: u32) -> u64 {
    if n == 0 { 0 } else { u64::MAX >> (u64::BITS - n) }
}

/// A growing sequence of bit fields in memory.
#[cfg(feature = "write")]
#[derive(Debug, Default)]
pub struct BitWriter {
    /// The complete words.
    words: Vec<u64>,
    /// The bits after the last complete word.
    word: u64,
    /// Number of these bits.
    filled: u32,
}

#[cfg(feature = "write")]
impl BitWriter {
    /// Returns the number of bits written so far.
    pub fn len(&self) -> u64 {
        64 * self.words.len() as u64 + u64::from(self.filled)
    }

    /// Returns true if nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a field of `width` bits, at most [`MAX_WIDTH`], which `value` must fit.
    pub fn push(&mut self, value: u64, width: u32) -> Result<(), TryReserveError> {
        if let Some(word) = append(&mut self.word, &mut self.filled, value, width) {
            self.words.try_reserve(1)?;
            self.words.push(word);
        }
        Ok(())
    }

    /// Appends `bits` equal bits.
    pub fn push_same(&mut self, set: bool, mut bits: u64) -> Result<(), TryReserveError> {
        while bits > 0 {
            let width = bits.min(MAX_WIDTH.into()) as u32;
            self.push(if set { low_bits(width) } else { 0 }, width)?;
            bits -= u64::from(width);
        }
        Ok(())
    }

    /// Appends all bits of another writer.
    pub fn append(&mut self, other: &Self) -> Result<(), TryReserveError> {
        self.words.try_reserve(other.words.len() + 1)?;
        other.fields(0..other.len()).try_for_each(|(value, width)| self.push(value, width))
    }

    /// Cuts a range of bits into fields of at most 32 bits. Returns each with its width.
    pub fn fields(&self, range: Range<u64>) -> impl Iterator<Item = (u64, u32)> {
        let word = |index: u64| self.words.get(index as usize).copied().unwrap_or(self.word);
        range.clone().step_by(32).map(move |bit| {
            let width = (range.end - bit).min(32) as u32;
            let (index, shift) = (bit / 64, bit % 64);
            let high = if shift > 32 { word(index + 1) << (64 - shift) } else { 0 };
            ((word(index) >> shift | high) & low_bits(width), width)
        })
    }

    /// Frees the memory that is reserved for further bits, if there is memory for a copy.
    pub fn shrink(&mut self) {
        let mut exact = Vec::new();
        if self.words.capacity() > self.words.len() && exact.try_reserve_exact(self.words.len()).is_ok() {
            exact.append(&mut self.words);
            self.words = exact;
        }
    }
}

/// Appends a field to a word whose `filled` lowest bits are in use. If the word becomes full, returns it, and the rest
/// of the field begins the next word.
#[cfg(feature = "write")]
#[inline]
pub(super) fn append(word: &mut u64, filled: &mut u32, value: u64, width: u32) -> Option<u64> {
    debug_assert!(width <= MAX_WIDTH && value <= low_bits(width), "{value} does not fit {width} bits");
    let full = *word | value << *filled;
    *filled += width;
    if *filled < 64 {
        *word = full;
        return None;
    }
    *filled -= 64;
    *word = value >> (width - *filled);
    Some(full)
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::*;

    #[test]
    fn fields_follow_each_other_from_the_lowest_bit_up() {
        let mut bits = BitWriter::default();
        for (value, width) in [
            (5, 3),
            (0, 1),
            (0x1FFF_FFFF, 29),
            (1, 1),
            (0xAB_CDEF_0123, 40),
            (0, 0),
            (77, 7),
            (1, 40),
            (0, 7),
        ] {
            bits.push(value, width).unwrap();
        }
        assert_eq!(bits.len(), 128);
        let whole = 5 | 0x1FFF_FFFF << 4 | 1 << 33 | 0xAB_CDEF_0123 << 34 | 77_u128 << 74 | 1 << 81;
        let fields = (0..4).map(|at| (u64::from((whole >> (32 * at)) as u32), 32));
        assert!(bits.fields(0..128).eq(fields));
    }

    #[test]
    fn the_length_counts_the_bits_written() {
        let mut bits = BitWriter::default();
        assert!(bits.is_empty() && bits.fields(0..0).next().is_none());
        bits.push(0, 0).unwrap();
        assert!(bits.is_empty());
        for pushed in 1..=8 {
            bits.push(0xFF_FFFF_FFFF, 40).unwrap();
            assert_eq!((bits.len(), bits.is_empty()), (40 * pushed, false));
            let ones = bits.fields(0..bits.len()).map(|(value, _)| u64::from(value.count_ones()));
            assert_eq!(ones.sum::<u64>(), 40 * pushed);
        }
    }

    #[test]
    fn a_width_is_the_least_that_holds_a_number() {
        for (value, width) in [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (255, 8), (256, 9), (u64::MAX, 64)] {
            assert_eq!(width_of(value), width);
            assert!(value <= low_bits(width) && (width == 0 || value > low_bits(width - 1)));
        }
        assert_eq!([0, 1, 8, 63, 64].map(low_bits), [0, 1, 255, u64::MAX >> 1, u64::MAX]);
    }
}
