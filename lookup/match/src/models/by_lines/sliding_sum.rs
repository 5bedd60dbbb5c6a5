//! Sums over a window that slides along a line, at constant cost for each step.

use crate::models::stored_chance::StoredChance;

/// For positions with several values each, the sum of each value over a window that slides along a line.
///
/// Subtracting the values that leave the window would leave rounding errors, which can exceed the smallest chances.
/// Instead, cut the line into blocks as long as the window. Each window is then the end of one block (a suffix sum) and
/// the beginning of the next (a running sum), so a step costs few additions (van Herk 1992; Gil and Werman 1993).
///
/// Example: values 1 2 3 | 4 5 6 and a window of 3. The suffix sums of the first block are 6 5 3. The window 2 3 4
/// has the sum 5 (suffix from 2) + 4 (running sum of the second block) = 9.
#[derive(Debug)]
pub(super) struct SlidingSum {
    width: u32,
    values_per_position: usize,
    /// The next position to enter the window.
    next: u32,
    /// Offset of `next` in its block.
    offset: usize,
    /// Running sums of the current block.
    block_sums: Vec<f64>,
    /// One entry for each offset. Before `offset`: the values of the current block. From `offset` on: the suffix sums
    /// of the previous block. Empty until the first use.
    suffix_sums: Vec<f64>,
}

impl SlidingSum {
    /// Makes a window of `width` positions.
    pub(super) fn new(width: u32, values_per_position: usize) -> Self {
        Self {
            width,
            values_per_position,
            next: 0,
            offset: 0,
            block_sums: vec![0.0; values_per_position],
            suffix_sums: Vec::new(),
        }
    }

    /// Slides the window forward, so that it ends before the position `end`, and adds the window's sums to `sums`.
    /// `values` returns the values of a position; `None` stands for zeros.
    pub(super) fn slide_and_add<'a, T: StoredChance + 'a>(
        &mut self,
        end: u32,
        values: impl Fn(u32) -> Option<&'a [T]>,
        sums: &mut [f64],
    ) {
        if self.width == 0 {
            return;
        }
        if self.suffix_sums.is_empty() || end - self.next > self.width {
            self.next = end.saturating_sub(self.width);
            self.offset = 0;
            self.block_sums.fill(0.0);
            self.suffix_sums.clear();
            self.suffix_sums.resize(self.width as usize * self.values_per_position, 0.0);
        }
        while self.next < end {
            self.push(values(self.next));
            self.next += 1;
        }
        let suffix_sums = &self.suffix_sums[self.offset * self.values_per_position..];
        for ((sum, block_sum), suffix_sum) in sums.iter_mut().zip(&self.block_sums).zip(suffix_sums) {
            *sum += block_sum + suffix_sum;
        }
    }

    /// Moves the window's end by one position with these values.
    fn push<T: StoredChance>(&mut self, values: Option<&[T]>) {
        let entry =
            &mut self.suffix_sums[self.offset * self.values_per_position..][..self.values_per_position];
        match values {
            None => entry.fill(0.0),
            Some(values) => {
                for ((entry, block_sum), value) in entry.iter_mut().zip(&mut self.block_sums).zip(values) {
                    *entry = (*value).into();
                    *block_sum += *entry;
                }
            }
        }
        self.offset += 1;
        if self.offset == self.width as usize {
            for at in (self.values_per_position..self.suffix_sums.len()).rev() {
                self.suffix_sums[at - self.values_per_position] += self.suffix_sums[at];
            }
            self.block_sums.fill(0.0);
            self.offset = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sums_of_a_moving_window_agree_with_naive_sums() {
        // Whole numbers, so that the sums are exact.
        let values: Vec<[f64; 2]> = (0..60).map(|n| [f64::from(1 << (n % 20)), f64::from(n)]).collect();
        let value_of = |stones: u32| (stones % 5 != 2).then(|| &values[stones as usize][..]);
        for width in [0, 1, 2, 3, 7, 16, 59, 70] {
            for ends in [vec![1, 2, 3, 4, 5], (0..60).collect(), vec![9, 10, 30, 31, 33, 59], vec![58]] {
                let mut window = SlidingSum::new(width, 2);
                for end in ends {
                    let mut sums = [1000.0, 0.5];
                    window.slide_and_add(end, value_of, &mut sums);
                    let mut expected = [1000.0, 0.5];
                    for values in (end.saturating_sub(width)..end).filter_map(value_of) {
                        expected[0] += values[0];
                        expected[1] += values[1];
                    }
                    assert_eq!(sums, expected, "{width} before {end}");
                }
            }
        }
    }

    #[test]
    fn values_that_have_left_the_window_leave_no_rounding_error() {
        let values = [[0.3], [0.7], [1e-30], [1e-30]];
        let mut window = SlidingSum::new(2, 1);
        let mut sums = [0.0; 4];
        for end in 1..=4 {
            let sum = &mut sums[end - 1..end];
            window.slide_and_add(end as u32, |stones| Some(&values[stones as usize][..]), sum);
        }
        assert_eq!(sums[3], 2e-30);
    }
}
