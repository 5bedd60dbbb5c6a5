//! The best of the last positions of a line.

use std::ops::Range;

use super::super::stored::{Stored, least_equal};

/// What a plan compares of the positions of a line: its [own](super::super::stored::Opponents::own) chance, and the
/// sum of the chances against all kinds.
#[derive(Debug)]
pub(super) struct Column<T> {
    own: Vec<T>,
    sum: Vec<T>,
}

/// Positions that are compared at once, for which processors have instructions.
const LANES: usize = 16;

impl<T: Stored> Column<T> {
    pub(super) fn new(length: u32) -> Self {
        let zeros = || vec![T::of(0.0); length as usize];
        Self { own: zeros(), sum: zeros() }
    }

    /// Enters a position.
    pub(super) fn set(&mut self, stones: u32, own: T, sum: T) {
        self.own[stones as usize] = own;
        self.sum[stones as usize] = sum;
    }

    pub(super) fn own(&self, stones: u32) -> T {
        self.own[stones as usize]
    }

    /// The greatest own chance.
    fn greatest(&self, window: &Range<u32>) -> T {
        let mut lanes = [T::of(0.0); LANES];
        let mut with = |owns: &[T]| {
            for (most, &own) in lanes.iter_mut().zip(owns) {
                *most = greater(*most, own);
            }
        };
        let (chunks, rest) = self.own[places(window)].as_chunks::<LANES>();
        chunks.iter().for_each(|owns| with(owns));
        with(rest);
        lanes.into_iter().fold(lanes[0], greater)
    }

    /// The greatest sum of those with at least a certain chance, and the last position with it.
    pub(super) fn best(&self, window: &Range<u32>, least: T) -> (T, u32) {
        let none = T::of(-1.0);
        let mut lanes = [none; LANES];
        let mut with = |owns: &[T], sums: &[T]| {
            for ((most, &own), &sum) in lanes.iter_mut().zip(owns).zip(sums) {
                *most = greater(*most, if own >= least { sum } else { none });
            }
        };
        let (owns, last_owns) = self.own[places(window)].as_chunks::<LANES>();
        let (sums, last_sums) = self.sum[places(window)].as_chunks::<LANES>();
        owns.iter().zip(sums).for_each(|(owns, sums)| with(owns, sums));
        with(last_owns, last_sums);
        let most = lanes.into_iter().fold(none, greater);
        (most, self.last(window, |own, sum| own >= least && sum == most))
    }

    fn last(&self, window: &Range<u32>, is_it: impl Fn(T, T) -> bool) -> u32 {
        let found =
            window.clone().rfind(|&stones| is_it(self.own[stones as usize], self.sum[stones as usize]));
        found.expect("one of them is the greatest")
    }
}

fn places(window: &Range<u32>) -> Range<usize> {
    window.start as usize..window.end as usize
}

fn greater<T: Stored>(one: T, other: T) -> T {
    if other > one { other } else { one }
}

/// The best position in a window, which moves along a line.
#[derive(Clone, Debug)]
pub(super) struct Best<T> {
    /// Where the window ended the last time.
    end: u32,
    /// The greatest own chance, and the last position that has it.
    greatest: T,
    greatest_at: u32,
    /// A chance of at least this is as good.
    least: T,
    /// The greatest sum of the positions that are as good, and the last one that has it.
    sum: T,
    at: u32,
}

impl<T: Stored> Best<T> {
    pub(super) fn new() -> Self {
        let zero = T::of(0.0);
        Self { end: 0, greatest: zero, greatest_at: 0, least: zero, sum: zero, at: 0 }
    }

    /// Moves the window, which has at least one position, and gives the greatest own chance.
    ///
    /// Mostly the window moves by one position, and that or the best one so far is the best. Only if it is neither, all are
    /// compared.
    pub(super) fn move_to(&mut self, window: &Range<u32>, column: &Column<T>) -> T {
        let by_one = self.end + 1 == window.end;
        self.end = window.end;
        if !by_one || self.greatest_at < window.start || !self.is_known_with(window, column) {
            self.greatest = column.greatest(window);
            self.greatest_at = column.last(window, |own, _| own == self.greatest);
            self.least = least_equal(self.greatest);
            (self.sum, self.at) = column.best(window, self.least);
        }
        self.greatest
    }

    /// Takes the last position of the window into account. Whether the best one is known then: if it is neither this one nor
    /// the best so far, others may be.
    fn is_known_with(&mut self, window: &Range<u32>, column: &Column<T>) -> bool {
        let last = window.end - 1;
        let (own, sum) = (column.own[last as usize], column.sum[last as usize]);
        if own >= self.greatest {
            (self.greatest, self.greatest_at, self.least) = (own, last, least_equal(own));
        }
        if own >= self.least && sum >= self.sum {
            (self.sum, self.at) = (sum, last);
            return true;
        }
        self.at >= window.start && column.own[self.at as usize] >= self.least
    }

    /// The greatest sum of those with at least a certain chance, and the last position with it; `None` if there is none.
    pub(super) fn with_at_least(
        &self,
        least: T,
        window: &Range<u32>,
        column: &Column<T>,
    ) -> Option<(T, u32)> {
        if self.greatest < least {
            return None;
        }
        // Elsewhere there may be greater chances, so that fewer are as good.
        Some(if column.own(self.at) >= least { (self.sum, self.at) } else { column.best(window, least) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few different chances, each of which comes in versions that are as good as each other or hardly not.
    fn column(rng: &mut fastrand::Rng, length: u32) -> Column<f32> {
        let mut column = Column::new(length);
        for stones in 0..length as usize {
            let versions = 1.0 + f32::from(rng.u8(..5)) * 4e-7;
            column.own[stones] = f32::from(rng.u8(..4)) * 0.2 * versions;
            column.sum[stones] = f32::from(rng.u8(..6)) * 0.1;
        }
        column
    }

    /// The greatest sum of those with at least a certain chance, and the last position with it.
    fn naive(column: &Column<f32>, window: &Range<u32>, least: f32) -> Option<(f32, u32)> {
        let good = window.clone().filter(|&stones| column.own(stones) >= least);
        let all = good.map(|stones| (column.sum[stones as usize], stones));
        all.max_by(|one, other| one.partial_cmp(other).expect("they are numbers"))
    }

    #[test]
    fn the_best_is_that_of_the_window_wherever_it_moves() {
        let mut rng = fastrand::Rng::with_seed(5);
        for round in 0..2000_u32 {
            let column = column(&mut rng, 120);
            let reach = [1, 2, 3, 10, 16, 33, 80][round as usize % 7];
            // Mostly by one position.
            let leap = rng.u32(1..20);
            let mut best = Best::new();
            for end in 1..120_u32 {
                if rng.u32(..leap) > 3 {
                    continue;
                }
                let window = end.saturating_sub(reach)..end;
                let greatest = window.clone().map(|stones| column.own(stones)).fold(0.0, f32::max);
                assert_eq!(best.move_to(&window, &column), greatest, "{window:?} of {column:?}");
                for least in [0.0, 2e-7, 4e-7, 1e-6, 0.1].map(|above| least_equal(greatest + above)) {
                    let found = best.with_at_least(least, &window, &column);
                    assert_eq!(found, naive(&column, &window, least), "{least} in {window:?} of {column:?}");
                }
            }
        }
    }
}
