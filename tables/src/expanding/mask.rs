//! Sets of numbers of stones to take, as bits: bit `k - 1` stands for taking k.

use super::position::Move;
use crate::MoveSet;
use crate::format::low_bits;

/// A set of takes that can be made range by range.
pub(super) trait TakeMask {
    /// Turns bits `[start, end)` over.
    fn flip(&mut self, start: u32, end: u32);
    /// Sets those of the bits from `start` on that are set in `bits`.
    fn set(&mut self, start: u32, bits: u64);
}

/// The most takes of which the mask is one word: one less than it has bits, so that every range of it is two
/// shifts.
pub(super) const SHORT: u32 = 63;

/// Takes up to [`SHORT`].
impl TakeMask for u64 {
    #[inline(always)]
    fn flip(&mut self, start: u32, end: u32) {
        *self ^= (1 << end) - (1 << start);
    }

    #[inline(always)]
    fn set(&mut self, start: u32, bits: u64) {
        *self |= bits << start;
    }
}

/// Takes up to 64 times the length.
impl TakeMask for [u64] {
    #[inline]
    fn flip(&mut self, start: u32, end: u32) {
        if start >= end {
            return;
        }
        let (first, last) = ((start / 64) as usize, ((end - 1) / 64) as usize);
        let (from, to) = (u64::MAX << (start % 64), low_bits((end - 1) % 64 + 1));
        if first == last {
            self[first] ^= from & to;
            return;
        }
        self[first] ^= from;
        self[first + 1..last].iter_mut().for_each(|word| *word = !*word);
        self[last] ^= to;
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

/// The winning moves of a position: for each number of stones, whether taking it wins without a reset, and
/// with one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Winning {
    words: Words,
    may_reset: bool,
}

/// The words of both masks, those without a reset first.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Words {
    /// One word each.
    One([u64; 2]),
    /// As many as it takes.
    Many(Vec<u64>),
}

impl Winning {
    /// Those of up to [`SHORT`] stones, by the masks without and with a reset.
    #[inline(always)]
    pub(super) fn short(plain: u64, reset: u64, may_reset: bool) -> Self {
        Self { words: Words::One([plain, reset]), may_reset }
    }

    /// Any, by the words of both masks, those without a reset first.
    pub(super) fn long(words: Vec<u64>, may_reset: bool) -> Self {
        Self { words: Words::Many(words), may_reset }
    }

    fn masks(&self) -> (&[u64], &[u64]) {
        match &self.words {
            Words::One(words) => words.split_at(1),
            Words::Many(words) => words.split_at(words.len() / 2),
        }
    }

    /// Bit `k - 1` of the words: taking k stones without a reset wins.
    #[must_use]
    pub fn plain(&self) -> &[u64] {
        self.masks().0
    }

    /// Bit `k - 1` of the words: taking k stones and imposing a reset wins. `None` where no reset is left.
    #[must_use]
    pub fn reset(&self) -> Option<&[u64]> {
        self.may_reset.then(|| self.masks().1)
    }

    /// Whether a move is among them.
    #[must_use]
    pub fn contains(&self, chosen: Move) -> bool {
        let (plain, reset) = self.masks();
        let words = if chosen.reset { reset } else { plain };
        let Some(bit) = chosen.take.checked_sub(1) else { return false };
        words.get((bit / 64) as usize).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }
}

/// The first move of two masks, without and with a reset.
#[inline(always)]
pub(super) fn first_of(plain: u64, reset: u64) -> Option<Move> {
    let bit = (plain | reset).trailing_zeros();
    let first = Move { take: bit + 1, reset: plain.wrapping_shr(bit) & 1 == 0 };
    (bit < 64).then_some(first)
}

