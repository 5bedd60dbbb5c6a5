//! The best position in a window that slides along a line.

use std::ops::Range;

use super::super::stored_chance::{StoredChance, tie_threshold};

/// The two values that a plan compares of each position of a line: the
/// [weighted](super::super::stored_chance::Opponents::weighted) chance, and, for ties, the sum of the chances against
/// all kinds.
#[derive(Debug)]
pub(super) struct ChanceColumn<T> {
    weighted: Vec<T>,
    sum: Vec<T>,
}

/// Number of positions compared at a time, so that the compiler can use vector instructions.
const LANES: usize = 16;

impl<T: StoredChance> ChanceColumn<T> {
    pub(super) fn new(length: u32) -> Self {
        let zeros = || vec![T::of(0.0); length as usize];
        Self { weighted: zeros(), sum: zeros() }
    }

    pub(super) fn set(&mut self, stones: u32, weighted: T, sum: T) {
        self.weighted[stones as usize] = weighted;
        self.sum[stones as usize] = sum;
    }

    pub(super) fn weighted(&self, stones: u32) -> T {
        self.weighted[stones as usize]
    }

    /// Returns the greatest weighted chance in the window.
    fn greatest(&self, window: &Range<u32>) -> T {
        let mut lanes = [T::of(0.0); LANES];
        let mut with = |weighted_chunk: &[T]| {
            for (most, &weighted) in lanes.iter_mut().zip(weighted_chunk) {
                *most = greater(*most, weighted);
            }
        };
        let (chunks, rest) = self.weighted[places(window)].as_chunks::<LANES>();
        chunks.iter().for_each(|weighted_chunk| with(weighted_chunk));
        with(rest);
        lanes.into_iter().fold(lanes[0], greater)
    }

    /// Returns the greatest sum among positions of at least a certain weighted chance, and the last position with it.
    pub(super) fn best(&self, window: &Range<u32>, least: T) -> (T, u32) {
        let none = T::of(-1.0);
        let mut lanes = [none; LANES];
        let mut with = |weighted_chunk: &[T], sums: &[T]| {
            for ((most, &weighted), &sum) in lanes.iter_mut().zip(weighted_chunk).zip(sums) {
                *most = greater(*most, if weighted >= least { sum } else { none });
            }
        };
        let (weighted_chunk, last_weighted) = self.weighted[places(window)].as_chunks::<LANES>();
        let (sums, last_sums) = self.sum[places(window)].as_chunks::<LANES>();
        weighted_chunk.iter().zip(sums).for_each(|(weighted_chunk, sums)| with(weighted_chunk, sums));
        with(last_weighted, last_sums);
        let most = lanes.into_iter().fold(none, greater);
        (most, self.last(window, |weighted, sum| weighted >= least && sum == most))
    }

    fn last(&self, window: &Range<u32>, is_match: impl Fn(T, T) -> bool) -> u32 {
        let found = window
            .clone()
            .rfind(|&stones| is_match(self.weighted[stones as usize], self.sum[stones as usize]));
        found.expect("one of them is the greatest")
    }
}

fn places(window: &Range<u32>) -> Range<usize> {
    window.start as usize..window.end as usize
}

fn greater<T: StoredChance>(one: T, other: T) -> T {
    if other > one { other } else { one }
}

/// The best position in a window that slides along a line.
#[derive(Clone, Debug)]
pub(super) struct WindowBest<T> {
    /// End of the window at the last step.
    end: u32,
    /// The greatest weighted chance, and the last position that has it.
    greatest: T,
    greatest_at: u32,
    /// Chances from here up equal the greatest one.
    least: T,
    /// The greatest sum of the equally good positions, and the last position with it.
    sum: T,
    at: u32,
}

impl<T: StoredChance> WindowBest<T> {
    pub(super) fn new() -> Self {
        let zero = T::of(0.0);
        Self { end: 0, greatest: zero, greatest_at: 0, least: zero, sum: zero, at: 0 }
    }

    /// Slides the window, which has at least one position, and returns its greatest weighted chance.
    ///
    /// Usually the window moves by one position, and the best position is the new one or the previous best. Only if
    /// neither is certain, all positions are compared.
    pub(super) fn slide_to(&mut self, window: &Range<u32>, column: &ChanceColumn<T>) -> T {
        let by_one = self.end + 1 == window.end;
        self.end = window.end;
        if !by_one || self.greatest_at < window.start || !self.advance_by_one(window, column) {
            self.greatest = column.greatest(window);
            self.greatest_at = column.last(window, |weighted, _| weighted == self.greatest);
            self.least = tie_threshold(self.greatest);
            (self.sum, self.at) = column.best(window, self.least);
        }
        self.greatest
    }

    /// Compares the new last position of the window with the best so far. Returns false if another position may be
    /// better.
    fn advance_by_one(&mut self, window: &Range<u32>, column: &ChanceColumn<T>) -> bool {
        let last = window.end - 1;
        let (weighted, sum) = (column.weighted[last as usize], column.sum[last as usize]);
        if weighted >= self.greatest {
            (self.greatest, self.greatest_at, self.least) = (weighted, last, tie_threshold(weighted));
        }
        if weighted >= self.least && sum >= self.sum {
            (self.sum, self.at) = (sum, last);
            return true;
        }
        self.at >= window.start && column.weighted[self.at as usize] >= self.least
    }

    /// Returns the greatest sum among positions of at least a certain weighted chance, and the last position with it;
    /// `None` if there is no such position.
    pub(super) fn best_at_least(
        &self,
        least: T,
        window: &Range<u32>,
        column: &ChanceColumn<T>,
    ) -> Option<(T, u32)> {
        if self.greatest < least {
            return None;
        }
        // `least` may come from another window with a greater chance, and then excludes some positions of this window.
        Some(if column.weighted(self.at) >= least { (self.sum, self.at) } else { column.best(window, least) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a column of a few different chances, each in several versions that are equal up to rounding or nearly so.
    fn column(rng: &mut fastrand::Rng, length: u32) -> ChanceColumn<f32> {
        let mut column = ChanceColumn::new(length);
        for stones in 0..length as usize {
            let versions = 1.0 + f32::from(rng.u8(..5)) * 4e-7;
            column.weighted[stones] = f32::from(rng.u8(..4)) * 0.2 * versions;
            column.sum[stones] = f32::from(rng.u8(..6)) * 0.1;
        }
        column
    }

    /// The greatest sum of those with at least a certain chance, and the last position with it.
    fn naive(column: &ChanceColumn<f32>, window: &Range<u32>, least: f32) -> Option<(f32, u32)> {
        let good = window.clone().filter(|&stones| column.weighted(stones) >= least);
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
            let mut best = WindowBest::new();
            for end in 1..120_u32 {
                if rng.u32(..leap) > 3 {
                    continue;
                }
                let window = end.saturating_sub(reach)..end;
                let greatest = window.clone().map(|stones| column.weighted(stones)).fold(0.0, f32::max);
                assert_eq!(best.slide_to(&window, &column), greatest, "{window:?} of {column:?}");
                for least in [0.0, 2e-7, 4e-7, 1e-6, 0.1].map(|above| tie_threshold(greatest + above)) {
                    let found = best.best_at_least(least, &window, &column);
                    assert_eq!(found, naive(&column, &window, least), "{least} in {window:?} of {column:?}");
                }
            }
        }
    }
}
