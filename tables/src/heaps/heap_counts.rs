//! The numbers of heaps from which a move may take.

use std::fmt;

use super::position::MAX_HEAPS;

/// The numbers of heaps from which a move may take: all up to a number, or those of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeapCounts {
    /// Bit k says whether a move may take from k heaps. Bit 0 is 0.
    bits: u32,
}

impl HeapCounts {
    /// Allows each number of heaps from 1 to this one.
    #[must_use]
    pub fn up_to(most: u32) -> Self {
        Self { bits: u32::MAX >> 31_u32.saturating_sub(most) & !1 }
    }

    /// Allows these numbers of heaps, from 1 to [`MAX_HEAPS`]. The list from 1 to K means the same as
    /// [`up_to`](Self::up_to) K. `None` if the list is empty, or has a number twice or one out of range.
    #[must_use]
    pub fn exactly(counts: &[u32]) -> Option<Self> {
        let mut bits = 0;
        for &count in counts {
            let is_new = (1..=MAX_HEAPS as u32).contains(&count) && bits >> count & 1 == 0;
            bits |= is_new.then_some(1 << count)?;
        }
        (bits > 0).then_some(Self { bits })
    }

    /// Returns true if a move may take from this number of heaps.
    #[inline]
    pub fn allows(self, heaps: usize) -> bool {
        heaps < 32 && self.bits >> heaps & 1 == 1
    }

    /// Returns the least number of heaps of a move; 32 if there is no number.
    #[inline]
    pub fn least(self) -> usize {
        self.bits.trailing_zeros() as usize
    }

    /// Returns the greatest number of heaps of a move; 0 if there is no number.
    #[inline]
    pub fn greatest(self) -> usize {
        self.bits.checked_ilog2().unwrap_or(0) as usize
    }

    /// Returns true if all numbers from 1 to the greatest are allowed.
    pub fn is_up_to(self) -> bool {
        self == Self::up_to(self.greatest() as u32)
    }

    /// Returns the numbers of at most `heaps` heaps; perhaps none.
    #[must_use]
    pub fn within(self, heaps: usize) -> Self {
        Self { bits: self.bits & Self::up_to(heaps as u32).bits }
    }

    /// Returns the allowed numbers, ascending.
    pub fn numbers(self) -> impl Iterator<Item = u32> {
        (1..32).filter(move |&count| self.allows(count as usize))
    }
}

/// Allows each number of heaps from 1 to this one.
impl From<u32> for HeapCounts {
    fn from(most: u32) -> Self {
        Self::up_to(most)
    }
}

/// Writes the value as in a ruleset file.
impl fmt::Display for HeapCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_up_to() {
            return write!(f, "{}", self.greatest());
        }
        write!(f, "{:?}", self.numbers().collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_allows_all_up_to_it_and_a_list_its_own() {
        for most in 0..=20 {
            let counts = HeapCounts::up_to(most);
            assert!((0..40).all(|heaps| counts.allows(heaps) == (heaps > 0 && heaps <= most as usize)));
            assert_eq!((counts.greatest(), counts.is_up_to()), (most as usize, true));
            assert_eq!(counts.to_string(), most.to_string());
        }
        let odd = HeapCounts::exactly(&[3, 1]).unwrap();
        assert!((0..40).all(|heaps| odd.allows(heaps) == [1, 3].contains(&heaps)));
        assert_eq!((odd.least(), odd.greatest(), odd.is_up_to()), (1, 3, false));
        assert_eq!((odd.to_string(), odd.within(2)), ("[1, 3]".to_owned(), HeapCounts::up_to(1)));
        let two = HeapCounts::exactly(&[2]).unwrap();
        assert_eq!(
            (two.least(), two.within(1), two.to_string()),
            (2, HeapCounts::up_to(0), "[2]".to_owned())
        );
        assert_eq!(HeapCounts::exactly(&[2, 1]), Some(HeapCounts::up_to(2)));
        for refused in [&[][..], &[0], &[17], &[2, 2]] {
            assert_eq!(HeapCounts::exactly(refused), None, "{refused:?}");
        }
    }
}