impl MoveSet<Move> for Winning {
    fn iter(&self) -> impl Iterator<Item = Move> {
        let (plain, reset) = self.masks();
        (0..).step_by(64).zip(plain.iter().zip(reset)).flat_map(|(below, (&plain, &reset))| {
            let mut left = plain | reset;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(bit)
            })
            .flat_map(move |bit| {
                let at = move |word: u64, reset| {
                    (word >> bit & 1 == 1).then_some(Move { take: below + bit + 1, reset })
                };
                [at(plain, false), at(reset, true)].into_iter().flatten()
            })
        })
    }

    #[inline]
    fn first(&self) -> Option<Move> {
        if let Words::One([plain, reset]) = self.words {
            return first_of(plain, reset);
        }
        let (plain, reset) = self.masks();
        let i = plain.iter().zip(reset).position(|(plain, reset)| plain | reset != 0)?;
        let bit = (plain[i] | reset[i]).trailing_zeros();
        let take = 64 * u32::try_from(i).expect("takes are fewer than stones") + bit + 1;
        Some(Move { take, reset: plain[i] >> bit & 1 == 0 })
    }

    fn len(&self) -> usize {
        let (plain, reset) = self.masks();
        plain.iter().chain(reset).map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    fn is_empty(&self) -> bool {
        match &self.words {
            Words::One([plain, reset]) => plain | reset == 0,
            Words::Many(words) => words.iter().all(|&word| word == 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_flip_and_set_as_single_bits_would() {
        for (start, end) in
            [(0, 0), (0, 1), (3, 64), (63, 65), (64, 128), (1, 192), (70, 71), (128, 192), (60, 63)]
        {
            let mut words = [0_u64; 3];
            words[..].flip(start, end);
            for bit in 0..192_u32 {
                let set = words[(bit / 64) as usize] >> (bit % 64) & 1 == 1;
                assert_eq!(set, (start..end).contains(&bit), "{start}..{end} at {bit}");
            }
            if end <= SHORT {
                let mut word = 0_u64;
                word.flip(start, end);
                assert_eq!(word, words[0]);
            }
        }
        let mut words = [0_u64; 2];
        words[..].set(60, 0b10_0001);
        assert_eq!(words, [1 << 60, 2]);
    }

    #[test]
    fn moves_come_fewest_stones_first_and_without_a_reset_before_with_one() {
        let words = Words::Many(vec![0b1010, 1, 0b0011, 0]);
        let winning = Winning { words, may_reset: true };
        let moves: Vec<String> = winning.iter().map(|m| m.to_string()).collect();
        assert_eq!(moves, ["1r", "2", "2r", "4", "65"]);
        assert_eq!(winning.first().unwrap().to_string(), "1r");
        assert_eq!(MoveSet::len(&winning), 5);
        assert!(
            winning.contains(Move { take: 65, reset: false })
                && !winning.contains(Move { take: 65, reset: true })
        );
        assert!(
            !winning.contains(Move { take: 0, reset: false })
                && !winning.contains(Move { take: 999, reset: false })
        );
    }

    #[test]
    fn both_masks_are_told_and_hold_the_moves_that_are_listed() {
        for words in [
            Words::One([0b1010_0001, 0b11]),
            Words::Many(vec![0b1010, 1 << 63, 0b0011, 6]),
            Words::Many(vec![0, 1 << 63, 0, 6]),
            Words::Many(vec![0, 4, 0, 4]),
            Words::Many(vec![0, 0, 0, 1 << 63]),
            Words::Many(vec![0; 4]),
        ] {
            let (plain, reset) = match &words {
                Words::One([plain, reset]) => (vec![*plain], vec![*reset]),
                Words::Many(words) => (words[..2].to_vec(), words[2..].to_vec()),
            };
            let winning = Winning { words, may_reset: true };
            assert_eq!((winning.plain(), winning.reset()), (&plain[..], Some(&reset[..])));
            let listed: Vec<Move> = winning.iter().collect();
            assert_eq!(MoveSet::first(&winning), listed.first().copied());
            assert_eq!(
                (MoveSet::len(&winning), MoveSet::is_empty(&winning)),
                (listed.len(), listed.is_empty())
            );
            for take in 0..200 {
                for chosen in [Move { take, reset: false }, Move { take, reset: true }] {
                    assert_eq!(winning.contains(chosen), listed.contains(&chosen), "{chosen}");
                }
            }
            assert_eq!(Winning { may_reset: false, ..winning }.reset(), None);
        }
    }
}
