//! The numbers of stones that a move may take from one heap.

use std::fmt;

use super::position::{Heap, MAX_SIZE};

/// Maximum length of a list of amounts.
pub const MAX_AMOUNTS: usize = 100_000;

/// The numbers of stones that a move may take from one heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Take {
    /// Any number of stones, at least one.
    Any,
    /// From one stone up to this number.
    UpTo(Heap),
    /// One of these amounts, in ascending order.
    Exactly(Vec<Heap>),
}

impl Take {
    /// Allows these amounts, given in any order.
    #[must_use]
    pub fn exactly(mut amounts: Vec<Heap>) -> Self {
        amounts.sort_unstable();
        Self::Exactly(amounts)
    }

    /// Returns true if a ruleset may have this value.
    pub(super) fn is_allowed(&self) -> bool {
        let sizes = 1..=MAX_SIZE;
        match self {
            Self::Any => true,
            Self::UpTo(most) => sizes.contains(most),
            Self::Exactly(amounts) => {
                (1..=MAX_AMOUNTS).contains(&amounts.len())
                    && amounts.iter().all(|amount| sizes.contains(amount))
                    && amounts.is_sorted_by(|a, b| a < b)
            }
        }
    }

    /// Returns true if a move may take this number from a heap with enough stones.
    #[inline]
    pub fn allows(&self, stones: Heap) -> bool {
        match self {
            Self::Any => stones > 0,
            Self::UpTo(most) => (1..=*most).contains(&stones),
            Self::Exactly(amounts) => amounts.binary_search(&stones).is_ok(),
        }
    }

    /// Returns the least amount. A heap with fewer stones has no move.
    #[inline]
    pub fn least(&self) -> Heap {
        match self {
            Self::Any | Self::UpTo(_) => 1,
            Self::Exactly(amounts) => amounts.first().copied().unwrap_or(Heap::MAX),
        }
    }

    /// Returns the least amount above `stones` that may be taken from a heap of `heap` stones.
    #[inline]
    pub fn next(&self, stones: Heap, heap: Heap) -> Option<Heap> {
        let next = match self {
            Self::Any => stones + 1,
            Self::UpTo(most) if stones < *most => stones + 1,
            Self::UpTo(_) => return None,
            Self::Exactly(amounts) => *amounts.get(amounts.partition_point(|&amount| amount <= stones))?,
        };
        (next <= heap).then_some(next)
    }

    /// Returns the number of amounts that may be taken from a heap of `heap` stones.
    pub fn count(&self, heap: Heap) -> Heap {
        match self {
            Self::Any => heap,
            Self::UpTo(most) => heap.min(*most),
            Self::Exactly(amounts) => amounts.partition_point(|&amount| amount <= heap) as Heap,
        }
    }

    /// Returns the amounts that may be taken from a heap of `heap` stones, ascending.
    pub fn amounts(&self, heap: Heap) -> impl Iterator<Item = Heap> {
        let (numbers, list) = match self {
            Self::Any => (heap, &[][..]),
            Self::UpTo(most) => (heap.min(*most), &[][..]),
            Self::Exactly(amounts) => (0, &amounts[..self.count(heap) as usize]),
        };
        (1..=numbers).chain(list.iter().copied())
    }
}

/// Writes the value as in a ruleset file.
impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("\"any\""),
            Self::UpTo(most) => write!(f, "{most}"),
            Self::Exactly(amounts) => write!(f, "{amounts:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_the_allowed_ones_that_the_heap_has() {
        let amounts = |take: &Take, heap| take.amounts(heap).collect::<Vec<_>>();
        for (take, heap, expected) in [
            (Take::Any, 3, &[1, 2, 3][..]),
            (Take::UpTo(2), 3, &[1, 2]),
            (Take::UpTo(5), 3, &[1, 2, 3]),
            (Take::exactly(vec![4, 1, 3]), 3, &[1, 3]),
            (Take::exactly(vec![2]), 1, &[]),
            (Take::Any, 0, &[]),
        ] {
            assert_eq!(amounts(&take, heap), expected, "{take} of {heap}");
            assert!((0..=heap).all(|n| take.allows(n) == expected.contains(&n)), "{take} of {heap}");
        }
    }

    #[test]
    fn the_number_of_amounts_is_as_counted_one_by_one() {
        for take in [Take::Any, Take::UpTo(4), Take::exactly(vec![7, 2, 3])] {
            for heap in 0..10 {
                assert_eq!(take.count(heap) as usize, take.amounts(heap).count(), "{take} of {heap}");
            }
        }
    }

    #[test]
    fn amounts_and_lists_of_them_are_bounded() {
        assert!(Take::Any.is_allowed());
        for (most, allowed) in [(0, false), (1, true), (MAX_SIZE, true), (MAX_SIZE + 1, false)] {
            assert_eq!(Take::UpTo(most).is_allowed(), allowed, "{most}");
            assert_eq!(Take::exactly(vec![most]).is_allowed(), allowed, "{most}");
        }
        for (amounts, allowed) in [(0, false), (100_000, true), (100_001, false)] {
            assert_eq!(Take::exactly((1..=amounts).collect()).is_allowed(), allowed, "{amounts}");
        }
        assert!(!Take::exactly(vec![3, 3]).is_allowed() && !Take::Exactly(vec![3, 2]).is_allowed());
    }

    #[test]
    fn a_take_is_shown_as_in_a_ruleset_file() {
        let shown = [Take::Any, Take::UpTo(4), Take::exactly(vec![7, 2])].map(|take| take.to_string());
        assert_eq!(shown, ["\"any\"", "4", "[2, 7]"]);
    }
}
