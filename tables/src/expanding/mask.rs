//! Sets of numbers of stones to take, as bits: bit `k - 1` stands for taking k.

use smallvec::SmallVec;

use super::position::Move;
use crate::MoveSet;
use crate::bits::low_bits;

/// A set of takes that can be filled range by range.
pub(super) trait TakeMask {
    /// Makes bits `[start, end)` ones or zeros.
    fn fill(&mut self, start: u32, end: u32, ones: bool);
    /// Sets those of the bits from `start` on that are set in `bits`.
    fn set(&mut self, start: u32, bits: u64);
}

/// Takes up to 64.
impl TakeMask for u64 {
    #[inline]
    fn fill(&mut self, start: u32, end: u32, ones: bool) {
        let range = low_bits(end) & !low_bits(start);
        *self = if ones { *self | range } else { *self & !range };
    }

    #[inline]
    fn set(&mut self, start: u32, bits: u64) {
        *self |= bits << start;
    }
}

/// Takes up to 64 times the length.
impl TakeMask for [u64] {
    #[inline]
    fn fill(&mut self, start: u32, end: u32, ones: bool) {
        if start >= end {
            return;
        }
        let (first, last) = ((start / 64) as usize, ((end - 1) / 64) as usize);
        for (i, word) in self[first..=last].iter_mut().enumerate() {
            let from = if i == 0 { start % 64 } else { 0 };
            let to = if first + i == last { (end - 1) % 64 + 1 } else { 64 };
            word.fill(from, to, ones);
        }
    }

    #[inline]
    fn set(&mut self, start: u32, bits: u64) {
        let (word, shift) = ((start / 64) as usize, start % 64);
        self[word] |= bits << shift;
        if shift > 0 && bits >> (64 - shift) != 0 {
            self[word + 1] |= bits >> (64 - shift);
        }
    }
}

/// Words of a mask, without allocation up to 512 stones a move.
pub(super) type Words = SmallVec<[u64; 8]>;

/// The winning moves of a position: for each number of stones, whether taking it wins without a reset, and with one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Winning {
    pub(super) plain: Words,
    pub(super) reset: Words,
}

impl Winning {
    /// Bit `k - 1` of the words: taking k stones without a reset wins.
    #[must_use]
    pub fn plain(&self) -> &[u64] {
        &self.plain
    }

    /// Bit `k - 1` of the words: taking k stones and imposing a reset wins. Empty where no reset is left.
    #[must_use]
    pub fn reset(&self) -> &[u64] {
        &self.reset
    }

    /// Whether a move is among them.
    #[must_use]
    pub fn contains(&self, chosen: Move) -> bool {
        let words = if chosen.reset { &self.reset } else { &self.plain };
        let Some(bit) = chosen.take.checked_sub(1) else { return false };
        words.get((bit / 64) as usize).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }
}

impl MoveSet<Move> for Winning {
    fn iter(&self) -> impl Iterator<Item = Move> {
        let words = self.plain.len().max(self.reset.len());
        (0..words).flat_map(move |i| {
            let word = |words: &Words| words.get(i).copied().unwrap_or(0);
            let (plain, reset) = (word(&self.plain), word(&self.reset));
            let mut left = plain | reset;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(bit)
            })
            .flat_map(move |bit| {
                let take = u32::try_from(i * 64 + 1).expect("takes are fewer than stones") + bit;
                let at = move |word: u64, reset| (word >> bit & 1 == 1).then_some(Move { take, reset });
                [at(plain, false), at(reset, true)].into_iter().flatten()
            })
        })
    }

    fn first(&self) -> Option<Move> {
        let lowest = |words: &Words| {
            let i = words.iter().position(|&word| word != 0)?;
            Some(u32::try_from(i * 64).expect("takes are fewer than stones") + words[i].trailing_zeros() + 1)
        };
        match (lowest(&self.plain), lowest(&self.reset)) {
            (None, None) => None,
            (Some(take), None) => Some(Move { take, reset: false }),
            (None, Some(take)) => Some(Move { take, reset: true }),
            (Some(plain), Some(reset)) => Some(Move { take: plain.min(reset), reset: reset < plain }),
        }
    }

    fn len(&self) -> usize {
        self.plain.iter().chain(&self.reset).map(|word| word.count_ones() as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fill_and_set_as_single_bits_would() {
        for (start, end) in [(0, 0), (0, 1), (3, 64), (63, 65), (64, 128), (1, 192), (70, 71), (128, 192)] {
            let mut words = [0_u64; 3];
            words[..].fill(start, end, true);
            let mut inverse = [u64::MAX; 3];
            inverse[..].fill(start, end, false);
            for bit in 0..192_u32 {
                let set = words[(bit / 64) as usize] >> (bit % 64) & 1 == 1;
                assert_eq!(set, (start..end).contains(&bit), "{start}..{end} at {bit}");
                assert_ne!(set, inverse[(bit / 64) as usize] >> (bit % 64) & 1 == 1);
            }
        }
        let mut words = [0_u64; 2];
        words[..].set(60, 0b10_0001);
        assert_eq!(words, [1 << 60, 2]);
    }

    #[test]
    fn moves_come_fewest_stones_first_and_without_a_reset_before_with_one() {
        let winning = Winning { plain: Words::from_slice(&[0b1010, 1]), reset: Words::from_slice(&[0b0011, 0]) };
        let moves: Vec<String> = winning.iter().map(|m| m.to_string()).collect();
        assert_eq!(moves, ["1r", "2", "2r", "4", "65"]);
        assert_eq!(winning.first().unwrap().to_string(), "1r");
        assert_eq!(MoveSet::len(&winning), 5);
        assert!(winning.contains(Move { take: 65, reset: false }) && !winning.contains(Move { take: 65, reset: true }));
        assert!(!winning.contains(Move { take: 0, reset: false }) && !winning.contains(Move { take: 999, reset: false }));
    }
}
