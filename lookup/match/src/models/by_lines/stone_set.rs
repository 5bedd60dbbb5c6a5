//! Sets of numbers of stones, as bits.

use std::ops::Range;

/// A set of numbers of stones: bit `s % 64` of word `s / 64` is set if the set contains s.
#[derive(Debug)]
pub(super) struct StoneSet(pub(super) Vec<u64>);

impl StoneSet {
    pub(super) fn contains(&self, stones: u32) -> bool {
        self.0[(stones / 64) as usize] >> (stones % 64) & 1 == 1
    }

    /// Returns the words that overlap a range, each after the number of its lowest bit. Bits outside the range are 0.
    fn words(&self, range: &Range<u32>) -> impl DoubleEndedIterator<Item = (u32, u64)> {
        let Range { start, end } = *range;
        let words = if start < end { start / 64..end.div_ceil(64) } else { 0..0 };
        words.map(move |word| {
            let low = 64 * word;
            let from = u64::MAX << start.saturating_sub(low);
            let to = u64::MAX >> (low + 64).saturating_sub(end);
            (low, self.0[word as usize] & from & to)
        })
    }

    /// Returns the least number of the set in a range, which must lie within the words.
    pub(super) fn first_in(&self, range: &Range<u32>) -> Option<u32> {
        let (low, word) = self.words(range).find(|&(_, word)| word != 0)?;
        Some(low + word.trailing_zeros())
    }

    /// Returns the greatest number of the set in a range.
    pub(super) fn last_in(&self, range: &Range<u32>) -> Option<u32> {
        let (low, word) = self.words(range).rfind(|&(_, word)| word != 0)?;
        Some(low + 63 - word.leading_zeros())
    }

    /// Counts the numbers of the set in a range.
    pub(super) fn count_in(&self, range: &Range<u32>) -> u32 {
        self.words(range).map(|(_, word)| word.count_ones()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_last_and_count_agree_with_contains() {
        let set = StoneSet(vec![0x8000_0000_0000_0001, 0, 1 << 63 | 1 << 17, 0b110]);
        for start in 0..256 {
            for end in start..=256 {
                let within: Vec<u32> = (start..end).filter(|&stones| set.contains(stones)).collect();
                let range = start..end;
                assert_eq!(set.first_in(&range), within.first().copied(), "{range:?}");
                assert_eq!(set.last_in(&range), within.last().copied(), "{range:?}");
                assert_eq!(set.count_in(&range) as usize, within.len(), "{range:?}");
            }
        }
        assert_eq!((0..256).filter(|&stones| set.contains(stones)).count(), 6);
    }
}
