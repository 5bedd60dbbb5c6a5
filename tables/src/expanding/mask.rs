//! Sets of takes, and of winning moves. In a mask, bit `k - 1` stands for taking k stones.
//!
//! A set of takes up to [`SHORT`] is one word. Others are stored as runs: 1, 2, 3 and 70 as `1..4`, `70..71`.

use std::ops::Range;

use super::position::Move;
use crate::MoveSet;

/// A mask that is being made, range by range.
pub(super) trait TakeMask {
    /// Flips the bits `[start, end)`.
    fn flip(&mut self, start: u32, end: u32);
    /// Sets bit `start + i`, which must be clear, for each set bit i of `bits`.
    fn set(&mut self, start: u32, bits: u64);
}

/// Maximum take in a mask of one word: one less than its bits, so that `1 << end` never overflows.
pub(super) const SHORT: u32 = 63;

/// A mask of takes up to [`SHORT`].
impl TakeMask for u64 {
    #[cfg_attr(feature = "fast", inline(always))]
    fn flip(&mut self, start: u32, end: u32) {
        *self ^= (1 << end) - (1 << start);
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn set(&mut self, start: u32, bits: u64) {
        *self |= bits << start;
    }
}

/// A mask of any length, stored as the starts and ends of its runs of set bits, both called *ends* here: even where
/// many stones may be taken, winning moves form few runs.
pub(super) struct RunEnds {
    ends: [u32; 64],
    /// Number of ends.
    count: usize,
    /// The ends after the first 64. Few positions have any.
    more: Vec<u32>,
}

impl RunEnds {
    pub(super) fn new() -> Self {
        Self { ends: [0; 64], count: 0, more: Vec::new() }
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn push(&mut self, end: u32) {
        match self.ends.get_mut(self.count) {
            Some(slot) => *slot = end,
            None => self.more.push(end),
        }
        self.count += 1;
    }

    /// Returns the ends, ascending, without pairs of equal ends, where two runs touch.
    fn sorted(&mut self) -> &[u32] {
        let ends = if self.more.is_empty() {
            &mut self.ends[..self.count]
        } else {
            self.more.extend_from_slice(&self.ends);
            &mut self.more[..]
        };
        ends.sort_unstable();
        let mut kept = 0;
        for at in 0..ends.len() {
            if kept > 0 && ends[kept - 1] == ends[at] {
                kept -= 1;
            } else {
                ends[kept] = ends[at];
                kept += 1;
            }
        }
        &ends[..kept]
    }
}

impl TakeMask for RunEnds {
    #[cfg_attr(feature = "fast", inline(always))]
    fn flip(&mut self, start: u32, end: u32) {
        if start < end {
            self.push(start);
            self.push(end);
        }
    }

    #[inline]
    fn set(&mut self, start: u32, mut bits: u64) {
        let mut at = start;
        while bits != 0 {
            let gap = bits.trailing_zeros();
            let run = (bits >> gap).trailing_ones();
            self.flip(at + gap, at + gap + run);
            at += gap + run;
            bits = bits.checked_shr(gap + run).unwrap_or(0);
        }
    }
}

/// The set of winning moves of a position: the winning takes without a reset, and with one.
#[derive(Clone, Debug)]
pub struct WinningMoves(TakeSet);

#[derive(Clone, Debug)]
enum TakeSet {
    /// The masks without and with a reset, if no take exceeds [`SHORT`].
    Short([u64; 2]),
    /// The alternating starts and ends (exclusive) of the runs of takes: first the runs without a reset, then those with
    /// one, each ascending. The number is the length of the first part.
    Runs(Box<[u32]>, u32),
}

impl WinningMoves {
    /// Creates a set of takes up to [`SHORT`], from the masks without and with a reset.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn short(plain: u64, reset: u64) -> Self {
        Self(TakeSet::Short([plain, reset]))
    }

    /// Creates a set from the ends of runs without and with a reset.
    pub(super) fn runs_of(plain: &mut RunEnds, reset: &mut RunEnds) -> Self {
        let (plain, reset) = (plain.sorted(), reset.sorted());
        let takes = plain.iter().chain(reset).map(|bit| bit + 1);
        Self(TakeSet::Runs(takes.collect(), plain.len() as u32))
    }

