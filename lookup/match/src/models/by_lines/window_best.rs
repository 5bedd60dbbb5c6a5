//! The best place in a *window*: the adjacent places of a line to which moves from one position lead. The window slides
//! from position to position.

use std::ops::Range;

use crate::models::stored_chance::{StoredChance, tie_threshold};

/// The two values by which a plan compares the positions of a line: the
/// [weighted](crate::models::stored_chance::Opponents::weighted) chance and, for ties, the sum of the chances against
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
        let zeros = vec![T::default(); length as usize];
        Self { weighted: zeros.clone(), sum: zeros }
    }

    pub(super) fn set(&mut self, stones: u32, weighted: T, sum: T) {
        self.weighted[stones as usize] = weighted;
        self.sum[stones as usize] = sum;
    }

    /// Returns the greatest sum of the positions whose weighted chance is at least `least`, and the last with this sum.
    fn best(&self, window: &Range<u32>, least: T) -> (T, u32) {
        let none = T::from_f64(-1.0);
        let max = self.max_in(window, |weighted, sum| if weighted >= least { sum } else { none });
        (max, self.last(window, |weighted, sum| weighted >= least && sum == max))
    }

    /// Returns the maximum over the window of `value`, a function of weighted chance and sum; at least -1.
    fn max_in(&self, window: &Range<u32>, value: impl Fn(T, T) -> T) -> T {
        let mut lanes = [T::from_f64(-1.0); LANES];
        let mut include = |weighted: &[T], sums: &[T]| {
            for ((max, &weighted), &sum) in lanes.iter_mut().zip(weighted).zip(sums) {
                *max = max_of(*max, value(weighted, sum));
            }
        };
        let window = window.start as usize..window.end as usize;
        let (weighted_chunks, last_weighted) = self.weighted[window.clone()].as_chunks::<LANES>();
        let (sum_chunks, last_sums) = self.sum[window].as_chunks::<LANES>();
        for (weighted, sums) in weighted_chunks.iter().zip(sum_chunks) {
            include(weighted, sums);
        }
        include(last_weighted, last_sums);
        lanes.into_iter().fold(lanes[0], max_of)
    }

    /// Returns the last position of the window whose chance and sum match.
    fn last(&self, window: &Range<u32>, is_match: impl Fn(T, T) -> bool) -> u32 {
        let found = window
            .clone()
            .rfind(|&stones| is_match(self.weighted[stones as usize], self.sum[stones as usize]));
        found.expect("one of them is the greatest")
    }
}

fn max_of<T: StoredChance>(one: T, other: T) -> T {
    if other > one { other } else { one }
}

/// The best place in a window that slides along a line.
#[derive(Clone, Debug, Default)]
pub(super) struct WindowBest<T> {
    /// End of the window at the last call.
    end: u32,
    greatest: T,
    /// The last position with the greatest weighted chance.
    greatest_at: u32,
    /// The greatest sum among the tied positions.
    best_sum: T,
    /// The last tied position with the greatest sum.
    best_at: u32,
}

impl<T: StoredChance> WindowBest<T> {
    /// Slides the window, which has at least one position, and returns its greatest weighted chance.
    ///
    /// Usually the window moves by one position, and the best position is the new one or the previous best. Compares
    /// all positions only if another one may be better.
    pub(super) fn slide_to(&mut self, window: &Range<u32>, column: &ChanceColumn<T>) -> T {
        let by_one = self.end + 1 == window.end;
        self.end = window.end;
        if !by_one || self.greatest_at < window.start || !self.advance_by_one(window, column) {
            self.greatest = column.max_in(window, |weighted, _| weighted);
            self.greatest_at = column.last(window, |weighted, _| weighted == self.greatest);
            (self.best_sum, self.best_at) = column.best(window, tie_threshold(self.greatest));
        }
        self.greatest
    }

    /// Compares the new last position of the window with the best so far. Returns false if the best may be neither of
    /// these two.
    fn advance_by_one(&mut self, window: &Range<u32>, column: &ChanceColumn<T>) -> bool {
        let last = window.end - 1;
        let (weighted, sum) = (column.weighted[last as usize], column.sum[last as usize]);
        if weighted >= self.greatest {
            (self.greatest, self.greatest_at) = (weighted, last);
        }
        let least_tied = tie_threshold(self.greatest);
        if weighted >= least_tied && sum >= self.best_sum {
            (self.best_sum, self.best_at) = (sum, last);
            return true;
        }
        self.best_at >= window.start && column.weighted[self.best_at as usize] >= least_tied
    }

    /// Does what [`ChanceColumn::best`] does; `None` if no position has at least this chance. `least` must not be below
    /// the tie threshold of this window's greatest chance.
    pub(super) fn best_with_at_least(
        &self,
        least: T,
        window: &Range<u32>,
        column: &ChanceColumn<T>,
    ) -> Option<(T, u32)> {
        if self.greatest < least {
            return None;
        }
        // `least` may come from another window with a greater chance, and then excludes some positions of this window.
        Some(if column.weighted[self.best_at as usize] >= least {
            (self.best_sum, self.best_at)
        } else {
            column.best(window, least)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a column of a few different chances, each in five versions: some differ by less than the tolerance of
    /// ties, some by a little more.
    fn column(rng: &mut fastrand::Rng, length: u32) -> ChanceColumn<f32> {
        let mut column = ChanceColumn::new(length);
        for stones in 0..length as usize {
            let versions = 1.0 + f32::from(rng.u8(..5)) * 4e-7;
            column.weighted[stones] = f32::from(rng.u8(..4)) * 0.2 * versions;
            column.sum[stones] = f32::from(rng.u8(..6)) * 0.1;
        }
        column
    }

    /// Does what [`WindowBest::best_with_at_least`] does, by looking at every position.
    fn naive_best(column: &ChanceColumn<f32>, window: &Range<u32>, least: f32) -> Option<(f32, u32)> {
        let tied = window.clone().filter(|&stones| column.weighted[stones as usize] >= least);
        let candidates = tied.map(|stones| (column.sum[stones as usize], stones));
        candidates.max_by(|one, other| one.partial_cmp(other).expect("they are numbers"))
    }

    #[test]
    fn the_best_position_of_a_moving_window_agrees_with_a_naive_search() {
        let mut rng = fastrand::Rng::with_seed(5);
        for round in 0..2000_u32 {
            let column = column(&mut rng, 120);
            let reach = [1, 2, 3, 10, 16, 33, 80][round as usize % 7];
            // The greater `skip_bound`, the more ends are skipped; up to 4, none.
            let skip_bound = rng.u32(1..20);
            let mut best = WindowBest::default();
            for end in 1..120_u32 {
                if rng.u32(..skip_bound) > 3 {
                    continue;
                }
                let window = end.saturating_sub(reach)..end;
                let greatest =
                    window.clone().map(|stones| column.weighted[stones as usize]).fold(0.0, f32::max);
                assert_eq!(best.slide_to(&window, &column), greatest, "{window:?} of {column:?}");
                for least in [0.0, 2e-7, 4e-7, 1e-6, 0.1].map(|above| tie_threshold(greatest + above)) {
                    let found = best.best_with_at_least(least, &window, &column);
                    assert_eq!(
                        found,
                        naive_best(&column, &window, least),
                        "{least} in {window:?} of {column:?}"
                    );
                }
            }
        }
    }
}
