//! Sets of classes, as bits.

/// A set of numbers below a limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ClassSet(Vec<u64>);

impl ClassSet {
    pub(super) fn empty(limit: usize) -> Self {
        Self(vec![0; limit.div_ceil(64)])
    }

    /// Returns the set of the numbers below `limit` with a property.
    pub(super) fn of(limit: usize, has: impl Fn(usize) -> bool) -> Self {
        let mut bits = Self::empty(limit);
        for (number, word) in bits.0.iter_mut().enumerate() {
            let first = number * 64;
            *word = (first..limit.min(first + 64)).map(|at| u64::from(has(at)) << (at - first)).sum();
        }
        bits
    }

    #[inline]
    pub(super) fn has(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    pub(super) fn add(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Adds all numbers of another set. Returns true if the set changes.
    pub(super) fn unite(&mut self, other: &Self) -> bool {
        self.combine(other, |own, other| own | other)
    }

    /// Removes all numbers that another set does not have. Returns true if the set changes.
    pub(super) fn intersect(&mut self, other: &Self) -> bool {
        self.combine(other, |own, other| own & other)
    }

    fn combine(&mut self, other: &Self, by: impl Fn(u64, u64) -> u64) -> bool {
        let mut changed = false;
        for (word, &other) in self.0.iter_mut().zip(&other.0) {
            let before = *word;
            *word = by(before, other);
            changed |= *word != before;
        }
        changed
    }
}