    /// Returns the maximal runs of winning takes, ascending, with or without a reset.
    pub fn runs(&self, reset: bool) -> impl Iterator<Item = Range<u32>> {
        let (word, ends) = match &self.0 {
            TakeSet::Short(words) => (words[usize::from(reset)], &[][..]),
            TakeSet::Runs(ends, plain) => {
                let (plain, with_reset) = ends.split_at(*plain as usize);
                (0, if reset { with_reset } else { plain })
            }
        };
        runs_of_word(word).chain(ends.chunks_exact(2).map(|ends| ends[0]..ends[1]))
    }

    /// Returns true if a move is in the set.
    pub fn contains(&self, chosen: Move) -> bool {
        self.runs(chosen.reset).any(|run| run.contains(&chosen.take))
    }
}

/// Returns the runs of set bits in a word; the lowest bit stands for 1.
fn runs_of_word(mut word: u64) -> impl Iterator<Item = Range<u32>> {
    std::iter::from_fn(move || {
        let start = word.trailing_zeros();
        let end = start + word.checked_shr(start)?.trailing_ones();
        word &= u64::MAX.checked_shl(end).unwrap_or(0);
        Some(start + 1..end + 1)
    })
}

impl PartialEq for WinningMoves {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (TakeSet::Short(these), TakeSet::Short(those)) => these == those,
            // The same set may have two representations under different rules.
            _ => [false, true].into_iter().all(|reset| self.runs(reset).eq(other.runs(reset))),
        }
    }
}

impl Eq for WinningMoves {}

/// Returns the first move of two masks, without and with a reset.
#[cfg_attr(feature = "fast", inline(always))]
pub(super) fn first_of(plain: u64, reset: u64) -> Option<Move> {
    let bit = (plain | reset).trailing_zeros();
    let first = Move { take: bit + 1, reset: plain.wrapping_shr(bit) & 1 == 0 };
    (bit < 64).then_some(first)
}

impl MoveSet<Move> for WinningMoves {
    fn iter(&self) -> impl Iterator<Item = Move> {
        let moves = |reset| self.runs(reset).flatten().map(move |take| Move { take, reset });
        let (mut plain, mut reset) = (moves(false).peekable(), moves(true).peekable());
        std::iter::from_fn(move || match (plain.peek(), reset.peek()) {
            (Some(first), Some(other)) if other.take < first.take => reset.next(),
            (Some(_), _) => plain.next(),
            (None, _) => reset.next(),
        })
    }

    #[inline]
    fn first(&self) -> Option<Move> {
        match &self.0 {
            TakeSet::Short([plain, reset]) => first_of(*plain, *reset),
            TakeSet::Runs(ends, plain) => {
                let (plain, reset) = ends.split_at(*plain as usize);
                let first = |ends: &[u32], reset| ends.first().map(|&take| Move { take, reset });
                [first(plain, false), first(reset, true)].into_iter().flatten().min()
            }
        }
    }

