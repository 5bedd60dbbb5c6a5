//! Sets of classes.

/// A set of the numbers below some limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ClassSet(Vec<u64>);

impl ClassSet {
    /// The empty set of numbers below `limit`.
    pub(super) fn none(limit: usize) -> Self {
        Self(vec![0; limit.div_ceil(64)])
    }

    /// The numbers below `limit` with a property.
    pub(super) fn of(limit: usize, has: impl Fn(usize) -> bool) -> Self {
        let mut bits = Self::none(limit);
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

    /// Adds all of another set. Returns whether any was new.
    pub(super) fn unite(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (word, &other) in self.0.iter_mut().zip(&other.0) {
            changed |= other & !*word != 0;
            *word |= other;
        }
        changed
    }

    /// Removes what another set does not have. Returns whether there was any.
    pub(super) fn intersect(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (word, &other) in self.0.iter_mut().zip(&other.0) {
            changed |= *word & !other != 0;
            *word &= other;
        }
        changed
    }
}
