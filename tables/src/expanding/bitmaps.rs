//! Outcome lines of a row as bitmaps: so one word tells all moves that win.
//!
//! Lists of marks are short, but it takes some steps to find a place in them. The rows of a small table are unpacked when they are
//! first asked for; what that takes is bounded by [`FITS`].

use crate::format::low_bits;

/// Bytes of all bitmaps of a table, at the most.
const FITS: u64 = 4 << 20;

/// Bytes behind a line: as many as may be fetched at any of its bits.
const BEHIND: usize = 16;

/// The lines of a row. Places stand in descending order, so that moves of more stones lead to higher bits.
#[derive(Debug)]
pub(super) struct Bitmaps {
    bytes: Box<[u8]>,
    /// Bytes of a line.
    stride: usize,
    /// Number of places.
    length: u32,
}

/// The most moves of which the outcomes come in one word.
pub(super) const AT_ONCE: u32 = 64;

impl Bitmaps {
    /// Whether a table of so many rows, with so many lines of up to so many places each, is unpacked.
    pub(super) fn fit(rows: u64, lines: u64, length: u64) -> bool {
        let of_line = length / 8 + 1 + BEHIND as u64;
        rows.saturating_mul(lines).saturating_mul(of_line) <= FITS
    }

    /// Bitmaps of lines of which nothing is lost.
    pub(super) fn new(lines: usize, length: u32) -> Self {
        let stride = length as usize / 8 + 1 + BEHIND;
        Self { bytes: vec![0; lines * stride].into(), stride, length }
    }

    /// Notes that the places from one to another, which is not among them, are lost. They are the line's.
    pub(super) fn set(&mut self, line: usize, start: u32, end: u32) {
        let bytes = &mut self.bytes[line * self.stride..][..self.stride];
        for place in start..end {
            let bit = self.length - 1 - place;
            bytes[bit as usize / 8] |= 1 << (bit % 8);
        }
    }

    /// Bit `k - 1` of it tells whether the place `x - k` of a line is lost, for k from 1 to `reach`, at most [`AT_ONCE`]; x is at most
    /// the length, and `reach` at most x.
    #[inline(always)]
    pub(super) fn lost_below(&self, line: usize, x: u32, reach: u32) -> u64 {
        let bit = self.length - x;
        let at = line * self.stride + bit as usize / 8;
        // Always there: there are some bytes behind each line.
        let words = self
            .bytes
            .get(at..at + 16)
            .map_or(0, |bytes| u128::from_le_bytes(bytes.try_into().expect("sixteen")));
        (words >> (bit % 8)) as u64 & low_bits(reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_tell_the_places_below_one_from_the_nearest_down() {
        for length in [1, 7, 8, 9, 64, 200] {
            let mut bitmaps = Bitmaps::new(3, length);
            let is_lost = |line: u32, place: u32| place * place % 7 < line + 1;
            for (line, place) in (0..3).flat_map(|line| (0..length).map(move |place| (line, place))) {
                if is_lost(line, place) {
                    bitmaps.set(line as usize, place, place + 1);
                }
            }
            for (line, x) in (0..3).flat_map(|line| (1..=length).map(move |x| (line, x))) {
                for reach in 1..=x.min(AT_ONCE) {
                    let expected = (1..=reach)
                        .filter(|k| is_lost(line, x - k))
                        .fold(0, |word, k| word | 1_u64 << (k - 1));
                    assert_eq!(bitmaps.lost_below(line as usize, x, reach), expected, "{length} {x} {reach}");
                }
            }
        }
    }

    #[test]
    fn only_small_tables_are_unpacked() {
        assert!(Bitmaps::fit(44, 26, 1001) && Bitmaps::fit(1, 4, 1_000_000));
        assert!(!Bitmaps::fit(444, 26, 100_001) && !Bitmaps::fit(u64::MAX, u64::MAX, u64::MAX));
    }
}