    fn len(&self) -> usize {
        match &self.0 {
            TakeSet::Short(words) => words.iter().map(|word| word.count_ones() as usize).sum(),
            TakeSet::Runs(ends, _) => ends.chunks_exact(2).map(|ends| (ends[1] - ends[0]) as usize).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_flips_and_sets_the_bits_of_a_range() {
        for (start, end) in [(0, 0), (0, 1), (3, 63), (60, 63), (62, 63)] {
            let mut word = 0_u64;
            word.flip(start, end);
            for bit in 0..64_u32 {
                assert_eq!(word >> bit & 1 == 1, (start..end).contains(&bit), "{start}..{end} at {bit}");
            }
        }
        let mut word = 0_u64;
        word.set(60, 0b101);
        assert_eq!(word, 0b101 << 60);
    }

    fn ends_of(words: &[u64]) -> RunEnds {
        let mut ends = RunEnds::new();
        (0..).step_by(64).zip(words).for_each(|(start, &word)| ends.set(start, word));
        ends
    }

    fn runs_of(plain: &[u64], reset: &[u64]) -> WinningMoves {
        WinningMoves::runs_of(&mut ends_of(plain), &mut ends_of(reset))
    }

    /// Returns the moves of the set bits in words, in the natural order.
    fn listed(plain: &[u64], reset: &[u64]) -> Vec<Move> {
        let bits = 64 * plain.len() as u32;
        let is_set = |words: &[u64], bit: u32| words[(bit / 64) as usize] >> (bit % 64) & 1 == 1;
        let moves = (0..bits).flat_map(|bit| {
            [(plain, false), (reset, true)]
                .into_iter()
                .filter(move |(words, _)| is_set(words, bit))
                .map(move |(_, reset)| Move { take: bit + 1, reset })
        });
        moves.collect()
    }

    fn check_moves(winning: &WinningMoves, listed: &[Move]) {
        assert_eq!(winning.iter().collect::<Vec<_>>(), listed);
        assert_eq!(MoveSet::first(winning), listed.first().copied());
        assert_eq!((MoveSet::len(winning), MoveSet::is_empty(winning)), (listed.len(), listed.is_empty()));
        for take in 0..300 {
            for chosen in [Move { take, reset: false }, Move { take, reset: true }] {
                assert_eq!(winning.contains(chosen), listed.contains(&chosen), "{chosen}");
            }
        }
        for reset in [false, true] {
            let runs: Vec<_> = winning.runs(reset).collect();
            assert!(runs.iter().all(|run| run.start < run.end), "{runs:?}");
            assert!(runs.windows(2).all(|two| two[0].end < two[1].start), "{runs:?}");
            let takes: Vec<u32> = runs.into_iter().flatten().collect();
            let expected = listed.iter().filter(|listed| listed.reset == reset).map(|listed| listed.take);
            assert_eq!(takes, expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn moves_are_listed_by_stones_and_then_without_a_reset_first() {
        let winning = runs_of(&[0b1010, 1], &[0b0011, 0]);
        let moves: Vec<String> = winning.iter().map(|m| m.to_string()).collect();
        assert_eq!(moves, ["1r", "2", "2r", "4", "65"]);
    }

    #[test]
    fn each_way_of_storage_lists_the_same_moves() {
        for [plain, reset] in [
            [[0b1010_0001, 0, 0], [0b11, 0, 0]],
            [[0b1010, 1 << 63, 0], [0b0011, 6, 0]],
            [[0, 1 << 63, 1], [0, 6, 1 << 63]],
            [[0, 4, 0], [0, 4, 0]],
            [[u64::MAX, u64::MAX, 1], [u64::MAX << 60, 3, 1 << 63]],
            [[u64::MAX >> 1, 0, 0], [u64::MAX >> 1, 0, 0]],
            [[0x5555_5555, 0, 0], [0, 0, 0]],
            [[0; 3], [0, 0, 1 << 63]],
            [[0; 3], [0; 3]],
        ] {
            let listed = listed(&plain, &reset);
            let runs = runs_of(&plain, &reset);
            check_moves(&runs, &listed);
            let ends = [plain, reset].map(|words| {
                let mut ends = RunEnds::new();
                // Add the runs of the words in another order; the flips afterwards cancel each other out.
                for word in [2, 0, 1] {
                    ends.set(64 * word as u32, words[word]);
                }
                ends.flip(10, 100);
                ends.flip(40, 100);
                ends.flip(10, 40);
                ends
            });
            let [mut of_plain, mut of_reset] = ends;
            let flipped = WinningMoves::runs_of(&mut of_plain, &mut of_reset);
            check_moves(&flipped, &listed);
            assert_eq!(flipped, runs);
            if [plain, reset].iter().all(|words| words[1..] == [0, 0] && words[0] <= u64::MAX >> 1) {
                let short = WinningMoves::short(plain[0], reset[0]);
                check_moves(&short, &listed);
                assert_eq!(short, runs);
            }
            assert_ne!(runs, runs_of(&[plain[0] ^ 16, plain[1], plain[2]], &reset));
            assert_ne!(runs, runs_of(&plain, &[reset[0], reset[1] ^ 16, reset[2]]));
        }
    }

    #[test]
    fn any_number_of_runs_is_kept() {
        let words = [0x5555_5555_5555_5555; 3];
        check_moves(&runs_of(&words, &[0, 0, 1]), &listed(&words, &[0, 0, 1]));
    }
}
